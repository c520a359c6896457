//! What laws say about voltages and currents whatever the resistances are: known ones, and
//! couplings of several branches.
//!
//! In a circuit of resistors and stores, a constraint on stores follows from Kirchhoff's laws and
//! from such laws alone: where a combination of equations leaves no unknown, no power is lost in
//! resistors.

use crate::ideal::{Kind, Network};
use equations::Ex;
use language::ids::{BranchId, Id};
use language::statements::algebra::linear_equation::{Equation, Unknown, is_zero, numbers, varies};
use language::statements::laws::circuits::SwitchLaw;
use std::collections::BTreeSet;

/// A voltage (or current) that laws give, or a sum of several ones.
#[derive(Clone)]
pub struct Known {
    /// Whether it is about voltages or currents.
    pub kind: Kind,
    /// The branch whose law gives it.
    pub branch: usize,
    /// The branches whose voltages (or currents) have this sum, with their factors.
    pub of: Vec<(usize, Ex)>,
    /// Whether it is such a sum.
    pub is_sum: bool,
    /// Its value.
    pub value: Ex,
}

/// A law that couples voltages and currents: a sum of unknowns with factors, which is zero or
/// known.
pub struct Coupling {
    /// The branch whose law it is.
    pub branch: usize,
    /// The factors of the unknowns.
    pub factors: Vec<(Unknown, Ex)>,
    /// What the sum is, if it is not zero.
    pub value: Option<Known>,
    /// Whether the component may supply power, as controlled sources do.
    pub is_active: bool,
}

impl Network<'_> {
    /// The branches whose laws give their voltages (or currents), with these. Switches are none of
    /// them, not even those that are always closed or always open.
    pub fn known(&self, kind: Kind) -> Vec<Known> {
        (0..self.branches.len()).filter_map(|branch| self.known_at(branch, kind)).collect()
    }

    fn known_at(&self, branch: usize, kind: Kind) -> Option<Known> {
        let (law, ends) = &self.branches[branch];
        let own = self.nodes + branch;
        if !law.nonlinear.is_empty() || ends[0] == ends[1] || self.is_of_switch(branch) {
            return None;
        }
        let factor = |unknown: Unknown| law.factors.get(&unknown)?.constant_value();
        let unknowns = law.unknowns();
        let [from, to] = *ends;
        let of_own = match kind {
            Kind::Cuts => (unknowns == BTreeSet::from([own])).then(|| factor(own))??,
            Kind::Loops => {
                let both: BTreeSet<Unknown> = [from, to].into_iter().flatten().collect();
                let of_voltage = match (from.map(factor), to.map(factor)) {
                    (Some(a), Some(b)) if a? == -b? => a?,
                    (Some(a), None) => a?,
                    (None, Some(b)) => -b?,
                    _ => return None,
                };
                (unknowns == both).then_some(of_voltage)?
            }
        };
        let (of, value) = (vec![(branch, Ex::one())], -law.rest / of_own);
        Some(Known { kind, branch, of, is_sum: false, value })
    }

    /// The laws that couple voltages and currents of several branches.
    pub fn couplings(&self) -> Vec<Coupling> {
        let all = (0..self.branches.len()).filter(|branch| !self.is_of_switch(*branch));
        let is_known = |branch: &usize| {
            [Kind::Loops, Kind::Cuts].iter().any(|&kind| self.known_at(*branch, kind).is_some())
        };
        all.filter(|branch| !is_known(branch)).filter_map(|branch| self.coupling(branch)).collect()
    }

    /// Whether a branch is a switch or its position.
    fn is_of_switch(&self, branch: usize) -> bool {
        let own = |(of, law): &(BranchId, SwitchLaw)| {
            of.index() == branch || law.position.index() == branch
        };
        self.switches.iter().any(own)
    }

    fn coupling(&self, branch: usize) -> Option<Coupling> {
        let law = self.branches[branch].0;
        let is_fixed = law.nonlinear.is_empty() && !law.factors.values().any(|of| varies(*of));
        if !is_fixed || self.is_resistive(branch) {
            return None;
        }
        let factors: Vec<(Unknown, Ex)> = law.factors.iter().map(|(&u, &of)| (u, of)).collect();
        let of_currents = factors.iter().all(|(unknown, _)| *unknown >= self.nodes);
        let kind = if of_currents { Kind::Cuts } else { Kind::Loops };
        if kind == Kind::Loops && !self.states_in(law.rest).is_empty() {
            return None;
        }
        let currents = factors.iter().filter(|(unknown, _)| *unknown >= self.nodes);
        let of = currents.map(|(unknown, factor)| (*unknown - self.nodes, *factor)).collect();
        let value = (!law.rest.is_constant_zero()).then(|| Known {
            kind,
            branch,
            of,
            is_sum: true,
            value: -law.rest,
        });
        Some(Coupling { branch, factors, value, is_active: !self.conserves_power(branch) })
    }

    /// Whether the law of a branch relates its voltage and its current.
    fn is_resistive(&self, branch: usize) -> bool {
        let (law, [from, to]) = &self.branches[branch];
        let factor = |unknown: Unknown| law.factors.get(&unknown).copied();
        let at = |end: &Option<Unknown>| end.and_then(factor);
        let has_voltage = match (at(from), at(to)) {
            (Some(a), Some(b)) => is_zero(a + b),
            (Some(_), None) => to.is_none(),
            (None, Some(_)) => from.is_none(),
            (None, None) => false,
        };
        has_voltage && factor(self.nodes + branch).is_some()
    }

    /// Whether the laws of the component of a branch let it neither take nor give power, whatever
    /// the values of parameters are.
    fn conserves_power(&self, branch: usize) -> bool {
        let own = |k: &usize| self.owners[*k] == self.owners[branch];
        let branches: Vec<usize> = (0..self.branches.len()).filter(own).collect();
        let laws: Vec<&Equation> = branches.iter().map(|&k| self.branches[k].0).collect();
        let ends = branches.iter().flat_map(|&k| self.branches[k].1).flatten();
        let currents = branches.iter().map(|&k| self.nodes + k);
        let unknowns: BTreeSet<Unknown> = ends.chain(currents).collect();
        let unknowns: Vec<Unknown> = unknowns.into_iter().collect();
        if laws.iter().any(|law| !law.unknowns().iter().all(|of| unknowns.contains(of))) {
            return false;
        }
        let factor =
            |law: &&Equation, of: &Unknown| law.factors.get(of).copied().unwrap_or_else(Ex::zero);
        let all = laws.iter().flat_map(|law| unknowns.iter().map(move |of| factor(law, of)));
        let values = numbers(&all.collect::<Vec<Ex>>()).next().unwrap_or_default();
        let laws = nalgebra::DMatrix::from_row_slice(laws.len(), unknowns.len(), &values);
        let place = |of: Unknown| unknowns.iter().position(|other| *other == of);
        // The power is a quadratic form of the unknowns.
        let mut power = nalgebra::DMatrix::<f64>::zeros(unknowns.len(), unknowns.len());
        for &k in &branches {
            let [from, to] = self.branches[k].1;
            for (end, sign) in [(from, 1.0), (to, -1.0)] {
                if let (Some(v), Some(i)) = (end.and_then(place), place(self.nodes + k)) {
                    power[(v, i)] += sign;
                    power[(i, v)] += sign;
                }
            }
        }
        let scale = laws.amax().max(1.0);
        let eigen = (laws.transpose() * &laws).symmetric_eigen();
        let free: Vec<_> = (0..unknowns.len())
            .filter(|&k| eigen.eigenvalues[k].abs() < 1e-9 * scale * scale)
            .map(|k| eigen.eigenvectors.column(k).into_owned())
            .collect();
        free.iter().all(|a| free.iter().all(|b| a.dot(&(&power * b)).abs() < 1e-6))
    }
}
