//! The equations that close loops: the residuals of cut joints and of constraints.

use crate::compile::topology::placeholders::Placeholders;
use crate::compile::tree::forward_kinematics::ForwardKinematics;
use crate::compile::tree::kinematic_tree::KinematicTree;
use crate::compile::tree::link_joint::CoordinateValues;
use crate::ids::{CoordinateId, FlangeConstraintId, JointId, LinkId, List};
use crate::orientation::{
    Sequence, axes_rotations_angles, equality_constraint, quaternion_rotation,
};
use crate::start::Start;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::algebra::turns::nearest_turn;
use crate::statements::contributions::constraints::{
    ClosedFormLaw, Constraint, FromStart, Holds, Roots, Situation,
};
use crate::statements::contributions::multibody::{
    Coordinate, CoordinateType, Joint, QuaternionOrientation,
};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::Pose;
use crate::vector::{Vector, constant, dot, triad};
use equations::{Ex, differentiate};
use std::f64::consts::PI;

/// When a closure equation holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// All the time.
    Always,
    /// During the motion; at the start a parameter is chosen so that it holds.
    AfterStart,
    /// At the start.
    AtStart,
}

/// One scalar closure equation.
#[derive(Clone)]
pub struct ClosureRow {
    /// The instance that states it, or the variable whose start value it fixes.
    pub name: String,
    /// The unit of positions, for messages: m or rad.
    pub unit: &'static str,
    /// What must vanish.
    pub equation: Equation,
    /// The flange constraint that stands for it, if its multiplier is requested.
    pub multiplier: Option<FlangeConstraintId>,
}

/// What vanishes in a closure equation: a residual, scaled to m or rad, or a rate, linear in the
/// speeds.
#[derive(Clone)]
pub enum Equation {
    /// A residual that closes a loop while it moves.
    Closing {
        /// The residual.
        residual: Ex,
        /// Its derivative with respect to time.
        rate: Ex,
        /// Where it comes from, and how it may be solved.
        origin: Origin,
    },
    /// A residual at the start, whose derivative need not vanish.
    StartPosition(Ex),
    /// A rate that is no derivative: all the time, or at the start.
    Speed(Ex, When),
}

/// Where an equation of positions comes from, and how it may be solved.
#[derive(Clone, Default)]
pub struct Origin {
    /// A parameter chosen so that it holds in the initial configuration, with the frames it is
    /// computed from.
    pub from_start: Option<(FromStart, Vec<FrameEnd>)>,
    /// How it is solved for one coordinate.
    pub closed_form: Option<SolvedRow>,
    /// The frames whose relative pose it restricts, if it depends on nothing else but coordinates
    /// of the joint between them.
    pub frames: Option<[FrameEnd; 2]>,
    /// The rows whose sum it is, with their factors.
    pub combines: Vec<(usize, Ex)>,
}

impl ClosureRow {
    /// A condition on the start.
    fn at_start(name: &str, unit: &'static str, equation: Equation) -> ClosureRow {
        ClosureRow { name: name.to_owned(), unit, equation, multiplier: None }
    }

    /// The residual; none for an equation on speeds alone.
    pub fn residual(&self) -> Option<Ex> {
        match self.equation {
            Equation::Closing { residual, .. } | Equation::StartPosition(residual) => {
                Some(residual)
            }
            Equation::Speed(..) => None,
        }
    }

    /// The residual, or zero for an equation on speeds alone.
    pub fn gap(&self) -> Ex {
        self.residual().unwrap_or_else(Ex::zero)
    }

    /// The rate; none for an equation that restricts positions only.
    pub fn rate(&self) -> Option<Ex> {
        match self.equation {
            Equation::Closing { rate, .. } | Equation::Speed(rate, _) => Some(rate),
            Equation::StartPosition(_) => None,
        }
    }

    /// Residual and rate, as far as there are such.
    pub fn expressions(&self) -> impl Iterator<Item = Ex> {
        [self.residual(), self.rate()].into_iter().flatten()
    }

    /// When it holds.
    pub fn when(&self) -> When {
        match &self.equation {
            Equation::Closing { origin, .. } if origin.from_start.is_some() => When::AfterStart,
            Equation::Closing { .. } => When::Always,
            Equation::StartPosition(_) => When::AtStart,
            Equation::Speed(_, when) => *when,
        }
    }

    /// Where it comes from, if it closes a loop.
    pub fn origin(&self) -> Option<&Origin> {
        match &self.equation {
            Equation::Closing { origin, .. } => Some(origin),
            Equation::StartPosition(_) | Equation::Speed(..) => None,
        }
    }

    /// The rows whose sum it is, with their factors; none if it is no sum.
    pub fn combines(&self) -> &[(usize, Ex)] {
        self.origin().map_or(&[], |origin| &origin.combines)
    }
}

/// The values of a coordinate with which a row holds, in terms of the others.
#[derive(Clone, Copy, Debug)]
pub struct SolvedRow {
    /// Whether it is an angle.
    pub turns: bool,
    /// The coordinate in terms of the symbols.
    pub q: Ex,
    /// Its values.
    pub roots: Roots,
    /// The parameter that selects one of them.
    pub branch: Ex,
}

/// The closure equations where coordinates and speeds are symbols.
pub struct ClosureEquations<'a, C> {
    /// The mechanism.
    pub kinematic_tree: KinematicTree<'a>,
    /// Positions.
    pub at: &'a C,
    /// Position symbols and their derivatives.
    pub seeds: &'a [(Ex, Ex)],
}

impl<C: CoordinateValues> ClosureEquations<'_, C> {
    /// All closure equations.
    pub fn rows(&self) -> Vec<ClosureRow> {
        let mut rows = Vec::new();
        for &cut in &self.kinematic_tree.tree.cuts {
            let joint = &self.kinematic_tree.multibody().joints[cut];
            let at = self.poses(&[joint.a, joint.b]);
            let coordinates = self.kinematic_tree.multibody().coordinates.of(joint.coordinates);
            let mut residuals = joint_residuals(joint, coordinates, &at[0], &at[1]);
            residuals.extend(self.tied(joint, &at[0], &at[1]));
            for (residual, unit) in residuals {
                let origin = Origin { frames: Some([joint.a, joint.b]), ..Origin::default() };
                let equation = self.closing([residual; 2], origin);
                let name = joint.name.clone();
                rows.push(ClosureRow { name, unit, equation, multiplier: None });
            }
        }
        for constraint in &self.kinematic_tree.multibody().constraints {
            self.constraint(constraint, &mut rows);
        }
        for &joint in self.kinematic_tree.tree.cuts.iter().chain(&self.kinematic_tree.tree.unused) {
            self.fixed_starts(&self.kinematic_tree.multibody().joints[joint], &mut rows);
        }
        rows
    }

    /// The equation of a residual, and of the expression whose derivative is the rate.
    fn closing(&self, [residual, moving]: [Ex; 2], origin: Origin) -> Equation {
        Equation::Closing { residual, rate: self.derivative(moving), origin }
    }

    /// The derivative with respect to time.
    fn derivative(&self, of: Ex) -> Ex {
        differentiate(&[of], self.seeds)[0]
    }

    fn solved(&self, closed_form: &ClosedFormLaw, situation: &Situation<'_>) -> SolvedRow {
        let &ClosedFormLaw { coordinate, branch, .. } = closed_form;
        SolvedRow {
            turns: self.kinematic_tree.multibody().coordinates[coordinate].turns(),
            q: self.at.q(coordinate),
            roots: (closed_form.roots)(situation),
            branch,
        }
    }

    /// The kinematics from the last link on which all of some frames depend, and the poses of the
    /// links between it and the frames.
    fn kinematics(&self, frames: &[FrameEnd]) -> (ForwardKinematics<'_, C>, List<LinkId, Pose>) {
        let links: Vec<LinkId> =
            frames.iter().map(|f| self.kinematic_tree.tree.placements[&f.node].link).collect();
        let KinematicTree { structure, tree } = self.kinematic_tree;
        let (base, between) = tree.between(structure, &links);
        let kinematics =
            ForwardKinematics { kinematic_tree: self.kinematic_tree, at: self.at, base };
        let poses = kinematics.poses_of(|link| between.contains(&link));
        (kinematics, poses)
    }

    /// Poses of frames, as seen from the last link on which all of them depend.
    pub fn poses(&self, frames: &[FrameEnd]) -> Vec<Pose> {
        let (_, poses) = self.kinematics(frames);
        frames.iter().map(|f| self.kinematic_tree.tree.pose(&poses, f.node)).collect()
    }

    fn constraint(&self, constraint: &Constraint, rows: &mut Vec<ClosureRow>) {
        let frames = &constraint.frames;
        let name = &constraint.name;
        let (kinematics, links) = self.kinematics(frames);
        let poses: Vec<Pose> =
            frames.iter().map(|f| self.kinematic_tree.tree.pose(&links, f.node)).collect();
        let q: Vec<Ex> = constraint.coordinates.iter().map(|&c| self.at.q(c)).collect();
        let of = |&c: &CoordinateId| self.kinematic_tree.multibody().coordinates[c].axis;
        let axes: Vec<[f64; 3]> = constraint.coordinates.iter().map(of).collect();
        let situation = Situation { poses: &poses, q: &q, axes: &axes };
        let velocities = || {
            let links = kinematics.velocities(&links, |c| self.at.speed(c));
            frames
                .iter()
                .map(|f| self.kinematic_tree.tree.velocity(&links, f.node))
                .collect::<Vec<_>>()
        };
        match &constraint.condition {
            Holds::Position { residual, moving, unit } => {
                let two = <[FrameEnd; 2]>::try_from(&frames[..]).ok();
                let closed_form = constraint.closed_form.as_ref();
                let origin = Origin {
                    from_start: constraint.from_start.clone().map(|f| (f, frames.clone())),
                    closed_form: closed_form.map(|law| self.solved(law, &situation)),
                    frames: two.filter(|_| constraint.coordinates.is_empty()),
                    combines: Vec::new(),
                };
                let residuals = residual(&situation);
                let moving = moving.as_ref().map(|moving| moving(&situation));
                let moving = moving.unwrap_or_else(|| residuals.clone());
                for (k, (residual, moving)) in residuals.into_iter().zip(moving).enumerate() {
                    let equation = self.closing([residual, moving], origin.clone());
                    let multiplier = constraint.multiplier(k);
                    rows.push(ClosureRow { name: name.clone(), unit, equation, multiplier });
                }
            }
            Holds::StartPosition { residual, unit } => {
                let equations = residual(&situation).into_iter().map(Equation::StartPosition);
                rows.extend(equations.map(|equation| ClosureRow::at_start(name, unit, equation)));
            }
            Holds::Rolling(rate) => {
                for (k, rate) in rate(&poses, &velocities()).into_iter().enumerate() {
                    let equation = Equation::Speed(rate, When::Always);
                    let multiplier = constraint.multiplier(k);
                    rows.push(ClosureRow { name: name.clone(), unit: "m", equation, multiplier });
                }
            }
            Holds::StartSpeed(rate) => {
                let rates = rate(&poses, &velocities()).into_iter();
                let equations = rates.map(|rate| Equation::Speed(rate, When::AtStart));
                rows.extend(equations.map(|equation| ClosureRow::at_start(name, "m", equation)));
            }
        }
    }

    /// Coordinates of a joint that closes a loop, as far as flanges are tied to them: the value
    /// that is measured between the frames is the coordinate.
    fn tied(&self, joint: &Joint, a: &Pose, b: &Pose) -> Vec<(Ex, &'static str)> {
        let all = self.kinematic_tree.multibody().coordinates.of(joint.coordinates);
        let values = measured(joint, all, a, b);
        let mut rows = Vec::new();
        for (c, value) in joint.coordinates.iter().zip(values) {
            let Some(value) = value.filter(|_| self.kinematic_tree.structure.is_tied(c)) else {
                continue;
            };
            let q = self.at.q(c);
            let turns = self.kinematic_tree.multibody().coordinates[c].turns();
            // The sine of the difference would also vanish half a turn away.
            let value = if turns { nearest_turn(value, 2.0 * PI, q) } else { value };
            rows.push((value - q, if turns { "rad" } else { "m" }));
        }
        rows
    }

    /// Fixed start values of coordinates that are measured between frames.
    fn fixed_starts(&self, joint: &Joint, rows: &mut Vec<ClosureRow>) {
        let all = self.kinematic_tree.multibody().coordinates.of(joint.coordinates);
        let fixed = |start: Start| start.fixed;
        let turned = joint
            .orientation
            .as_ref()
            .is_some_and(|orientation| fixed(orientation.quaternion[0].start));
        if !turned && !all.iter().any(|c| fixed(c.position.start) || fixed(c.speed.start)) {
            return;
        }
        let frames = [joint.a, joint.b];
        if let Some(orientation) = &joint.orientation {
            self.fixed_orientation(joint, orientation, rows);
        }
        let at = self.poses(&frames);
        let values = measured(joint, all, &at[0], &at[1]);
        for (c, (coordinate, value)) in joint.coordinates.iter().zip(all.iter().zip(values)) {
            let Some(value) = value.filter(|_| !self.kinematic_tree.structure.is_tied(c)) else {
                continue;
            };
            let Coordinate { position, speed, .. } = coordinate;
            if fixed(position.start) {
                let equation = Equation::StartPosition(value - position.slot);
                rows.push(ClosureRow::at_start(&position.name, position.unit, equation));
            }
            if fixed(speed.start) {
                let equation = Equation::Speed(self.derivative(value) - speed.slot, When::AtStart);
                rows.push(ClosureRow::at_start(&speed.name, position.unit, equation));
            }
        }
    }

    /// The guesses about a joint that is not in the tree.
    pub fn guesses(&self, joint: JointId) -> Vec<Guess> {
        let joint = &self.kinematic_tree.multibody().joints[joint];
        let all = self.kinematic_tree.multibody().coordinates.of(joint.coordinates);
        let at = self.poses(&[joint.a, joint.b]);
        let mut residuals = Vec::new();
        if let Some(orientation) =
            joint.orientation.as_ref().filter(|orientation| orientation.quaternion[0].start.given)
        {
            let start =
                quaternion_rotation(&std::array::from_fn(|k| orientation.quaternion[k].slot));
            let gaps = equality_constraint(&start, &relative(&at[0], &at[1]).t);
            let name = orientation.quaternion[0].name.trim_end_matches("[1]");
            residuals.extend(gaps.map(|gap| Guess { gap, name: name.to_owned(), of: None }));
        }
        for (coordinate, value) in all.iter().zip(measured(joint, all, &at[0], &at[1])) {
            let given = coordinate.position.start.given;
            let Some(value) = value.filter(|_| given) else { continue };
            let gap = value - coordinate.position.slot;
            let turns = coordinate.turns();
            let gap = if turns { gap.sin().atan2(gap.cos()) } else { gap };
            let StartVariable { name, slot, unit, .. } = &coordinate.position;
            residuals.push(Guess { gap, name: name.clone(), of: Some((*slot, unit)) });
        }
        residuals
    }

    /// A fixed start orientation, and a fixed start value of the angular velocity, between frames.
    fn fixed_orientation(
        &self,
        joint: &Joint,
        orientation: &QuaternionOrientation,
        rows: &mut Vec<ClosureRow>,
    ) {
        let angular_velocity =
            self.kinematic_tree.multibody().coordinates.of(joint.coordinates.last(3));
        let frames = [joint.a, joint.b];
        let (kinematics, links) = self.kinematics(&frames);
        let [a, b] = frames.map(|f| self.kinematic_tree.tree.pose(&links, f.node));
        let t = relative(&a, &b).t;
        if orientation.quaternion[0].start.fixed {
            let start =
                quaternion_rotation(&std::array::from_fn(|k| orientation.quaternion[k].slot));
            for residual in equality_constraint(&start, &t) {
                let name = &orientation.quaternion[0].name;
                rows.push(ClosureRow::at_start(name, "rad", Equation::StartPosition(residual)));
            }
        }
        if angular_velocity[0].speed.start.fixed {
            let velocities = kinematics.velocities(&links, |c| self.at.speed(c));
            let [va, vb] = frames.map(|f| self.kinematic_tree.tree.velocity(&velocities, f.node).w);
            let w = vb - t * va;
            for (k, spin) in angular_velocity.iter().enumerate() {
                let equation = Equation::Speed(w[k] - spin.speed.slot, When::AtStart);
                rows.push(ClosureRow::at_start(&spin.speed.name, "rad", equation));
            }
        }
    }
}

/// A guess about a joint that closes a loop, or about a body that a loop holds.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The difference between the value and the guess.
    pub gap: Ex,
    /// The name of the guessed variable.
    pub name: String,
    /// The value and its unit; none: an orientation.
    pub of: Option<(Ex, &'static str)>,
}

/// A turn in rad by which a guess is missed so far that the loop is closed in another way.
const FAR: f64 = 1.0;

/// By how much guesses are missed: above one if the loop is closed in another way, so that an angle
/// is far away, or a length that is large enough to tell has the other sign.
pub fn missed(guesses: &[Guess], numeric: &Numeric) -> Vec<f64> {
    let length = |guess: &Guess| match guess.of {
        Some((value, unit)) if unit != "rad" => Some(numeric.one(value)),
        _ => None,
    };
    let size =
        guesses.iter().filter_map(length).fold(0.0, |size: f64, value| size.max(value.abs()));
    let one = |guess: &Guess| {
        let gap = numeric.one(guess.gap);
        match length(guess) {
            None => gap.abs() / FAR,
            Some(value) if value * (value + gap) < 0.0 => gap.abs() / value.abs().max(0.5 * size),
            Some(_) if gap == 0.0 => 0.0,
            Some(value) => gap.abs() / (value.abs() + gap.abs()),
        }
    };
    guesses.iter().map(one).collect()
}

/// The pose of frame `b` in frame `a`, both given in the world.
pub fn relative(a: &Pose, b: &Pose) -> Pose {
    Pose { r: a.t * (b.r - a.r), t: b.t * a.t.transpose() }
}

/// Axes of the slides and of the turns of a joint, and whether a free orientation follows.
pub fn axes(joint: &Joint, all: &[Coordinate]) -> (Vec<[f64; 3]>, Vec<[f64; 3]>, bool) {
    let of = |coordinate_type: CoordinateType| {
        all.iter()
            .filter(move |c| c.coordinate_type == coordinate_type)
            .map(|c| c.axis)
            .collect::<Vec<_>>()
    };
    (of(CoordinateType::Prismatic), of(CoordinateType::Revolute), joint.orientation.is_some())
}

/// The residuals of a joint that closes a loop, between the poses of its frames, with their units.
fn joint_residuals(
    joint: &Joint,
    all: &[Coordinate],
    a: &Pose,
    b: &Pose,
) -> Vec<(Ex, &'static str)> {
    let Pose { r, t } = relative(a, b);
    let (slides, turns, free) = axes(joint, all);
    let distances: Vec<Ex> = match slides[..] {
        [] => r.iter().copied().collect(),
        [e] => {
            let (x, y) = triad(e);
            vec![dot(&x, &r), dot(&y, &r)]
        }
        [e, f] => vec![dot(&crate::vector::cross(&constant(e), &constant(f)), &r)],
        _ => Vec::new(),
    };
    let angles: Vec<Ex> = match turns[..] {
        _ if free => Vec::new(),
        [] => {
            let half = |i: usize, j: usize| (t[(i, j)] - t[(j, i)]) * 0.5;
            vec![half(1, 2), half(2, 0), half(0, 1)]
        }
        [e] => {
            let turned = t * constant(e);
            let (x, y) = triad(e);
            vec![dot(&x, &turned), dot(&y, &turned)]
        }
        [e, f] => {
            let (e, f) = (constant(e), constant(f));
            vec![dot(&f, &(t * e)) - dot(&f, &e)]
        }
        _ => Vec::new(),
    };
    let distances = distances.into_iter().map(|distance| (distance, "m"));
    distances.chain(angles.into_iter().map(|angle| (angle, "rad"))).collect()
}

/// Positive where the frames of a joint that closes a loop are aligned as they must be: the
/// residuals also vanish with the axis turned round. `None` where that cannot be.
pub fn alignment(joint: &Joint, all: &[Coordinate], a: &Pose, b: &Pose) -> Option<Ex> {
    let t = relative(a, b).t;
    match axes(joint, all) {
        (_, _, true) => None,
        (_, turns, false) => match turns[..] {
            [] => Some(t.trace()),
            [e] => {
                let e = constant(e);
                Some(dot(&e, &(t * e)))
            }
            _ => None,
        },
    }
}

/// The joints at which loops are cut, with a measure that is positive unless they are turned round.
pub fn alignments(kinematic_tree: KinematicTree<'_>, symbols: &Placeholders) -> Vec<(JointId, Ex)> {
    let KinematicTree { structure, tree } = kinematic_tree;
    let measure = |&cut: &JointId| {
        let joint = &structure.multibody.joints[cut];
        let at = symbols.closure(kinematic_tree).poses(&[joint.a, joint.b]);
        let own = structure.multibody.coordinates.of(joint.coordinates);
        Some((cut, alignment(joint, own, &at[0], &at[1])?))
    };
    tree.cuts.iter().filter_map(measure).collect()
}

/// The coordinates of a joint, measured between its frames; `None` for those that are speeds only.
pub fn measured(joint: &Joint, all: &[Coordinate], a: &Pose, b: &Pose) -> Vec<Option<Ex>> {
    let Pose { r, t } = relative(a, b);
    let (_, turns, _) = axes(joint, all);
    let angles = angles(&turns, &t);
    let mut next = angles.into_iter();
    let one = |c: &Coordinate| match c.coordinate_type {
        CoordinateType::Prismatic => Some(dot(&constant(c.axis), &r) - c.offset),
        CoordinateType::Revolute => next.next().map(|angle| angle - c.offset),
        CoordinateType::AngularVelocity | CoordinateType::Auxiliary => None,
    };
    all.iter().map(one).collect()
}

/// The angles of turns about successive axes that give a rotation.
fn angles(axes: &[[f64; 3]], t: &crate::vector::Matrix) -> Vec<Ex> {
    match *axes {
        [e] => {
            let (x, _) = triad(e);
            vec![-angle(&constant(e), &x, &(t * x))]
        }
        [e, f] => {
            let (e, f) = (constant(e), constant(f));
            vec![angle(&e, &f, &(t.transpose() * f)), -angle(&f, &e, &(t * e))]
        }
        [_, _, _] => match Sequence::of_axes(axes) {
            Some(sequence) => axes_rotations_angles(t, sequence, Ex::zero()).to_vec(),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// The angle about the unit axis `e` from `u` to `v`.
fn angle(e: &Vector, u: &Vector, v: &Vector) -> Ex {
    let across = crate::vector::cross(e, u);
    let along = dot(u, v) - dot(e, u) * dot(e, v);
    dot(&across, v).atan2(along)
}
