//! Converter that reduces a direct voltage by switching, with a controlled output.
//!
//! A transistor, which is an ideal thyristor that its gate also opens, connects the coil with the
//! source; while the transistor blocks, a diode takes the current of the coil.

use coupler::electrical::*;
use coupler::prelude::*;
use coupler::sampled::{SampledPID, SignalPWM};

/// The model.
pub fn model(m: &mut Assembly) {
    let controller = SampledPID::new().k(2e-3).Ti(3e-4).y_max(0.95).y_min(0);
    add! { m,
        wanted: Step::new().height(6).offset(12).start_time(0.02),
        controller: controller.sample_period(1e-4),
        pwm: SignalPWM::new().f(10e3),
        source: ConstantVoltage::new().V(48),
        transistor: IdealGTOThyristor::new().Ron(1e-3),
        diode: IdealDiode::new().Ron(1e-3),
        coil: Inductor::new().L(1e-3).i(fixed(0)),
        smoothing: Capacitor::new().C(100e-6).v(fixed(0)),
        load: Resistor::new().R(6),
        output: VoltageSensor::new(),
        ground: Ground::new(),
    }

    m.connect(wanted.y, controller.u_s);
    m.connect(output.v, controller.u_m);
    m.connect(controller.y, pwm.duty_cycle);
    m.connect(pwm.fire, transistor.fire);
    m.chain((source.p, transistor, coil, smoothing, ground.p));
    m.connect(diode.n, coil.p);
    m.connect(diode.p, ground.p);
    m.chain((coil.n, load, ground.p));
    m.chain((coil.n, output, ground.p));
    m.connect(source.n, ground.p);

    m.outputs([output.v, coil.i, controller.y]);
    m.stop_time(0.04);
    m.step_size(1e-5);
}
