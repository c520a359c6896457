//! Amplifier with positive feedback, whose output jumps where the input leaves a band.
//!
//! The system is the example `OpAmps.SchmittTrigger` of Modelica.Electrical.Analog.

use coupler::electrical::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let ramps =
        TrapezoidVoltage::new().nperiod(-1).rising(0.02).width(0.03).falling(0.02).period(0.1);
    add! { m,
        v_in "vIn": ramps.V(10).offset(-5).start_time(-0.035),
        amplifier "opAmp": OpAmpLimited::new(),
        r1: Resistor::new().R(1000),
        r2: Resistor::new().R(15_000),
        v_out "vOut": VoltageSensor::new(),
        ground: Ground::new(),
    }

    m.chain((v_in.p, r1, r2, amplifier.out));
    m.connect(r1.n, amplifier.in_p);
    m.connect(amplifier.in_n, ground.p);
    m.chain((amplifier.out, v_out, ground.p));
    m.connect(v_in.n, ground.p);

    m.outputs([v_out.v, r1.i]);
    m.stop_time(1);
    m.step_size(1e-3);
}
