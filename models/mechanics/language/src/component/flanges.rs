//! Contributions to drive trains: constraints, prescribed motions, inertias, positions of flanges.

use super::{Contribution, FlangeConstraintId, PositionId, Reaction, Starts};
use crate::domain::{Domain, Word};
use crate::error::Error;
use crate::ids::PrescribedMotionId;
use crate::start::{Start, StateSelect};
use crate::statements::contributions::drive_trains::{
    LineReaction, MountedFlange, Rotor, SupportReaction,
};
use crate::statements::contributions::flanges::{
    FlangeConstraint, Inertial, MotionLaw, PrescribedMotion, RelativeFlangeMotion,
};
use crate::statements::contributions::initial_conditions::{Condition, FlangeOrCoordinate};
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::laws::signal_view::{Signal, SignalView};
use crate::statements::motion::ends::{FlangeEnd, FrameEnd};
use crate::vector::{Vector, constant, scale, zero};
use equations::Ex;

impl Contribution<'_> {
    /// Two flanges at the same position.
    pub fn rigid_flanges(&mut self, a: FlangeEnd, b: FlangeEnd) -> FlangeConstraintId {
        self.linear(&[(a, Ex::one()), (b, -Ex::one())], Ex::zero())
    }

    /// Relates flange positions: their sum, weighted with the coefficients in `terms`, equals
    /// `rhs`.
    ///
    /// The coefficients and `rhs` depend on parameters only.
    pub fn linear(&mut self, terms: &[(FlangeEnd, Ex)], rhs: Ex) -> FlangeConstraintId {
        self.relate(terms, rhs, None)
    }

    fn relate(
        &mut self,
        terms: &[(FlangeEnd, Ex)],
        rhs: Ex,
        prescribed: Option<PrescribedMotionId>,
    ) -> FlangeConstraintId {
        self.differ(&terms.iter().map(|(end, _)| *end).collect::<Vec<_>>());
        let (component, ends) = (self.component, terms.to_vec());
        let constraint = FlangeConstraint {
            component,
            ends,
            coordinate: None,
            rhs,
            prescribed,
            reaction: false,
            housing: None,
            refusal: None,
            optional: false,
        };
        self.structure.flanges.constraints.push(constraint)
    }

    /// Prescribes the motion of a weighted sum of flange positions; `terms` contains the weights.
    pub fn prescribe(&mut self, terms: &[(FlangeEnd, Ex)], law: MotionLaw) -> FlangeConstraintId {
        let motion = PrescribedMotion { component: self.component, law };
        let id = self.structure.flanges.prescribed_motions.push(motion.states());
        self.laws.prescribed_motions.push(motion);
        self.relate(terms, Ex::zero(), Some(id))
    }

    /// Requests the multiplier of a flange constraint.
    pub fn reaction(&mut self, constraint: FlangeConstraintId) -> Reaction {
        self.structure.flanges.constraints[constraint].reaction = true;
        Reaction(constraint)
    }

    /// Mounts a flange constraint on a frame: each flange turns about a unit axis, given in the
    /// axes of the frame. The multiplier of the constraint (see [`Reaction`]) balances torques of
    /// the flanges; these torques act on the part that carries the frame. The flanges' angles are
    /// relative to the frame; `frame` is `None` if nothing is connected to it.
    pub fn support_reaction(
        &mut self,
        constraint: FlangeConstraintId,
        frame: Option<FrameEnd>,
        axes: &[[f64; 3]],
    ) {
        let component = self.component;
        let ends = self.structure.flanges.constraints[constraint].ends.clone();
        let fixed_by = (ends.len() == 1).then_some(constraint);
        let mut n = zero();
        for ((end, coefficient), &axis) in ends.into_iter().zip(axes) {
            let axis = constant(axis);
            n += scale(&axis, coefficient);
            let mounted = MountedFlange { component, end, frame, axis, fixed_by };
            self.structure.drive_trains.mounted.push(mounted);
        }
        let support = SupportReaction { component, constraint, frame, n };
        self.structure.drive_trains.supports.push(support);
    }

    /// Applies the multiplier of a flange constraint (see [`Reaction`]) as a force along the line
    /// between two frames. The share of each frame acts on the part that carries the frame, in the
    /// direction from the first frame to the second; this direction is a unit vector unless the
    /// distance is below `s_small` in m.
    pub fn line_reaction(
        &mut self,
        constraint: FlangeConstraintId,
        ends: [FrameEnd; 2],
        shares: [f64; 2],
        s_small: Ex,
    ) {
        let component = self.component;
        let line = LineReaction { component, constraint, ends, shares, s_small };
        self.structure.drive_trains.lines.push(line);
    }

    /// A rotor with moment of inertia `inertia` in kg.m2 that rotates with a flange about the unit
    /// axis `axis` of a frame. The bodies that move with the frame must include the rotor as if it
    /// were locked. Unless `exact`, the angular acceleration of the frame does not act on the
    /// rotor.
    pub fn rotor(
        &mut self,
        end: FlangeEnd,
        frame: Option<FrameEnd>,
        axis: Vector,
        inertia: Ex,
        exact: bool,
    ) {
        let component = self.component;
        let mounted = MountedFlange { component, end, frame, axis, fixed_by: None };
        self.structure.drive_trains.mounted.push(mounted);
        self.structure.drive_trains.rotors.push(Rotor {
            component,
            end,
            frame,
            axis,
            inertia,
            exact,
        });
    }

    /// States that the reactions of drive trains do not act on frames.
    pub fn drive_trains_1d(&mut self) {
        self.structure.drive_trains.plain = true;
    }

    /// An initial condition on a flange's position (`order` 0), speed (1) or acceleration (2),
    /// which equals a signal at the start.
    pub fn initial_condition(
        &mut self,
        end: FlangeEnd,
        order: usize,
        value: impl FnOnce(&mut SignalView<'_>) -> Result<Ex, Error> + 'static,
    ) {
        let (component, subject) = (self.component, FlangeOrCoordinate::Flange(end));
        let value: Signal = Box::new(value);
        let measured = None;
        self.laws.conditions.push(Condition { component, subject, order, value, measured });
    }

    /// A moment of inertia (or a mass) that moves with a flange.
    pub fn inertia(&mut self, end: FlangeEnd, inertia: Ex) {
        self.structure.flanges.inertias.push(Inertial { end, inertia });
    }

    /// The position and speed of a flange, under the names of its domain.
    pub fn position(
        &mut self,
        domain: &'static Domain,
        end: FlangeEnd,
        starts: Starts,
        select: StateSelect,
    ) -> PositionId {
        let [position, speed] = self.start_variables(domain.motion(), starts);
        self.relative(None, end, position, speed, select)
    }

    /// The position and speed of a flange relative to a support, with the names of its absolute
    /// position and speed.
    pub fn supported_position(
        &mut self,
        domain: &'static Domain,
        (support, end): (FlangeEnd, FlangeEnd),
        starts: Starts,
        select: StateSelect,
    ) -> PositionId {
        let [position, speed] = self.start_variables(domain.motion(), starts);
        self.relative(Some(support), end, position, speed, select)
    }

    /// The position and speed of flange `b` relative to flange `a`, under the names of their
    /// domain. `nominal` scales the error tolerance of the position.
    pub fn relative_position(
        &mut self,
        domain: &'static Domain,
        (a, b): (FlangeEnd, FlangeEnd),
        starts: Starts,
        nominal: f64,
        select: StateSelect,
    ) -> PositionId {
        let [mut position, speed] = self.start_variables(domain.relative_motion(), starts);
        position.nominal = nominal;
        self.relative(Some(a), b, position, speed, select)
    }

    /// A position and its speed, which may become states, and the name of their acceleration.
    pub fn start_variables(
        &mut self,
        [position, speed, acceleration]: [&'static Word; 3],
        starts: Starts,
    ) -> [StartVariable; 2] {
        let position = self.start_variable(position, starts.position);
        let speed = self.start_variable(speed, starts.speed);
        [position, StartVariable { rate: Some(*acceleration), ..speed }]
    }

    /// A variable with a start value, which may become a state.
    pub fn start_variable(&mut self, word: &'static Word, start: Start) -> StartVariable {
        let Word { local, unit } = *word;
        self.named_start_variable(local, unit, start)
    }

    /// A variable of this name with a start value, which may become a state.
    pub fn named_start_variable(
        &mut self,
        local: &'static str,
        unit: &'static str,
        start: Start,
    ) -> StartVariable {
        let slot = self.model.start_slot(start.value);
        let (name, nominal, published) = (self.full(local), 1.0, true);
        StartVariable { local, name, unit, start, slot, nominal, published, rate: None }
    }

    /// A position between two flanges (or against zero) and its speed, with names of their own.
    pub fn position_between(
        &mut self,
        a: Option<FlangeEnd>,
        b: FlangeEnd,
        [position, speed]: [StartVariable; 2],
        select: StateSelect,
    ) -> PositionId {
        self.relative(a, b, position, speed, select)
    }

    /// The domain of a flange.
    pub fn domain_of(&self, end: FlangeEnd) -> &'static Domain {
        self.structure.flanges.ends[end.end].domain
    }

    fn relative(
        &mut self,
        a: Option<FlangeEnd>,
        b: FlangeEnd,
        position: StartVariable,
        speed: StartVariable,
        select: StateSelect,
    ) -> PositionId {
        if let Some(a) = a {
            self.differ(&[a, b]);
        }
        let (component, damped) = (self.component, false);
        self.structure.flanges.relatives.push(RelativeFlangeMotion {
            component,
            a,
            b,
            position,
            speed,
            select,
            damped,
        });
        PositionId(self.structure.flanges.relatives.len() - 1)
    }

    /// States that the speed and the acceleration of a position are published only if they are
    /// states.
    pub fn hide_speed(&mut self, position: PositionId) {
        self.structure.flanges.relatives[position.0].speed.published = false;
    }

    /// States that the torque (or force) along a position depends on its speed, by a law that can
    /// be solved for the speed. The equations may use this for flanges without inertia.
    pub fn damped(&mut self, position: PositionId) {
        self.structure.flanges.relatives[position.0].damped = true;
    }
}
