//! The impact of a mass at its stop in the example HeatLosses of Translational: the published
//! impact and Coupler's, with the balances of momentum and energy.

use std::fmt::Write;

use coupler::prelude::*;
use coupler::translational::{
    Brake, Damper, ElastoGap, Fixed, Force, Mass, MassWithStopAndFriction, Spring, SpringDamper,
    SupportFriction,
};

use crate::curves::{Columns, TimeSeries, read};
use crate::root;
use crate::simulations::{run_to, value};

/// Mass of each body in kg.
const MASS: f64 = 1.0;

/// Signals whose integrals are the losses and the work of the force in J.
pub const LOSSES: [&str; 7] = [
    "springDamper",
    "damper",
    "elastoGap",
    "supportFriction",
    "brake",
    "springDamper1",
    "massWithStopAndFriction",
];

/// The example without its heat ports, which have no influence on the motion. The integrals of
/// losses and of the power of the force are `NAME_lost.y` and `work.y`.
pub fn heat_losses(m: &mut Assembly) {
    let body = || Mass::new().m(MASS).L(0.1);
    add! { m,
        mass1: body().s(fixed(0)).v(fixed(0)),
        mass2: body(),
        mass3: body().v(fixed(0)),
        force: Force::new(),
        sine1: Sine::new().amplitude(20).f(1),
        damper: Damper::new().d(10),
        elasto_gap "elastoGap": ElastoGap::new().c(100).d(20).s_rel0(-0.02),
        fixed1: Fixed::new(),
        fixed2: Fixed::new(),
        spring_damper "springDamper":
            SpringDamper::new().c(100).d(10).s_rel(fixed(0)).v_rel(fixed(0)),
        friction "supportFriction": SupportFriction::new(),
        spring: Spring::new().c(100).s_rel(fixed(0)),
        brake: Brake::new().fn_max(10),
        sine2: Sine::new().amplitude(10).f(2),
        stiff "springDamper1": SpringDamper::new().c(10000).d(1000).s_rel(fixed(0)),
    }
    let stopped = MassWithStopAndFriction::new()
        .m(MASS)
        .L(0.1)
        .f_prop(0.5)
        .f_coulomb(1)
        .f_stribeck(2)
        .fexp(2)
        .smin(0)
        .smax(0.4)
        .v(fixed(0));
    let stopped = m.add("massWithStopAndFriction", stopped);
    m.connect(sine1.y, force.f);
    m.connect(sine2.y, brake.f_normalized);
    m.connect(force.flange, mass1.flange_a);
    m.chain((mass1.flange_a, damper, fixed1.flange));
    m.chain((fixed2.flange, elasto_gap, mass1.flange_a));
    m.chain((mass1.flange_b, spring_damper, mass2.flange_a));
    m.connect(mass2.flange_b, friction.flange_a);
    m.chain((friction.flange_b, spring, mass3.flange_a));
    m.connect(mass3.flange_b, brake.flange_a);
    m.chain((brake.flange_b, stiff, stopped.flange_a));
    let powers = [
        spring_damper.loss_power,
        damper.loss_power,
        elasto_gap.loss_power,
        friction.loss_power,
        brake.loss_power,
        stiff.loss_power,
        stopped.loss_power,
    ];
    for (name, power) in LOSSES.into_iter().zip(powers) {
        let lost = m.add(format!("{name}_lost"), Integrator::new().k(1));
        m.connect(power, lost.u);
    }
    add! { m, power: Product::new(), work: Integrator::new().k(1) }
    m.connect(sine1.y, power.u1);
    m.connect(mass1.v, power.u2);
    m.connect(power.y, work.u);
}

/// An impact between the mass that meets the stop and the mass behind it, which a spring and a
/// damper connect.
#[derive(Clone, Copy, Debug)]
pub struct StopImpact {
    /// The instant in s.
    pub t: f64,
    /// Speeds in m/s of the mass behind and of the mass at the stop, before the impact.
    pub before: [f64; 2],
    /// The same after the impact.
    pub after: [f64; 2],
}

impl StopImpact {
    /// The published impact: the last value before it and the first one after it.
    pub fn published() -> StopImpact {
        let figures = figures();
        let speeds = |row: &Vec<f64>| {
            let [v, v_rel] =
                ["massWithStopAndFriction.v", "springDamper1.v_rel"].map(|n| row[figures.index(n)]);
            [v - v_rel, v]
        };
        let [.., before, after] = &figures.rows[..] else { panic!("the figures have two rows") };
        let t = figures.time.last().copied().unwrap_or(f64::NAN);
        StopImpact { t, before: speeds(before), after: speeds(after) }
    }

    /// The impact in a simulation, and the energy in J that Coupler assigns to it.
    pub fn simulated() -> (StopImpact, f64) {
        let started = || {
            let mut model = coupler::simulation(heat_losses).unwrap_or_else(|why| panic!("{why}"));
            model.start(Some(1e-10)).unwrap_or_else(|why| panic!("{why}"));
            model
        };
        let speeds = |model: &mut Simulation| {
            ["mass3.v", "massWithStopAndFriction.v"].map(|name| value(model, name))
        };
        let mut model = started();
        while value(&mut model, LOST) == 0.0 {
            let event = model.run_to_event(1.0).unwrap_or_else(|why| panic!("{why}"));
            assert!(event, "the mass meets the stop");
        }
        let (t, after, lost) = (model.time(), speeds(&mut model), value(&mut model, LOST));
        let mut model = started();
        run_to(&mut model, t - INSTANT);
        (StopImpact { t, before: speeds(&mut model), after }, lost)
    }

    /// The impulse in N.s that changes the momentum of the mass behind.
    pub fn impulse_behind(&self) -> f64 {
        MASS * (self.after[0] - self.before[0])
    }

    /// The impulse in N.s of the stop on the mass that meets it.
    pub fn impulse_of_stop(&self) -> f64 {
        MASS * (self.after[1] - self.before[1])
    }

    /// The kinetic energy in J that both masses lose.
    pub fn energy(&self) -> f64 {
        let kinetic = |v: [f64; 2]| 0.5 * MASS * (v[0] * v[0] + v[1] * v[1]);
        kinetic(self.before) - kinetic(self.after)
    }

    /// The energy in J that the impulse of the stop takes from its mass.
    pub fn energy_of_stop(&self) -> f64 {
        -0.5 * self.impulse_of_stop() * (self.before[1] + self.after[1])
    }
}

/// The energy that impacts have taken.
const LOST: &str = "energy.lost_in_impacts";
/// The time in s before an event at which the values before it are read.
const INSTANT: f64 = 1e-9;

/// The figures that the repository quotes from the published result.
pub fn figures() -> TimeSeries {
    read(&root().join("tests/figures/TranslationalHeatLosses.csv"))
}

/// The force in N of the spring and the damper between the masses before and after the published
/// impact.
pub fn published_forces() -> [f64; 2] {
    let figures = figures();
    let force = |row: &Vec<f64>| {
        let [s_rel, v_rel] =
            ["springDamper1.s_rel", "springDamper1.v_rel"].map(|n| row[figures.index(n)]);
        1e4 * s_rel + 1e3 * v_rel
    };
    let [.., before, after] = &figures.rows[..] else { panic!("the figures have two rows") };
    [force(before), force(after)]
}

const INTRODUCTION: &str = "
## An impact that differs on purpose

`Modelica.Mechanics.Translational.Examples.HeatLosses` is not in the table above: from the first impact at a stop on, its
motion differs. At TIME s, `massWithStopAndFriction` (1 kg) meets its right stop. A spring and a damper connect it with
the brake at `mass3` (1 kg), which has no stop. Their force is finite, so that the speed of `mass3` cannot jump. In the
published result it does: the element sets its speed to zero (`reinit(v, 0)`) while the relative speed of the damper
(`springDamper1.v_rel`) remains, so that `mass3` stops as well. A momentum and an energy vanish that no force takes. In
Coupler, a stop is an [impact](impacts.md), whose impulse acts only on the parts that are rigidly connected to the mass;
`energy.lost_in_impacts` contains the energy that it takes.

| quantity | unit | published | Coupler |
|---|---|---|---|
";

/// The section of docs/validation.md.
pub fn section() -> String {
    let published = StopImpact::published();
    let (ours, lost) = StopImpact::simulated();
    let taken = [published.energy_of_stop(), lost];
    let mut text = INTRODUCTION.replace("TIME", &format!("{:.4}", ours.t));
    let both = [published, ours];
    let rows: [(&str, &str, [f64; 2]); 10] = [
        ("speed of `mass3` before the impact", "m/s", both.map(|i| i.before[0])),
        ("speed of `mass3` after it", "m/s", both.map(|i| i.after[0])),
        ("speed of `massWithStopAndFriction` before the impact", "m/s", both.map(|i| i.before[1])),
        ("speed of `massWithStopAndFriction` after it", "m/s", both.map(|i| i.after[1])),
        (
            "change of the momentum of both masses",
            "N.s",
            both.map(|i| i.impulse_behind() + i.impulse_of_stop()),
        ),
        ("impulse of the stop on its mass", "N.s", both.map(|i| i.impulse_of_stop())),
        ("momentum that no force takes", "N.s", both.map(|i| -i.impulse_behind())),
        ("kinetic energy that both masses lose", "J", both.map(|i| i.energy())),
        ("energy that the stop takes", "J", taken),
        ("energy that nothing takes", "J", [0, 1].map(|k| both[k].energy() - taken[k])),
    ];
    for (what, unit, [published, ours]) in rows {
        // A negative zero is written as zero.
        let round = |v: f64| format!("{:.4}", (v * 1e4).round() / 1e4 + 0.0);
        let _ = writeln!(text, "| {what} | {unit} | {} | {} |", round(published), round(ours));
    }
    text
}
