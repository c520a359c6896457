//! Two masses in series in three variants, divided where FMUs could be joined.
//!
//! A sinusoidal force drives the first of two masses. They are coupled rigidly (the motion of the
//! first one is prescribed for the second one, whose force acts back directly), by a spring-damper,
//! and by a spring. Every flange at a division has an adaptor: the signals between the adaptors are
//! those that FMUs would exchange.
//!
//! The system is the example `GenerationOfFMUs` of Modelica.Mechanics.Translational.

use coupler::prelude::*;
use coupler::translational::*;

/// A mass that starts at rest and is driven by `drive`, with an adaptor at its flange: force in,
/// position out.
fn cut_mass(
    m: &mut Assembly,
    name: &str,
    mass: Mass,
    drive: Option<Quantity>,
) -> ForceToPositionAdaptorPorts {
    let mass = m.add(name, mass.s(fixed(0)).v(fixed(0)));
    if let Some(drive) = drive {
        let force = m.add(format!("{name}.force"), Force::new());
        m.connect(drive, force.f);
        m.connect(force.flange, mass.flange_a);
    }
    let border = m.add(format!("{name}.forceToPosition"), ForceToPositionAdaptor::new());
    m.connect(mass.flange_b, border.flange);
    border
}

/// Two masses with adaptors, the first one driven by `drive`, and a component between them whose
/// flanges have adaptors as well.
fn coupled(
    m: &mut Assembly,
    [first, second]: [&str; 2],
    element: &str,
    [flange_a, flange_b]: [TranslationalFlange; 2],
    drive: Quantity,
) {
    let first = cut_mass(m, first, Mass::new().m(1.1), Some(drive));
    let second = cut_mass(m, second, Mass::new().m(2.2), None);
    for (k, flange, mass) in [(1, flange_a, first), (2, flange_b, second)] {
        let border = m.add(format!("{element}.positionToForce{k}"), PositionToForceAdaptor::new());
        m.connect(border.flange, flange);
        m.connect(mass.s, border.s);
        m.connect(mass.v, border.v);
        m.connect(border.f, mass.f);
    }
}

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m, sine1: Sine::new().amplitude(10).f(2) }

    let direct = cut_mass(m, "directMass.mass", Mass::new().m(1.1), Some(sine1.y));
    add! { m,
        border "inverseMass.positionToForce": PositionToForceAdaptor::new(),
        inverse "inverseMass.mass": Mass::new().m(2.2),
    }
    m.connect(border.flange, inverse.flange_a);
    m.connect(direct.s, border.s);
    m.connect(direct.v, border.v);
    m.connect(direct.a, border.a);
    m.connect(border.f, direct.f);

    add! { m, damped "springDamper": SpringDamper::new().c(1e4).d(100) }
    let flanges = [damped.flange_a, damped.flange_b];
    coupled(m, ["mass2a", "mass2b"], "springDamper", flanges, sine1.y);

    add! { m, spring: Spring::new().c(1e4) }
    let flanges = [spring.flange_a, spring.flange_b];
    coupled(m, ["mass3a", "mass3b"], "spring", flanges, sine1.y);

    m.stop_time(1);
}
