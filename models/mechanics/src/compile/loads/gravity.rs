//! Gravity: an upward acceleration of the world if it is uniform, else a force on every body.

use crate::compile::contributions::{Body, Pose, Structure, Twist};
use crate::compile::laws::evaluation::Frames;
use crate::compile::loads::mass_matrix::Sums;
use crate::vector::{Vector, cross, dot, scale, zero};
use equations::Ex;
use std::fmt;
use std::rc::Rc;

/// An acceleration in m/s2 as a function of the position in m, both in world axes.
pub type Acceleration = Rc<dyn Fn(&Vector) -> Vector>;

/// A potential in J/kg as a function of the position in m, in world axes.
pub type Potential = Rc<dyn Fn(&Vector) -> Ex>;

/// The acceleration of gravity, in world axes.
#[derive(Clone)]
pub enum Gravity {
    /// The same everywhere, in m/s2.
    Uniform(Vector),
    /// A function of the position.
    Field {
        /// The function.
        acceleration: Acceleration,
        /// What it is the negative gradient of; without it the field has no energy.
        potential: Option<Potential>,
    },
}

impl fmt::Debug for Gravity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gravity::Uniform(g) => f.debug_tuple("Uniform").field(g).finish(),
            Gravity::Field { potential, .. } => {
                f.debug_struct("Field").field("has_potential", &potential.is_some()).finish()
            }
        }
    }
}

impl Gravity {
    /// The part that counts as an upward acceleration of the world.
    pub fn uniform(&self) -> Vector {
        match self {
            Gravity::Uniform(g) => *g,
            Gravity::Field { .. } => zero(),
        }
    }

    /// The acceleration at a position.
    pub fn at(&self, r: &Vector) -> Vector {
        match self {
            Gravity::Uniform(g) => *g,
            Gravity::Field { acceleration, .. } => acceleration(r),
        }
    }

    /// The potential in J/kg.
    fn potential(&self, r: &Vector) -> Ex {
        match self {
            Gravity::Uniform(g) => -dot(g, r),
            Gravity::Field { potential: Some(potential), .. } => potential(r),
            Gravity::Field { potential: None, .. } => Ex::zero(),
        }
    }

    /// The torque and the force of the field on a body, at its frame and in its axes; none if
    /// gravity is uniform. `pose` is that of the frame in the world.
    pub fn wrench(&self, body: &Body, pose: &Pose) -> Option<Twist> {
        let Gravity::Field { acceleration, .. } = self else { return None };
        let force = pose.t * scale(&acceleration(&centre(body, pose)), body.mass);
        Some(Twist { w: cross(&body.r_cm, &force), v: force })
    }
}

/// The centre of mass of a body in the world.
fn centre(body: &Body, pose: &Pose) -> Vector {
    pose.r + pose.t.transpose() * body.r_cm
}

/// Adds the forces of a field on all bodies.
pub fn forces(structure: &Structure, frames: &Frames, sums: &mut Sums) {
    let Some((_, gravity)) = structure.gravity.first() else { return };
    for body in &structure.bodies {
        let place = &frames.tree.places[&body.frame.node];
        if let Some(wrench) = gravity.wrench(body, &frames.poses[place.link].then(&place.pose)) {
            sums.wrench(place.link, &wrench.carried(&place.pose));
        }
    }
}

/// The potential energy of all bodies in J.
pub fn energy(structure: &Structure, frames: &Frames) -> Ex {
    let Some((_, gravity)) = structure.gravity.first() else { return Ex::zero() };
    let of = |body: &Body| {
        let place = &frames.tree.places[&body.frame.node];
        let pose = frames.poses[place.link].then(&place.pose);
        body.mass * gravity.potential(&centre(body, &pose))
    };
    structure.bodies.iter().map(of).sum()
}
