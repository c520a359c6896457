//! One-way clutch between two inertias.
//!
//! A torque that varies like a sine drives the first inertia; the clutch passes it on in one
//! direction and lets the second inertia overrun in the other. While it is pressed its friction
//! slows the overrunning.
//!
//! The system is the example `OneWayClutch` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    let inertia_in = m.add("inertiaIn", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(-0.5)));
    let inertia_out = m.add("inertiaOut", Inertia::J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
    let clutch = m.add("oneWayClutch", OneWayClutch::fn_max(3.0).peak(25.0));
    let torque = m.add("torque", Torque);
    let sine = m.add("torqueSin", Sine::amplitude_f(10.0, 3.0));
    let pulse = Pulse::amplitude_period(1.0, 1.3).width(50.0).start_time(0.3);
    let pulse = m.add("pulse", pulse);

    m.connect(torque.flange, inertia_in.flange_a);
    m.connect(inertia_in.flange_b, clutch.flange_a);
    m.connect(clutch.flange_b, inertia_out.flange_a);
    m.connect(sine.y, torque.tau);
    m.connect(pulse.y, clutch.f_normalized);

    m.output("w_in", inertia_in.w);
    m.output("w_out", inertia_out.w);
    m.stop_time(2.0);
}
