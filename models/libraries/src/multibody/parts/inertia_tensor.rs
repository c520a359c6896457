//! The inertia tensor of a body.

use equations::Bool;
use mechanics::declaration::{group, prelude::*};
use mechanics::vector::{Matrix, cross, dot};

group! {
    /// Inertia tensor of a body about its centre of mass, in the axes of `frame_a`. Zeros are
    /// structural.
    pub struct InertiaTensor(inertia_tensor) {
        /// Element of inertia tensor about the centre of mass
        I_11: Real["kg.m2", >= 0, structural zero] = 0.001,
        /// Element of inertia tensor about the centre of mass
        I_22: Real["kg.m2", >= 0, structural zero] = 0.001,
        /// Element of inertia tensor about the centre of mass
        I_33: Real["kg.m2", >= 0, structural zero] = 0.001,
        /// Element of inertia tensor about the centre of mass
        I_21: Real["kg.m2", structural zero] = 0,
        /// Element of inertia tensor about the centre of mass
        I_31: Real["kg.m2", structural zero] = 0,
        /// Element of inertia tensor about the centre of mass
        I_32: Real["kg.m2", structural zero] = 0,
    }
}

/// The elements on the diagonal, and the products of inertia.
const DIAGONAL: [&str; 3] = ["I_11", "I_22", "I_33"];
const PRODUCTS: [&str; 3] = ["I_21", "I_31", "I_32"];

/// Part of the trace that a principal moment of inertia may be below zero: rounded values fit.
pub(super) const ROUNDING: f64 = 1e-6;

const NEGATIVE: &str = "no body has this inertia tensor, because a principal moment of inertia is \
                        negative";
pub(super) const TRIANGLE: &str = "no rigid body has this inertia tensor, because a principal \
                                   moment of inertia is larger than the sum of the two others";

impl InertiaTensor {
    /// The whole tensor. A note says if a principal moment of inertia is larger than the sum of the
    /// two others.
    ///
    /// # Errors
    /// If a principal moment of inertia is negative.
    pub fn tensor(&self, c: &mut Contribution<'_>) -> Result<Matrix, Error> {
        let InertiaTensor { I_11: xx, I_22: yy, I_33: zz, I_21: yx, I_31: zx, I_32: zy } = *self;
        let tensor = Matrix::new(xx, yx, zx, yx, yy, zy, zx, zy, zz);
        let products = PRODUCTS.into_iter().zip([yx, zx, zy]).filter(|p| !p.1.is_constant_zero());
        let of: Vec<&str> = DIAGONAL.into_iter().chain(products.map(|p| p.0)).collect();
        let diagonal_only = of.len() == DIAGONAL.len();
        if !diagonal_only {
            c.require(&of, positive_semidefinite(&tensor), NEGATIVE)?;
        }
        // Planar models leave two moments at their default or set them to zero: they have no
        // influence there.
        let is_planar = |(name, moment): &(&str, Ex)| {
            !c.is_given(name) || c.number(*moment).is_some_and(|i| i == 0.0)
        };
        let moments = DIAGONAL.into_iter().zip([xx, yy, zz]);
        if !diagonal_only || moments.filter(is_planar).count() < 2 {
            let of_mass = Matrix::identity() * (tensor.trace() * 0.5) - tensor;
            c.remark(&of, positive_semidefinite(&of_mass), TRIANGLE);
        }
        Ok(tensor)
    }
}

/// Whether no eigenvalue of a symmetric matrix is negative: no principal minor is. This holds for
/// the inertia tensor `I` of a body, and for `trace(I) / 2 - I`, the second moments of its mass,
/// where it is the triangle inequality.
fn positive_semidefinite(matrix: &Matrix) -> Bool {
    let m = matrix + Matrix::identity() * (matrix.trace() * ROUNDING);
    let minor = |i: usize, j: usize| m[(i, i)] * m[(j, j)] - m[(i, j)] * m[(i, j)];
    let [x, y, z] = [0, 1, 2].map(|k| m.column(k).into_owned());
    let minors = [minor(0, 1), minor(1, 2), minor(2, 0), dot(&x, &cross(&y, &z))];
    let all = minors.into_iter().chain([m[(0, 0)], m[(1, 1)], m[(2, 2)]]);
    all.fold(Bool::constant(true), |all, minor| all & minor.ge(0.0))
}

/// Methods that set several elements of an [`InertiaTensor`] at once.
macro_rules! inertia_setters {
    ($($Component:ident),*) => { $(
        impl $Component {
            /// Inertia tensor: `I_11, I_22, I_33` in kg.m2.
            #[must_use]
            pub fn inertia(self, [xx, yy, zz]: [impl Into<Real>; 3]) -> Self {
                self.I_11(xx).I_22(yy).I_33(zz)
            }

            /// Products of inertia: `I_21, I_31, I_32` in kg.m2.
            #[must_use]
            pub fn products(self, [yx, zx, zy]: [impl Into<Real>; 3]) -> Self {
                self.I_21(yx).I_31(zx).I_32(zy)
            }
        }
    )* };
}
pub(crate) use inertia_setters;
