//! A rigid body, and the variables that every body has.

use super::free::{Free, free_setters};
use crate::compile::structure::FrameEnd;
use crate::component::{Contribution, OldComponent};
use crate::error::Error;
use crate::ports;
use crate::scene::Shape;
use crate::vector::{Matrix, Vector, zero};
use equations::{Ex, Limits};

/// Rigid body with mass, inertia tensor and one frame.
///
/// # Equations
/// With the orientation `R` of `frame_a`: `frame_a.f = m (R (a_0 - g(r_0 + R' r_CM)) + z_a x r_CM +
/// w_a x (w_a x r_CM))`, `frame_a.t = I z_a + w_a x (I w_a) + r_CM x frame_a.f`.
///
/// # Variables
/// `r_0`, `v_0`, `a_0` of `frame_a` in world axes; `w_a`, `z_a` in the axes of `frame_a`; `m` in
/// kg, `I_ij` in kg.m2 about the centre of mass in the axes of `frame_a`. If nothing else holds the
/// body, `r_0`, `v_0`, the quaternion `Q` of `frame_a` and `w_a` are states (or, instead of the
/// latter two, angles `phi` in rad and their derivatives `phi_d`). Then `a_0` and `z_0_start`
/// (rad/s2, in world axes) may be initial conditions that determine start values which are not
/// fixed.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.Body.
#[derive(Clone, Debug)]
pub struct Body {
    mass: MassProperties,
    free: Free,
}

ports! {
    /// Ports and variables of a [`Body`].
    pub struct BodyPorts {
        /// The frame fixed to the body.
        frame_a: frame,
        /// Position of `frame_a` in m, in world axes.
        r_0: vector,
        /// Velocity of `frame_a` in m/s, in world axes.
        v_0: vector,
        /// Acceleration of `frame_a` in m/s2, in world axes.
        a_0: vector,
        /// Angular velocity of `frame_a` in rad/s, in its own axes.
        w_a: vector,
        /// Angular acceleration of `frame_a` in rad/s2, in its own axes.
        z_a: vector,
    }
}

impl Body {
    /// Of mass `m` in kg, with centre of mass `r_CM` in m in the axes of `frame_a`.
    pub fn m_r_cm(m: f64, r_cm: [f64; 3]) -> Self {
        Body { mass: MassProperties::new(m, r_cm), free: Free::default() }
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

free_setters!(Body);

impl OldComponent for Body {
    type Ports = BodyPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        let r_cm = self.mass.declare(c, frame)?;
        c.shape("frame_a", |nominal| Shape::body_rod(r_cm, nominal));
        c.shape("frame_a", |nominal| Shape::body_sphere(&r_cm, nominal));
        self.free.join(c, frame, "")?;
        motion(c, frame, "");
        Ok(())
    }
}

/// Mass, centre of mass, and inertia tensor about it, in the axes of the frame that carries them.
#[derive(Clone, Debug)]
pub(crate) struct MassProperties {
    m: f64,
    r_cm: [f64; 3],
    /// `I_11, I_22, I_33`.
    pub diagonal: [f64; 3],
    /// `I_21, I_31, I_32`.
    pub products: [f64; 3],
}

impl MassProperties {
    /// With the inertia tensor that a body has unless it is given.
    pub fn new(m: f64, r_cm: [f64; 3]) -> Self {
        MassProperties { m, r_cm, diagonal: [0.001; 3], products: [0.0; 3] }
    }

    /// Declares the parameters and adds the body; gives its centre of mass. Zeros are structure.
    pub fn declare(&self, c: &mut Contribution<'_>, frame: FrameEnd) -> Result<Vector, Error> {
        let mass = self.declare_mass(c)?;
        let text = "Vector from frame_a to centre of mass, resolved in frame_a";
        let r_cm = c.vector("r_CM", self.r_cm, "m", text)?;
        let inertia = self.declare_inertia(c)?;
        c.body(frame, mass, r_cm, inertia);
        Ok(r_cm)
    }

    /// The same with the centre of mass at the origin of the frame.
    pub fn declare_centred(&self, c: &mut Contribution<'_>, frame: FrameEnd) -> Result<(), Error> {
        let mass = self.declare_mass(c)?;
        let inertia = self.declare_inertia(c)?;
        c.body(frame, mass, zero(), inertia);
        Ok(())
    }

    fn declare_mass(&self, c: &mut Contribution<'_>) -> Result<Ex, Error> {
        c.amount("m", self.m, "kg", "Mass of rigid body")
    }

    fn declare_inertia(&self, c: &mut Contribution<'_>) -> Result<Matrix, Error> {
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
        Ok(Matrix::new(xx, yx, zx, yx, yy, zy, zx, zy, zz))
    }
}

/// Publishes the motion of a frame: translation, and rotation under `inner`; what is inside another
/// component has a frame of its own there.
pub(in crate::multibody) fn motion(c: &mut Contribution<'_>, frame: FrameEnd, inner: &'static str) {
    translation(c, frame);
    c.law(move |e| {
        if !inner.is_empty() {
            let text = "Position vector from world frame to the frame, resolved in world frame";
            let r_0 = e.pose(frame).r;
            e.vector(&format!("{inner}frame_a.r_0"), &r_0, "m", text);
        }
        let text = "Absolute angular velocity of frame_a, resolved in frame_a";
        let w_a = e.velocity(frame).w;
        e.vector(&format!("{inner}w_a"), &w_a, "rad/s", text);
        Ok(())
    });
    c.after(move |e| {
        let text = "Absolute angular acceleration of frame_a, resolved in frame_a";
        let z_a = e.acceleration(frame).w;
        e.vector(&format!("{inner}z_a"), &z_a, "rad/s2", text);
        Ok(())
    });
}

/// Publishes position, velocity and acceleration of a frame.
pub(in crate::multibody) fn translation(c: &mut Contribution<'_>, frame: FrameEnd) {
    c.law(move |e| {
        let pose = e.pose(frame);
        let v_0 = pose.t.transpose() * e.velocity(frame).v;
        let text = "Position vector from world frame to frame_a, resolved in world frame";
        e.vector("r_0", &pose.r, "m", text);
        let text = "Absolute velocity of frame_a, resolved in world frame";
        e.vector("v_0", &v_0, "m/s", text);
        Ok(())
    });
    c.after(move |e| {
        let a_0 = e.pose(frame).t.transpose() * e.acceleration(frame).v;
        let text = "Absolute acceleration of frame_a, resolved in world frame";
        e.vector("a_0", &a_0, "m/s2", text);
        Ok(())
    });
}
