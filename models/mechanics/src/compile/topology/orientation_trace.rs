//! The orientations that joints take in the configurations which a mechanism with loops can reach.

use super::closure::{ClosureRow, Equation, When, relative};
use super::loop_explorer::{Explorer, LoopExpressions, Mobility, Path, Rotation, Turning};
use super::placeholders::{PlacedOrientation, Placeholders};
use crate::compile::topology::loop_structure::LoopUnknown;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::CoordinateValues;
use crate::ids::{CoordinateId, JointId, VariableId};
use crate::start::StateSelect;
use crate::statements::algebra::graph_search::components;
use crate::statements::algebra::linear_form::LinearForm;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::multibody::CoordinateType;
use crate::statements::motion::variables::Variables;
use equations::{Ex, jacobian, leaves_of};
use nalgebra::DMatrix;

/// Singular values that are smaller than this part of the largest element are zero.
const INDEPENDENT: f64 = 1e-9;

/// The orientations of a joint along a path through the configurations that its loops can reach.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Whether one joint leads and all others turn as little as they can, or the only degree of
    /// freedom moves; otherwise all move at random.
    pub led: bool,
    /// The orientations after each step.
    pub orientations: Vec<Rotation>,
    /// How the orientation can change at the end.
    pub mobility: Mobility,
}

/// What is known of the free orientation of a joint.
#[derive(Clone, Default)]
pub struct JointTraces {
    /// Its orientations along paths.
    pub traces: Vec<Trace>,
    /// How many degrees of freedom its loops have, if all their coordinates can be states;
    /// otherwise 0.
    pub freedoms: usize,
}

/// A mechanism with loops, whose free orientations are described by quaternions.
pub struct Mechanism<'a> {
    /// Links and joints.
    pub kinematic_tree: KinematicTree<'a>,
    /// The variables.
    pub variables: &'a Variables,
    /// The placeholders of the coordinates.
    pub symbols: &'a Placeholders,
    /// The closure equations.
    pub rows: &'a [ClosureRow],
    /// The coordinates that occur in them.
    pub unknowns: &'a [LoopUnknown],
}

/// Loops that move each other.
struct Group {
    unknowns: Vec<usize>,
    rows: Vec<usize>,
}

impl Mechanism<'_> {
    /// The orientations of each of these joints along paths from the configuration at which
    /// `numeric` stands. There are none where loops are not closed.
    pub fn traces(&self, joints: &[JointId], numeric: &Numeric) -> Vec<JointTraces> {
        let orientations: Vec<Vec<Ex>> = joints.iter().map(|&j| self.orientation(j)).collect();
        let of_joints: Vec<Vec<usize>> =
            orientations.iter().map(|elements| self.occurring(elements)).collect();
        let joints_in = |group: &Group| -> Vec<usize> {
            let moves = |unknowns: &[usize]| unknowns.iter().any(|k| group.unknowns.contains(k));
            (0..joints.len()).filter(|&joint| moves(&of_joints[joint])).collect()
        };
        let groups = self.groups().into_iter().map(|group| (joints_in(&group), group));
        let groups: Vec<(Vec<usize>, Group)> = groups.filter(|(own, _)| !own.is_empty()).collect();
        let mut all = vec![JointTraces::default(); joints.len()];
        for (own, group) in &groups {
            let seen = own.iter().flat_map(|&joint| orientations[joint].clone()).collect();
            let loops = self.loops((&group.unknowns, &group.rows), seen, numeric);
            let paths = Explorer::new(&loops, numeric).paths(groups.len());
            let freedoms = self.freedoms(group, numeric);
            for (place, &joint) in own.iter().enumerate() {
                let turning = loops.turning.iter().position(|t| t.joint == joints[joint]);
                let trace = |path: &Path| Trace {
                    led: path.led,
                    orientations: path.seen.iter().map(|all| orientation(all, place)).collect(),
                    mobility: turning.map(|own| path.mobilities[own]).unwrap_or_default(),
                };
                let traces = paths.iter().map(trace).collect();
                all[joint] = JointTraces { traces, freedoms };
            }
        }
        all
    }

    /// The orientation of frame `b` of a joint in frame `a`, by columns.
    fn orientation(&self, joint: JointId) -> Vec<Ex> {
        let joint = &self.kinematic_tree.multibody().joints[joint];
        let at = self.symbols.closure(self.kinematic_tree).poses(&[joint.a, joint.b]);
        relative(&at[0], &at[1]).t.iter().copied().collect()
    }

    /// The unknowns that occur in expressions, or whose speeds do.
    fn occurring(&self, all: &[Ex]) -> Vec<usize> {
        let leaves = leaves_of(all);
        let occurs = |symbol: Ex| symbol.as_leaf().is_some_and(|leaf| leaves.contains(&leaf));
        let of = |k: &usize| occurs(self.unknowns[*k].symbol) || occurs(self.unknowns[*k].speed);
        (0..self.unknowns.len()).filter(of).collect()
    }

    fn groups(&self) -> Vec<Group> {
        let rows = self.rows.iter().enumerate();
        let rows = rows.filter(|(_, row)| row.when() != When::AtStart).map(|(row, _)| row);
        let of_rows: Vec<(usize, Vec<usize>)> = rows
            .map(|row| (row, self.occurring(&self.rows[row].expressions().collect::<Vec<Ex>>())))
            .collect();
        let unknowns: Vec<usize> = (0..self.unknowns.len()).collect();
        let pairs = of_rows.iter().flat_map(|(_, of)| of.windows(2).map(|pair| (pair[0], pair[1])));
        let group = |unknowns: Vec<usize>| {
            let own = of_rows.iter().filter(|(_, of)| of.iter().any(|k| unknowns.contains(k)));
            Group { rows: own.map(|(row, _)| *row).collect(), unknowns }
        };
        components(&unknowns, pairs).into_iter().map(group).collect()
    }

    /// How many degrees of freedom loops have, if they are closed by equations of positions that do
    /// not depend on each other, and no coordinate must be a state; otherwise 0.
    fn freedoms(&self, group: &Group, numeric: &Numeric) -> usize {
        let Group { unknowns, rows } = group;
        let mut own = unknowns.iter().map(|&k| &self.unknowns[k]);
        let moving: Vec<Ex> = own.clone().filter(|own| !own.given).map(|own| own.symbol).collect();
        let residuals: Option<Vec<Ex>> =
            rows.iter().map(|&row| self.rows[row].residual()).collect();
        let Some(residuals) = residuals else { return 0 };
        let elements = numeric.all(&jacobian(&residuals, &moving).concat());
        let matrix = DMatrix::from_row_slice(rows.len(), moving.len(), &elements);
        let regular = matrix.rank(INDEPENDENT * matrix.amax()) == rows.len();
        let wanted = own.any(|own| own.class == StateSelect::Always as usize);
        if regular && !wanted { moving.len() - rows.len() } else { 0 }
    }

    /// What an explorer needs to know of unknowns and rows, if it records values.
    pub fn loops(
        &self,
        (unknowns, rows): (&[usize], &[usize]),
        seen: Vec<Ex>,
        numeric: &Numeric,
    ) -> LoopExpressions {
        let unknowns: Vec<&LoopUnknown> = unknowns.iter().map(|&k| &self.unknowns[k]).collect();
        let symbols: Vec<Ex> = unknowns.iter().map(|unknown| unknown.symbol).collect();
        let speeds: Vec<Ex> = unknowns.iter().map(|unknown| unknown.speed).collect();
        let rows: Vec<&ClosureRow> = rows.iter().map(|&row| &self.rows[row]).collect();
        let gaps: Vec<(Ex, &str)> =
            rows.iter().filter_map(|row| Some((row.residual()?, row.unit))).collect();
        let (gaps, units): (Vec<Ex>, Vec<&str>) = gaps.into_iter().unzip();
        let of_speed = |row: &&ClosureRow| match row.equation {
            Equation::Speed(rate, _) => Some(rate),
            Equation::Closing { .. } | Equation::StartPosition(_) => None,
        };
        let rates: Vec<Ex> = rows.iter().filter_map(of_speed).collect();
        let closing = jacobian(&gaps, &symbols);
        let moves = self.movements(&unknowns, numeric);
        let length = lever(&numeric.all(&closing.concat()), &units, &moves);
        LoopExpressions {
            free: unknowns.iter().map(|unknown| !unknown.violation).collect(),
            scales: moves.iter().map(|movement| movement.scale(length)).collect(),
            gap_scales: units.iter().map(|&u| if u == "m" { 1.0 / length } else { 1.0 }).collect(),
            rolling: jacobian(&rates, &speeds),
            turning: self.turning(&unknowns),
            place: self.place(&unknowns, length),
            symbols,
            gaps,
            closing,
            seen,
        }
    }

    /// How far coordinates move with each unknown.
    fn movements(&self, unknowns: &[&LoopUnknown], numeric: &Numeric) -> Vec<Movement> {
        let mut movements = vec![Movement::default(); unknowns.len()];
        for c in self.kinematic_tree.tree.coordinates(self.kinematic_tree.structure) {
            let form = self.form(c);
            for (movement, unknown) in movements.iter_mut().zip(unknowns) {
                let Some(&factor) = form.terms.get(&unknown.variable) else { continue };
                let Movement { angle, distance } = movement;
                let own = if self.is_distance(c) { distance } else { angle };
                *own = own.max(numeric.one(factor).abs());
            }
        }
        movements
    }

    fn form(&self, c: CoordinateId) -> LinearForm {
        self.variables.elimination.variable(self.variables.numbering.coordinate(c))
    }

    fn is_distance(&self, c: CoordinateId) -> bool {
        self.kinematic_tree.multibody().coordinates[c].position.unit == "m"
    }

    /// The free orientations that turn with some unknowns.
    fn turning(&self, unknowns: &[&LoopUnknown]) -> Vec<Turning> {
        let place = |v: VariableId| unknowns.iter().position(|unknown| unknown.variable == v);
        let turning = |&PlacedOrientation { joint, quaternion, variables, .. }: &_| {
            let [x, y, z] = variables.map(place);
            let rotation = self.symbols.orientation(joint).iter().copied().collect();
            Some(Turning { joint, quaternion, angles: [x?, y?, z?], rotation })
        };
        self.symbols.orientations().iter().filter_map(turning).collect()
    }

    /// Numbers that are the same in the same configuration, however often joints have turned
    /// round; they do not contain the free orientations.
    fn place(&self, unknowns: &[&LoopUnknown], length: f64) -> Vec<Ex> {
        let mut place = Vec::new();
        for c in self.kinematic_tree.tree.coordinates(self.kinematic_tree.structure) {
            let form = self.form(c);
            if unknowns.iter().all(|unknown| !form.terms.contains_key(&unknown.variable)) {
                continue;
            }
            let q = self.symbols.q(c);
            match self.kinematic_tree.multibody().coordinates[c].coordinate_type {
                CoordinateType::AngularVelocity => (),
                _ if self.is_distance(c) => place.push(q / length),
                _ => place.extend([q.sin(), q.cos()]),
            }
        }
        place
    }
}

/// One of several recorded orientations, whose elements stand by columns.
fn orientation(seen: &[f64], place: usize) -> Rotation {
    Rotation::from_column_slice(&seen[9 * place..9 * (place + 1)])
}

/// How far coordinates move per unit of an unknown, at most: angles in rad, distances in m.
#[derive(Clone, Copy, Default)]
struct Movement {
    angle: f64,
    distance: f64,
}

impl Movement {
    /// The movement in rad, or in units of a length.
    fn scale(self, length: f64) -> f64 {
        let scale = self.angle.max(self.distance / length);
        if scale > 0.0 { scale } else { 1.0 }
    }
}

/// The largest lever arm: how far, in m, a gap is opened per rad.
fn lever(closing: &[f64], units: &[&str], movements: &[Movement]) -> f64 {
    let arm = |(k, derivative): (usize, &f64)| {
        let Movement { angle, .. } = movements[k % movements.len()];
        let opens = units[k / movements.len()] == "m" && angle > 0.0;
        if opens { derivative.abs() / angle } else { 0.0 }
    };
    let arm = closing.iter().enumerate().map(arm).fold(0.0, f64::max);
    if arm > 0.0 { arm } else { 1.0 }
}
