//! Two inertias on a shaft in three variants, divided where FMUs could be joined.
//!
//! A sinusoidal torque drives the first of two inertias. They are coupled rigidly (the motion of
//! the first one is prescribed for the second one, whose torque acts back directly), by a
//! spring-damper, and by a spring. Every flange at a division has an adaptor: the signals between
//! the adaptors are those that FMUs would exchange.
//!
//! The system is the example `GenerationOfFMUs` of Modelica.Mechanics.Rotational.

use coupler::prelude::*;
use coupler::rotational::*;

/// An inertia that starts at rest and is driven by `drive`, with an adaptor at its flange: torque
/// in, angle out.
fn cut_inertia(
    m: &mut Assembly,
    name: &str,
    inertia: Inertia,
    drive: Option<Quantity>,
) -> TorqueToAngleAdaptorPorts {
    let inertia = m.add(name, inertia.phi(fixed(0)).w(fixed(0)));
    if let Some(drive) = drive {
        let torque = m.add(format!("{name}.torque"), Torque::new());
        m.connect(drive, torque.tau);
        m.connect(torque.flange, inertia.flange_a);
    }
    let border = m.add(format!("{name}.torqueToAngle"), TorqueToAngleAdaptor::new());
    m.connect(inertia.flange_b, border.flange);
    border
}

/// Two inertias with adaptors, the first one driven by `drive`, and a component between them whose
/// flanges have adaptors as well.
fn coupled(
    m: &mut Assembly,
    [first, second]: [&str; 2],
    element: &str,
    [flange_a, flange_b]: [Flange; 2],
    drive: Quantity,
) {
    let first = cut_inertia(m, first, Inertia::new().J(1.1), Some(drive));
    let second = cut_inertia(m, second, Inertia::new().J(2.2), None);
    for (k, flange, inertia) in [(1, flange_a, first), (2, flange_b, second)] {
        let border = m.add(format!("{element}.angleToTorque{k}"), AngleToTorqueAdaptor::new());
        m.connect(border.flange, flange);
        m.connect(inertia.phi, border.phi);
        m.connect(inertia.w, border.w);
        m.connect(border.tau, inertia.tau);
    }
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m, sine1: Sine::new().amplitude(10).f(2) }

    let direct = cut_inertia(m, "directInertia.inertia", Inertia::new().J(1.1), Some(sine1.y));
    add! { m,
        border "inverseInertia.angleToTorque": AngleToTorqueAdaptor::new(),
        inverse "inverseInertia.inertia": Inertia::new().J(2.2),
    }
    m.connect(border.flange, inverse.flange_a);
    m.connect(direct.phi, border.phi);
    m.connect(direct.w, border.w);
    m.connect(direct.a, border.a);
    m.connect(border.tau, direct.tau);

    add! { m, damped "springDamper": SpringDamper::new().c(1e4).d(100) }
    let flanges = [damped.flange_a, damped.flange_b];
    coupled(m, ["inertia2a", "inertia2b"], "springDamper", flanges, sine1.y);

    add! { m, spring: Spring::new().c(1e4) }
    let flanges = [spring.flange_a, spring.flange_b];
    coupled(m, ["inertia3a", "inertia3b"], "spring", flanges, sine1.y);

    m.stop_time(1);
}
