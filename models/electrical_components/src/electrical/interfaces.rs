//! Pins and variables that electrical components share, and their laws.

use equations::Ex;
use mechanics::component::{BranchId, CircuitStateId};
use mechanics::declaration::{group, prelude::*};
use mechanics::statements::laws::velocity_view::VelocityView;
use mechanics::statements::motion::ends::HeatEnd;

group! {
    /// Two pins.
    pub struct Pins(pins) {}
    ports {
        /// Pin at which the current enters
        p: Pin,
        /// Pin at which the current leaves
        n: Pin,
    }
}

group! {
    /// The voltage between two pins, and the current between them.
    pub struct OnePort(one_port) {}
    variables {
        /// Voltage between p and n
        v: Real["V"],
        /// Current from p to n
        i: Real["A"],
    }
}

group! {
    /// Two pairs of pins, between each of which one current flows.
    pub struct TwoPort(two_port) {}
    ports {
        /// Pin of the first pair at which its current enters
        p1: Pin,
        /// Pin of the first pair at which its current leaves
        n1: Pin,
        /// Pin of the second pair at which its current enters
        p2: Pin,
        /// Pin of the second pair at which its current leaves
        n2: Pin,
    }
    variables {
        /// Voltage between p1 and n1
        v1: Real["V"],
        /// Current from p1 to n1
        i1: Real["A"],
        /// Voltage between p2 and n2
        v2: Real["V"],
        /// Current from p2 to n2
        i2: Real["A"],
    }
}

group! {
    /// A component that turns electrical power into heat.
    pub struct Lossy(lossy) {}
    ports {
        /// Heat port that receives the lost power
        heat_port "heatPort": HeatPort,
    }
    variables {
        /// Lost power
        loss_power "LossPower": Real["W"],
    }
}

/// The lost power of a component, which flows out of its heat port if this is connected.
pub(super) fn lose(e: &mut VelocityView<'_>, heat_port: Option<HeatEnd>, power: Ex) {
    e.variable("LossPower", power);
    if let Some(end) = heat_port {
        e.set_heat_flow(end, -power);
    }
}

/// The branch between the pins `p` and `n`, with voltage and current as variables, and the law of
/// the branch: the residual of voltage and current that vanishes.
pub(super) fn branch_law(
    c: &mut Contribution<'_>,
    law: impl FnOnce(&mut VelocityView<'_>, Ex, Ex) -> Result<Ex, Error> + 'static,
) {
    let branch = branch(c, ["p", "n"], ["v", "i"]);
    c.law(move |e| {
        let (v, i) = (e.voltage(branch), e.current(branch));
        let residual = law(e, v, i)?;
        e.set_branch_law(branch, residual);
        Ok(())
    });
}

/// Voltages and currents of a component with two pairs of pins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub v1: Ex,
    pub i1: Ex,
    pub v2: Ex,
    pub i2: Ex,
}

/// The branches between the pairs of pins, and their laws: two residuals that vanish.
pub(super) fn pair_law(
    c: &mut Contribution<'_>,
    law: impl FnOnce(&mut VelocityView<'_>, Pair) -> Result<[Ex; 2], Error> + 'static,
) {
    let first = branch(c, ["p1", "n1"], ["v1", "i1"]);
    let second = branch(c, ["p2", "n2"], ["v2", "i2"]);
    c.law(move |e| {
        let (v1, i1) = (e.voltage(first), e.current(first));
        let (v2, i2) = (e.voltage(second), e.current(second));
        let [of_first, of_second] = law(e, Pair { v1, i1, v2, i2 })?;
        e.set_branch_law(first, of_first);
        e.set_branch_law(second, of_second);
        Ok(())
    });
}

/// A branch whose voltage and current are variables of these names.
pub(super) fn branch(
    c: &mut Contribution<'_>,
    [from, to]: [&'static str; 2],
    [v, i]: [&'static str; 2],
) -> BranchId {
    let ends = (c.pin(from), c.pin(to));
    let branch = c.branch(ends.0, ends.1);
    c.law(move |e| {
        let (voltage, current) = (e.voltage(branch), e.current(branch));
        e.variable(v, voltage);
        e.variable(i, current);
        Ok(())
    });
    branch
}

/// The variable of a branch that is a state.
#[derive(Clone, Copy)]
pub(super) enum Stored {
    /// The voltage, which the current changes.
    Voltage,
    /// The current, which the voltage changes.
    Current,
}

impl Stored {
    /// The state, and the variable that changes it.
    pub const fn pick<T: Copy>(self, [v, i]: [T; 2]) -> [T; 2] {
        match self {
            Stored::Voltage => [v, i],
            Stored::Current => [i, v],
        }
    }

    /// A branch with a state; voltage and current are variables of these names. A law of the
    /// component states the derivative of the state.
    pub fn branch(
        self,
        c: &mut Contribution<'_>,
        [from, to]: [&'static str; 2],
        names: [&'static str; 2],
        start: Start,
    ) -> (BranchId, CircuitStateId) {
        let [local, other] = self.pick(names);
        let [unit, _] = self.pick(["V", "A"]);
        let variable = c.named_start_variable(local, unit, start);
        let state = c.circuit_state(variable);
        let ends = (c.pin(from), c.pin(to));
        let branch = c.branch(ends.0, ends.1);
        c.law(move |e| {
            let [own, changing] = self.pick([e.voltage(branch), e.current(branch)]);
            let x = e.circuit_state(state);
            e.define(local, x);
            e.variable(other, changing);
            e.set_branch_law(branch, own - x);
            Ok(())
        });
        (branch, state)
    }
}
