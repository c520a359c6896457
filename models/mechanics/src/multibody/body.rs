//! A rigid body, and the variables that every body has.

use crate::assembly::{At, Frame};
use crate::compile::structure::FrameEnd;
use crate::component::{Component, Contribution};
use crate::error::Error;
use crate::vector::Matrix;
use equations::Ex;

/// Rigid body with mass, inertia tensor and one frame.
///
/// # Equations
/// Newton and Euler about the centre of mass `r_CM`; gravity acts there.
///
/// # Variables
/// `r_0`, `v_0`, `a_0` of `frame_a` in world axes; `w_a`, `z_a` in the axes of `frame_a`; `m` in kg,
/// `I_ij` in kg.m2 about the centre of mass in the axes of `frame_a`.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Parts.Body.
#[derive(Clone, Debug)]
pub struct Body {
    m: f64,
    r_cm: [f64; 3],
    inertia: [f64; 6],
}

/// Ports of a [`Body`].
#[derive(Clone, Copy, Debug)]
pub struct BodyPorts {
    /// The frame fixed to the body.
    pub frame_a: Frame,
}

impl Body {
    /// Of mass `m` in kg, with centre of mass `r_CM` in m in the axes of `frame_a`.
    pub fn m_r_cm(m: f64, r_cm: [f64; 3]) -> Self {
        Body { m, r_cm, inertia: [0.001, 0.001, 0.001, 0.0, 0.0, 0.0] }
    }

    /// Inertia tensor: `I_11, I_22, I_33` in kg.m2.
    pub fn inertia(mut self, diagonal: [f64; 3]) -> Self {
        self.inertia[..3].copy_from_slice(&diagonal);
        self
    }

    /// Products of inertia: `I_21, I_31, I_32` in kg.m2.
    pub fn products(mut self, products: [f64; 3]) -> Self {
        self.inertia[3..].copy_from_slice(&products);
        self
    }
}

impl Component for Body {
    type Ports = BodyPorts;

    fn ports(at: At) -> BodyPorts {
        BodyPorts { frame_a: at.frame("frame_a") }
    }

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        let frame = c.frame("frame_a");
        inertial(c, frame, "", self.m, self.r_cm, self.inertia)?;
        motion(c, frame, "", "");
        Ok(())
    }
}

/// Declares mass, centre of mass and inertia as parameters under `prefix` and adds the body.
pub(super) fn inertial(
    c: &mut Contribution<'_>,
    frame: FrameEnd,
    prefix: &str,
    m: f64,
    r_cm: [f64; 3],
    inertia: [f64; 6],
) -> Result<(), Error> {
    let local = |name: &str| format!("{prefix}{name}");
    c.check(&local("m"), m, "kg", m >= 0.0)?;
    let mass: Ex = if m == 0.0 {
        c.constant(&local("m"), 0.0, "kg", "Mass of rigid body");
        Ex::zero()
    } else {
        let text = "Mass of rigid body";
        c.parameter(&local("m"), m).unit("kg").describe(text).min(0.0).tunable().into()
    };
    let text = "Vector from frame_a to centre of mass, resolved in frame_a";
    let r_cm = c.vector(&local("r_CM"), r_cm, "m", text)?;
    let names = ["I_11", "I_22", "I_33", "I_21", "I_31", "I_32"];
    let mut values = [Ex::zero(); 6];
    for (k, name) in names.into_iter().enumerate() {
        let value = inertia[k];
        c.check(&local(name), value, "kg.m2", k >= 3 || value >= 0.0)?;
        let text = "Element of inertia tensor about the centre of mass";
        if value == 0.0 {
            c.constant(&local(name), 0.0, "kg.m2", text);
        } else {
            let declared = c.parameter(&local(name), value).unit("kg.m2").describe(text);
            values[k] = declared.tunable().into();
        }
    }
    let [xx, yy, zz, yx, zx, zy] = values;
    c.body(frame, mass, r_cm, Matrix::new(xx, yx, zx, yx, yy, zy, zx, zy, zz));
    Ok(())
}

/// Publishes position, velocity and acceleration of a frame: translation under `prefix`, rotation
/// under `inner`.
pub(super) fn motion(c: &mut Contribution<'_>, frame: FrameEnd, prefix: &str, inner: &str) {
    let (outer, inside) = (prefix.to_owned(), inner.to_owned());
    c.law(move |e| {
        let (pose, velocity) = (e.pose(frame), e.velocity(frame));
        let v_0 = pose.t.transpose() * velocity.v;
        let text = "Position vector from world frame to frame_a, resolved in world frame";
        e.vector(&format!("{outer}r_0"), &pose.r, "m", text);
        let text = "Absolute velocity of frame_a, resolved in world frame";
        e.vector(&format!("{outer}v_0"), &v_0, "m/s", text);
        let text = "Absolute angular velocity of frame_a, resolved in frame_a";
        e.vector(&format!("{inside}w_a"), &velocity.w, "rad/s", text);
        Ok(())
    });
    let (outer, inside) = (prefix.to_owned(), inner.to_owned());
    c.after(move |e| {
        let acceleration = e.acceleration(frame);
        let a_0 = e.pose(frame).t.transpose() * acceleration.v;
        let text = "Absolute acceleration of frame_a, resolved in world frame";
        e.vector(&format!("{outer}a_0"), &a_0, "m/s2", text);
        let text = "Absolute angular acceleration of frame_a, resolved in frame_a";
        e.vector(&format!("{inside}z_a"), &acceleration.w, "rad/s2", text);
        Ok(())
    });
}
