//! Springs and dampers between frames: balances of momentum and power, known oscillations.

use crate::common::floating::{angular_momentum_rate, floating, momentum_rate, state};
use crate::common::{Random, energy, energy_rate, run_to, simulation, start, step, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::thermal::FixedTemperature;
use nalgebra::Vector3;

/// One of the elements, with the same stiffness and damping.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Element {
    Spring,
    Damper,
    Parallel,
    Series,
}

const ELEMENTS: [Element; 4] =
    [Element::Spring, Element::Damper, Element::Parallel, Element::Series];

impl Element {
    /// Between two frames.
    fn between(self, m: &mut Assembly, a: Frame, b: Frame) {
        let (c, d) = (20.0, 3.0);
        let (frame_a, frame_b) = match self {
            Element::Spring => {
                let element = m.add("element", Spring::new().c(c).s_unstretched(0.4));
                (element.frame_a, element.frame_b)
            }
            Element::Damper => {
                let element = m.add("element", Damper::new().d(d));
                (element.frame_a, element.frame_b)
            }
            Element::Parallel => {
                let element = SpringDamperParallel::new().c(c).d(d).s_unstretched(0.4);
                let element = m.add("element", element);
                (element.frame_a, element.frame_b)
            }
            Element::Series => {
                let element = SpringDamperSeries::new().c(c).d(d).s_unstretched(0.4);
                let element = m.add("element", element.s_damper_start(-0.2));
                (element.frame_a, element.frame_b)
            }
        };
        m.connect(frame_a, a);
        m.connect(frame_b, b);
    }
}

/// Two free bodies joined by an element, without gravity.
fn pair(element: Element, seed: u64, swapped: bool) -> Simulation {
    start(move |m| {
        let mut random = Random(seed);
        let world = m.add("world", World::new().g(0.0));
        let a = floating(m, "a", world.frame_b, &mut random);
        let b = floating(m, "b", world.frame_b, &mut random);
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        element.between(m, a, b);
    })
}

#[test]
fn a_pair_of_bodies_keeps_its_momentum() {
    for element in ELEMENTS {
        let mut model = pair(element, 5, false);
        let [a, b] = ["a", "b"].map(|name| state(&mut model, name));
        let (along, f) = ((b.point - a.point).normalize(), value(&mut model, "element.f"));
        assert!(f.abs() > 0.1, "{element:?} acts: {f}");
        let pull = along * f;
        assert!((momentum_rate(&a) - pull).norm() < 1e-11, "{element:?}: {f} on a");
        assert!((momentum_rate(&b) + pull).norm() < 1e-11, "{element:?}: {f} on b");
        let moment = a.point.cross(&pull);
        assert!((angular_momentum_rate(&a) - moment).norm() < 1e-11, "moment of {element:?} on a");
        assert!((angular_momentum_rate(&b) + moment).norm() < 1e-11, "moment of {element:?} on b");
    }
}

#[test]
fn energy_is_only_lost_as_heat() {
    for element in ELEMENTS {
        for seed in [3, 4, 5] {
            let mut model = pair(element, seed, false);
            let loss = match element {
                Element::Spring => 0.0,
                _ => value(&mut model, "element.lossPower"),
            };
            assert!(loss >= 0.0);
            let rate = energy_rate(&mut model);
            assert!((rate + loss).abs() < 1e-7 * (1.0 + loss), "{element:?}: {rate} {loss}");
        }
    }
}

#[test]
fn swapped_ends_change_nothing() {
    for element in ELEMENTS {
        let (mut one, mut other) = (pair(element, 8, false), pair(element, 8, true));
        step(&mut one, 0.05);
        step(&mut other, 0.05);
        for name in ["element.f", "element.length", "a.r_0[1]", "b.w_a[2]"] {
            let (a, b) = (value(&mut one, name), value(&mut other, name));
            assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{element:?} {name}: {a} {b}");
        }
    }
}

#[test]
fn a_line_is_published_from_a_to_b() {
    let mut model = start(|m| {
        let a = m.add("a", Fixed::new().r([0.1, 0.2, 0.3]));
        let b = m.add("b", Fixed::new().r([2.1, -2.8, 6.3]));
        let spring = m.add("spring", Spring::new().c(10.0).s_unstretched(4.0));
        m.connect(a.frame_b, spring.frame_a);
        m.connect(b.frame_b, spring.frame_b);
    });
    let mut vector = |local: &str| {
        Vector3::from_fn(|i, _| value(&mut model, &format!("spring.{local}[{}]", i + 1)))
    };
    let r = Vector3::new(2.0, -3.0, 6.0);
    assert!((vector("r_rel_0") - r).norm() < 1e-15);
    assert!((vector("e_rel_0") - r / 7.0).norm() < 1e-15);
    for (name, expected) in [("length", 7.0), ("s", 7.0), ("f", 30.0)] {
        assert!((value(&mut model, &format!("spring.{name}")) - expected).abs() < 1e-13, "{name}");
    }
    assert!((energy(&mut model) - 45.0).abs() < 1e-13);
}

/// A mass of 2 kg on a slide along x, held by an element that begins at the origin.
fn oscillator<P: Part>(
    m: &mut Assembly,
    s: f64,
    part: P,
    ends: impl FnOnce(&P::Ports) -> [Frame; 2],
) -> P::Ports {
    let world = m.add("world", World::new());
    let slide = m.add("slide", Prismatic::new().n(X).s(fixed(s)).v(fixed(0.0)));
    let mass = m.add("mass", PointMass::new().m(2.0));
    let element = m.add("element", part);
    let [a, b] = ends(&element);
    m.connect(world.frame_b, slide.frame_a);
    m.connect(slide.frame_b, mass.frame_a);
    m.connect(world.frame_b, a);
    m.connect(slide.frame_b, b);
    element
}

#[test]
fn a_mass_on_a_spring_oscillates_with_its_frequency() {
    let spring = Spring::new().c(50.0).s_unstretched(0.3);
    let mut model = start(|m| {
        oscillator(m, 0.4, spring, |p| [p.frame_a, p.frame_b]);
    });
    let quarter = std::f64::consts::FRAC_PI_2 / (50.0_f64 / 2.0).sqrt();
    run_to(&mut model, quarter);
    assert!((value(&mut model, "slide.s") - 0.3).abs() < 1e-10);
    assert!((value(&mut model, "slide.v") + 0.1 * 5.0).abs() < 1e-10);
}

#[test]
fn a_damped_mass_follows_its_known_motion() {
    // m = 2, c = 50, d = 4: decay 1/s, frequency sqrt(25 - 1) rad/s.
    let element = SpringDamperParallel::new().c(50.0).d(4.0).s_unstretched(0.3);
    let mut model = start(|m| {
        oscillator(m, 0.4, element, |p| [p.frame_a, p.frame_b]);
    });
    run_to(&mut model, 0.7);
    let (t, w) = (0.7_f64, 24_f64.sqrt());
    let expected = 0.3 + 0.1 * (-t).exp() * ((w * t).cos() + (w * t).sin() / w);
    let s = value(&mut model, "slide.s");
    assert!((s - expected).abs() < 1e-10, "{s} {expected}");
}

#[test]
fn spring_and_damper_side_by_side_are_one_parallel_element() {
    let spring = || Spring::new().c(50.0).s_unstretched(0.3);
    let mut both = start(|m| {
        let element = SpringDamperParallel::new().c(50.0).d(4.0).s_unstretched(0.3);
        oscillator(m, 0.4, element, |p| [p.frame_a, p.frame_b]);
    });
    let mut two = start(|m| {
        let base = m.add("base", Fixed::new());
        let damper = m.add("damper", Damper::new().d(4.0));
        let spring = oscillator(m, 0.4, spring(), |p| [p.frame_a, p.frame_b]);
        m.connect(base.frame_b, damper.frame_a);
        m.connect(spring.frame_b, damper.frame_b);
    });
    let mut undamped = start(|m| {
        oscillator(m, 0.4, spring(), |p| [p.frame_a, p.frame_b]);
    });
    for model in [&mut both, &mut two, &mut undamped] {
        run_to(model, 0.5);
    }
    let [both, two, undamped] = [both, two, undamped].map(|mut m| value(&mut m, "slide.s"));
    assert!((both - two).abs() < 1e-13, "{both} {two}");
    assert!((both - undamped).abs() > 1e-3, "the damper acts: {both} {undamped}");
}

#[test]
fn a_spring_holds_a_mass_on_a_circle() {
    // c (r - s_unstretched) = m w^2 r.
    let (c, mass, r, unstretched) = (30.0_f64, 1.5, 0.8, 0.5);
    let w = (c * (r - unstretched) / (mass * r)).sqrt();
    let mut model = start(|m| {
        let world = m.add("world", World::new().g(0.0));
        let x = m.add("x", Prismatic::new().n([3.0, 4.0, 0.0]).s(fixed(r)).v(fixed(0.0)));
        let y = m.add("y", Prismatic::new().n(Z).s(fixed(0.0)).v(fixed(w * r)));
        let point = m.add("point", PointMass::new().m(mass));
        let spring = m.add("spring", Spring::new().c(c).s_unstretched(unstretched));
        m.connect(world.frame_b, x.frame_a);
        m.connect(x.frame_b, y.frame_a);
        m.connect(y.frame_b, point.frame_a);
        m.connect(world.frame_b, spring.frame_a);
        m.connect(point.frame_a, spring.frame_b);
    });
    let period = 2.0 * std::f64::consts::PI / w;
    run_to(&mut model, period / 3.0);
    let (x, y) = (value(&mut model, "x.s"), value(&mut model, "y.s"));
    assert!((x + r / 2.0).abs() < 1e-9 && (y - r * 0.75_f64.sqrt()).abs() < 1e-9, "{x} {y}");
    assert!((value(&mut model, "spring.length") - r).abs() < 1e-9);
}

#[test]
fn a_series_element_relaxes_in_its_time() {
    let (c, d, stretch) = (40.0, 10.0, 0.7);
    let mut model = start(|m| {
        let a = m.add("a", Fixed::new());
        let b = m.add("b", Fixed::new().r([0.0, 0.0, 1.0]));
        let element = SpringDamperSeries::new().c(c).d(d).s_unstretched(0.2).s_damper_start(0.1);
        let element = m.add("element", element);
        let bath = m.add("bath", FixedTemperature::new().T(293.15));
        m.connect(a.frame_b, element.frame_a);
        m.connect(b.frame_b, element.frame_b);
        m.connect(element.heat_port, bath.port);
    });
    assert!((value(&mut model, "element.s_damper") - 0.1).abs() < 1e-16);
    assert!((value(&mut model, "element.f") - c * stretch).abs() < 1e-13);
    assert!((energy(&mut model) - 0.5 * c * stretch * stretch).abs() < 1e-13);
    run_to(&mut model, 0.5);
    let left = (-0.5 * c / d).exp();
    let f = value(&mut model, "element.f");
    assert!((f - c * stretch * left).abs() < 1e-10, "{f}");
    let loss = value(&mut model, "element.lossPower");
    assert!((loss - f * f / d).abs() < 1e-10, "{loss}");
}

#[test]
fn losses_heat_the_connected_bodies() {
    let mut model = start(|m| {
        let element = SpringDamperParallel::new().c(50.0).d(4.0).s_unstretched(0.3);
        let element = oscillator(m, 0.4, element, |p| [p.frame_a, p.frame_b]);
        let store = m.add("store", libraries::thermal::HeatCapacitor::new().C(8.0).T(fixed(300.0)));
        m.connect(element.heat_port, store.port);
    });
    let initial = energy(&mut model);
    run_to(&mut model, 1.0);
    let lost = initial - energy(&mut model);
    let warmer = value(&mut model, "store.T") - 300.0;
    assert!(lost > 0.1 && (warmer * 8.0 - lost).abs() < 1e-9, "{warmer} {lost}");
}

#[test]
fn a_spring_balances_a_beam() {
    // The spring pulls the free end up by c 0.1 m; the weight acts in the middle.
    let balanced = 1.0 * 9.80665 * 0.5 / 0.1;
    for (c, factor) in [(balanced, 0.0), (2.0 * balanced, 1.0), (0.0, -1.0)] {
        let mut model = start(|m| {
            let world = m.add("world", World::new());
            let rev = m.add("rev", Revolute::new().phi(fixed(0.0)).w(fixed(0.0)));
            let beam = m.add("beam", BodyShape::new().r(X).r_cm([0.5, 0.0, 0.0]).m(1.0));
            let above = m.add("above", Fixed::new().r([1.0, 0.2, 0.0]));
            let spring = m.add("spring", Spring::new().c(c).s_unstretched(0.1));
            m.connect(world.frame_b, rev.frame_a);
            m.connect(rev.frame_b, beam.frame_a);
            m.connect(above.frame_b, spring.frame_a);
            m.connect(beam.frame_b, spring.frame_b);
        });
        let expected = factor * 9.80665 * 0.5 / (0.25 + 0.001);
        let a = value(&mut model, "rev.a");
        assert!((a - expected).abs() < 1e-12, "{c} N/m: {a} {expected}");
    }
}

#[test]
fn ends_may_coincide() {
    for element in ELEMENTS {
        let mut model = start(|m| {
            let world = m.add("world", World::new());
            let slide = m.add("slide", Prismatic::new().n(X).s(fixed(0.0)).v(fixed(0.5)));
            let mass = m.add("mass", PointMass::new().m(2.0));
            m.connect(world.frame_b, slide.frame_a);
            m.connect(slide.frame_b, mass.frame_a);
            element.between(m, world.frame_b, slide.frame_b);
        });
        assert_eq!(value(&mut model, "slide.a"), 0.0, "{element:?}: no direction");
        assert_eq!(value(&mut model, "element.length"), 0.0);
        assert_eq!(value(&mut model, "element.s"), 1e-10);
        assert!(value(&mut model, "element.f").is_finite());
        step(&mut model, 1e-3);
        for name in ["slide.s", "slide.a", "element.f"] {
            assert!(value(&mut model, name).is_finite(), "{element:?} {name}");
        }
    }
}

#[test]
fn wrong_elements_are_refused_by_name() {
    fn message<P: Part>(part: P, ends: impl FnOnce(&P::Ports) -> [Frame; 2]) -> String {
        let refused = simulation(|m| {
            oscillator(m, 0.4, part, ends);
        });
        refused.expect_err("it is wrong")
    }
    for (message, expected) in [
        (message(Spring::new().c(-1.0), |p| [p.frame_a, p.frame_b]), "element.c = -1 N/m"),
        (message(Damper::new().d(-2.0), |p| [p.frame_a, p.frame_b]), "element.d = -2 N.s/m"),
        (
            message(Spring::new().c(1.0).s_small(0.0), |p| [p.frame_a, p.frame_b]),
            "element.s_small = 0 m",
        ),
        (
            message(SpringDamperSeries::new().c(1.0).d(0.0), |p| [p.frame_a, p.frame_b]),
            "element.d = 0 N.s/m: must be positive",
        ),
    ] {
        assert!(message.contains(expected), "{message}");
    }
}

/// Three bodies of 1 kg hang from springs and dampers and turn a little; the third on a series
/// element and a spring.
///
/// # Reference
/// Modelica.Mechanics.MultiBody.Examples.Elementary.HeatLosses and its published result, which
/// stays in a plane.
#[test]
fn hanging_bodies_move_as_published() {
    let mut model = start(|m| {
        let world = m.add("world", World::new());
        let body = |m: &mut Assembly, name: &str, x: f64| {
            let slide_x = Prismatic::new().n(X).s(fixed(x)).v(fixed(0.0));
            let slide_x = m.add(format!("{name}_x"), slide_x);
            let slide_y = Prismatic::new().n(Y).s(fixed(-0.2)).v(fixed(0.0));
            let slide_y = m.add(format!("{name}_y"), slide_y);
            let turn = Revolute::new().n(Z).phi(fixed(0.0)).w(fixed(2_f64.to_radians()));
            let turn = m.add(format!("{name}_turn"), turn);
            let body = Body::new().m(1.0).r_cm([0.0, -0.2, 0.0]).inertia([0.1; 3]);
            let body = m.add(name, body);
            m.connect(world.frame_b, slide_x.frame_a);
            m.connect(slide_x.frame_b, slide_y.frame_a);
            m.connect(slide_y.frame_b, turn.frame_a);
            m.connect(turn.frame_b, body.frame_a);
            let bar = m.add(format!("{name}_bar"), Fixed::new().r([x, 0.0, 0.0]));
            (bar.frame_b, body.frame_a)
        };
        let (bar, hung) = body(m, "body1", 0.3);
        let spring = m.add("spring1", Spring::new().c(30.0).s_unstretched(0.1));
        let damper = m.add("damper1", Damper::new().d(2.0));
        for (a, b) in [(spring.frame_a, spring.frame_b), (damper.frame_a, damper.frame_b)] {
            m.connect(bar, a);
            m.connect(hung, b);
        }
        let (bar, hung) = body(m, "body2", 0.6);
        let parallel = SpringDamperParallel::new().c(30.0).d(2.0).s_unstretched(0.1);
        let parallel = m.add("springDamper", parallel);
        m.connect(bar, parallel.frame_a);
        m.connect(hung, parallel.frame_b);
        let (bar, hung) = body(m, "body3", 0.9);
        let series = SpringDamperSeries::new().c(30.0).d(2.0).s_unstretched(0.1);
        let series = m.add("series", series);
        let spring = m.add("spring", Spring::new().c(30.0).s_unstretched(0.2));
        for (a, b) in [(series.frame_a, series.frame_b), (spring.frame_a, spring.frame_b)] {
            m.connect(bar, a);
            m.connect(hung, b);
        }
    });
    let hung = ["r_0[1]", "r_0[2]", "w_a[3]"];
    for (time, body1, body3, s_damper) in [
        (
            0.6,
            [0.301978047, -0.552966, -0.0307224455],
            [0.902339486, -0.705079601, -0.0396084912],
            0.589139272,
        ),
        (
            3.0,
            [0.298533959, -0.437987979, -0.00819224083],
            [0.900030368, -0.531055033, -0.0184831735],
            0.43693416,
        ),
    ] {
        run_to(&mut model, time);
        for (k, name) in hung.into_iter().enumerate() {
            let ours = |model: &mut Simulation, body| value(model, &format!("{body}.{name}"));
            let (one, two) = (ours(&mut model, "body1"), ours(&mut model, "body2"));
            let three = ours(&mut model, "body3");
            assert!((one - body1[k]).abs() < 1e-5, "body1.{name}: {one} {}", body1[k]);
            assert!((two + if k == 0 { -0.3 } else { 0.0 } - one).abs() < 1e-12, "body2.{name}");
            assert!((three - body3[k]).abs() < 1e-5, "body3.{name}: {three} {}", body3[k]);
        }
        let ours = value(&mut model, "series.s_damper");
        assert!((ours - s_damper).abs() < 1e-5, "{ours} {s_damper}");
    }
}
