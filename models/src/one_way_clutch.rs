//! One-way clutch between two inertias.
//!
//! A sinusoidal torque drives the first inertia. In one direction the clutch transmits it; in the
//! other direction the second inertia overruns. While the clutch is pressed, its friction
//! decelerates the overrunning inertia.
//!
//! The system is the example `OneWayClutch` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        inertia_in "inertiaIn": Inertia::new().J(1).phi(fixed(0)).w(fixed(-0.5)),
        inertia_out "inertiaOut": Inertia::new().J(1).phi(fixed(0)).w(fixed(0)),
        clutch "oneWayClutch": OneWayClutch::new().fn_max(3).peak(25),
        torque: Torque::new(),
        sine "torqueSin": Sine::new().amplitude(10).f(3),
        pulse: Pulse::new().amplitude(1).period(1.3).width(50).start_time(0.3),
    }

    m.chain((torque.flange, inertia_in, clutch, inertia_out.flange_a));
    m.connect(sine.y, torque.tau);
    m.connect(pulse.y, clutch.f_normalized);

    m.output("w_in", inertia_in.w);
    m.output("w_out", inertia_out.w);
    m.stop_time(2);
}
