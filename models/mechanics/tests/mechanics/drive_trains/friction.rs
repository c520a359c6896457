//! Friction elements: power balance, reactions, symmetry, sticking and sliding.

use crate::common;
use crate::common::{
    Random, refusal, set_states, settle, simulate, simulation, start, step, value,
};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::{rotational, translational};
use mechanics::domain::{Domain, ROTATIONAL, TRANSLATIONAL};

/// Speeds of three bodies, torques (or forces) on them, and the signal that presses.
#[derive(Clone, Debug)]
struct Situation {
    speeds: [f64; 3],
    torques: [f64; 3],
    press: f64,
    swapped: bool,
}

impl Situation {
    /// Sometimes with equal speeds, so that elements stick.
    fn random(random: &mut Random, kind: Kind) -> Self {
        let [speeds, torques] = [0, 1].map(|_| random.vector().map(|x| 5.0 * x));
        let (stick, press) = (random.number() < 0.0, random.number() + 0.5);
        let [a, b, c] = if stick { [speeds[0]; 3] } else { speeds };
        let speeds = match kind {
            Kind::Between => [a, b, c],
            Kind::OneWay => [a.min(b), a.max(b), c],
            Kind::Through => [a, a, c],
        };
        Situation { speeds, torques, press, swapped: false }
    }

    /// The same with the flanges swapped and the world seen in a mirror, if that matters.
    fn swapped(&self, kind: Kind) -> Self {
        let sign = if kind == Kind::OneWay { -1.0 } else { 1.0 };
        let [speeds, torques] = [self.speeds, self.torques].map(|x| x.map(|x| sign * x));
        Situation { speeds, torques, swapped: !self.swapped, ..*self }
    }
}

/// A model text.
type Text = fn(&mut Assembly);

/// The motions between which an element acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Between its flanges.
    Between,
    /// Between its flanges; backward, it locks.
    OneWay,
    /// Between its flanges, which move together, and its support.
    Through,
}

use Kind::{Between, OneWay, Through};

/// A kind of element under test, which is called `x`.
struct Element {
    name: &'static str,
    domain: &'static Domain,
    kind: Kind,
    /// The sliding torque (or force) at rest and the largest holding torque, with the largest
    /// normal force.
    limits: [f64; 2],
    pressed: bool,
    add: fn(&mut Assembly, &Situation),
}

const INERTIAS: [f64; 3] = [1.5, 0.7, 2.0];
const MU: [[f64; 2]; 3] = [[0.0, 0.6], [2.0, 0.4], [8.0, 0.5]];
const BEARING: [[f64; 2]; 2] = [[0.0, 1.0], [3.0, 2.0]];

/// Ports of an element, whatever its type.
struct Ends<Flange> {
    flanges: [Flange; 2],
    support: Option<Flange>,
    press: Option<Input>,
}

/// Puts a body and a torque (or force) on each flange and on the support.
macro_rules! bench {
    ($name:ident, $Flange:ty, $Body:ty, $inertia:ident, $position:ident, $speed:ident, $Push:ty, $push:ident) => {
        fn $name(m: &mut Assembly, s: &Situation, ends: Ends<$Flange>) {
            if let Some(input) = ends.press {
                let signal = m.add("press", Constant::new().k(s.press));
                m.connect(signal.y, input);
            }
            let [a, b] = ends.flanges;
            let (a, b) = if s.swapped { (b, a) } else { (a, b) };
            let flanges = [("a", Some(a)), ("b", Some(b)), ("c", ends.support)];
            for (k, (name, flange)) in flanges.into_iter().enumerate() {
                let Some(flange) = flange else { continue };
                let body = <$Body>::new().$inertia(INERTIAS[k]);
                let tied = k == 1 && ends.support.is_some();
                let free = || body.clone().$position(fixed(0.0)).$speed(fixed(s.speeds[k]));
                let body = if tied { body.clone() } else { free() };
                let body = m.add(name, body);
                let push = m.add(format!("push_{name}"), <$Push>::new());
                let signal = m.add(format!("signal_{name}"), Constant::new().k(s.torques[k]));
                m.connect(signal.y, push.$push);
                m.connect(push.flange, body.flange_a);
                m.connect(body.flange_b, flange);
            }
        }
    };
}

bench!(turn, Flange, rotational::Inertia, J, phi, w, rotational::Torque, tau);
bench!(slide, TranslationalFlange, translational::Mass, m, s, v, translational::Force, f);

const ELEMENTS: [Element; 6] = [
    Element {
        name: "Clutch",
        domain: &ROTATIONAL,
        kind: Between,
        limits: [2.4, 1.1 * 2.4],
        pressed: true,
        add: |m, s| {
            let x = m.add("x", rotational::Clutch::new().fn_max(4.0).mu_pos(MU).peak(1.1));
            let flanges = [x.flange_a, x.flange_b];
            turn(m, s, Ends { flanges, support: None, press: Some(x.f_normalized) });
        },
    },
    Element {
        name: "OneWayClutch",
        domain: &ROTATIONAL,
        kind: OneWay,
        limits: [2.4, 1.1 * 2.4],
        pressed: true,
        add: |m, s| {
            let x = m.add("x", rotational::OneWayClutch::new().fn_max(4.0).mu_pos(MU).peak(1.1));
            let flanges = [x.flange_a, x.flange_b];
            turn(m, s, Ends { flanges, support: None, press: Some(x.f_normalized) });
        },
    },
    Element {
        name: "Brake",
        domain: &ROTATIONAL,
        kind: Through,
        limits: [2.1, 1.2 * 2.1],
        pressed: true,
        add: |m, s| {
            let x = m.add("x", rotational::Brake::new().fn_max(5.0).mu_pos(MU).cgeo(0.7).peak(1.2));
            let (flanges, support) = ([x.flange_a, x.flange_b], Some(x.support));
            turn(m, s, Ends { flanges, support, press: Some(x.f_normalized) });
        },
    },
    Element {
        name: "BearingFriction",
        domain: &ROTATIONAL,
        kind: Through,
        limits: [1.0, 1.1],
        pressed: false,
        add: |m, s| {
            let x = m.add("x", rotational::BearingFriction::new().tau_pos(BEARING).peak(1.1));
            let (flanges, support) = ([x.flange_a, x.flange_b], Some(x.support));
            turn(m, s, Ends { flanges, support, press: None });
        },
    },
    Element {
        name: "translational Brake",
        domain: &TRANSLATIONAL,
        kind: Through,
        limits: [2.1, 1.2 * 2.1],
        pressed: true,
        add: |m, s| {
            let x =
                m.add("x", translational::Brake::new().fn_max(5.0).mu_pos(MU).cgeo(0.7).peak(1.2));
            let (flanges, support) = ([x.flange_a, x.flange_b], Some(x.support));
            slide(m, s, Ends { flanges, support, press: Some(x.f_normalized) });
        },
    },
    Element {
        name: "SupportFriction",
        domain: &TRANSLATIONAL,
        kind: Through,
        limits: [1.0, 1.1],
        pressed: false,
        add: |m, s| {
            let x = m.add("x", translational::SupportFriction::new().f_pos(BEARING).peak(1.1));
            let (flanges, support) = ([x.flange_a, x.flange_b], Some(x.support));
            slide(m, s, Ends { flanges, support, press: None });
        },
    },
];

/// Runs a check on an element in many situations.
fn check(mut each: impl FnMut(&Element, &Situation, &mut Simulation)) {
    let mut random = Random(11);
    for element in &ELEMENTS {
        for _ in 0..24 {
            let situation = Situation::random(&mut random, element.kind);
            each(element, &situation, &mut start(|m| (element.add)(m, &situation)));
        }
    }
}

#[test]
fn the_power_that_flows_into_a_friction_element_is_lost() {
    check(|element, situation, model| {
        let Domain { speed, acceleration, flow, .. } = element.domain;
        let bodies = if element.kind == Through { &["a", "b", "c"][..] } else { &["a", "b"] };
        let (mut power, mut sum) = (0.0, 0.0);
        for (k, &body) in bodies.iter().enumerate() {
            let flange = ["flange_a", "flange_b", "support"][k];
            let tau = value(model, &format!("x.{flange}.{}", flow.local));
            let w = value(model, &format!("{body}.{}", speed.local));
            let a = value(model, &format!("{body}.{}", acceleration.local));
            let rest = INERTIAS[k] * a - (situation.torques[k] - tau);
            assert!(rest.abs() < 1e-12, "{} {situation:?}: {body} {rest:e}", element.name);
            power += tau * w;
            sum += tau;
        }
        let loss = value(model, "x.lossPower");
        let gap = power - loss;
        assert!(gap.abs() < 1e-12 * (1.0 + power.abs()), "{} {situation:?}: {gap}", element.name);
        assert!(loss >= -1e-12, "{} {situation:?}: {loss}", element.name);
        assert!(sum.abs() < 1e-12, "{}: the support takes the reaction: {sum}", element.name);
    });
}

#[test]
fn friction_is_the_same_with_exchanged_flanges() {
    check(|element, situation, model| {
        let other = situation.swapped(element.kind);
        let mut other = start(|m| (element.add)(m, &other));
        let flow = format!("x.{}", element.domain.flow.local);
        // In a mirror, accelerations change their sign; with exchanged flanges, torques do.
        let [body, element_sign] = match element.kind {
            Between => [1.0, -1.0],
            OneWay => [-1.0, 1.0],
            Through => [1.0, 1.0],
        };
        for (name, sign) in
            [("a.a", body), ("b.a", body), (&*flow, element_sign), ("x.lossPower", 1.0)]
        {
            let (one, other) = (value(model, name), sign * value(&mut other, name));
            assert!((one - other).abs() < 1e-12, "{} {situation:?} {name}", element.name);
        }
    });
}

#[test]
fn an_element_is_stuck_exactly_while_its_torque_is_below_the_limit() {
    let mut seen = [0; 3];
    check(|element, situation, model| {
        let Domain { speed, acceleration, relative_speed, relative_acceleration, flow, .. } =
            element.domain;
        let tau = value(model, &format!("x.{}", flow.local));
        let locked = value(model, "x.locked") == 1.0;
        let [v, a] = match element.kind {
            Through => [speed, acceleration],
            Between | OneWay => [relative_speed, relative_acceleration],
        }
        .map(|word| value(model, &format!("x.{}", word.local)));
        let pressed = if element.pressed { situation.press.max(0.0) } else { 1.0 };
        let [low, high] = element.limits.map(|limit| limit * pressed);
        // Without normal force, a one-way clutch still needs a small torque to slide.
        let high = if element.kind == OneWay && high == 0.0 { 1e-4 * 2.4 } else { high };
        let text = format!("{} {situation:?}: tau {tau}, v {v}, a {a}", element.name);
        let holds = if element.kind == OneWay { tau } else { tau.abs() };
        if locked {
            assert!(v == 0.0 && a.abs() < 1e-12 && holds <= high + 1e-9, "{text}");
            seen[0] += 1;
        } else if v == 0.0 {
            assert!(low == 0.0 || a.abs() > 0.0, "{text}");
            assert!((tau - low * a.signum()).abs() < 1e-12, "{text}");
            seen[1] += 1;
        } else {
            assert!(tau * v >= 0.0, "{text}");
            seen[2] += 1;
        }
    });
    assert!(seen.iter().all(|&n| n >= 10), "stuck, starting and sliding occur: {seen:?}");
}

/// A mass between two stops, pushed by a sine.
fn between_stops(m: &mut Assembly, friction: f64) {
    let body = translational::MassWithStopAndFriction::new().m(2.0).L(0.5).smin(-1.0).smax(1.5);
    let body = body.f_prop(0.3 * friction).f_coulomb(friction).f_stribeck(0.5 * friction).fexp(2);
    let x = m.add("x", body.s(fixed(0.1)).v(fixed(2.0)));
    let push = m.add("push", translational::Force::new());
    let sine = m.add("sine", Sine::new().amplitude(12.0).f(0.4));
    m.connect(sine.y, push.f);
    m.connect(push.flange, x.flange_a);
}

#[test]
fn a_mass_stays_between_its_stops_and_loses_its_speed_there() {
    for friction in [0.0, 1.0] {
        let mut model = start(|m| between_stops(m, friction));
        let mut stops = [0; 3];
        common::simulate(&mut model, 6.0, |model| {
            let (s, v, stopped) =
                (value(model, "x.s"), value(model, "x.v"), value(model, "x.stopped"));
            assert!((-0.75..=1.25).contains(&s), "{s}");
            let touches = f64::from(i8::from(s == 1.25) - i8::from(s == -0.75));
            assert_eq!(stopped, touches, "s {s}");
            assert!(stopped == 0.0 || v * stopped <= 0.0, "{v}");
            stops[(stopped + 1.0) as usize] += 1;
        });
        assert!(stops.iter().all(|&n| n > 0), "both stops are met: {stops:?}");
    }
}

#[test]
fn a_mass_that_begins_beyond_a_stop_is_put_at_it_and_keeps_a_speed_away_from_it() {
    let starts: [((f64, f64), (f64, f64)); 5] = [
        ((3.0, 1.0), (1.25, 0.0)),
        ((-2.0, -1.0), (-0.75, 0.0)),
        ((3.0, 0.0), (1.25, 0.0)),
        ((-2.0, 0.5), (-0.75, 0.5)),
        ((3.0, -0.5), (1.25, -0.5)),
    ];
    for ((s, v), (stopped, left)) in starts {
        let mut model = start(|m| {
            let body = common::rough_mass().m(2.0).L(0.5).smin(-1.0).smax(1.5);
            m.add("x", body.s(fixed(s)).v(fixed(v)));
        });
        assert_eq!(value(&mut model, "x.s"), stopped);
        assert_eq!(value(&mut model, "x.v"), left);
        assert_eq!(value(&mut model, "x.mode"), if left == 0.0 { 0.0 } else { left.signum() });
        common::run_to(&mut model, 0.01);
        assert_eq!(value(&mut model, "x.stopped"), if left == 0.0 { v.signum() } else { 0.0 });
    }
}

#[test]
fn a_stuck_one_way_clutch_slides_after_a_jump_beyond_w_small() {
    for (w_small, stuck) in [(1e10, 1.0), (0.1, 0.0)] {
        let mut model = start(|m| {
            let body = m.add("a", rotational::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
            let clutch = m.add("x", rotational::OneWayClutch::new().fn_max(2.0).w_small(w_small));
            let fixed = m.add("fixed", rotational::Fixed::new());
            let press = m.add("press", Constant::new().k(0.0));
            m.connect(press.y, clutch.f_normalized);
            m.connect(fixed.flange, clutch.flange_a);
            m.connect(clutch.flange_b, body.flange_a);
        });
        assert_eq!(value(&mut model, "x.stuck"), 1.0);
        set_states(&mut model, &[5.0; 2]);
        settle(&mut model);
        assert_eq!(value(&mut model, "x.stuck"), stuck, "w_small = {w_small}");
    }
}

#[test]
fn a_sliding_mass_loses_the_power_of_friction() {
    let mut model = start(|m| between_stops(m, 1.0));
    for _ in 0..100 {
        let [v, a, f, loss] =
            ["v", "a", "f", "lossPower"].map(|name| value(&mut model, &format!("x.{name}")));
        let push = value(&mut model, "x.flange_a.f");
        assert!((2.0 * a + f - push).abs() < 1e-12);
        assert!((loss - f * v).abs() < 1e-12 && loss >= 0.0, "{loss}");
        let expected = 0.3 * v + 1.0 + 0.5 * (-2.0 * v).exp();
        assert!((f - expected).abs() < 1e-12, "{f} instead of {expected} at {v}");
        step(&mut model, 2e-3);
    }
}

#[test]
fn lost_power_of_friction_heats_the_heat_port() {
    let mut model = start(|m| {
        let body = rotational::Inertia::new().J(2.0).phi(fixed(0.0)).w(fixed(3.0));
        let body = m.add("body", body);
        let brake = m.add("x", rotational::Brake::new().fn_max(2.0));
        let press = m.add("press", Constant::new().k(1.0));
        let disc = m.add("disc", libraries::thermal::HeatCapacitor::new().C(0.5).T(fixed(300.0)));
        m.connect(press.y, brake.f_normalized);
        m.connect(body.flange_b, brake.flange_a);
        m.connect(brake.heat_port, disc.port);
    });
    common::run_to(&mut model, 10.0);
    // At rest all kinetic energy, J w^2 / 2 = 9 J, is in the disc.
    assert_eq!(value(&mut model, "x.locked"), 1.0);
    let rise = value(&mut model, "disc.T") - 300.0;
    assert!((rise - 9.0 / 0.5).abs() < 1e-9, "{rise} K");
}

#[test]
fn a_locked_train_stays_locked() {
    use rotational::*;
    // Two clutches and a brake in series are shaken below their limits; the first clutch
    // accelerates the train.
    let mut model = start(|m| {
        let a = m.add("a", Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.3)));
        let b = m.add("b", Inertia::new().J(0.37).phi(fixed(0.0)).w(fixed(0.0)));
        let c = m.add("c", Inertia::new().J(2.3).phi(fixed(0.0)).w(fixed(0.0)));
        let (one, two) =
            (m.add("one", Clutch::new().fn_max(20.0)), m.add("two", Clutch::new().fn_max(30.0)));
        let bearing = m.add("bearing", BearingFriction::new().tau_pos(2.0));
        let push = m.add("push", Torque::new());
        let sine = m.add("sine", Sine::new().amplitude(1.9).f(0.7));
        let press = m.add("press", Constant::new().k(1.0));
        m.connect(sine.y, push.tau);
        m.connect(press.y, one.f_normalized);
        m.connect(press.y, two.f_normalized);
        m.connect(push.flange, a.flange_a);
        m.connect(a.flange_b, one.flange_a);
        m.connect(one.flange_b, b.flange_a);
        m.connect(b.flange_b, two.flange_a);
        m.connect(two.flange_b, c.flange_a);
        m.connect(c.flange_b, bearing.flange_a);
    });
    common::run_to(&mut model, 2.0);
    let modes = model.point().m.to_vec();
    common::simulate(&mut model, 102.0, |_| panic!("nothing breaks loose"));
    assert_eq!(model.point().m, modes);
    for name in ["one", "two", "bearing"] {
        assert_eq!(value(&mut model, &format!("{name}.locked")), 1.0, "{name}");
    }
    for name in ["one.w_rel", "two.w_rel", "bearing.w"] {
        let w = value(&mut model, name);
        assert!(w.abs() <= 1e-9, "{name}: {w:e}");
    }
}

#[test]
fn wrong_parameters_are_named() {
    use rotational::{BearingFriction, Brake, Clutch, OneWayClutch};
    use translational::SupportFriction;
    let refusal = |text: Text| simulation(text).err().unwrap_or_default();
    let table: [(Text, &[&str]); 10] = [
        (
            |m| {
                m.add("x", Clutch::new().fn_max(1.0).peak(0.9));
            },
            &["x.peak", "0.9"],
        ),
        (
            |m| {
                m.add("x", Clutch::new().fn_max(-2.0));
            },
            &["x.fn_max", "-2 N"],
        ),
        (
            |m| {
                m.add("x", Brake::new().fn_max(1.0).cgeo(-1.0));
            },
            &["x.cgeo", "-1 m"],
        ),
        (
            |m| {
                m.add("x", Brake::new().fn_max(1.0));
            },
            &["x.f_normalized", "not connected"],
        ),
        (
            |m| {
                m.add("x", OneWayClutch::new().fn_max(f64::NAN));
            },
            &["x.fn_max", "NaN"],
        ),
        (
            |m| {
                m.add("x", BearingFriction::new().tau_pos(-1.0));
            },
            &["x.tau_pos[1,2]", "-1 N.m"],
        ),
        (
            |m| {
                m.add("x", SupportFriction::new().f_pos([[1.0, 1.0], [0.0, 1.0]]));
            },
            &["x.f_pos[2,1] = 0 m/s", "must be larger than x.f_pos[1,1] = 1 m/s"],
        ),
        (
            |m| {
                m.add("x", SupportFriction::new().f_pos([[0.0; 2]; 0]));
            },
            &["x.f_pos", "at least one row is required"],
        ),
        (
            |m| {
                m.add("x", common::rough_mass().m(0.0));
            },
            &["x.m", "0 kg"],
        ),
        (
            |m| {
                m.add("x", common::rough_mass().L(3.0).smin(0.0).smax(2.0));
            },
            &["x.smax", "2 m"],
        ),
    ];
    for (text, words) in table {
        let message = refusal(text);
        assert!(words.iter().all(|word| message.contains(word)), "{words:?}: {message}");
    }
}

/// A shaft that drives a mass through a freewheel, which starts at these speeds.
fn freewheel(m: &mut Assembly, [shaft, wheel]: [f64; 2]) {
    let shaft = rotational::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(shaft));
    let shaft = m.add("shaft", shaft);
    let clutch = m.add("x", rotational::OneWayClutch::new().fn_max(2.0));
    let press = m.add("press", Constant::new().k(0.0));
    let wheel = m.add("wheel", rotational::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(wheel)));
    m.connect(press.y, clutch.f_normalized);
    m.connect(shaft.flange_a, clutch.flange_a);
    m.connect(clutch.flange_b, wheel.flange_a);
    let rack = m.add("rack", rotational::IdealGearR2T::new().ratio(2.0));
    let mass = common::rough_mass().f_coulomb(0.0).f_stribeck(0.0);
    let mass = m.add("mass", mass.smin(-1.0).smax(0.5));
    m.connect(wheel.flange_a, rack.flange_r);
    m.connect(rack.flange_t, mass.flange_a);
}

#[test]
fn a_one_way_clutch_that_starts_backward_is_refused() {
    assert_eq!(
        refusal(|m| freewheel(m, [1.0, 0.75])),
        "x.w_rel = -0.25 rad/s: must not be negative at the start, because the clutch \
         cannot slide backward"
    );
    assert_eq!(refusal(|m| freewheel(m, [1.0, 1.0])), "");
}

#[test]
fn a_one_way_clutch_passes_on_the_impact_of_a_stop() {
    let mut model = start(|m| freewheel(m, [1.0, 1.0]));
    let before = value(&mut model, "energy.kinetic");
    simulate(&mut model, 2.0, |model| {
        // The wheel cannot be slower than the shaft, so the shaft stops with it.
        assert!(value(model, "x.w_rel") > -1e-9, "t = {}", model.time());
    });
    assert!(value(&mut model, "mass.s") > 0.5 - 1e-9);
    assert!(value(&mut model, "shaft.w").abs() < 1e-9);
    let lost = value(&mut model, "energy.lost_in_impacts");
    let friction = before - value(&mut model, "energy.kinetic") - lost;
    assert!(lost > 0.5 * before && friction > 0.0, "{before} {lost}");
}
