//! Variables that may become states.

use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::ids::{CandidateId, ComponentId, CoordinateId, List, PrescribedMotionId};
use crate::start::StateSelect;
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::contributions::multibody::CoordinateType;
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::level::Level;
use crate::statements::motion::variables::Variables;

/// A variable that may be a state, as a linear form of coordinates that are free.
#[derive(Clone, Debug)]
pub struct StateCandidate {
    pub linear: LinearForm,
    pub component: ComponentId,
    pub position: StartVariable,
    pub speed: StartVariable,
    pub select: StateSelect,
    /// The coordinate of a joint that it is.
    pub coordinate: Option<CoordinateId>,
    /// Whether it is a speed without a position.
    pub is_angular_velocity: bool,
    /// The prescribed motion whose position it is, and whether its speed is a state too.
    pub prescribed: Option<(PrescribedMotionId, bool)>,
    /// Whether the torque between its flanges determines its speed where nothing has inertia.
    pub damped: bool,
}

impl StateCandidate {
    /// Its position or its speed.
    pub fn variable(&self, level: Level) -> &StartVariable {
        match level {
            Level::Position => &self.position,
            Level::Speed => &self.speed,
        }
    }
}

/// All variables that may be states, in the order of their components.
pub fn state_candidates(
    kinematic_tree: KinematicTree<'_>,
    variables: &Variables,
) -> List<CandidateId, StateCandidate> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let mut candidates = Vec::new();
    for c in tree.coordinates(structure) {
        let coordinate = &structure.multibody.coordinates[c];
        if coordinate.locked {
            continue;
        }
        let variable = variables.numbering.coordinate(c);
        candidates.push(StateCandidate {
            linear: variables.elimination.variable(variable),
            component: coordinate.component,
            position: coordinate.position.clone(),
            speed: coordinate.speed.clone(),
            select: coordinate.select,
            coordinate: Some(c),
            is_angular_velocity: coordinate.coordinate_type == CoordinateType::AngularVelocity,
            prescribed: None,
            damped: false,
        });
    }
    for (k, motion) in structure.flanges.prescribed_motions.enumerate() {
        let Some(position) = &motion.position else { continue };
        let speed = motion.speed.as_ref();
        candidates.push(StateCandidate {
            linear: LinearForm::variable(variables.numbering.prescribed_motion(k)),
            component: motion.component,
            position: position.clone(),
            speed: speed.unwrap_or(position).clone(),
            select: StateSelect::Always,
            coordinate: None,
            is_angular_velocity: false,
            prescribed: Some((k, speed.is_some())),
            damped: false,
        });
    }
    for relative in &structure.flanges.relatives {
        let mut linear = LinearForm::variable(relative.b.node.variable());
        if let Some(a) = relative.a {
            linear = linear.minus(&LinearForm::variable(a.node.variable()));
        }
        candidates.push(StateCandidate {
            linear: variables.elimination.reduce(&linear),
            component: relative.component,
            position: relative.position.clone(),
            speed: relative.speed.clone(),
            select: relative.select,
            coordinate: None,
            is_angular_velocity: false,
            prescribed: None,
            damped: relative.damped,
        });
    }
    for candidate in &mut candidates {
        candidate.linear.terms.retain(|&v, _| !variables.numbering.is_violation(v));
    }
    candidates.sort_by_key(|c| c.component);
    candidates.into_iter().collect()
}
