//! Flanges without inertia: their angles follow from the balance of torques.
//!
//! Along an angle with damping the balance gives the speed, and the angle is a state of first
//! order. Along the other angles it gives the angle itself. Laws are evaluated with placeholders
//! for both; the balances are solved afterwards, and the placeholders replaced.

use crate::compile::algebra::equation_blocks::blocks;
use crate::compile::algebra::linear_form::{Elimination, Outcome};
use crate::compile::contributions::Body;
use crate::compile::dynamics::equations_of_motion::Solution;
use crate::compile::kinematics::state_variables::{State, declare_state};
use crate::compile::laws::evaluation::Evaluation;
use crate::compile::loads::mass_matrix::Sums;
use crate::compile::motion::coordinates::{Coordinates, Motion};
use crate::compile::publication::deferred::Late;
use crate::compile::states::initial_values::{Initial, Role};
use crate::error::Error;
use equations::{Ex, Leaf, Model, differentiate, jacobian, substitute};
use nalgebra::DMatrix;
use std::collections::BTreeSet;

/// What messages call the equations of this page.
const NAME: &str = "flanges without inertia";

/// Which variables have no inertia, and which angles of them are states.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Variables without inertia.
    pub variables: BTreeSet<usize>,
    /// Forms whose angle is a state of first order.
    pub first_order: Vec<usize>,
    /// Variables whose angle the balance of torques gives.
    pub statics: Vec<usize>,
}

impl Plan {
    /// Takes the variables without inertia out of `plan.independent`.
    pub fn new(plan: &mut crate::compile::topology::plan::Plan) -> Plan {
        let mut carried = plan.moving_masses();
        let inertias = plan.structure.inertias.iter().map(|inertial| inertial.end);
        for end in inertias.chain(plan.structure.rotors.iter().map(|rotor| rotor.end)) {
            let form = plan.coordinates.elimination.variable(end.node);
            carried.extend(form.terms.keys());
        }
        let (massive, massless) =
            plan.independent.iter().partition::<Vec<usize>, _>(|v| carried.contains(v));
        plan.independent = massive;
        let variables: BTreeSet<usize> = massless.into_iter().collect();

        let mut order: Vec<usize> =
            (0..plan.forms.len()).filter(|&k| plan.forms[k].damped).collect();
        order.sort_by_key(|&k| std::cmp::Reverse(plan.forms[k].select));
        let mut known = Elimination::default();
        let mut damped = BTreeSet::new();
        let mut first_order = Vec::new();
        for k in order {
            let mut form = plan.forms[k].linear.clone();
            form.constant = Ex::zero();
            form.terms.retain(|v, _| variables.contains(v));
            if let Outcome::Eliminated(v) = known.relate(&form, |_| 0, &plan.numeric) {
                first_order.push(k);
                damped.insert(v);
            }
        }
        first_order.sort_unstable();
        let statics = variables.difference(&damped).copied().collect();
        Plan { variables, first_order, statics }
    }

    /// Whether a variable has no initial value of its own: of its speed, or of its angle.
    pub fn has_no_start(&self, variable: usize, speed: bool) -> bool {
        if speed { self.variables.contains(&variable) } else { self.statics.contains(&variable) }
    }
}

impl crate::compile::topology::plan::Plan {
    /// Variables of coordinates with which a mass may move: those that take part in a loop, and
    /// those of joints that carry a body or a drive train.
    fn moving_masses(&mut self) -> BTreeSet<usize> {
        let mut carried: BTreeSet<usize> = self.unknowns.iter().map(|u| u.variable).collect();
        let has_mass = |body: &&Body| {
            let tensor = body.inertia.iter().all(|c| c.is_constant_zero());
            !(body.mass.is_constant_zero() && tensor)
        };
        let bodies = self.structure.bodies.iter().filter(has_mass);
        let frames = bodies.map(|body| body.frame).chain(self.structure.carriers());
        let links: Vec<usize> = frames.map(|frame| self.tree.places[&frame.node].link).collect();
        let numbering = self.coordinates.numbering();
        for link in links {
            for c in self.tree.coordinates_behind(&self.structure, link) {
                let form = self.coordinates.elimination.variable(numbering.coordinate(c));
                carried.extend(form.terms.keys());
            }
        }
        carried
    }
}

/// Motions of the variables without inertia, as placeholders until the balances are solved.
#[derive(Debug, Default)]
pub struct Motions {
    /// States of first order and placeholders of their rates.
    rates: Vec<(Ex, Ex)>,
    /// Placeholders of static angles and their speeds.
    statics: Vec<(Ex, Ex)>,
    /// Placeholders with what replaces them.
    solved: Vec<(Ex, Ex)>,
}

impl Motions {
    /// Declares states and placeholders, and the motions of the variables.
    pub fn declare(
        plan: &mut crate::compile::topology::plan::Plan,
        initial: &Initial,
        model: &mut Model,
    ) -> Motions {
        let mut motions = Motions::default();
        if plan.massless.variables.is_empty() {
            return motions;
        }
        for form in plan.massless.first_order.clone() {
            let start = match initial.roles[form][0] {
                Role::Known => initial.start_of(plan, (form, 0)),
                _ => plan.forms[form].linear.value(|v| initial.q[&v]),
            };
            let state = declare_state(plan, initial, model, (form, 0), start);
            let rate = placeholder(plan);
            motions.rates.push((state, rate));
            let crate::compile::topology::plan::Plan {
                coordinates, forms, massless, numeric, ..
            } = &mut *plan;
            let numbering = coordinates.numbering();
            let rank =
                |k: usize| 2 * numbering.rank(k) + usize::from(massless.statics.contains(&k));
            coordinates.add_state(&forms[form].linear, [state, rate], rank, numeric);
        }
        for v in plan.massless.statics.clone() {
            let (q, speed) = (placeholder(plan), placeholder(plan));
            motions.statics.push((q, speed));
            let motion = Motion::prescribed([q, speed, Ex::zero()]);
            plan.coordinates.set_motion(v, motion);
        }
        for v in plan.massless.variables.clone() {
            let motion = plan.coordinates.independent(v);
            plan.coordinates.set_motion(v, motion);
        }
        motions
    }

    /// Solves the balances of torques.
    pub fn balance(
        &mut self,
        plan: &crate::compile::topology::plan::Plan,
        sums: &Sums,
        states: &[State],
        e: &mut Evaluation<'_>,
    ) -> Result<(), Error> {
        let without_inertia = |v: &usize| plan.massless.variables.contains(v);
        if let Some(friction) =
            e.friction.iter().find(|f| f.relative.partials.keys().any(without_inertia))
        {
            let mut coordinates = plan.coordinates.elimination.clone();
            let ends = plan.structure.flange_ends.iter();
            let own = ends.filter(|end| plan.names[end.port.component] == friction.name);
            let light: Vec<String> = own
                .filter(|end| coordinates.variable(end.node).terms.keys().any(without_inertia))
                .map(|end| format!("{}.{}", friction.name, end.port.port))
                .collect();
            return Err(Error::Structure(format!(
                "{}: nothing with inertia moves with {}, which a friction element needs, unless the \
                 flange is fixed",
                friction.name,
                light.join(", ")
            )));
        }
        let unknowns: Vec<Ex> =
            self.rates.iter().map(|r| r.1).chain(self.statics.iter().map(|s| s.0)).collect();
        let residuals: Vec<Ex> = plan.massless.variables.iter().map(|&v| sums.force(v)).collect();
        self.check_speeds(plan, &residuals)?;
        // Speeds of static angles cancel in the torques: that is why the angles are static.
        let at_rest: Vec<(Ex, Ex)> = self.statics.iter().map(|s| (s.1, Ex::zero())).collect();
        let residuals = substitute(&residuals, &at_rest);
        let start_of = |v: &usize| {
            let form = plan.forms.iter().find(|f| f.linear.terms.contains_key(v));
            form.map_or_else(Ex::zero, |f| f.position.slot)
        };
        let guesses: Vec<Ex> = std::iter::repeat_n(Ex::zero(), self.rates.len())
            .chain(plan.massless.statics.iter().map(start_of))
            .collect();
        let matrix = jacobian(&residuals, &unknowns);
        self.check(plan, &residuals, &matrix)?;
        for block in blocks(&matrix) {
            self.solved.extend(block.solve(e.model, NAME, &residuals, &unknowns, &guesses));
        }
        for (state, rate) in self.solved_rates() {
            e.model.derivative(state, rate);
        }
        let seeds = self.seeds(states);
        let angles: Vec<Ex> = self.statics.iter().map(|s| s.0).collect();
        let speeds = differentiate(&substitute(&angles, &self.solved), &seeds);
        self.solved.extend(self.statics.iter().map(|s| s.1).zip(speeds));
        Ok(())
    }

    /// Rates of first-order states, without placeholders.
    fn solved_rates(&self) -> Vec<(Ex, Ex)> {
        self.rates.iter().map(|&(x, rate)| (x, substitute(&[rate], &self.solved)[0])).collect()
    }

    /// Rates of time and of all angles that are states. Those of inputs are not known here: they
    /// count as zero.
    fn seeds(&self, states: &[State]) -> Vec<(Ex, Ex)> {
        let angles = states.iter().filter_map(|s| Some((s.q?, s.v))).chain(self.solved_rates());
        angles.chain([(Ex::leaf(Leaf::Time), Ex::one())]).collect()
    }

    /// Refuses torques that depend on the speed of an angle that should be static.
    fn check_speeds(
        &self,
        plan: &crate::compile::topology::plan::Plan,
        residuals: &[Ex],
    ) -> Result<(), Error> {
        let speeds: Vec<Ex> = self.statics.iter().map(|s| s.1).collect();
        let of_speed = jacobian(residuals, &speeds);
        let depends = |k: &usize| of_speed.iter().any(|row| !row[*k].is_constant_zero());
        match (0..speeds.len()).find(depends) {
            Some(k) => Err(plan.massless(plan.massless.statics[k])),
            None => Ok(()),
        }
    }

    /// Refuses balances that do not determine the motion.
    fn check(
        &self,
        plan: &crate::compile::topology::plan::Plan,
        residuals: &[Ex],
        matrix: &[Vec<Ex>],
    ) -> Result<(), Error> {
        let n = residuals.len();
        let numbers = DMatrix::from_row_slice(n, n, &plan.numeric.all(&matrix.concat()));
        let regular = n == 0
            || (numbers.iter().all(|c| c.is_finite())
                && numbers.rank(1e-12 * numbers.amax().max(1e-300)) == n);
        if regular {
            return Ok(());
        }
        let loose = (0..n).find(|&i| numbers.row(i).iter().all(|&c| c == 0.0)).unwrap_or(0);
        let variable = plan.massless.variables.iter().nth(loose).copied();
        Err(plan.massless(variable.unwrap_or(0)))
    }

    /// Adds the accelerations of the variables to a solution.
    pub fn accelerate(
        &self,
        plan: &crate::compile::topology::plan::Plan,
        states: &[State],
        coordinates: &Coordinates,
        solution: &mut Solution,
    ) {
        let mut seeds = self.seeds(states);
        for state in states {
            seeds.push((state.v, plan.acceleration(state, coordinates, &solution.accelerations)));
        }
        for &v in &plan.massless.variables {
            let speed = coordinates.motions().get(&v).map_or_else(Ex::zero, |m| m.v);
            let speed = substitute(&[speed], &self.solved);
            solution.accelerations.insert(v, differentiate(&speed, &seeds)[0]);
        }
    }

    /// Tells what replaces the placeholders.
    pub fn finish(self, late: &mut Late) {
        for (symbol, value) in self.solved {
            late.add(NAME, symbol, value);
        }
    }
}

/// A new placeholder, zero wherever numbers are asked for.
fn placeholder(plan: &mut crate::compile::topology::plan::Plan) -> Ex {
    let symbol = Ex::symbol();
    plan.numeric.set(symbol, 0.0);
    symbol
}
