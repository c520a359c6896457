//! Friction elements: power balance, reactions, symmetry, modes of many that act on each other.

mod common;

use common::{Random, start, value};
use equations::Interpreter;
use mechanics::prelude::*;
use mechanics::rotational::*;

/// Speeds of three bodies, torques on them, and how hard a signal presses.
#[derive(Clone, Debug)]
struct Situation {
    speeds: [f64; 3],
    torques: [f64; 3],
    press: f64,
    swapped: bool,
}

impl Situation {
    /// Sometimes with equal speeds, so that elements stick; `moves_apart`: whether the flanges of
    /// the element may have different speeds.
    fn random(random: &mut Random, moves_apart: bool) -> Self {
        let [speeds, torques] = [0, 1].map(|_| random.vector().map(|x| 5.0 * x));
        let (stick, press) = (random.number() < 0.0, random.number() + 0.5);
        let [a, b, c] = if stick { [speeds[0]; 3] } else { speeds };
        let speeds = if moves_apart { [a, b, c] } else { [a, a, c] };
        Situation { speeds, torques, press, swapped: false }
    }
}

/// What an element has: its two flanges, its support, and the input that presses.
type Ends = (Flange, Flange, Option<Flange>, Option<Input>);

/// A kind of element on trial.
struct Element {
    name: &'static str,
    /// Whether its flanges can move against each other.
    moves_apart: bool,
    add: fn(&mut Assembly) -> Ends,
}

const MU: [[f64; 2]; 3] = [[0.0, 0.6], [2.0, 0.4], [8.0, 0.5]];

const ELEMENTS: [Element; 3] = [
    Element {
        name: "Clutch",
        moves_apart: true,
        add: |m| {
            let x = m.add("x", Clutch::fn_max(4.0).mu_pos(MU).peak(1.1));
            (x.flange_a, x.flange_b, None, Some(x.f_normalized))
        },
    },
    Element {
        name: "Brake",
        moves_apart: false,
        add: |m| {
            let x = m.add("x", Brake::fn_max(5.0).mu_pos(MU).cgeo(0.7).peak(1.2));
            (x.flange_a, x.flange_b, Some(x.support), Some(x.f_normalized))
        },
    },
    Element {
        name: "BearingFriction",
        moves_apart: false,
        add: |m| {
            let x = m.add("x", BearingFriction::tau_pos([[0.0, 1.0], [3.0, 2.0]]).peak(1.1));
            (x.flange_a, x.flange_b, Some(x.support), None)
        },
    },
];

const INERTIAS: [f64; 3] = [1.5, 0.7, 2.0];

/// The element with an inertia and a torque on each flange and on the support.
fn bench(m: &mut Assembly, element: &Element, s: &Situation) {
    let (a, b, support, press) = (element.add)(m);
    if let Some(input) = press {
        let signal = m.add("press", Constant::k(s.press));
        m.connect(signal.y, input);
    }
    let (a, b) = if s.swapped { (b, a) } else { (a, b) };
    let flanges = [("a", Some(a)), ("b", Some(b)), ("c", support)];
    for (k, (name, flange)) in flanges.into_iter().enumerate() {
        let Some(flange) = flange else { continue };
        let body = Inertia::J(INERTIAS[k]);
        let tied = k == 1 && !element.moves_apart;
        let body = if tied { body } else { body.phi(fixed(0.0)).w(fixed(s.speeds[k])) };
        let body = m.add(name, body);
        let torque = m.add(format!("torque_{name}"), Torque);
        let tau = m.add(format!("tau_{name}"), Constant::k(s.torques[k]));
        m.connect(tau.y, torque.tau);
        m.connect(torque.flange, body.flange_a);
        m.connect(body.flange_b, flange);
    }
}

/// Runs a check on an element in many situations.
fn check(mut each: impl FnMut(&Element, &Situation, &mut Interpreter)) {
    let mut random = Random(11);
    for element in &ELEMENTS {
        for _ in 0..60 {
            let situation = Situation::random(&mut random, element.moves_apart);
            each(element, &situation, &mut start(|m| bench(m, element, &situation)));
        }
    }
}

#[test]
fn the_power_that_flows_into_a_friction_element_is_lost() {
    check(|element, situation, model| {
        let flanges: &[(usize, &str, &str)] = match element.moves_apart {
            true => &[(0, "a", "flange_a"), (1, "b", "flange_b")],
            false => &[(0, "a", "flange_a"), (1, "b", "flange_b"), (2, "c", "support")],
        };
        let (mut power, mut sum) = (0.0, 0.0);
        for &(k, body, flange) in flanges {
            let tau = value(model, &format!("x.{flange}.tau"));
            let (w, a) = ["w", "a"].map(|x| value(model, &format!("{body}.{x}"))).into();
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
fn friction_does_not_care_which_flange_is_which() {
    check(|element, situation, model| {
        let swapped = Situation { swapped: true, ..situation.clone() };
        let mut other = start(|m| bench(m, element, &swapped));
        let sign = if element.moves_apart { -1.0 } else { 1.0 };
        for name in ["a.a", "b.a", "x.tau", "x.lossPower"] {
            let sign = if name == "x.tau" { sign } else { 1.0 };
            let (one, other) = (value(model, name), sign * value(&mut other, name));
            assert!((one - other).abs() < 1e-12, "{} {situation:?} {name}", element.name);
        }
    });
}

#[test]
fn an_element_is_stuck_exactly_while_its_torque_is_below_the_limit() {
    check(|element, situation, model| {
        let (tau, locked) = (value(model, "x.tau"), value(model, "x.locked") == 1.0);
        let (v, a) = if element.moves_apart { ("x.w_rel", "x.a_rel") } else { ("x.w", "x.a") };
        let (v, a) = (value(model, v), value(model, a));
        let pressed = situation.press.max(0.0);
        let (low, limit) = match element.name {
            "Clutch" => (0.6 * 4.0 * pressed, 1.1 * 0.6 * 4.0 * pressed),
            "Brake" => (0.6 * 0.7 * 5.0 * pressed, 1.2 * 0.6 * 0.7 * 5.0 * pressed),
            _ => (1.0, 1.1),
        };
        let text = format!("{} {situation:?}: tau {tau}, v {v}, a {a}", element.name);
        if locked {
            assert!(v == 0.0 && a.abs() < 1e-12 && tau.abs() <= limit + 1e-9, "{text}");
        } else if v == 0.0 {
            assert!(limit == 0.0 || a.abs() > 0.0, "{text}");
            assert!((tau - low * a.signum()).abs() < 1e-12, "{text}");
        } else {
            assert!(tau * v >= 0.0, "{text}");
        }
    });
}
