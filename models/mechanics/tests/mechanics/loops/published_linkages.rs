//! Mechanisms that the literature uses as benchmarks, with their published or exact motions.

use crate::common::linkages::assert_closed;
use crate::common::{energy, run_to, simulation, start, value};
use fmu_runtime::Simulation;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational::ConstantTorque;
use std::f64::consts::FRAC_PI_2;

/// Asserts that variables have values, with an error relative to one plus the value.
fn assert_values(model: &mut Simulation, wanted: &[(&str, f64)], tolerance: f64) {
    for &(name, wanted) in wanted {
        let found = value(model, name);
        let error = (found - wanted).abs() / (1.0 + wanted.abs());
        assert!(error < tolerance, "t={} {name}: {found} {wanted}", model.time());
    }
    assert_closed(model);
}

/// A uniform bar of `r` in m and 1 kg, which is thin.
fn thin(r: [f64; 3]) -> BodyShape {
    let square: f64 = r.iter().map(|c| c * c).sum();
    let inertia = r.map(|c| (square - c * c) / 12.0);
    BodyShape::new().r(r).r_cm(r.map(|c| c / 2.0)).m(1.0).inertia(inertia)
}

/// `count` four-bar linkages side by side; all bars have 1 m and 1 kg. The bars on the ground start
/// upright with 1 m/s at their ends.
fn four_bars(m: &mut Assembly, count: usize) {
    let world = m.add("world", World::new().g(9.81));
    let mut before = None;
    for k in 0..=count {
        let foot = m.add(format!("foot{k}"), FixedTranslation::new().r([k as f64, 0.0, 0.0]));
        let joint = Revolute::new().n(Z);
        let joint = match k {
            0 => joint.phi(fixed(FRAC_PI_2)).w(fixed(-1.0)),
            _ => joint.phi(guess(FRAC_PI_2)).w(guess(-1.0)),
        };
        let joint = m.add(format!("a{k}"), joint);
        let side = m.add(format!("side{k}"), thin([1.0, 0.0, 0.0]));
        m.chain((world.frame_b, foot, joint, side.frame_a));
        if let Some(before) = before {
            let pin = Revolute::new().n(Z).phi(guess(-FRAC_PI_2)).w(guess(1.0));
            let pin = m.add(format!("b{k}"), pin);
            let top = m.add(format!("top{k}"), thin([1.0, 0.0, 0.0]));
            let end = m.add(format!("c{k}"), Revolute::new().n(Z));
            m.chain((before, pin, top, end, side.frame_b));
        }
        before = Some(side.frame_b);
    }
}

#[test]
fn n_four_bars_pass_all_change_points() {
    // phi and phi' after 10 s of phi'' = -g ((N+1)/2 + N) / ((N+1)/3 + N) cos(phi).
    let exact = [
        (1, -30.3439449709344, -1.9669347194139),
        (2, -30.1798008601829, -1.5066421808185),
        (5, -30.0831607289968, -1.2775873626599),
        (10, -30.0509334959797, -1.2122622165118),
    ];
    for (count, phi, w) in exact {
        for forced in [false, true] {
            let mut model = simulation(|m| {
                m.free_loops(forced);
                four_bars(m, count);
            })
            .expect("the model is sound");
            model.start(Some(1e-8)).expect("the initial system has a solution");
            assert_eq!(model.continuous_states().len(), 2 * (2 * count + 1));
            let first = energy(&mut model);
            run_to(&mut model, 10.0);
            let drift = energy(&mut model) - first;
            assert!(drift.abs() < 1e-6, "{drift:e}");
            for bar in ["a0".to_owned(), format!("a{count}")] {
                let [angle, speed] = ["phi", "w"].map(|what| format!("{bar}.{what}"));
                assert_values(&mut model, &[(&angle, phi), (&speed, w)], 1e-6);
            }
        }
    }
}

/// Andrews' squeezer: seven bodies, a spring and a motor in a plane.
fn squeezer(m: &mut Assembly, be: Revolute) {
    let part = |r: [f64; 2], mass: f64, cm: [f64; 2], i: f64| {
        let [r, cm] = [r, cm].map(|[x, y]| [x, y, 0.0]);
        BodyShape::new().r(r).m(mass).r_cm(cm).inertia([i; 3])
    };
    let at = |x: f64, y: f64| FixedTranslation::new().r([x, y, 0.0]);
    let joint = |phi: f64| Revolute::new().n(Z).phi(guess(phi));
    add! { m,
        world: World::new().g(0),
        g_a: at(-0.06934, -0.00227),
        g_b: at(-0.03635, 0.03273),
        g_c: at(0.014, 0.072),
        k1: part([0.007, 0.0], 0.04325, [0.00092, 0.0], 2.194e-6),
        k2: part([-0.028, 0.0], 0.00365, [-0.0115, 0.0], 4.41e-7),
        k3: part([0.0, -0.035], 0.02373, [0.01043, -0.01874], 5.255e-6),
        k3_d: at(0.02, -0.018),
        k4: part([0.0, -0.02], 0.00706, [0.0, -0.00579], 5.667e-7),
        k5: part([0.04, 0.0], 0.0705, [0.02308, 0.00916], 1.169e-5),
        k6: part([0.02, 0.0], 0.00706, [0.00579, 0.0], 5.667e-7),
        k7: part([0.0, -0.04], 0.05498, [-0.00449, -0.01228], 1.912e-5),
        be: be,
        th: joint(0.0),
        ga: joint(0.46),
        de: joint(0.49),
        ph: joint(0.22),
        ep: joint(1.23),
        om: joint(-0.22),
        e3: joint(0.52),
        e4: joint(0.77),
        e6: joint(1.07),
        spring: Spring::new().c(4530).s_unstretched(0.07785),
        motor: ConstantTorque::new().tau_constant(0.033),
    }
    m.chain((world.frame_b, be, k1, th, k2.frame_a));
    m.chain((world.frame_b, g_a.frame_a));
    m.chain((world.frame_b, g_b, ga, k3.frame_a));
    m.chain((g_a.frame_b, de, k5, ph, k4.frame_a));
    m.chain((g_a.frame_b, ep, k7, om, k6.frame_a));
    m.chain((k2.frame_b, e3, k3.frame_b));
    m.chain((k2.frame_b, e4, k4.frame_b));
    m.chain((k2.frame_b, e6, k6.frame_b));
    m.chain((k3.frame_a, k3_d, spring, g_c.frame_b));
    m.chain((world.frame_b, g_c.frame_a));
    m.connect(motor.flange, be.axis);
}

#[test]
fn andrews_squeezer_has_the_published_end() {
    // Test Set for Initial Value Problem Solvers, Andrews' squeezing mechanism, at 0.03 s.
    let published = [
        ("be.phi", 15.81077119629904),
        ("th.phi", -15.75637105984298),
        ("ga.phi", 0.04082224013073101),
        ("ph.phi", -0.5347301163226948),
        ("de.phi", 0.5244099658805304),
        ("om.phi", 0.5347301163226948),
        ("ep.phi", 1.048080741042263),
    ];
    for (always, forced) in [(true, false), (false, false), (false, true)] {
        let mut model = start(|m| {
            m.free_loops(forced);
            let be = Revolute::new().n(Z).phi(fixed(-0.0617138900142764)).w(fixed(0.0));
            squeezer(m, if always { be.states(Always) } else { be });
        });
        run_to(&mut model, 0.03);
        assert_values(&mut model, &published, 1e-9);
        // With other lengths, the dyads on the left can be stretched before the crank has turned.
        assert_eq!(model.continuous_states().len(), if always { 2 } else { 14 });
    }
}

/// Bricard's mechanism: five thin bars of 1 m and 1 kg along edges of a cube.
fn bricard(m: &mut Assembly) {
    let world = m.add("world", World::new().g(9.81));
    let bars =
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let axes = [Y, Z, X, Y, Z, X];
    let mut frame = world.frame_b;
    for (k, n) in axes.into_iter().enumerate() {
        let joint = Revolute::new().n(n);
        let joint = match k {
            0 => joint.phi(fixed(0.0)).w(fixed(0.0)),
            _ => joint.phi(guess(0.0)),
        };
        let joint = m.add(format!("j{k}"), joint);
        m.connect(frame, joint.frame_a);
        frame = joint.frame_b;
        if let Some(&r) = bars.get(k) {
            let bar = m.add(format!("bar{k}"), thin(r));
            m.connect(frame, bar.frame_a);
            frame = bar.frame_b;
        }
    }
    let ground = m.add("ground", FixedTranslation::new().r([0.0, 0.0, 1.0]));
    m.connect(world.frame_b, ground.frame_a);
    m.connect(frame, ground.frame_b);
}

#[test]
fn bricards_mechanism_moves_as_its_energy_says() {
    for forced in [false, true] {
        let mut model = start(|m| {
            m.free_loops(forced);
            bricard(m);
        });
        let first = energy(&mut model);
        for [t, a, b] in BRICARD {
            run_to(&mut model, t);
            let names = ["j0.phi", "j1.phi", "j2.phi", "j3.phi", "j4.phi", "j5.phi"];
            let wanted: Vec<_> = names.into_iter().zip([a, b, a, b, a, b]).collect();
            assert_values(&mut model, &wanted, 1e-9);
            let drift = energy(&mut model) - first;
            assert!(drift.abs() < 1e-9, "{drift:e}");
        }
    }
}

/// A flyball governor: two arms of 0.5 m with balls of 2 kg at their ends, and links of 0.3 m from
/// the arms to a sleeve of 1.5 kg. The initial values are those of an arm or of the sleeve.
fn governor(m: &mut Assembly, of_sleeve: bool) {
    let down = |l: f64| FixedTranslation::new().r([0.0, -l, 0.0]);
    let point = |m: f64, l: f64| Body::new().m(m).r_cm([0.0, -l, 0.0]).inertia([0.0; 3]);
    let joint = |phi: f64, w: f64| Revolute::new().n(Z).phi(guess(phi)).w(guess(w));
    let (alpha, rate) = (0.6_f64, -4.0);
    let (s, v) = (0.6 * alpha.cos(), -0.6 * alpha.sin() * rate);
    let slide = Prismatic::new().n([0.0, -1.0, 0.0]);
    let (arm, slide) = match of_sleeve {
        true => (joint(alpha, rate), slide.s(fixed(s)).v(fixed(v))),
        false => {
            let arm = Revolute::new().n(Z).phi(fixed(alpha)).w(fixed(rate));
            (arm, slide.s(guess(s)).v(guess(v)))
        }
    };
    add! { m,
        world: World::new().g(9.81),
        spindle: Revolute::new().n(Y).phi(fixed(0.0)).w(fixed(1.5)),
        shaft: Body::new().m(0.0).r_cm([0.0; 3]).inertia([0.0, 0.05, 0.0]),
        slide: slide,
        sleeve: point(1.5, 0.0),
        right: arm,
        right_ball: point(2.0, 0.5),
        right_arm: down(0.3),
        right_pin: joint(-2.0 * alpha, -2.0 * rate),
        right_link: down(0.3),
        right_end: Revolute::new().n(Z),
        left: joint(-alpha, -rate),
        left_ball: point(2.0, 0.5),
        left_arm: down(0.3),
        left_pin: joint(2.0 * alpha, 2.0 * rate),
        left_link: down(0.3),
        left_end: Revolute::new().n(Z),
    }
    m.chain((world.frame_b, spindle, shaft.frame_a));
    m.chain((spindle.frame_b, slide, sleeve.frame_a));
    m.chain((spindle.frame_b, right, right_ball.frame_a));
    m.chain((right.frame_b, right_arm, right_pin, right_link, right_end, slide.frame_b));
    m.chain((spindle.frame_b, left, left_ball.frame_a));
    m.chain((left.frame_b, left_arm, left_pin, left_link, left_end, slide.frame_b));
}

#[test]
fn the_balls_of_a_governor_swing_through_its_spindle() {
    for (of_sleeve, forced) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut model = start(|m| {
            m.free_loops(forced);
            governor(m, of_sleeve);
        });
        for [t, turned, angle, speed, rate] in GOVERNOR {
            run_to(&mut model, t);
            let wanted = [
                ("spindle.phi", turned),
                ("spindle.w", speed),
                ("right.phi", angle),
                ("right.w", rate),
                ("left.phi", -angle),
                ("slide.s", 0.6 * angle.cos()),
            ];
            assert_values(&mut model, &wanted, 1e-9);
        }
    }
}

/// From `tests/python/maximal_coordinates.py`: a time, and the angles of every second joint.
const BRICARD: [[f64; 3]; 5] = [
    [2.0, 2.89558329202, -0.197115147945],
    [4.0, 1.00936390109, -0.476231122424],
    [6.0, 1.06523026124, -0.485486110009],
    [8.0, 2.86680856212, -0.21508228277],
    [10.0, 0.000735660378, -0.000735119579603],
];

/// From `tests/python/maximal_coordinates.py`: a time, the turn of the spindle, the angle of
/// an arm, and their rates.
const GOVERNOR: [[f64; 5]; 5] = [
    [0.4, 1.40765632338, -0.996758838377, 0.732638920187, -1.50231897127],
    [0.8, 1.91434886352, -0.214268843999, 5.81047511563, 4.94073393825],
    [1.2, 3.13403893201, 1.06125799727, 0.681255829461, 0.0266775810319],
    [1.6, 4.33745175898, -0.199159597468, 6.20612268657, -4.94445618755],
    [2.0, 4.86027054993, -1.00126922772, 0.728677710198, 1.44875169836],
];
