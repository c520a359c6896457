//! The inertia tensor of a body.

use crate::declaration::{group, prelude::*};
use crate::vector::Matrix;

group! {
    /// Inertia tensor of a body about its centre of mass, in the axes of `frame_a`. Zeros are
    /// structural.
    pub struct InertiaTensor(inertia_tensor) {
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

impl InertiaTensor {
    /// The whole tensor.
    pub fn tensor(&self) -> Matrix {
        let InertiaTensor { I_11: xx, I_22: yy, I_33: zz, I_21: yx, I_31: zx, I_32: zy } = *self;
        Matrix::new(xx, yx, zx, yx, yy, zy, zx, zy, zz)
    }
}

/// Methods that set several elements of an [`InertiaTensor`] at once.
macro_rules! inertia_setters {
    ($($Component:ident),*) => { $(
        impl $Component {
            /// Inertia tensor: `I_11, I_22, I_33` in kg.m2.
            #[must_use]
            pub fn inertia(self, [xx, yy, zz]: [impl Into<Amount>; 3]) -> Self {
                self.I_11(xx).I_22(yy).I_33(zz)
            }

            /// Products of inertia: `I_21, I_31, I_32` in kg.m2.
            #[must_use]
            pub fn products(self, [yx, zx, zy]: [impl Into<Element>; 3]) -> Self {
                self.I_21(yx).I_31(zx).I_32(zy)
            }
        }
    )* };
}
pub(crate) use inertia_setters;
