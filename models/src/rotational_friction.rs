//! Drive train with a clutch, a spring and a brake.
//!
//! A driven inertia spins up a second one through a clutch. Behind a spring a third inertia is
//! braked from 0.5 s on, when the driving torque ends, and everything comes to rest: the clutch
//! slips and sticks while the spring swings.
//!
//! The system is the example `Friction` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let torque = m.add("torque", Torque);
    let inertia3 = m.add("inertia3", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(100.0)));
    let clutch = m.add("clutch", Clutch::fn_max(160.0));
    let inertia2 = m.add("inertia2", Inertia::J(0.05).phi(fixed(0.0)).w(fixed(90.0)));
    let spring = m.add("spring", SpringDamper::c_d(160.0, 1.0));
    let brake = m.add("brake", Brake::fn_max(1600.0));
    let inertia1 = m.add("inertia1", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(90.0)));
    let fixed = m.add("fixed", Fixed::default());
    let sine = m.add("sine", Sine::amplitude_f(200.0, 50.0 / std::f64::consts::PI));
    let off = m.add("step", Step::height(-1.0).offset(1.0).start_time(0.5));
    let product = m.add("product", Product);
    let pressed = m.add("const", Constant::k(1.0));
    let braked = m.add("step2", Step::height(1.0).start_time(0.5));

    m.connect(torque.flange, inertia3.flange_a);
    m.connect(inertia3.flange_b, clutch.flange_a);
    m.connect(clutch.flange_b, inertia2.flange_a);
    m.connect(inertia2.flange_b, spring.flange_a);
    m.connect(spring.flange_b, brake.flange_a);
    m.connect(brake.flange_b, inertia1.flange_a);
    m.connect(fixed.flange, torque.support);
    m.connect(fixed.flange, brake.support);
    m.connect(sine.y, product.u1);
    m.connect(off.y, product.u2);
    m.connect(product.y, torque.tau);
    m.connect(pressed.y, clutch.f_normalized);
    m.connect(braked.y, brake.f_normalized);

    m.output("w1", inertia1.w);
    m.output("w2", inertia2.w);
    m.output("w3", inertia3.w);
    m.stop_time(3.0);
}
