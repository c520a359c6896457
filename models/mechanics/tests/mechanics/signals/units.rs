//! Connected signals must have the same unit, where units are known.

use crate::common::{program, refusal, simulation};
use equations::Ex;
use libraries::prelude::*;
use libraries::{multibody, rotational as r, thermal, translational as t};
use mechanics::add;

/// The sentence about a model that an FMU input with a unit drives.
fn driven<P: Part<Ports = B>, B>(
    unit: &'static str,
    part: P,
    connect: impl FnOnce(&mut Assembly, Quantity, &B),
) -> String {
    let built = simulation(|m| {
        let u = m.add("u", ExternalInput::new().unit(unit).start(0.0));
        let part = m.add("x", part);
        connect(m, u.y, &part);
    });
    built.err().unwrap_or_default()
}

#[test]
fn a_signal_in_another_unit_is_refused_with_both_names_and_units() {
    let torque = |unit| {
        driven(unit, r::Torque::new(), |m, u, x| {
            let wheel = m.add("wheel", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
            m.connect(u, x.tau);
            m.connect(x.flange, wheel.flange_a);
        })
    };
    assert_eq!(
        torque("m"),
        "u.y is in m, but x.tau takes N.m; a Gain that converts says so: .unit(\"N.m\")"
    );
    assert_eq!(torque("N.m") + &torque("1") + &torque("J"), "", "these are the same numbers");
    let angle = |unit| {
        driven(unit, r::Position::new(), |m, u, x| {
            let wheel = m.add("wheel", r::Inertia::new().J(1.0));
            m.connect(u, x.phi_ref);
            m.connect(x.flange, wheel.flange_a);
        })
    };
    assert!(angle("deg").starts_with("u.y is in deg, but x.phi_ref takes rad"), "{}", angle("deg"));
    assert_eq!(angle("rad"), "");
    let force = driven("N.m", multibody::WorldForce::new(), |m, u, x| {
        let body = m.add("body", multibody::Body::new().m(1.0).r_cm([0.0; 3]));
        x.force.into_iter().for_each(|f| m.connect(u, f));
        m.connect(x.frame_b, body.frame_a);
    });
    assert!(force.starts_with("u.y is in N.m, but x.force[1] takes N"), "{force}");
}

/// A wheel whose angle a gain and a limiter turn into a torque.
fn stiff(gain: Gain, between: impl FnOnce(&mut Assembly, Quantity) -> Quantity) -> String {
    let built = simulation(|m| {
        let wheel = m.add("wheel", r::Inertia::new().J(1.0).phi(fixed(0.1)).w(fixed(0.0)));
        let torque = m.add("torque", r::Torque::new());
        let gain = m.add("gain", gain);
        let limiter = m.add("limiter", Limiter::new().u_max(5.0));
        m.connect(wheel.phi, gain.u);
        let signal = between(m, gain.y);
        m.connect(signal, limiter.u);
        m.connect(limiter.y, torque.tau);
        m.connect(torque.flange, wheel.flange_a);
    });
    built.err().unwrap_or_default()
}

#[test]
fn a_gain_between_units_states_its_own_unit() {
    let direct = |_: &mut Assembly, y| y;
    assert_eq!(stiff(Gain::new().k(-25.0).unit("N.m"), direct), "");
    let silent = stiff(Gain::new().k(-25.0), direct);
    assert!(silent.starts_with("wheel.phi is in rad, but torque.tau takes N.m"), "{silent}");
    let wrong = stiff(Gain::new().k(-25.0).unit("N"), direct);
    assert!(wrong.starts_with("gain.y is in N, but torque.tau takes N.m"), "{wrong}");
    let misspelt = stiff(Gain::new().k(-25.0).unit("Nm"), direct);
    assert_eq!(misspelt, "gain.y: the unit Nm is not known; use N.m");
    let other = stiff(Gain::new().k(-25.0).unit("mV"), direct);
    let sentence = "gain.y: the unit mV is not known; m.unit(\"mV\", factor, of) declares it";
    assert_eq!(other, sentence);
}

#[test]
fn signals_that_are_added_must_have_the_same_unit() {
    let add = |unit: &'static str| {
        move |m: &mut Assembly, y| {
            let extra = m.add("extra", ExternalInput::new().unit(unit).start(0.0));
            let add = m.add("add", Add::new());
            m.connect(y, add.u1);
            m.connect(extra.y, add.u2);
            add.y
        }
    };
    assert_eq!(stiff(Gain::new().k(1.0).unit("N.m"), add("N.m")), "");
    let mixed = stiff(Gain::new().k(1.0).unit("N.m"), add("rad/s"));
    assert_eq!(mixed, "add: gain.y is in N.m, but extra.y in rad/s");
}

#[test]
fn every_declared_input_takes_its_unit() {
    let heat = driven("K", thermal::PrescribedHeatFlow::new(), |m, u, x| {
        let fixed = m.add("fixed", thermal::FixedTemperature::new().T(300));
        m.connect(u, x.Q_flow);
        m.connect(x.port, fixed.port);
    });
    assert!(heat.starts_with("u.y is in K, but x.Q_flow takes W"), "{heat}");
    let moved = driven("rad/s", r::Accelerate::new(), |m, u, x| {
        let wheel = m.add("wheel", r::Inertia::new().J(1.0));
        m.connect(u, x.a_ref);
        m.connect(x.flange, wheel.flange_a);
    });
    assert!(moved.starts_with("u.y is in rad/s, but x.a_ref takes rad/s2"), "{moved}");
}

#[test]
fn a_gain_whose_value_is_not_known_may_convert_units() {
    let lagged = |k: fn(&mut Assembly) -> Ex| {
        stiff(Gain::new().k(-25.0).unit("N"), move |m, y| {
            let k = k(m);
            let lag = m.add("lag", FirstOrder::new().k(k).T(1.0));
            m.connect(y, lag.u);
            lag.y
        })
    };
    assert_eq!(lagged(|m| m.parameter("k", 1, "1", "Gain of the lag")), "");
    let one = lagged(|_| Ex::one());
    assert!(one.starts_with("gain.y is in N, but torque.tau takes N.m"), "{one}");
}

#[test]
fn signals_without_a_unit_fit_every_input() {
    let built = simulation(|m| {
        let step = m.add("step", Step::new().height(1.0));
        let push = m.add("push", t::Force::new());
        let mass = m.add("mass", t::Mass::new().m(1.0).s(fixed(0.0)).v(fixed(0.0)));
        m.connect(step.y, push.f);
        m.connect(push.flange, mass.flange_a);
    });
    assert!(built.is_ok());
}

#[test]
fn a_model_declares_units_of_its_own() {
    let text = |m: &mut Assembly, takes: &str| {
        m.unit("gal/min", 6.30902e-5, "m3/s");
        let flow = m.parameter("flow", 3, "gal/min", "Flow");
        add! { m,
            pump: ExternalInput::new().unit("gal/min").start(2),
            scale: Gain::new().k(flow).unit(takes),
            motor: ExternalInput::new().unit("N.m/A2").start(1),
            sum: Add::new(),
        }
        m.connect(pump.y, scale.u);
        m.connect(pump.y, sum.u1);
        m.connect(scale.y, sum.u2);
        m.output("total", sum.y);
        m.output("motor_constant", motor.y);
    };
    let described = program(|m| text(m, "gal/min")).unwrap();
    let units = &described.description().units;
    let unit = |name: &str| units.iter().find(|unit| unit.name == name).unwrap();
    let (gallons, constant) = (unit("gal/min"), unit("N.m/A2"));
    assert_eq!((gallons.exponents, gallons.factor), ([0, 3, -1, 0, 0, 0, 0, 0], 6.30902e-5));
    assert_eq!((constant.exponents, constant.factor), ([1, 2, -2, -2, 0, 0, 0, 0], 1.0));
    let sentence = "sum: pump.y is in gal/min, but scale.y in l/min";
    assert_eq!(refusal(|m| text(m, "l/min")), sentence);
}
