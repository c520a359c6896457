//! Theorems that every element of a drive train obeys, on random states and parameters: balances of
//! power and momentum, mirror images, and one law for rotation and translation.

use crate::common::{Random, energy, energy_rate, initialize, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::{rotational as r, thermal, translational as t};

/// A free end of the element under test, by the name of its port.
enum End {
    Shaft(&'static str, Flange),
    Rod(&'static str, TranslationalFlange),
}

/// Adds the element `x` with random parameters and returns its free ends.
type Element = fn(&mut Assembly, &mut Random) -> Vec<End>;

/// An element with two flanges.
macro_rules! two_flanges {
    ($End:ident: $part:expr) => {
        |m, random| {
            let mut positive = || 0.2 + 2.0 * random.number().abs();
            let x = m.add("x", $part(&mut positive));
            vec![End::$End("flange_a", x.flange_a), End::$End("flange_b", x.flange_b)]
        }
    };
}

/// Positive random numbers.
type Draw<'a> = &'a mut dyn FnMut() -> f64;

/// Rigid elements between two flanges.
const RIGID: &[(&str, Element)] = &[
    ("Inertia", two_flanges!(Shaft: |x: Draw| r::Inertia::new().J(x()))),
    ("Disc", two_flanges!(Shaft: |x: Draw| r::Disc::new().delta_phi(x()))),
    ("Mass", two_flanges!(Rod: |x: Draw| t::Mass::new().m(x()).L(x()))),
    ("Rod", two_flanges!(Rod: |x: Draw| t::Rod::new().L(x()))),
];

/// Elements between two flanges that move against each other.
const COMPLIANT: &[(&str, Element)] = &[
    ("Spring", two_flanges!(Shaft: |x: Draw| r::Spring::new().c(x()).phi_rel0(x()))),
    ("Damper", two_flanges!(Shaft: |x: Draw| r::Damper::new().d(x()))),
    (
        "SpringDamper",
        two_flanges!(Shaft: |x: Draw| r::SpringDamper::new().c(x()).d(x()).phi_rel0(x())),
    ),
    (
        "ElastoBacklash",
        two_flanges!(Shaft: |x: Draw| r::ElastoBacklash::new().c(x()).d(x()).b(x()).phi_rel0(x())),
    ),
    (
        "ElastoBacklash2",
        two_flanges!(Shaft: |x: Draw| r::ElastoBacklash2::new().c(x()).d(x()).b(x()).phi_rel0(x())),
    ),
    ("RelativeStates", two_flanges!(Shaft: |_: Draw| r::RelativeStates::new())),
    ("Spring", two_flanges!(Rod: |x: Draw| t::Spring::new().c(x()).s_rel0(x()))),
    ("Damper", two_flanges!(Rod: |x: Draw| t::Damper::new().d(x()))),
    ("SpringDamper", two_flanges!(Rod: |x: Draw| t::SpringDamper::new().c(x()).d(x()).s_rel0(x()))),
    (
        "ElastoGap",
        two_flanges!(Rod: |x: Draw| {
            t::ElastoGap::new().c(x()).d(x()).s_rel0(x()).n(1.0 + x()).s_ref(x())
        }),
    ),
    ("RelativeStates", two_flanges!(Rod: |_: Draw| t::RelativeStates::new())),
];

/// A ratio of either sign.
fn ratio(random: &mut Random) -> f64 {
    let x = random.number();
    x.signum() * (0.3 + 2.0 * x.abs())
}

/// Transmissions, with every support free to move.
const TRANSMISSIONS: &[(&str, Element)] = &[
    ("IdealGear", |m, random| {
        let x = m.add("x", r::IdealGear::new().ratio(ratio(random)));
        vec![
            End::Shaft("flange_a", x.flange_a),
            End::Shaft("flange_b", x.flange_b),
            End::Shaft("support", x.support),
        ]
    }),
    ("IdealPlanetary", |m, random| {
        let x = m.add("x", r::IdealPlanetary::new().ratio(ratio(random).abs()));
        vec![End::Shaft("sun", x.sun), End::Shaft("carrier", x.carrier), End::Shaft("ring", x.ring)]
    }),
    ("IdealGearR2T", |m, random| {
        let x = m.add("x", r::IdealGearR2T::new().ratio(ratio(random)));
        vec![
            End::Shaft("flangeR", x.flange_r),
            End::Rod("flangeT", x.flange_t),
            End::Shaft("supportR", x.support_r),
            End::Rod("supportT", x.support_t),
        ]
    }),
    ("IdealRollingWheel", |m, random| {
        let x = m.add("x", r::IdealRollingWheel::new().radius(ratio(random)));
        vec![
            End::Shaft("flangeR", x.flange_r),
            End::Rod("flangeT", x.flange_t),
            End::Shaft("supportR", x.support_r),
            End::Rod("supportT", x.support_t),
        ]
    }),
];

/// A gearbox in bearings that move, turning or stuck.
const GEARBOX: (&str, Element) = ("Gearbox", |m, random| {
    let losses = [[0.0, 0.9, 0.8, 0.3, 0.2]];
    let x = m.add("x", r::Gearbox::new().ratio(ratio(random)).c(9.0).d(0.4).loss_table(losses));
    vec![
        End::Shaft("lossyGear.flange_a", x.flange_a),
        End::Shaft("elastoBacklash.flange_b", x.flange_b),
        End::Shaft("lossyGear.support", x.support),
    ]
});

fn all() -> impl Iterator<Item = (&'static str, Element)> {
    RIGID.iter().chain(COMPLIANT).chain(TRANSMISSIONS).chain([&GEARBOX]).copied()
}

/// The body on a free end of the rig: names of its cut flow, inertia, speed and acceleration.
struct Carried {
    flow: String,
    inertia: f64,
    speed: String,
    acceleration: String,
    rotates: bool,
}

/// The element with an inertia on every free end.
fn rig(m: &mut Assembly, random: &mut Random, element: Element) -> Vec<Carried> {
    let ends = element(m, random);
    let mut carried = Vec::new();
    for (k, end) in ends.into_iter().enumerate() {
        let inertia = 0.2 + random.number().abs();
        let name = format!("end{k}");
        let (port, rotates) = match end {
            End::Shaft(port, flange) => {
                let body = m.add(name.as_str(), r::Inertia::new().J(inertia));
                m.connect(body.flange_a, flange);
                (port, true)
            }
            End::Rod(port, flange) => {
                let body = m.add(name.as_str(), t::Mass::new().m(inertia));
                m.connect(body.flange_a, flange);
                (port, false)
            }
        };
        let [flow, speed] = if rotates { ["tau", "w"] } else { ["f", "v"] };
        carried.push(Carried {
            flow: format!("x.{port}.{flow}"),
            inertia,
            speed: format!("{name}.{speed}"),
            acceleration: format!("{name}.a"),
            rotates,
        });
    }
    carried
}

/// Runs a check at random states of a rig with random parameters, several times for each element.
fn at_random_states(
    elements: impl Iterator<Item = (&'static str, Element)>,
    mut check: impl FnMut(&str, &mut Simulation, &[Carried]),
) {
    let mut random = Random(3);
    for (name, element) in elements {
        for _ in 0..4 {
            let mut carried = Vec::new();
            let mut model = simulation(|m| carried = rig(m, &mut random, element)).unwrap();
            for _ in 0..30 {
                // A jump of the speed is a new start for elements that may be stuck.
                model.reset().unwrap();
                for state in model.info().states {
                    model.set(state.name, 3.0 * random.number()).unwrap();
                }
                initialize(&mut model);
                check(name, &mut model, &carried);
            }
        }
    }
}

/// A variable that not every element has; zero if it does not exist.
fn optional(model: &mut Simulation, name: &str) -> f64 {
    model.read(name).unwrap_or(0.0)
}

fn assert_near(x: f64, y: f64, scale: f64, text: &str) {
    assert!((x - y).abs() <= 1e-9 * (1.0 + scale.abs()), "{text}: {x} and {y}");
}

#[test]
fn power_through_the_flanges_is_the_rise_of_stored_energy_plus_the_losses() {
    let mut released = 0;
    at_random_states(all(), |name, model, carried| {
        let loss = optional(model, "x.lossPower");
        assert!(loss >= 0.0, "{name}: a loss of {loss} W");
        let (mut power, mut rise) = (0.0, energy_rate(model));
        for end in carried {
            let (speed, a) = (value(model, &end.speed), value(model, &end.acceleration));
            let flow = value(model, &end.flow);
            assert_near(flow, -end.inertia * a, flow, &format!("{name}: {}", end.flow));
            power += flow * speed;
            rise -= end.inertia * a * speed;
        }
        // A spring behind a backlash may relax without load.
        let alone = name.starts_with("ElastoBacklash") && optional(model, "x.tau") == 0.0;
        released += usize::from(alone && loss > 0.0);
        let scale = 1.0 + power.abs() + rise.abs() + loss;
        let gap = power - rise - loss;
        assert!(gap.abs() < 1e-6 * scale, "{name}: {power} W is {rise} W + {loss} W");
    });
    assert!(released > 0);
}

#[test]
fn torques_and_forces_of_an_element_are_its_own_change_of_momentum() {
    // The reaction of a support is the opposite of what its flanges take.
    at_random_states(all(), |name, model, carried| {
        for rotates in [true, false] {
            let ends = || carried.iter().filter(|end| end.rotates == rotates);
            let Some(first) = ends().next() else { continue };
            let flows: Vec<f64> = ends().map(|end| value(model, &end.flow)).collect();
            let inertia = optional(model, if rotates { "x.J" } else { "x.m" });
            let own = inertia * value(model, &first.acceleration);
            let scale = flows.iter().fold(0.0, |sum: f64, flow| sum + flow.abs());
            assert_near(flows.iter().sum(), own, scale, name);
        }
    });
}

#[test]
fn each_housing_of_a_transmission_between_domains_takes_the_reaction_of_its_flange() {
    at_random_states(TRANSMISSIONS.iter().copied(), |name, model, _| {
        for letter in [("R", "tau"), ("T", "f")] {
            let port = |port: &str| format!("x.{port}{}.{}", letter.0, letter.1);
            if let Ok(flange) = model.read(&port("flange")) {
                assert_near(value(model, &port("support")), -flange, flange, name);
            }
        }
    });
}

#[test]
fn an_element_with_held_supports_moves_as_with_supports_on_a_fixed_flange() {
    for (name, element) in TRANSMISSIONS {
        let text = |fixed: bool| {
            move |m: &mut Assembly| {
                for (k, end) in element(m, &mut Random(8)).into_iter().enumerate() {
                    let spin = |k: usize| fixed_at_first(k, 3.0);
                    match end {
                        End::Shaft("support" | "supportR", flange) if fixed => {
                            let wall = m.add("wall", r::Fixed::new());
                            m.connect(wall.flange, flange);
                        }
                        End::Rod("supportT", flange) if fixed => {
                            let wall = m.add("ground", t::Fixed::new());
                            m.connect(wall.flange, flange);
                        }
                        End::Shaft("support" | "supportR", _) | End::Rod("supportT", _) => {}
                        End::Shaft(_, flange) => {
                            let body =
                                m.add(format!("end{k}"), r::Inertia::new().J(1.5).w(spin(k)));
                            let spring =
                                m.add(format!("spring{k}"), r::SpringDamper::new().c(7.0).d(0.3));
                            let wall = m.add(format!("wall{k}"), r::Fixed::new().phi0(0.4));
                            m.connect(body.flange_a, flange);
                            m.connect(body.flange_b, spring.flange_a);
                            m.connect(spring.flange_b, wall.flange);
                        }
                        End::Rod(_, flange) => {
                            let body = m.add(format!("end{k}"), t::Mass::new().m(0.5).v(spin(k)));
                            m.connect(body.flange_a, flange);
                        }
                    }
                }
            }
        };
        let (mut held, mut grounded) = (start(text(false)), start(text(true)));
        for _ in 0..20 {
            for k in 0..2 {
                let acceleration = format!("end{k}.a");
                let a = value(&mut held, &acceleration);
                assert_near(a, value(&mut grounded, &acceleration), a, name);
            }
            step(&mut held, 1e-2);
            step(&mut grounded, 1e-2);
        }
        assert!(value(&mut held, "end0.a") != 0.0, "{name} moves");
    }
}

/// An initial condition for the first of several, none for the others.
fn fixed_at_first(k: usize, speed: f64) -> mechanics::start::Start {
    if k == 0 { fixed(speed) } else { guess(0.0) }
}

/// The element between two bodies with given start values. If `mirrored`, its flanges are
/// exchanged, and all positions and speeds have the opposite sign.
fn between(m: &mut Assembly, (element, rigid): (Element, bool), seed: u64, mirrored: bool) {
    let mut random = Random(seed);
    let mut ends = element(m, &mut random);
    let sign = if mirrored { -1.0 } else { 1.0 };
    if mirrored {
        ends.swap(0, 1);
    }
    for (k, end) in ends.into_iter().enumerate() {
        // A rigid element leaves the second body no freedom.
        let [q, v] = [random.number(), random.number()].map(|x| {
            let x = sign * 2.0 * x;
            if rigid && k == 1 { guess(x) } else { fixed(x) }
        });
        let (name, spring) = (format!("end{k}"), format!("spring{k}"));
        let wall = format!("wall{k}");
        match end {
            End::Shaft(_, flange) => {
                let body = m.add(name, r::Inertia::new().J(1.0).phi(q).w(v));
                let spring = m.add(spring, r::Spring::new().c(3.0));
                let wall = m.add(wall, r::Fixed::new().phi0(sign * 0.3));
                m.connect(body.flange_a, flange);
                m.connect(body.flange_b, spring.flange_a);
                m.connect(spring.flange_b, wall.flange);
            }
            End::Rod(_, flange) => {
                let body = m.add(name, t::Mass::new().m(1.0).s(q).v(v));
                let spring = m.add(spring, t::Spring::new().c(3.0));
                let wall = m.add(wall, t::Fixed::new().s0(sign * 0.3));
                m.connect(body.flange_a, flange);
                m.connect(body.flange_b, spring.flange_a);
                m.connect(spring.flange_b, wall.flange);
            }
        }
    }
}

#[test]
fn exchanged_flanges_in_a_mirror_change_nothing() {
    let rigid = RIGID.iter().map(|&(name, element)| (name, (element, true)));
    let compliant = COMPLIANT.iter().map(|&(name, element)| (name, (element, false)));
    for (seed, (name, element)) in (0..).zip(rigid.chain(compliant)) {
        let mut one = start(|m| between(m, element, seed, false));
        let mut other = start(|m| between(m, element, seed, true));
        for _ in 0..20 {
            for k in 0..2 {
                for variable in ["a", "phi", "s", "w", "v"] {
                    let variable = format!("end{k}.{variable}");
                    let Ok(x) = one.read(&variable) else { continue };
                    assert_near(x, -value(&mut other, &variable), x, name);
                }
            }
            for model in [&mut one, &mut other] {
                step(model, 1e-3);
            }
        }
        assert!(value(&mut one, "end0.a") != 0.0, "{name}: something happens");
    }
}

/// A train of every element that both domains have, with the words of one of them.
macro_rules! train {
    ($m:ident, $lib:ident, $Body:ident::$inertia:ident, $Massless:ident::$extent:ident, $fixed:ident,
     $q:ident, $v:ident, $rel:ident, $rel0:ident, $v_rel:ident, $q_start:ident, $v_start:ident) => {{
        let wall = $m.add("wall", $lib::Fixed::new().$fixed(0.7));
        let one =
            $m.add("one", $lib::SpringDamper::new().c(30.0).d(0.4).$rel0(0.2).$rel(fixed(0.1)));
        let body = $m.add("body", $lib::$Body::new().$inertia(1.5));
        let massless = $m.add("massless", $lib::$Massless::new().$extent(0.3));
        let two = $m.add("two", $lib::Spring::new().c(8.0).$rel0(-0.1));
        let last = $m.add("last", $lib::$Body::new().$inertia(0.6));
        let three = $m.add("three", $lib::Damper::new().d(0.9));
        let four = $m.add("four", $lib::RelativeStates::new().$v_rel(fixed(0.8)));
        let begin = $m.add("begin", $lib::InitializeFlange::new());
        let q = $m.add("q", Constant::new().k(1.3));
        let v = $m.add("v", Constant::new().k(-0.4));
        $m.connect(q.y, begin.$q_start);
        $m.connect(v.y, begin.$v_start);
        $m.connect(wall.flange, one.flange_a);
        $m.connect(one.flange_b, body.flange_a);
        $m.connect(body.flange_b, massless.flange_a);
        $m.connect(massless.flange_b, two.flange_a);
        $m.connect(two.flange_b, last.flange_a);
        $m.connect(last.flange_b, three.flange_b);
        $m.connect(three.flange_a, wall.flange);
        $m.connect(four.flange_a, body.flange_b);
        $m.connect(four.flange_b, last.flange_b);
        $m.connect(begin.flange, last.flange_a);
        $m.output("q_last", last.$q);
        $m.output("v_last", last.$v);
    }};
}

#[test]
fn rotation_and_translation_are_one_law() {
    let mut shafts = start(|m| {
        train!(
            m,
            r,
            Inertia::J,
            Disc::delta_phi,
            phi0,
            phi,
            w,
            phi_rel,
            phi_rel0,
            w_rel,
            phi_start,
            w_start
        );
    });
    let mut rods = start(|m| {
        train!(m, t, Mass::m, Rod::L, s0, s, v, s_rel, s_rel0, v_rel, s_start, v_start);
    });
    let names = [
        ("wall.flange.tau", "wall.flange.f"),
        ("one.phi_rel", "one.s_rel"),
        ("one.w_rel", "one.v_rel"),
        ("one.a_rel", "one.a_rel"),
        ("one.tau", "one.f"),
        ("one.lossPower", "one.lossPower"),
        ("body.phi", "body.s"),
        ("body.w", "body.v"),
        ("body.a", "body.a"),
        ("body.flange_b.tau", "body.flange_b.f"),
        ("massless.phi", "massless.s"),
        ("two.phi_rel", "two.s_rel"),
        ("two.tau", "two.f"),
        ("last.a", "last.a"),
        ("three.tau", "three.f"),
        ("three.lossPower", "three.lossPower"),
        ("four.w_rel", "four.v_rel"),
        ("begin.phi_flange", "begin.s_flange"),
        ("begin.w_flange", "begin.v_flange"),
        ("q_last", "q_last"),
        ("v_last", "v_last"),
        ("energy.kinetic", "energy.kinetic"),
        ("energy.potential", "energy.potential"),
    ];
    for _ in 0..100 {
        for (shaft, rod) in names {
            let x = value(&mut shafts, shaft);
            assert_near(x, value(&mut rods, rod), x, shaft);
            assert!(x != 0.0, "{shaft} has a value");
        }
        step(&mut shafts, 1e-3);
        step(&mut rods, 1e-3);
    }
}

#[test]
fn a_flange_starts_where_signals_prescribe() {
    let mut model = start(|m| {
        train!(m, t, Mass::m, Rod::L, s0, s, v, s_rel, s_rel0, v_rel, s_start, v_start);
    });
    for (name, expected) in [
        ("begin.s_flange", 1.3),
        ("last.v", -0.4),
        ("four.v_rel", 0.8),
        ("body.v", -1.2),
        ("body.s", 0.8),
        ("massless.s", 0.95),
    ] {
        assert_near(value(&mut model, name), expected, 1.0, name);
    }
}

#[test]
fn losses_of_elements_heat_the_bodies_at_their_heat_ports() {
    let mut model = start(|m| {
        let box_ = m.add("box", r::Gearbox::new().ratio(3.0).c(50.0).d(0.7));
        let shaft = m.add("shaft", r::SpringDamper::new().c(20.0).d(0.5));
        let damper = m.add("damper", r::Damper::new().d(0.2));
        let wheel = m.add("wheel", r::IdealRollingWheel::new().radius(0.3));
        let gap = m.add("gap", t::ElastoGap::new().c(90.0).d(3.0));
        let motor = m.add("motor", r::Inertia::new().J(0.3).phi(fixed(0.4)).w(fixed(9.0)));
        let load = m.add("load", t::Mass::new().m(4.0).s(fixed(-0.2)));
        let housing = m.add("housing", r::Fixed::new());
        let wall = m.add("wall", t::Fixed::new());
        let heat = m.add("heat", thermal::HeatCapacitor::new().C(12.0));
        m.connect(motor.flange_b, box_.flange_a);
        m.connect(box_.flange_b, shaft.flange_a);
        m.connect(shaft.flange_b, wheel.flange_r);
        m.connect(wheel.flange_t, load.flange_a);
        m.connect(damper.flange_a, housing.flange);
        m.connect(damper.flange_b, motor.flange_a);
        m.connect(wall.flange, gap.flange_a);
        m.connect(gap.flange_b, load.flange_b);
        for port in [box_.heat_port, shaft.heat_port, damper.heat_port, gap.heat_port] {
            m.connect(port, heat.port);
        }
    });
    let all = |model: &mut Simulation| energy(model) + 12.0 * value(model, "heat.T");
    let (before, cold) = (all(&mut model), value(&mut model, "heat.T"));
    let names = ["box", "shaft", "damper", "gap"];
    let mut takes_part = [false; 4];
    for _ in 0..500 {
        step(&mut model, 1e-3);
        let gap = all(&mut model) - before;
        assert!(gap.abs() < 1e-5, "{gap} J are missing");
        for (name, takes_part) in names.iter().zip(&mut takes_part) {
            *takes_part |= value(&mut model, &format!("{name}.lossPower")) > 0.0;
        }
    }
    assert_eq!(takes_part, [true; 4]);
    assert!(value(&mut model, "heat.T") > cold + 0.1, "it gets warm");
}

#[test]
fn a_flange_starts_with_the_acceleration_that_a_signal_prescribes() {
    // The acceleration determines the position or, if the position is given too, the speed.
    let given =
        [[None, Some(0.5), Some(0.0)], [None, None, Some(-2.0)], [Some(0.7), None, Some(3.0)]];
    for wanted in given {
        let model = simulation(|m| {
            let wall = m.add("wall", r::Fixed::new());
            let spring = m.add("spring", r::SpringDamper::new().c(8.0).d(0.4).phi_rel0(0.2));
            let backlash = m.add("backlash", r::ElastoBacklash::new().c(5.0).d(0.3).b(0.1));
            let body = m.add("body", r::Inertia::new().J(0.6));
            let push = m.add("push", r::Torque::new());
            let tau = m.add("tau", Constant::new().k(1.5));
            let begin = m.add("begin", r::InitializeFlange::new());
            m.connect(tau.y, push.tau);
            m.connect(push.flange, body.flange_b);
            for part in [spring.flange_a, backlash.flange_a] {
                m.connect(wall.flange, part);
            }
            for part in [spring.flange_b, backlash.flange_b, begin.flange] {
                m.connect(body.flange_a, part);
            }
            for (k, input) in
                [begin.phi_start, begin.w_start, begin.a_start].into_iter().enumerate()
            {
                if let Some(value) = wanted[k] {
                    let signal = m.add(format!("start{k}"), Constant::new().k(value));
                    m.connect(signal.y, input);
                }
            }
        });
        let mut model = model.unwrap();
        model.enter_initialization_mode(0.0, None).unwrap();
        for (name, wanted) in ["begin.phi_flange", "begin.w_flange", "body.a"].iter().zip(wanted) {
            if let Some(wanted) = wanted {
                assert_near(value(&mut model, name), wanted, 10.0, name);
            }
        }
    }
}

#[test]
fn a_spring_publishes_only_its_angle_and_its_torque() {
    let mut model = start(|m| {
        let spring = m.add("spring", r::Spring::new().c(2.0).phi_rel(fixed(0.4)));
        let body = m.add("body", r::Inertia::new().J(0.5).w(fixed(1.0)));
        let wall = m.add("wall", r::Fixed::new().phi0(0.1));
        m.connect(wall.flange, spring.flange_a);
        m.connect(spring.flange_b, body.flange_a);
    });
    assert_near(value(&mut model, "body.phi"), 0.5, 1.0, "the start value of the spring counts");
    assert_near(value(&mut model, "spring.tau"), 0.8, 1.0, "torque");
    for name in ["spring.w_rel", "spring.a_rel", "spring.lossPower"] {
        assert!(model.read(name).is_err(), "{name}");
    }
}
