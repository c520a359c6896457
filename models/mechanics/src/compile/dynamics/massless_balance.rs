//! Flanges without inertia: their motions follow from the balance of torques.

use crate::compile::kinematics::Kinematics;
use crate::compile::kinematics::massless_motions::MasslessMotions;
use crate::compile::loads::awaited_values::AwaitedValues;
use crate::compile::loads::mass_and_forces::MassAndForces;
use crate::compile::states::massless_variables::MasslessVariables;
use crate::compile::states::motion_basis::MotionBasis;
use crate::compile::topology::Topology;
use crate::error::Error;
use crate::ids::{FlangeNode, VariableId};
use crate::statements::algebra::equation_blocks::blocks;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::laws::friction_element::Friction;
use equations::{Ex, Leaf, Model, differentiate, jacobian, substitute};
use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// The name of these equations in messages.
const NAME: &str = "flanges without inertia";

/// The solved balances of torques.
pub struct MasslessBalance<'a> {
    motions: &'a MasslessMotions,
    /// Placeholders with their values.
    solved: Vec<(Ex, Ex)>,
}

impl<'a> MasslessBalance<'a> {
    /// Solves the balances of torques.
    pub fn solve(
        basis: MotionBasis<'_>,
        kinematics: &'a Kinematics,
        sums: &MassAndForces,
        numeric: &Numeric,
        model: &mut Model,
    ) -> Result<Self, Error> {
        let MotionBasis { topology, selection, .. } = basis;
        let massless = &selection.massless;
        let motions = &kinematics.massless;
        let mut balance = MasslessBalance { motions, solved: Vec::new() };
        let MasslessMotions { rates, statics } = motions;
        let unknowns: Vec<Ex> =
            rates.iter().map(|r| r.1).chain(statics.iter().map(|s| s.0)).collect();
        let residuals: Vec<Ex> = massless.variables.iter().map(|&v| sums.force(v)).collect();
        check_speeds(motions, topology, massless, &residuals)?;
        // Speeds of static angles cancel in the torques: that is why the angles are static.
        let at_rest: Vec<(Ex, Ex)> = statics.iter().map(|s| (s.1, Ex::zero())).collect();
        let residuals = substitute(&residuals, &at_rest);
        let start_of = |v: &VariableId| {
            let candidate = topology.candidates.iter().find(|c| c.linear.terms.contains_key(v));
            candidate.map_or_else(Ex::zero, |c| c.position.slot)
        };
        let guesses: Vec<Ex> = std::iter::repeat_n(Ex::zero(), rates.len())
            .chain(massless.statics.iter().map(start_of))
            .collect();
        let matrix = jacobian(&residuals, &unknowns);
        check_rank(topology, massless, &matrix, numeric)?;
        for block in blocks(&matrix) {
            balance.solved.extend(block.solve(model, NAME, &residuals, &unknowns, &guesses));
        }
        for (state, rate) in balance.rates() {
            model.derivative(state, rate);
        }
        let seeds = balance.seeds(kinematics);
        let angles: Vec<Ex> = statics.iter().map(|s| s.0).collect();
        let speeds = differentiate(&substitute(&angles, &balance.solved), &seeds);
        balance.solved.extend(statics.iter().map(|s| s.1).zip(speeds));
        Ok(balance)
    }

    /// Rates of first-order states, without placeholders.
    fn rates(&self) -> Vec<(Ex, Ex)> {
        let rates = self.motions.rates.iter();
        rates.map(|&(x, rate)| (x, substitute(&[rate], &self.solved)[0])).collect()
    }

    /// Rates of time and of all positions that are states. Those of inputs are not known here: they
    /// count as zero.
    fn seeds(&self, kinematics: &Kinematics) -> Vec<(Ex, Ex)> {
        let Kinematics { states, free, orientations, coordinates, .. } = kinematics;
        let turned = orientations.iter();
        let turned = turned.flat_map(|o| o.states.into_iter().zip(o.rates(coordinates)));
        let free = free.iter().filter_map(|s| Some((s.q?, coordinates.motions()[&s.variable].v)));
        let angles = states
            .iter()
            .filter_map(|s| Some((s.q?, s.v)))
            .chain(free)
            .chain(turned)
            .chain(self.rates());
        angles.chain([(Ex::leaf(Leaf::Time), Ex::one())]).collect()
    }

    /// The accelerations of the variables, from those of the others.
    pub fn accelerations(
        &self,
        basis: MotionBasis<'_>,
        kinematics: &Kinematics,
        independent: &BTreeMap<VariableId, Ex>,
    ) -> BTreeMap<VariableId, Ex> {
        let Kinematics { states, free, coordinates, .. } = kinematics;
        let mut seeds = self.seeds(kinematics);
        for state in states {
            seeds.push((state.v, state.acceleration(basis.topology, coordinates, independent)));
        }
        for state in free {
            let motion = &coordinates.motions()[&state.variable];
            seeds.push((state.v, motion.acceleration(independent)));
        }
        let acceleration = |&v: &VariableId| {
            let speed = coordinates.motions().get(&v).map_or_else(Ex::zero, |m| m.v);
            let speed = substitute(&[speed], &self.solved);
            (v, differentiate(&speed, &seeds)[0])
        };
        basis.selection.massless.variables.iter().map(acceleration).collect()
    }

    /// Gives the placeholders their values.
    pub fn finish(self, awaited: &mut AwaitedValues) {
        for (symbol, value) in self.solved {
            awaited.add(NAME, symbol, value);
        }
    }
}

/// Refuses friction elements on flanges without inertia.
pub fn check_friction(
    topology: &Topology,
    massless: &MasslessVariables,
    friction: &[Friction],
) -> Result<(), Error> {
    let without_inertia = |v: &VariableId| massless.variables.contains(v);
    let moves = |f: &&Friction| f.relative.partials.keys().any(without_inertia);
    let Some(friction) = friction.iter().find(moves) else { return Ok(()) };
    let Topology { structure, variables, .. } = topology;
    let ends = structure.flanges.ends.iter();
    let own = ends.filter(|end| structure.names[end.port.component] == friction.name);
    let form = |node: FlangeNode| variables.elimination.variable(node.variable());
    let light: Vec<String> = own
        .filter(|end| form(end.node).terms.keys().any(without_inertia))
        .map(|end| format!("{}.{}", friction.name, end.port.port))
        .collect();
    Err(Error::Structure(format!(
        "{}: nothing with inertia moves with {}, which a friction element needs, unless the flange \
         is fixed",
        friction.name,
        light.join(", ")
    )))
}

/// Refuses torques that depend on the speed of an angle that should be static.
fn check_speeds(
    motions: &MasslessMotions,
    topology: &Topology,
    massless: &MasslessVariables,
    residuals: &[Ex],
) -> Result<(), Error> {
    let speeds: Vec<Ex> = motions.statics.iter().map(|s| s.1).collect();
    let of_speed = jacobian(residuals, &speeds);
    let depends = |k: &usize| of_speed.iter().any(|row| !row[*k].is_constant_zero());
    match (0..speeds.len()).find(depends) {
        Some(k) => Err(topology.massless(massless.statics[k])),
        None => Ok(()),
    }
}

/// Refuses balances that do not determine the motion.
fn check_rank(
    topology: &Topology,
    massless: &MasslessVariables,
    matrix: &[Vec<Ex>],
    numeric: &Numeric,
) -> Result<(), Error> {
    let n = matrix.len();
    let numbers = DMatrix::from_row_slice(n, n, &numeric.all(&matrix.concat()));
    let regular = n == 0
        || (numbers.iter().all(|c| c.is_finite())
            && numbers.rank(1e-12 * numbers.amax().max(1e-300)) == n);
    if regular {
        return Ok(());
    }
    let loose = (0..n).find(|&i| numbers.row(i).iter().all(|&c| c == 0.0)).unwrap_or(0);
    let variable = massless.variables.iter().nth(loose).copied();
    Err(topology.massless(variable.unwrap_or_default()))
}
