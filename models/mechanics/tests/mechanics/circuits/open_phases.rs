//! Synchronous machines of which an ideal switch opens a phase.

use super::ideal_switches::from;
use super::near;
use super::synchronous_machines::{fluxes, machine, phases};
use crate::common::{run_to, start, value};
use fmu_runtime::Simulation;
use libraries::electrical::*;
use libraries::machines::SM_PermanentMagnet;
use libraries::prelude::*;
use mechanics::add;
use std::f64::consts::TAU;

/// A machine at the voltages of three sources, with a switch in its first phase that opens at an
/// instant; the star of the machine is connected with the ground or free.
fn with_switch(
    machine: SM_PermanentMagnet,
    [amplitude, opens, conductance]: [f64; 3],
    is_grounded: bool,
) -> Simulation {
    start(move |m| {
        let control = from(m, "control", opens);
        add! { m,
            machine: machine,
            switch: IdealOpeningSwitch::new().Ron(0).Goff(conductance),
            ground: Ground::new(),
        }
        m.connect(control, switch.control);
        for k in 0..3 {
            let phase = -TAU * k as f64 / 3.0;
            let source = SineVoltage::new().V(amplitude).f(50).phase(phase);
            let source = m.add(format!("source_{k}"), source);
            m.connect(source.n, ground.p);
            if k == 0 {
                m.chain((source.p, switch, machine.plug_sp[0]));
            } else {
                m.connect(source.p, machine.plug_sp[k]);
            }
            if is_grounded {
                m.connect(machine.plug_sn[k], ground.p);
            }
        }
        m.connect(machine.plug_sn[0], machine.plug_sn[1]);
        m.connect(machine.plug_sn[1], machine.plug_sn[2]);
    })
}

#[test]
fn no_current_flows_in_an_open_phase_of_a_turning_machine() {
    for is_grounded in [false, true] {
        let at_rest = || machine().i_d(fixed(0)).i_q(fixed(0));
        let mut exact = with_switch(at_rest(), [60.0, -1.0, 0.0], is_grounded);
        let mut soft = with_switch(at_rest(), [60.0, -1.0, 1e-9], is_grounded);
        for k in 1..=10 {
            let t = 0.0031 * f64::from(k);
            run_to(&mut exact, t);
            run_to(&mut soft, t);
            let [ideal, limit] = [&mut exact, &mut soft].map(|model| phases(model, "is"));
            near(ideal[0], 0.0, 1e-6);
            assert!(ideal[1].abs() > 0.1, "{ideal:?}");
            (0..3).for_each(|phase| near(ideal[phase], limit[phase], 1e-4));
        }
    }
}

#[test]
fn equal_inductances_lose_the_current_of_the_open_phase_only() {
    for (is_grounded, left) in [(true, [0.0, -1.0, -1.0]), (false, [0.0, 0.0, 0.0])] {
        let equal = machine().Lssigma(2e-4).Lmd(8e-4).Lmq(8e-4).Lszero(1e-3).Rs(1e-9);
        let still = equal.phi_mechanical(fixed(0)).w_mechanical(fixed(0)).Jr(1e6);
        let mut model =
            with_switch(still.i_d(fixed(2)).i_q(fixed(0)), [0.0, 0.1, 0.0], is_grounded);
        run_to(&mut model, 0.0999);
        let before = phases(&mut model, "is");
        (0..3).for_each(|k| near(before[k], [2.0, -1.0, -1.0][k], 1e-5));
        run_to(&mut model, 0.1001);
        let after = phases(&mut model, "is");
        (0..3).for_each(|k| near(after[k], left[k], 1e-5));
    }
}

#[test]
fn fluxes_of_closed_paths_remain_when_a_phase_opens() {
    for is_grounded in [true, false] {
        let still = machine().Rs(1e-9).w_mechanical(fixed(0)).Jr(1e6);
        let mut model = with_switch(still, [0.0, 0.1, 0.0], is_grounded);
        run_to(&mut model, 0.0999);
        let before = fluxes(&mut model);
        assert!(phases(&mut model, "is")[0].abs() > 1.0);
        run_to(&mut model, 0.1001);
        let after = fluxes(&mut model);
        near(phases(&mut model, "is")[0], 0.0, 1e-9);
        near(after[1] - after[2], before[1] - before[2], 1e-8);
        if is_grounded {
            near(after[1], before[1], 1e-8);
        } else {
            near(value(&mut model, "machine.i_0_s"), 0.0, 1e-12);
        }
    }
}
