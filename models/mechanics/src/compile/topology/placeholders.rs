//! Placeholders of positions and speeds, in which closure equations are written.

use super::state_candidates::StateCandidate;
use crate::compile::topology::closure::{self, ClosureRow, Guess};
use crate::compile::topology::loop_structure::LoopUnknown;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::CoordinateValues;
use crate::ids::{CandidateId, CoordinateId, JointId, List, VariableId};
use crate::orientation::{Quaternion, quaternion_rotation, turn_rate, turned_quaternion};
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::motion::coordinates::Coordinates;
use crate::statements::motion::variables::{Numbering, Variables};
use crate::vector::{Matrix, Vector};
use equations::{Ex, leaves_of};
use std::collections::BTreeMap;

/// Placeholders of all variables on which coordinates of the tree depend.
///
/// A free orientation is described by a turn from a quaternion: during the motion from its state,
/// otherwise from where it starts.
pub struct Placeholders {
    by_variable: BTreeMap<VariableId, [Ex; 2]>,
    /// Coordinates as forms of variables.
    forms: BTreeMap<CoordinateId, LinearForm>,
    orientations: Vec<PlacedOrientation>,
    /// Position placeholders and their derivatives.
    seeds: Vec<(Ex, Ex)>,
}

/// A free orientation.
#[derive(Clone, Copy, Debug)]
pub struct PlacedOrientation {
    /// Its joint.
    pub joint: JointId,
    /// The start values of the quaternion.
    pub quaternion: Quaternion,
    /// The variables whose speeds are the angular velocity, and whose positions are the turn from
    /// the quaternion.
    pub variables: [VariableId; 3],
}

impl Placeholders {
    /// The placeholders of the coordinates in use.
    pub fn new(kinematic_tree: KinematicTree<'_>, variables: &Variables) -> Placeholders {
        let KinematicTree { structure, tree } = kinematic_tree;
        let numbering = variables.numbering;
        let mut forms = BTreeMap::new();
        let mut by_variable = BTreeMap::new();
        for c in tree.coordinates(structure) {
            let form = variables.elimination.variable(numbering.coordinate(c));
            for &v in form.terms.keys() {
                by_variable.entry(v).or_insert_with(|| [Ex::symbol(), Ex::symbol()]);
            }
            forms.insert(c, form);
        }
        let mut seeds: Vec<(Ex, Ex)> = by_variable.values().map(|&[q, v]| (q, v)).collect();
        let mut orientations = Vec::new();
        for joint in tree.orientations(structure) {
            let (Some(orientation), Some(angular_velocity)) = (
                &structure.multibody.joints[joint].orientation,
                structure.multibody.joints[joint].angular_velocity(),
            ) else {
                continue;
            };
            let quaternion = std::array::from_fn(|k| orientation.quaternion[k].slot);
            let variables = std::array::from_fn(|k| numbering.coordinate(angular_velocity.nth(k)));
            orientations.push(PlacedOrientation { joint, quaternion, variables });
            let [turn, w] = [0, 1].map(|which: usize| variables.map(|v| by_variable[&v][which]));
            let rates = turn_rate(&turn, &Vector::from(w));
            seeds.retain(|(symbol, _)| turn.iter().all(|own| own.key() != symbol.key()));
            seeds.extend(turn.into_iter().zip(rates));
        }
        Placeholders { by_variable, forms, orientations, seeds }
    }

    /// A coordinate of the tree as a form of variables.
    pub fn form(&self, coordinate: CoordinateId) -> Option<&LinearForm> {
        self.forms.get(&coordinate)
    }

    /// The variables.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.by_variable.keys().copied()
    }

    /// Position placeholders with the values of their variables.
    pub fn positions(&self, value: impl Fn(VariableId) -> Option<Ex>) -> Vec<(Ex, Ex)> {
        self.by_variable.iter().filter_map(|(&v, s)| Some((s[0], value(v)?))).collect()
    }

    /// Position placeholders during the motion, with their values.
    pub fn moving(&self, coordinates: &Coordinates) -> Vec<(Ex, Ex)> {
        let mut at = self.positions(|v| coordinates.motions().get(&v).map(|motion| motion.q));
        at.extend(coordinates.quaternions());
        at
    }

    /// Speed placeholders with the values of their variables.
    pub fn speeds(&self, value: impl Fn(VariableId) -> Option<Ex>) -> Vec<(Ex, Ex)> {
        self.by_variable.iter().filter_map(|(&v, s)| Some((s[1], value(v)?))).collect()
    }

    /// Position placeholders and their derivatives.
    pub fn seeds(&self) -> &[(Ex, Ex)] {
        &self.seeds
    }

    /// Where closure equations are written.
    pub fn closure<'a>(
        &'a self,
        kinematic_tree: KinematicTree<'a>,
    ) -> closure::ClosureEquations<'a, Placeholders> {
        closure::ClosureEquations { kinematic_tree, at: self, seeds: &self.seeds }
    }

    /// All closure equations.
    pub fn rows(&self, kinematic_tree: KinematicTree<'_>) -> Vec<ClosureRow> {
        self.closure(kinematic_tree).rows()
    }

    /// The guesses about parts that loops hold: first about bodies, and second about joints that
    /// close the loops.
    pub fn guesses(&self, kinematic_tree: KinematicTree<'_>) -> [Vec<Guess>; 2] {
        let KinematicTree { structure, tree } = kinematic_tree;
        let closure = self.closure(kinematic_tree);
        [&tree.unused, &tree.cuts].map(|joints| {
            let of = |&joint: &JointId| {
                let joint = &structure.multibody.joints[joint];
                joint
                    .coordinates
                    .iter()
                    .any(|c| structure.multibody.coordinates[c].position.start.given)
                    || joint
                        .orientation
                        .as_ref()
                        .is_some_and(|orientation| orientation.quaternion[0].start.given)
            };
            joints.iter().filter(|&j| of(j)).flat_map(|&j| closure.guesses(j)).collect()
        })
    }

    /// The variables that occur in closure equations.
    pub fn unknowns(
        &self,
        rows: &[ClosureRow],
        candidates: &List<CandidateId, StateCandidate>,
        numbering: Numbering,
        numeric: &Numeric,
    ) -> Vec<LoopUnknown> {
        let all: Vec<Ex> = rows.iter().flat_map(ClosureRow::expressions).collect();
        let leaves = leaves_of(&all);
        let occurs = |symbol: Ex| symbol.as_leaf().is_some_and(|l| leaves.contains(&l));
        let mut unknowns = Vec::new();
        for (&variable, &[symbol, speed]) in &self.by_variable {
            if !occurs(symbol) && !occurs(speed) {
                continue;
            }
            let violation = numbering.is_violation(variable);
            let given = violation || numbering.is_prescribed(variable);
            let own = |f: &&StateCandidate| f.linear.terms.keys().eq([&variable]);
            let all: Vec<&StateCandidate> = candidates.iter().filter(own).collect();
            let start = |which: usize| {
                let candidate = |f: &&&StateCandidate| {
                    if which == 0 { f.position.start } else { f.speed.start }
                };
                let fixed = all.iter().find(|f| candidate(f).fixed);
                fixed.or(all.iter().find(|f| f.coordinate.is_some())).or(all.first()).copied()
            };
            let fixed = |which: usize| {
                start(which).is_some_and(|f| [f.position.start, f.speed.start][which].fixed)
            };
            let (guess, name) = match start(0) {
                Some(f) => {
                    let slope = f.linear.terms[&variable];
                    ((f.position.slot - f.linear.constant) / slope, f.position.name.clone())
                }
                None => (Ex::zero(), "a prescribed motion".to_owned()),
            };
            let measured = start(0).filter(|f| !f.is_angular_velocity);
            let guess_slot = measured.map(|f| f.position.slot);
            unknowns.push(LoopUnknown {
                variable,
                symbol,
                speed,
                start: numeric.one(guess),
                given_guess: start(0).is_some_and(|f| f.position.start.given),
                approached: false,
                guess,
                guess_slot,
                name,
                unit: start(0).map_or("", |f| f.position.unit),
                class: all.iter().map(|f| f.select as usize).max().unwrap_or(0),
                fixed: [fixed(0), fixed(1)],
                accelerated: [false; 2],
                given,
                violation,
            });
        }
        unknowns
    }

    /// The free orientations in use.
    pub fn orientations(&self) -> &[PlacedOrientation] {
        &self.orientations
    }
}

impl CoordinateValues for Placeholders {
    fn q(&self, coordinate: CoordinateId) -> Ex {
        let Some(form) = self.forms.get(&coordinate) else { return Ex::zero() };
        form.value(|v| self.by_variable[&v][0])
    }

    fn orientation(&self, joint: JointId) -> Matrix {
        let own = self.orientations.iter().find(|orientation| orientation.joint == joint);
        own.map_or_else(Matrix::identity, |own| {
            let turn = own.variables.map(|v| self.by_variable[&v][0]);
            quaternion_rotation(&turned_quaternion(&own.quaternion, &turn))
        })
    }

    fn speed(&self, coordinate: CoordinateId) -> Ex {
        let Some(form) = self.forms.get(&coordinate) else { return Ex::zero() };
        let terms = form.terms.iter();
        terms.fold(Ex::zero(), |sum, (v, &c)| sum + c * self.by_variable[v][1])
    }
}
