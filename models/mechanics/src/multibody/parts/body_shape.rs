//! A rigid body with two frames.

use super::body::{MassProperties, motion};
use super::fixed_translation::rod;
use super::free::{Free, free_setters};
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::scene::{BODY_COLOR, Shape};

/// Rigid body with mass, inertia tensor and two frames.
///
/// # Equations
/// Those of [`super::FixedTranslation`] with `r` and of a `Body` named `body` at `frame_a`.
///
/// # Variables
/// `r` and `r_CM` in m, `m` in kg, `I_ij` in kg.m2 about the centre of mass, in the axes of
/// `frame_a`; `r_0`, `v_0`, `a_0` of `frame_a` in world axes, `body.w_a`, `body.z_a` in its own.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.BodyShape.
#[derive(Clone, Debug)]
pub struct BodyShape {
    r: [f64; 3],
    mass: MassProperties,
    free: Free,
}

ports! {
    /// Ports and variables of a [`BodyShape`], a [`BodyBox`](super::BodyBox) or a
    /// [`BodyCylinder`](super::BodyCylinder).
    pub struct BodyShapePorts {
        /// Frame on one side.
        frame_a: frame,
        /// Frame on the other side.
        frame_b: frame,
        /// Position of `frame_a` in m, in world axes.
        r_0: vector,
        /// Velocity of `frame_a` in m/s, in world axes.
        v_0: vector,
        /// Acceleration of `frame_a` in m/s2, in world axes.
        a_0: vector,
        /// Angular velocity of `frame_a` in rad/s, in its own axes.
        w_a: vector = "body.w_a",
        /// Angular acceleration of `frame_a` in rad/s2, in its own axes.
        z_a: vector = "body.z_a",
    }
}

impl BodyShape {
    /// From `frame_a` to `frame_b` by `r` in m, with centre of mass `r_CM` in m and mass `m` in kg.
    pub fn r_cm_m(r: [f64; 3], r_cm: [f64; 3], m: f64) -> Self {
        BodyShape { r, mass: MassProperties::new(m, r_cm), free: Free::default() }
    }

    /// Inertia tensor: `I_11, I_22, I_33` in kg.m2.
    pub fn inertia(mut self, diagonal: [f64; 3]) -> Self {
        self.mass.diagonal = diagonal;
        self
    }

    /// Products of inertia: `I_21, I_31, I_32` in kg.m2.
    pub fn products(mut self, products: [f64; 3]) -> Self {
        self.mass.products = products;
        self
    }
}

free_setters!(BodyShape);

impl OldComponent for BodyShape {
    type Ports = BodyShapePorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let r = rod(c, self.r)?;
        let frame = c.frame("frame_a");
        let r_cm = self.mass.declare(c, frame)?;
        c.shape("frame_a", |_| Shape::rod(r, BODY_COLOR));
        c.shape("frame_a", |_| {
            let diameter = Shape::rod(r, BODY_COLOR).width * 2.0;
            Shape::sphere(&r_cm, diameter, BODY_COLOR)
        });
        self.free.join(c, frame, "body.")?;
        motion(c, frame, "body.");
        Ok(())
    }
}
