//! The inertia tensor of a body.

use crate::compile::structure::FrameEnd;
use crate::declaration::{group, prelude::*};
use crate::vector::{Matrix, zero};
use equations::Limits;

group! {
    /// Inertia tensor of a body about its centre of mass, in the axes of `frame_a`. Zeros are
    /// structure.
    pub struct Inertia(inertia) {
        /// Element of inertia tensor about the centre of mass
        I_11: Amount["kg.m2"] = 0.001,
        /// Element of inertia tensor about the centre of mass
        I_22: Amount["kg.m2"] = 0.001,
        /// Element of inertia tensor about the centre of mass
        I_33: Amount["kg.m2"] = 0.001,
        /// Element of inertia tensor about the centre of mass
        I_21: Element["kg.m2"] = 0,
        /// Element of inertia tensor about the centre of mass
        I_31: Element["kg.m2"] = 0,
        /// Element of inertia tensor about the centre of mass
        I_32: Element["kg.m2"] = 0,
    }
}

impl Inertia {
    /// The whole tensor.
    pub fn tensor(&self) -> Matrix {
        let Inertia { I_11: xx, I_22: yy, I_33: zz, I_21: yx, I_31: zx, I_32: zy } = *self;
        Matrix::new(xx, yx, zx, yx, yy, zy, zx, zy, zz)
    }
}

/// Methods that set several elements of an [`Inertia`] at once.
macro_rules! inertia_setters {
    ($($Component:ident),*) => { $(
        impl $Component {
            /// Inertia tensor: `I_11, I_22, I_33` in kg.m2.
            #[must_use]
            pub fn inertia(self, [xx, yy, zz]: [impl Into<$crate::declaration::Amount>; 3]) -> Self {
                self.I_11(xx).I_22(yy).I_33(zz)
            }

            /// Products of inertia: `I_21, I_31, I_32` in kg.m2.
            #[must_use]
            pub fn products(self, [yx, zx, zy]: [impl Into<$crate::declaration::Element>; 3]) -> Self {
                self.I_21(yx).I_31(zx).I_32(zy)
            }
        }
    )* };
}
pub(crate) use inertia_setters;

/// Mass and inertia tensor about the origin of the frame that carries them.
#[derive(Clone, Debug)]
pub(crate) struct MassProperties {
    m: f64,
    /// `I_11, I_22, I_33`.
    pub diagonal: [f64; 3],
    /// `I_21, I_31, I_32`.
    pub products: [f64; 3],
}

impl MassProperties {
    /// With the inertia tensor that a body has unless it is given.
    pub fn new(m: f64, _: [f64; 3]) -> Self {
        MassProperties { m, diagonal: [0.001; 3], products: [0.0; 3] }
    }

    /// Declares the parameters and adds the body. Zeros are structure.
    pub fn declare_centred(&self, c: &mut Contribution<'_>, frame: FrameEnd) -> Result<(), Error> {
        let mass = c.amount("m", self.m, "kg", "Mass of rigid body")?;
        let mut element = |name: &str, value: f64, limits: Limits| -> Result<Ex, Error> {
            let text = "Element of inertia tensor about the centre of mass";
            if value == 0.0 {
                c.constant(name, 0.0, "kg.m2", text);
                return Ok(Ex::zero());
            }
            Ok(c.limited(name, value, "kg.m2", text, limits)?.tunable().into())
        };
        let (moment, product) = (Limits::NOT_NEGATIVE, Limits::ANY);
        let ([d1, d2, d3], [p1, p2, p3]) = (self.diagonal, self.products);
        let (xx, yy) = (element("I_11", d1, moment)?, element("I_22", d2, moment)?);
        let (zz, yx) = (element("I_33", d3, moment)?, element("I_21", p1, product)?);
        let (zx, zy) = (element("I_31", p2, product)?, element("I_32", p3, product)?);
        c.body(frame, mass, zero(), Matrix::new(xx, yx, zx, yx, yy, zy, zx, zy, zz));
        Ok(())
    }
}
