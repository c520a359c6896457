//! Contributions to closed loops: constraints, and conditions on the initial configuration.

use crate::ids::{ComponentId, CoordinateId, FlangeConstraintId};
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::{Pose, Twist};
use equations::Ex;
use std::rc::Rc;

/// The arguments of the residuals of a constraint.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Poses of its frames; only relative ones mean something.
    pub poses: &'a [Pose],
    /// Its coordinates.
    pub q: &'a [Ex],
    /// The axes of these.
    pub axes: &'a [[f64; 3]],
}

/// Residuals of a constraint.
pub type Residual = Rc<dyn Fn(&Situation<'_>) -> Vec<Ex>>;

/// Residuals of a constraint on velocities, from poses and velocities of its frames; linear in the
/// velocities.
pub type RollingResidual = Rc<dyn Fn(&[Pose], &[Twist]) -> Vec<Ex>>;

/// A value computed from poses.
pub type FromPoses = Rc<dyn Fn(&[Pose]) -> Ex>;

/// A parameter that an initial configuration determines.
#[derive(Clone)]
pub struct FromStart {
    /// The parameter.
    pub parameter: Ex,
    /// Its value from the poses of the constraint's frames.
    pub value: FromPoses,
}

/// Two values of a coordinate with which a constraint holds.
#[derive(Clone, Copy, Debug)]
pub struct Roots {
    /// The values, in rad or m.
    pub values: [Ex; 2],
    /// How far they are apart, squared, as a part of the largest distance: there is no solution
    /// where it is negative.
    pub discriminant: Ex,
}

/// The values of a coordinate, computed without it.
pub type RootsLaw = Rc<dyn Fn(&Situation<'_>) -> Roots>;

/// The solution of a constraint's only residual for one of its coordinates.
///
/// The value nearer to the coordinate's start value is chosen, and stays chosen.
#[derive(Clone)]
pub struct ClosedFormLaw {
    /// The coordinate.
    pub coordinate: CoordinateId,
    /// Its values; none of them may depend on the coordinate.
    pub roots: RootsLaw,
    /// A parameter that becomes 1 if the first value is the nearer one at the start, or else -1.
    pub branch: Ex,
}

/// A condition on the initial configuration.
#[derive(Clone)]
pub struct Check {
    /// The instance that states it.
    pub name: String,
    /// The frames it depends on.
    pub frames: Vec<FrameEnd>,
    /// The coordinates whose axes it depends on.
    pub coordinates: Vec<CoordinateId>,
    /// Whether it is about a distance (m) or an angle (rad).
    pub unit: &'static str,
    /// The components that must vanish.
    pub values: Residual,
    /// The error if they do not vanish.
    pub complaint: &'static str,
}

/// The unit of residuals that may be lengths or angles.
pub const LENGTH_OR_ANGLE: &str = "m (or rad)";

/// The equations of a constraint.
#[derive(Clone)]
pub enum Holds {
    /// Residuals vanish.
    Position {
        /// The residuals.
        residual: Residual,
        /// As many others that vanish at the same time, if their derivatives with respect to time
        /// are simpler.
        moving: Option<Residual>,
        /// Their unit, for messages.
        unit: &'static str,
    },
    /// Residuals in m/s or rad/s vanish; they are not derivatives of residuals in m or rad.
    Rolling(RollingResidual),
    /// Residuals in m or rad vanish at the start only.
    StartPosition {
        /// The residuals.
        residual: Residual,
        /// Their unit, for messages.
        unit: &'static str,
    },
    /// Residuals in m/s or rad/s vanish at the start only.
    StartSpeed(RollingResidual),
}

/// A residual whose multiplier is requested.
#[derive(Clone, Copy, Debug)]
pub struct RequestedMultiplier {
    /// The residual, counted from 0.
    pub residual: usize,
    /// The flange constraint that stands for it.
    pub flange_constraint: FlangeConstraintId,
}

/// Bilateral constraints on frames.
#[derive(Clone)]
pub struct Constraint {
    /// The component that states it.
    pub component: ComponentId,
    /// Its instance name.
    pub name: String,
    /// The frames it depends on.
    pub frames: Vec<FrameEnd>,
    /// The coordinates it depends on.
    pub coordinates: Vec<CoordinateId>,
    /// A parameter chosen so that the constraint holds in the initial configuration.
    pub from_start: Option<FromStart>,
    /// Residuals whose multipliers are requested, each with the flange constraint that stands for
    /// it.
    pub multipliers: Vec<RequestedMultiplier>,
    /// How its residual is solved for one of its coordinates.
    pub closed_form: Option<ClosedFormLaw>,
    /// Its equations.
    pub condition: Holds,
}

impl Constraint {
    /// The flange constraint that stands for a residual, if its multiplier is requested.
    pub fn multiplier(&self, residual: usize) -> Option<FlangeConstraintId> {
        self.multipliers.iter().find(|m| m.residual == residual).map(|m| m.flange_constraint)
    }
}
