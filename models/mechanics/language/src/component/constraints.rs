//! Contributions to closed loops: constraints, their multipliers, cuts.

use super::{ConstraintId, Contribution, CoordinateId, CutReactions, Multiplier};
use crate::start::{Start, StateSelect};
use crate::statements::contributions::constraints::RequestedMultiplier;
use crate::statements::contributions::constraints::{
    Check, ClosedFormLaw, Constraint, FromStart, Holds, Roots, Situation,
};
use crate::statements::contributions::multibody::CoordinateType;
use crate::statements::contributions::start_variable::StartVariable;
use crate::statements::motion::ends::FrameEnd;
use crate::statements::spatial::pose::Pose;
use equations::Ex;
use std::rc::Rc;

impl Contribution<'_> {
    /// A constraint on frames and coordinates.
    ///
    /// With `from_start`, the value of a parameter is chosen so that the constraint holds in the
    /// initial configuration.
    pub fn constraint(
        &mut self,
        frames: &[FrameEnd],
        coordinates: &[CoordinateId],
        from_start: Option<FromStart>,
        condition: Holds,
    ) -> ConstraintId {
        self.structure.multibody.constraints.push(Constraint {
            component: self.component,
            name: self.name.clone(),
            frames: frames.to_vec(),
            coordinates: coordinates.to_vec(),
            from_start,
            multipliers: Vec::new(),
            closed_form: None,
            condition,
        });
        ConstraintId(self.structure.multibody.constraints.len() - 1)
    }

    /// Requests the multiplier of one residual of a constraint; `residual` is its index.
    pub fn multiplier(&mut self, constraint: ConstraintId, residual: usize) -> Multiplier {
        let flange_constraint = self.linear(&[], Ex::zero());
        let requested = RequestedMultiplier { residual, flange_constraint };
        self.structure.multibody.constraints[constraint.0].multipliers.push(requested);
        Multiplier(self.reaction(flange_constraint))
    }

    /// Joins two frames rigidly at the same pose, and requests the load that is transmitted from
    /// `a` to `b`.
    pub fn cut(&mut self, a: FrameEnd, b: FrameEnd) -> CutReactions {
        let both = [CoordinateType::Prismatic, CoordinateType::Revolute];
        let axes = [crate::vector::X, crate::vector::Y, crate::vector::Z];
        let mut coordinates = Vec::new();
        for (coordinate_type, axis) in both.into_iter().flat_map(|f| axes.map(|axis| (f, axis))) {
            let at_rest = StartVariable {
                local: "",
                name: self.name.clone(),
                unit: "",
                start: Start::default(),
                slot: Ex::zero(),
                nominal: 1.0,
                published: false,
                rate: None,
            };
            let id = self.coordinate(
                coordinate_type,
                axis,
                [at_rest.clone(), at_rest],
                StateSelect::Avoid,
            );
            self.structure.multibody.coordinates[id].locked = true;
            coordinates.push(id);
        }
        self.joint(a, b, &coordinates);
        let reaction = |coordinate: &CoordinateId| {
            let constraint = self.tie(&[], *coordinate, Ex::zero());
            self.reaction(constraint)
        };
        CutReactions(coordinates.iter().map(reaction).collect())
    }

    /// A residual in m that is always zero, together with its solution for one coordinate:
    /// `roots` computes two values of the coordinate from all other quantities.
    ///
    /// The value nearer to the coordinate's start value is chosen for the whole simulation;
    /// `branch`, a calculated parameter, shows which one it is.
    pub fn closed_form_closure(
        &mut self,
        frames: &[FrameEnd],
        coordinate: CoordinateId,
        residual: impl Fn(&Situation<'_>) -> Ex + 'static,
        roots: impl Fn(&Situation<'_>) -> Roots + 'static,
    ) -> ConstraintId {
        let text =
            "1: first of two solutions, -1: second one; at the start, the one nearer to the guess";
        let name = self.full("branch");
        let branch: Ex = self.model.calculated(&name, Ex::one()).unit("1").describe(text).into();
        self.law(move |e| {
            e.define("branch", branch);
            Ok(())
        });
        let constraint = self.closure(frames, &[coordinate], "m", move |at| vec![residual(at)]);
        self.solved(coordinate, roots, branch);
        constraint
    }

    /// States that a coordinate measures a relative motion of frames, in rad or m: the coordinate
    /// has the `value` that follows from the poses.
    pub fn measure(
        &mut self,
        frames: &[FrameEnd],
        coordinate: CoordinateId,
        value: impl Fn(&[Pose]) -> Ex + 'static,
    ) {
        let value = Rc::new(value);
        let same = value.clone();
        let unit = self.structure.multibody.coordinates[coordinate].position.unit;
        self.closure(frames, &[coordinate], unit, move |at| vec![value(at.poses) - at.q[0]]);
        let roots = move |at: &Situation<'_>| Roots {
            values: [same(at.poses); 2],
            discriminant: Ex::one(),
        };
        self.solved(coordinate, roots, Ex::one());
    }

    fn solved(
        &mut self,
        coordinate: CoordinateId,
        roots: impl Fn(&Situation<'_>) -> Roots + 'static,
        branch: Ex,
    ) {
        let closed_form = ClosedFormLaw { coordinate, roots: Rc::new(roots), branch };
        if let Some(constraint) = self.structure.multibody.constraints.last_mut() {
            constraint.closed_form = Some(closed_form);
        }
    }

    /// The components of a distance in m, or of an angle in rad, that must be zero in the initial
    /// configuration; otherwise the model has an error with the text `complaint`. They are computed
    /// from poses and from axes of coordinates.
    pub fn check_at_start(
        &mut self,
        frames: &[FrameEnd],
        coordinates: &[CoordinateId],
        unit: &'static str,
        values: impl Fn(&Situation<'_>) -> Vec<Ex> + 'static,
        complaint: &'static str,
    ) {
        let (name, frames, values) = (self.name.clone(), frames.to_vec(), Rc::new(values));
        let coordinates = coordinates.to_vec();
        self.structure.multibody.checks.push(Check {
            name,
            frames,
            coordinates,
            unit,
            values,
            complaint,
        });
    }

    /// Residuals in m or rad that are always zero; messages contain their unit.
    pub fn closure(
        &mut self,
        frames: &[FrameEnd],
        coordinates: &[CoordinateId],
        unit: &'static str,
        residual: impl Fn(&Situation<'_>) -> Vec<Ex> + 'static,
    ) -> ConstraintId {
        let closure = Holds::Position { residual: Rc::new(residual), moving: None, unit };
        self.constraint(frames, coordinates, None, closure)
    }
}
