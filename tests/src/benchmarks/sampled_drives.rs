//! Controllers that tick at 20 kHz: of a motor at a bridge that switches, of a converter whose
//! current pauses in each period, and of a plant without a circuit.

use coupler::electrical::*;
use libraries::prelude::*;
use libraries::rotational::{Inertia, SpeedSensor};
use libraries::sampled::{SampledPID, SignalPWM};

/// Frequency of switching in Hz, and period of the controllers of currents in s.
const FREQUENCY: f64 = 20e3;
const PERIOD: f64 = 1.0 / FREQUENCY;

/// A DC motor at four transistors with antiparallel diodes, with the current controlled at 20 kHz
/// and the speed at 1 kHz.
pub fn bridge(m: &mut Assembly) {
    let transistor = || IdealGTOThyristor::new().Ron(1e-3);
    let diode = || IdealDiode::new().Ron(1e-3);
    add! { m,
        wanted: Ramp::new().height(100).duration(0.2).start_time(0.1),
        speed_controller: SampledPID::new().k(0.3).Ti(0.05).y_max(12).sample_period(1e-3),
        current_controller: SampledPID::new().k(0.01).Ti(2e-3).y_max(0.48).sample_period(PERIOD),
        half: Constant::new().k(0.5),
        duty: Add::new(),
        pwm: SignalPWM::new().f(FREQUENCY),
    }
    add! { m,
        supply: ConstantVoltage::new().V(48),
        ground: Ground::new(),
        upper1: transistor(), lower1: transistor(), upper2: transistor(), lower2: transistor(),
        free1: diode(), free2: diode(), free3: diode(), free4: diode(),
        ra: Resistor::new().R(0.5),
        la: Inductor::new().L(1e-3).i(fixed(0)),
        current: CurrentSensor::new(),
        emf: RotationalEMF::new().k(0.1),
        rotor: Inertia::new().J(2e-4).phi(fixed(0)).w(fixed(0)),
        speed: SpeedSensor::new(),
    }
    m.connect(wanted.y, speed_controller.u_s);
    m.connect(speed.w, speed_controller.u_m);
    m.connect(speed_controller.y, current_controller.u_s);
    m.connect(current.i, current_controller.u_m);
    m.connect(current_controller.y, duty.u1);
    m.connect(half.y, duty.u2);
    m.connect(duty.y, pwm.duty_cycle);
    for (gates, fire) in [([upper1, lower2], pwm.fire), ([upper2, lower1], pwm.not_fire)] {
        gates.into_iter().for_each(|gate| m.connect(fire, gate.fire));
    }
    m.connect(supply.n, ground.p);
    for (upper, lower, up, down) in [(upper1, lower1, free1, free2), (upper2, lower2, free3, free4)]
    {
        m.chain((supply.p, upper, lower, supply.n));
        m.chain((supply.n, down, up, supply.p));
        m.connect(upper.n, up.p);
    }
    m.chain((upper1.n, ra, la, current, emf, upper2.n));
    m.chain((emf.flange, rotor));
    m.connect(rotor.flange_b, speed.flange);
    m.outputs([rotor.w, la.i]);
    m.stop_time(1);
}

/// A converter to a lower voltage with ideal switches, whose small load lets the current vanish
/// within each period.
pub fn buck(m: &mut Assembly) {
    let controller = SampledPID::new().k(2e-3).Ti(1e-3).y_max(0.95).y_min(0);
    add! { m,
        wanted: Step::new().height(6).offset(12).start_time(0.5),
        controller: controller.sample_period(PERIOD),
        pwm: SignalPWM::new().f(FREQUENCY),
        source: ConstantVoltage::new().V(48),
        transistor: IdealGTOThyristor::new().Ron(0).Goff(0),
        diode: IdealDiode::new().Ron(0).Goff(0),
        coil: Inductor::new().L(1e-4).i(fixed(0)),
        smoothing: Capacitor::new().C(100e-6).v(fixed(0)),
        load: Resistor::new().R(60),
        output: VoltageSensor::new(),
        ground: Ground::new(),
    }
    m.connect(wanted.y, controller.u_s);
    m.connect(output.v, controller.u_m);
    m.connect(controller.y, pwm.duty_cycle);
    m.connect(pwm.fire, transistor.fire);
    m.chain((source.p, transistor, coil, smoothing, source.n));
    m.connect(source.n, ground.p);
    m.chain((source.n, diode, coil.p));
    m.chain((coil.n, load, source.n));
    m.chain((coil.n, output, source.n));
    m.outputs([output.v, coil.i]);
    m.stop_time(1);
}

/// A plant of first order with a sampled controller.
pub fn plant(m: &mut Assembly) {
    add! { m,
        wanted: Sine::new().f(1),
        controller: SampledPID::new().k(2).Ti(0.01).y_max(10).sample_period(PERIOD),
        plant: FirstOrder::new().T(0.1).y_start(fixed(0)),
    }
    m.connect(wanted.y, controller.u_s);
    m.connect(plant.y, controller.u_m);
    m.connect(controller.y, plant.u);
    m.outputs([plant.y, controller.y]);
    m.stop_time(1);
}
