//! The contact of two wheels on one axle with the road.

use crate::compile::structure::{FrameEnd, Freedom, Holds, Pose, Twist};
use crate::component::{Contribution, CoordinateId, OldComponent, Starts};
use crate::domain::{ROTATIONAL, Word, word};
use crate::error::Error;
use crate::ports;
use crate::start::{Start, StateSelect, free};
use crate::vector::{Vector, X, Y, Z, constant, cross, dot, identity, scale};
use equations::{Ex, Limits};
use std::rc::Rc;

/// How the wheels of an axle start.
#[derive(Clone, Debug)]
pub(in crate::multibody) struct RollingSet {
    pub radius: f64,
    pub track: f64,
    pub x: Start,
    pub y: Start,
    pub phi: Start,
    pub theta: [Start; 2],
    pub der_theta: [Start; 2],
}

/// The frames of an axle.
pub(in crate::multibody) struct Axle {
    /// On the wheels.
    pub wheels: [FrameEnd; 2],
    /// The wheels' radius in m.
    pub radius: Ex,
}

const SLIDES: [[&str; 3]; 2] = [
    ["x", "der_x", "x-coordinate of the middle between the wheels"],
    ["y", "der_y", "y-coordinate of the middle between the wheels"],
];
static THETA: [[Word; 3]; 2] = [
    [
        word("theta1", "rad", "Angle of wheel 1"),
        word("der_theta1", "rad/s", "Derivative of theta1"),
        word("der2_theta1", "rad/s2", "Second derivative of theta1"),
    ],
    [
        word("theta2", "rad", "Angle of wheel 2"),
        word("der_theta2", "rad/s", "Derivative of theta2"),
        word("der2_theta2", "rad/s2", "Second derivative of theta2"),
    ],
];

impl RollingSet {
    /// Wheels of a radius in m, a track in m apart; their start values are zero, and initial
    /// conditions if `fixed`.
    pub fn new(radius: f64, track: f64, fixed: bool) -> Self {
        let start = if fixed { crate::start::fixed(0.0) } else { free() };
        let both = [start; 2];
        RollingSet { radius, track, x: start, y: start, phi: start, theta: both, der_theta: both }
    }

    /// Adds the joints of the axle and the constraints of rolling; `radius` is the name of the
    /// wheels' radius.
    pub fn join(&self, c: &mut Contribution<'_>, radius: &str) -> Result<Axle, Error> {
        let text = "Radius of one wheel";
        let radius: Ex = c.limited(radius, self.radius, "m", text, Limits::POSITIVE)?.into();
        let text = "Distance between the two wheels";
        let track: Ex = c.limited("track", self.track, "m", text, Limits::POSITIVE)?.into();
        let middle = c.frame("frameMiddle");
        let wheels = [c.frame("frame1"), c.frame("frame2")];
        let road = c.ground(Pose { r: scale(&constant(Z), radius), t: identity() });
        let guide = self.guide(c)?;
        c.joint(road, middle, &guide);
        for (k, hub) in ["hub 1", "hub 2"].into_iter().enumerate() {
            let hub = c.hidden_frame(hub);
            let side = if k == 0 { 0.5 } else { -0.5 };
            c.rigid(middle, hub, scale(&constant(Y), track * side), identity());
            let starts = Starts { position: self.theta[k], speed: self.der_theta[k] };
            c.finite(THETA[k][0].local, starts.position.value, "rad")?;
            c.finite(THETA[k][1].local, starts.speed.value, "rad/s")?;
            let motion = c.candidates(THETA[k].each_ref(), starts);
            let theta = c.coordinate(Freedom::Turn, Y, motion, StateSelect::Prefer);
            c.joint(hub, wheels[k], &[theta]);
            let axis = ["axis1", "axis2"][k];
            if c.is_connected(axis) {
                let axis = c.flange(&ROTATIONAL, axis);
                c.axis_flange(axis, theta, Ex::zero());
            }
        }
        if c.is_connected("support") {
            let support = c.flange(&ROTATIONAL, "support");
            let housing = c.linear(&[(support, Ex::one())], Ex::zero());
            c.mount(housing, Some(middle), constant(X));
        }
        let slip = move |poses: &[Pose], velocities: &[Twist]| {
            let [first, second] = [1, 2].map(|k| slip(&poses[k], &velocities[k], radius));
            vec![first[0], second[0], first[1]]
        };
        let frames = [road, wheels[0], wheels[1]];
        let rolls = c.constraint(&frames, &[], None, Holds::Rolling(Rc::new(slip)));
        for (k, name) in ["rolling1.f_long", "rolling2.f_long", "rolling1.f_lat"].iter().enumerate()
        {
            let force = c.multiplier(rolls, k);
            c.after(move |e| {
                let text = "Force of the road on a wheel";
                let force = e.multiplier(force);
                e.variable(name, force).unit("N").describe(text);
                Ok(())
            });
        }
        Ok(Axle { wheels, radius })
    }

    /// The motion of the middle in its plane.
    fn guide(&self, c: &mut Contribution<'_>) -> Result<[CoordinateId; 3], Error> {
        let mut slide = |k: usize, axis, start: Start| {
            let [q, v, text] = SLIDES[k];
            c.finite(q, start.value, "m")?;
            let position = c.named_candidate(q, "m", text, start);
            let speed = c.named_candidate(v, "m/s", "Derivative of the position", Start::default());
            let motion = [position, speed];
            Ok::<_, Error>(c.coordinate(Freedom::Slide, axis, motion, StateSelect::Default))
        };
        let (x, y) = (slide(0, X, self.x)?, slide(1, Y, self.y)?);
        c.finite("phi", self.phi.value, "rad")?;
        let text = "Angle of the axle about the vertical";
        let phi = c.named_candidate("phi", "rad", text, self.phi);
        let rate = c.named_candidate("der_phi", "rad/s", "Derivative of phi", Start::default());
        Ok([x, y, c.coordinate(Freedom::Turn, Z, [phi, rate], StateSelect::Default)])
    }
}

/// The velocity of the lowest point of a vertical wheel, along its track and along its axle.
fn slip(frame: &Pose, velocity: &Twist, radius: Ex) -> [Ex; 2] {
    let out = frame.t.transpose();
    let arm: Vector = scale(&constant(Z), -radius);
    let e_axis = out * constant(Y);
    let v = out * velocity.v + cross(&(out * velocity.w), &arm);
    [dot(&v, &cross(&constant(Z), &e_axis)), dot(&v, &e_axis)]
}

/// Two wheels on one axle roll without slip on the plane z = 0 of the world: a joint without mass.
///
/// # Equations
/// `frameMiddle` moves at height `radius`, to `x`, `y`, turned by `phi` about the vertical; wheel 1
/// at `{0, track/2, 0}` and wheel 2 at `{0, -track/2, 0}` of it are turned by `theta1` and `theta2`
/// about the axle (y). Neither wheel's lowest point moves along its track, that of wheel 1 does not
/// move across it either. The flanges `axis1` and `axis2` turn with the wheels; the torque of
/// `support` acts on `frameMiddle` about its x-axis, where the guide takes it.
///
/// # Variables
/// `radius`, `track` in m; `x`, `y` in m, `phi`, `theta1`, `theta2` in rad, `der_theta1`,
/// `der_theta2` in rad/s; the forces of the road on the wheels in N: `rolling1.f_long`,
/// `rolling2.f_long` along the tracks, towards -x of `frameMiddle`, and `rolling1.f_lat` along y.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Joints.RollingWheelSet.
#[derive(Clone, Debug)]
pub struct RollingWheelSetJoint {
    rolling: RollingSet,
}

ports! {
    /// Ports and variables of a [`RollingWheelSetJoint`], and of a
    /// [`RollingWheelSet`](crate::multibody::RollingWheelSet).
    pub struct RollingWheelSetPorts {
        /// Frame in the middle of the axle: y along the axle, z upwards.
        frame_middle: frame = "frameMiddle",
        /// Frame on wheel 1, on the left.
        frame1: frame,
        /// Frame on wheel 2, on the right.
        frame2: frame,
        /// Flange that turns with wheel 1.
        axis1: flange,
        /// Flange that turns with wheel 2.
        axis2: flange,
        /// Housing of what drives the flanges.
        support: flange,
        /// Position of the middle in m.
        x: quantity,
        /// Position of the middle in m.
        y: quantity,
        /// Angle of the axle in rad.
        phi: quantity,
        /// Angle of wheel 1 in rad.
        theta1: quantity,
        /// Angle of wheel 2 in rad.
        theta2: quantity,
        /// Derivative of `theta1` in rad/s.
        der_theta1: quantity,
        /// Derivative of `theta2` in rad/s.
        der_theta2: quantity,
    }
}

impl RollingWheelSetJoint {
    /// With wheels of a radius in m, a track in m apart.
    pub fn radius_track(radius: f64, track: f64) -> Self {
        RollingWheelSetJoint { rolling: RollingSet::new(radius, track, false) }
    }
}

/// The methods that set how an axle starts, kept in the field `rolling`.
macro_rules! rolling_set_setters {
    ($Component:ident) => {
        impl $Component {
            /// Start value of the x-coordinate of the middle in m.
            #[must_use]
            pub fn x(mut self, x: crate::start::Start) -> Self {
                self.rolling.x = x;
                self
            }

            /// Start value of the y-coordinate of the middle in m.
            #[must_use]
            pub fn y(mut self, y: crate::start::Start) -> Self {
                self.rolling.y = y;
                self
            }

            /// Start value of the angle of the axle in rad.
            #[must_use]
            pub fn phi(mut self, phi: crate::start::Start) -> Self {
                self.rolling.phi = phi;
                self
            }

            /// Start value of the angle of wheel 1 in rad.
            #[must_use]
            pub fn theta1(mut self, theta1: crate::start::Start) -> Self {
                self.rolling.theta[0] = theta1;
                self
            }

            /// Start value of the angle of wheel 2 in rad.
            #[must_use]
            pub fn theta2(mut self, theta2: crate::start::Start) -> Self {
                self.rolling.theta[1] = theta2;
                self
            }

            /// Start value of the derivative of `theta1` in rad/s.
            #[must_use]
            pub fn der_theta1(mut self, der_theta1: crate::start::Start) -> Self {
                self.rolling.der_theta[0] = der_theta1;
                self
            }

            /// Start value of the derivative of `theta2` in rad/s.
            #[must_use]
            pub fn der_theta2(mut self, der_theta2: crate::start::Start) -> Self {
                self.rolling.der_theta[1] = der_theta2;
                self
            }
        }
    };
}
pub(in crate::multibody) use rolling_set_setters;

rolling_set_setters!(RollingWheelSetJoint);

impl OldComponent for RollingWheelSetJoint {
    type Ports = RollingWheelSetPorts;

    fn contribute(&self, c: &mut Contribution<'_>) -> Result<(), Error> {
        self.rolling.join(c, "radius")?;
        Ok(())
    }
}
