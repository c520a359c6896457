//! Drive train with a clutch, a spring and a brake.
//!
//! A driven inertia accelerates a second one through a clutch. A spring connects a third inertia,
//! which is braked from 0.5 s on, when the driving torque ends. Everything comes to rest, and the
//! clutch slides and sticks alternately while the spring oscillates.
//!
//! The system is the example `Friction` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        torque: Torque::new(),
        inertia3: Inertia::new().J(1).phi(fixed(0)).w(fixed(100)),
        clutch: Clutch::new().fn_max(160),
        inertia2: Inertia::new().J(0.05).phi(fixed(0)).w(fixed(90)),
        spring: SpringDamper::new().c(160).d(1),
        brake: Brake::new().fn_max(1600),
        inertia1: Inertia::new().J(1).phi(fixed(0)).w(fixed(90)),
        fixed: Fixed::new(),
        sine: Sine::new().amplitude(200).f(50.0 / std::f64::consts::PI),
        off "step2": Step::new().height(-1).offset(1).start_time(0.5),
        product: Product::new(),
        pressed "const": Constant::new().k(1),
        braked "step": Step::new().height(1).start_time(0.5),
    }

    m.chain((torque.flange, inertia3, clutch, inertia2, spring, brake, inertia1.flange_a));
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
    m.stop_time(3);
}
