//! The sums of inertias and forces while they grow, and the mass matrix, factorized.
//!
//! Branches are eliminated recursively ([`crate::statements::spatial::articulated`]); for the other
//! coordinates, the *core*, inertias are projected on partial velocities.

use crate::ids::{Id, LinkId, List, VariableId};
use crate::statements::algebra::graph_search::components;
use crate::statements::motion::coordinates::Motion;
use crate::statements::motion::frames::PartialVelocities;
use crate::statements::spatial::articulated::{Articulated, Branches, TreeLoad};
use crate::statements::spatial::pose::{Acceleration, Twist};
use crate::statements::spatial::spatial_inertia::SpatialInertia;
use crate::statements::spatial::wrench::Wrench;
use equations::{Ex, Factor};
use std::collections::{BTreeMap, BTreeSet};

/// The sums of inertias and forces that become the equations of motion.
#[derive(Debug, Default)]
pub struct MassAndForces {
    /// Upper triangle of the symmetric part of the mass matrix of the core.
    mass: BTreeMap<(VariableId, VariableId), Ex>,
    /// Additions to single elements of the matrix, by row and column.
    directed: BTreeMap<(VariableId, VariableId), Ex>,
    /// The load, inertia forces at constant speeds included.
    load: TreeLoad,
    branches: Branches,
    /// Partial velocities of links that are in no branch.
    partials: List<LinkId, PartialVelocities>,
}

impl MassAndForces {
    /// Of links in branches, and of others with these partial velocities.
    pub fn new(branches: Branches, partials: &List<LinkId, PartialVelocities>) -> MassAndForces {
        let mut sums = MassAndForces { partials: partials.clone(), ..MassAndForces::default() };
        for (&link, inertia) in &branches.carried {
            sums.add_inertia(link, inertia);
        }
        sums.branches = branches;
        sums
    }

    /// Adds to the symmetric part of the mass matrix of the core.
    pub fn add_mass(&mut self, i: VariableId, j: VariableId, value: Ex) {
        if !value.is_constant_zero() {
            let entry = self.mass.entry((i.min(j), i.max(j))).or_insert_with(Ex::zero);
            *entry += value;
        }
    }

    /// Adds to one element of the mass matrix of the core.
    pub fn add_directed(&mut self, row: VariableId, column: VariableId, value: Ex) {
        if !value.is_constant_zero() {
            *self.directed.entry((row, column)).or_insert_with(Ex::zero) += value;
        }
    }

    /// Adds a force on a coordinate.
    pub fn add_force(&mut self, variable: VariableId, force: Ex) {
        self.load.add_force(variable, force);
    }

    /// Adds `factor` times one row of the equations of the core to another one.
    pub fn add_row(&mut self, to: VariableId, from: VariableId, factor: Ex) {
        self.add_force(to, factor * self.force(from));
        for k in self.columns(from) {
            self.add_directed(to, k, factor * self.mass(from, k));
        }
    }

    /// The columns in which a row of the mass matrix has elements.
    fn columns(&self, row: VariableId) -> BTreeSet<VariableId> {
        let symmetric = self.mass.keys().filter_map(|&(i, j)| match (i == row, j == row) {
            (true, _) => Some(j),
            (_, true) => Some(i),
            _ => None,
        });
        let directed = self
            .directed
            .range((row, VariableId::at(0))..=(row, VariableId::at(usize::MAX)))
            .map(|(&(_, k), _)| k);
        symmetric.chain(directed).collect()
    }

    /// Whether the mass matrix is symmetric.
    pub fn is_symmetric(&self) -> bool {
        self.directed.is_empty()
    }

    /// The inertia of a link, projected.
    fn add_inertia(&mut self, link: LinkId, inertia: &Articulated) {
        let partials = std::mem::take(&mut self.partials[link]);
        for (&i, partial) in &partials {
            let wrench = inertia.wrench(partial);
            for (&j, other) in partials.range(i..) {
                self.add_mass(i, j, wrench.power(other));
            }
        }
        self.partials[link] = partials;
    }

    /// A moment of inertia (or a mass) on a coordinate.
    pub fn inertia(&mut self, motion: &Motion, inertia: Ex) {
        for (&i, &p) in &motion.partials {
            for (&j, &q) in motion.partials.range(i..) {
                self.add_mass(i, j, inertia * (p * q));
            }
            self.load.add_force(i, -(inertia * (p * motion.bias)));
        }
    }

    /// The bodies of a link, with its velocity and its acceleration at constant speeds.
    pub fn link(
        &mut self,
        link: LinkId,
        inertia: &SpatialInertia,
        velocity: &Twist,
        bias: &Acceleration,
    ) {
        if !self.branches.contains(link) {
            self.add_inertia(link, &Articulated::rigid(inertia));
        }
        self.load.add_wrench(link, &-inertia.required(velocity, bias));
    }

    /// A torque (or force) that acts in the direction of a coordinate.
    pub fn torque(&mut self, motion: &Motion, torque: Ex) {
        for (&i, &p) in &motion.partials {
            self.load.add_force(i, p * torque);
        }
    }

    /// A wrench on a link.
    pub fn wrench(&mut self, link: LinkId, wrench: &Wrench) {
        self.load.add_wrench(link, wrench);
    }

    /// The element of the mass matrix of the core.
    pub fn mass(&self, i: VariableId, j: VariableId) -> Ex {
        let symmetric = self.mass.get(&(i.min(j), i.max(j))).copied();
        let symmetric = symmetric.unwrap_or_else(Ex::zero);
        self.directed.get(&(i, j)).map_or(symmetric, |&directed| symmetric + directed)
    }

    /// Whether a coordinate moves no branch.
    pub fn is_in_core(&self, variable: VariableId) -> bool {
        !self.branches.has_variable(variable)
    }

    /// The apparent inertia of a coordinate while the coordinates of the core (or, in a branch, all
    /// coordinates nearer to the core) are at rest.
    pub fn apparent_inertia(&self, variable: VariableId) -> Ex {
        let in_branch = self.branches.own().find_map(|(variables, own)| {
            let k = variables.iter().position(|&v| v == variable)?;
            Some(own[k][k])
        });
        in_branch.unwrap_or_else(|| self.mass(variable, variable))
    }

    /// Accelerations of the coordinates of branches for a unit acceleration of another coordinate,
    /// where nothing acts.
    pub fn induced_accelerations(&self, variable: VariableId) -> BTreeMap<VariableId, Ex> {
        let links = self.partials.enumerate();
        let links = links.filter_map(|(link, own)| Some((link, *own.get(&variable)?)));
        self.branches.induced_accelerations(variable, links.collect())
    }

    /// The force on a coordinate that moves no branch.
    pub fn force(&self, variable: VariableId) -> Ex {
        let own = self.load.forces.get(&variable).copied().unwrap_or_else(Ex::zero);
        self.load.wrenches.iter().fold(own, |sum, (&link, wrench)| {
            self.partials[link].get(&variable).map_or(sum, |p| sum + wrench.power(p))
        })
    }

    /// The load.
    pub fn load(&self) -> &TreeLoad {
        &self.load
    }

    /// Factorizes the mass matrix of these coordinates.
    pub fn factorize(&self, independent: &[VariableId]) -> FactorizedMassMatrix<'_> {
        let core = independent.iter().copied().filter(|&v| self.is_in_core(v));
        let core: BTreeSet<VariableId> = core.collect();
        let both = |(i, j): &(VariableId, VariableId)| core.contains(i) && core.contains(j);
        let pairs = self.mass.keys().chain(self.directed.keys()).copied().filter(both);
        let items: Vec<VariableId> = core.iter().copied().collect();
        let blocks = components(&items, pairs).into_iter().map(|block| {
            let row = |&i: &VariableId| block.iter().map(|&j| self.mass(i, j)).collect();
            let matrix: Vec<Vec<Ex>> = block.iter().map(row).collect();
            let within = |(i, j): &(VariableId, VariableId)| block.contains(i) && block.contains(j);
            let symmetric = !self.directed.keys().any(within);
            let factor =
                if symmetric { Factor::symmetric(&matrix) } else { Factor::general(&matrix) };
            (block, factor)
        });
        FactorizedMassMatrix { sums: self, blocks: blocks.collect() }
    }
}

/// The mass matrix, factorized: by blocks of coordinates of the core that are coupled, and
/// branches.
#[derive(Debug)]
pub struct FactorizedMassMatrix<'a> {
    sums: &'a MassAndForces,
    blocks: Vec<(Vec<VariableId>, Factor)>,
}

impl FactorizedMassMatrix<'_> {
    /// The accelerations that a load causes; coordinates that it does not accelerate are left out.
    pub fn solve(&self, load: &TreeLoad) -> BTreeMap<VariableId, Ex> {
        let branches = &self.sums.branches;
        let reduced = branches.reduce(load);
        let mut core = reduced.left.clone();
        for (&link, wrench) in &reduced.left.wrenches {
            for (&i, p) in &self.sums.partials[link] {
                core.add_force(i, wrench.power(p));
            }
        }
        let mut accelerations = self.solve_core(&core.forces);
        let carriers = branches.carried.keys().filter_map(|&link| {
            let sum = self.acceleration(link, &accelerations)?;
            Some((link, sum))
        });
        let of_branches = branches.accelerate(&reduced, carriers.collect());
        accelerations.extend(of_branches);
        accelerations
    }

    /// The inverse of the core's matrix times a sparse vector; only the blocks that it touches.
    fn solve_core(&self, rhs: &BTreeMap<VariableId, Ex>) -> BTreeMap<VariableId, Ex> {
        let mut solution = BTreeMap::new();
        for (block, factor) in &self.blocks {
            if block.iter().any(|i| rhs.contains_key(i)) {
                let b: Vec<Ex> =
                    block.iter().map(|i| rhs.get(i).copied().unwrap_or_else(Ex::zero)).collect();
                solution.extend(block.iter().copied().zip(factor.solve(&b)));
            }
        }
        solution
    }

    /// The acceleration of a link of the core, if it has one.
    fn acceleration(
        &self,
        link: LinkId,
        accelerations: &BTreeMap<VariableId, Ex>,
    ) -> Option<Twist> {
        let mut sum: Option<Twist> = None;
        for (i, p) in &self.sums.partials[link] {
            let Some(&a) = accelerations.get(i) else { continue };
            let sum = sum.get_or_insert_with(Twist::zero);
            sum.add_scaled(p, a);
        }
        sum
    }
}
