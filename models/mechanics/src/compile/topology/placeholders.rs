//! Placeholders of positions and speeds, in which closure equations are written.

use super::state_candidates::StateCandidate;
use crate::compile::algebra::linear_form::LinearForm;
use crate::compile::algebra::numeric::Numeric;
use crate::compile::ids::{CandidateId, CoordinateId, JointId, List, Span, VariableId};
use crate::compile::motion::variables::{Numbering, Variables};
use crate::compile::topology::closure::{self, ClosureRow, Guess};
use crate::compile::topology::loops::LoopUnknown;
use crate::compile::tree::forward_kinematics::CoordinateValues;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::orientation::{Sequence, angle_rates, axes_rotations, quaternion_rotation};
use crate::vector::{Matrix, Vector};
use equations::{Ex, leaves_of};
use std::collections::BTreeMap;

/// Placeholders of all variables on which coordinates of the tree depend.
///
/// A free orientation is described by three small turns from where it starts: its
/// quaternion occurs in no closure equation of the motion.
pub struct Placeholders {
    by_variable: BTreeMap<VariableId, [Ex; 2]>,
    /// Coordinates as forms of variables.
    forms: BTreeMap<CoordinateId, LinearForm>,
    /// Start values of the quaternions, by joint, and the coordinates of the angular velocity.
    orientations: BTreeMap<JointId, ([Ex; 4], Span<CoordinateId>)>,
    /// Position placeholders and their derivatives.
    seeds: Vec<(Ex, Ex)>,
}

/// The turns that describe a free orientation near its start.
const NEAR: Sequence = Sequence::XYZ;

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
        let mut orientations = BTreeMap::new();
        for joint in tree.orientations(structure) {
            let (Some(orientation), Some(angular_velocity)) = (
                &structure.multibody.joints[joint].orientation,
                structure.multibody.joints[joint].angular_velocity(),
            ) else {
                continue;
            };
            let slots: [Ex; 4] = std::array::from_fn(|k| orientation.quaternion[k].slot);
            orientations.insert(joint, (slots, angular_velocity));
            let of = |which: usize| {
                std::array::from_fn(|k| {
                    by_variable[&numbering.coordinate(angular_velocity.nth(k))][which]
                })
            };
            let (angles, w): ([Ex; 3], [Ex; 3]) = (of(0), of(1));
            let rates = angle_rates(NEAR, &angles, &Vector::from(w));
            seeds.retain(|(symbol, _)| angles.iter().all(|angle| angle.key() != symbol.key()));
            seeds.extend(angles.into_iter().zip(rates));
        }
        Placeholders { by_variable, forms, orientations, seeds }
    }

    /// The variables.
    pub fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.by_variable.keys().copied()
    }

    /// Position placeholders with the values of their variables.
    pub fn positions(&self, value: impl Fn(VariableId) -> Option<Ex>) -> Vec<(Ex, Ex)> {
        self.by_variable.iter().filter_map(|(&v, s)| Some((s[0], value(v)?))).collect()
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

    /// The guesses about parts that loops hold: those about bodies, and those about joints that
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
        let all: Vec<Ex> = rows.iter().flat_map(|r| [r.residual, r.rate]).flatten().collect();
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
            let only_speed = |f: &StateCandidate| f.is_angular_velocity;
            let all: Vec<&StateCandidate> = candidates.iter().filter(own).collect();
            let start = |which: usize| {
                let candidate = |f: &&&StateCandidate| {
                    if which == 0 { f.position.start } else { f.speed.start }
                };
                let fixed =
                    all.iter().find(|f| candidate(f).fixed && !(which == 0 && only_speed(f)));
                fixed.or(all.iter().find(|f| f.coordinate.is_some())).or(all.first()).copied()
            };
            let fixed = |which: usize| {
                start(which).is_some_and(|f| {
                    !(which == 0 && f.is_angular_velocity)
                        && [f.position.start, f.speed.start][which].fixed
                })
            };
            let (guess, name) = match start(0) {
                Some(f) if f.is_angular_velocity => (Ex::zero(), f.speed.name.clone()),
                Some(f) => {
                    let slope = f.linear.terms[&variable];
                    ((f.position.slot - f.linear.constant) / slope, f.position.name.clone())
                }
                None => (Ex::zero(), "a prescribed motion".to_owned()),
            };
            let guess_slot = start(0).filter(|f| !f.is_angular_velocity).map(|f| f.position.slot);
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

    /// The free orientation of a joint at the start, for given turns from where it starts.
    pub fn start_rotation(&self, joint: JointId, turns: &[Ex; 3]) -> Matrix {
        axes_rotations(NEAR, turns) * quaternion_rotation(&self.orientations[&joint].0)
    }

    /// The free orientations in use: joint, start values of the quaternion, coordinates of the
    /// angular velocity.
    pub fn orientations(&self) -> impl Iterator<Item = (JointId, [Ex; 4], Span<CoordinateId>)> {
        self.orientations.iter().map(|(&joint, &(slots, own))| (joint, slots, own))
    }
}

impl CoordinateValues for Placeholders {
    fn q(&self, coordinate: CoordinateId) -> Ex {
        let Some(form) = self.forms.get(&coordinate) else { return Ex::zero() };
        form.value(|v| self.by_variable[&v][0])
    }

    fn orientation(&self, joint: JointId) -> Matrix {
        let own = self.orientations[&joint].1;
        self.start_rotation(joint, &std::array::from_fn(|k| self.q(own.nth(k))))
    }

    fn speed(&self, coordinate: CoordinateId) -> Ex {
        let Some(form) = self.forms.get(&coordinate) else { return Ex::zero() };
        let terms = form.terms.iter();
        terms.fold(Ex::zero(), |sum, (v, &c)| sum + c * self.by_variable[v][1])
    }
}
