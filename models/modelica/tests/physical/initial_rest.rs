//! Drives that begin at rest: initial conditions determine circuits and controllers together.

use super::{close, start};

/// A motor with a controller of its current, an amplifier with a capacitor, and one of its speed,
/// `block`. It carries a load of 1 N.m at rest, and a bearing could do so too.
fn servo(block: &str) -> String {
    format!(
        "model M
           E.Sources.SignalVoltage ref, hall; E.Basic.Resistor r1(R = 100), r2(R = 100), ra(R = 2);
           E.Basic.Capacitor c(C = 1e-6); E.Basic.Inductor la(L = 0.01); E.Basic.Ground g;
           E.Ideal.IdealOpAmp amp; E.Basic.RotationalEMF emf(k = 0.5);
           E.Sensors.CurrentSensor current;
           Components.Inertia rotor(J = 1e-3, phi(start = 0.2, fixed = true), w(fixed = true));
           Components.BearingFriction bearing(tau_pos = [0, 3; 1, 3]);
           Sources.ConstantTorque load(tau_constant = -1);
           Modelica.Mechanics.Rotational.Sensors.SpeedSensor speed;
           Modelica.Blocks.Sources.Constant wanted(k = 0);
           Modelica.Blocks.Math.Feedback error;
           Modelica.Blocks.Continuous.{block};
         initial equation
           der(c.v) = 0; der(la.i) = 0; der(rotor.w) = 0;
         equation
           connect(wanted.y, error.u1); connect(speed.w, error.u2); connect(error.y, control.u);
           connect(control.y, ref.v); connect(ref.p, r1.p); connect(r1.n, amp.n1);
           connect(current.i, hall.v); connect(hall.p, r2.p); connect(r2.n, amp.n1);
           connect(amp.n1, c.p); connect(c.n, amp.p2); connect(amp.p2, ra.p);
           connect(ra.n, la.p); connect(la.n, emf.p); connect(emf.n, current.p);
           connect(current.n, g.p); connect(amp.p1, g.p); connect(amp.n2, g.p);
           connect(ref.n, g.p); connect(hall.n, g.p);
           connect(emf.flange, rotor.flange_a); connect(speed.flange, rotor.flange_a);
           connect(rotor.flange_b, bearing.flange_a); connect(load.flange, bearing.flange_b);
         end M;"
    )
}

#[test]
fn a_servo_drive_begins_in_the_steady_state_that_carries_its_load() {
    for (block, state, value) in [
        ("PI control(k = 2, T = 0.1)", "control.x", -1.0),
        ("FirstOrder control(k = 2, T = 0.1)", "control.y", -2.0),
    ] {
        let mut m = start(&servo(block));
        // The motor gives 1 N.m, and the amplifier the voltage at its resistance.
        close(&mut m, "la.i", 2.0, 1e-9);
        close(&mut m, "c.v", -4.0, 1e-9);
        close(&mut m, state, value, 1e-9);
        close(&mut m, "bearing.tau", 0.0, 1e-9);
    }
    // An integrator has its start value, and the bearing carries the load.
    let mut m = start(&servo("Integrator control(k = 2)"));
    close(&mut m, "control.y", 0.0, 0.0);
    close(&mut m, "la.i", 0.0, 1e-9);
    close(&mut m, "bearing.tau", -1.0, 1e-9);
}

#[test]
fn a_servo_drive_stays_at_rest() {
    let mut m = start(&servo("PI control(k = 2, T = 0.1)"));
    m.run_to(0.1).unwrap();
    for (name, value) in [("la.i", 2.0), ("c.v", -4.0), ("rotor.phi", 0.2), ("control.x", -1.0)] {
        close(&mut m, name, value, 1e-6);
    }
}
