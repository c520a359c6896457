//! Which start value each initial condition determines.

use crate::common;
use crate::common::{initialize, program, refusal, simulation, simulation_of, start, step, value};
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational as r;

/// An arm on a gear, whose motor has an elastic shaft and a bearing with friction `tau` in N.m.
fn geared_arm(m: &mut Assembly, shaft: r::SpringDamper, tau: f64) {
    let world = m.add("world", World::new());
    let joint = m.add("joint", Revolute::new().n(Z));
    let arm = m.add("arm", Body::new().m(6.0).r_cm([0.4, 0.0, 0.0]));
    let gear = m.add("gear", r::IdealGear::new().ratio(40.0));
    let shaft = m.add("shaft", shaft);
    let bearing =
        m.add("bearing", r::BearingFriction::new().tau_pos([[0.0, tau], [1.0, 1.2 * tau]]));
    let motor = m.add("motor", r::Inertia::new().J(0.002));
    m.connect(world.frame_b, joint.frame_a);
    m.connect(joint.frame_b, arm.frame_a);
    m.connect(motor.flange_b, bearing.flange_a);
    m.connect(bearing.flange_b, shaft.flange_a);
    m.connect(shaft.flange_b, gear.flange_a);
    m.connect(gear.flange_b, joint.axis);
    let begin = m.add("begin", r::InitializeFlange::new());
    let [phi, zero] = [m.add("phi", Constant::new().k(0.3)), m.add("zero", Constant::new().k(0.0))];
    m.connect(phi.y, begin.phi_start);
    m.connect(zero.y, begin.w_start);
    m.connect(zero.y, begin.a_start);
    m.connect(begin.flange, joint.axis);
}

fn shaft() -> r::SpringDamper {
    r::SpringDamper::new().c(6.0).d(0.01).w_rel(fixed(0.0)).states(Always)
}

/// Weight of the arm at the shaft in N.m.
fn load() -> f64 {
    6.0 * 9.80665 * 0.4 * 0.3_f64.cos() / 40.0
}

#[test]
fn an_acceleration_determines_the_stretch_of_a_spring_behind_a_gear() {
    let program = program(|m| geared_arm(m, shaft(), 2.0)).unwrap();
    let mut model = simulation_of(&program);
    initialize(&mut model);
    assert!((value(&mut model, "joint.phi") - 0.3).abs() < 1e-12);
    assert!(value(&mut model, "joint.a").abs() < 1e-9);
    let stretch = value(&mut model, "shaft.phi_rel");
    assert!((stretch.abs() - load() / 6.0).abs() < 1e-9, "{stretch}");
    assert_eq!(value(&mut model, "bearing.mode"), 0.0);
    step(&mut model, 0.01);
    assert!((value(&mut model, "joint.phi") - 0.3).abs() < 1e-12);
    let notes = program.notes().join("\n");
    assert!(notes.contains("begin: the initial acceleration determines shaft.phi_rel"), "{notes}");
}

/// A wheel on a spring, which a clutch couples to a flywheel that turns at `w` in rad/s.
fn clutched(m: &mut Assembly, w: f64) {
    let wall = m.add("wall", r::Fixed::new().phi0(0.0));
    let spring = m.add("spring", r::Spring::new().c(50.0));
    let wheel = m.add("wheel", r::Inertia::new().J(0.4).w(fixed(0.0)));
    let clutch = m.add("clutch", r::Clutch::new().fn_max(30.0));
    let press = m.add("press", Constant::new().k(1.0));
    let flywheel = m.add("flywheel", r::Inertia::new().J(2.0).w(fixed(w)));
    let begin = m.add("begin", r::InitializeFlange::new());
    let zero = m.add("zero", Constant::new().k(0.0));
    m.connect(wall.flange, spring.flange_a);
    m.connect(spring.flange_b, wheel.flange_a);
    m.connect(wheel.flange_b, clutch.flange_a);
    m.connect(press.y, clutch.f_normalized);
    m.connect(clutch.flange_b, flywheel.flange_a);
    m.connect(zero.y, begin.a_start);
    m.connect(begin.flange, wheel.flange_a);
}

#[test]
fn a_sliding_clutch_takes_part_in_the_balance_at_the_start() {
    for (w, sign) in [(10.0, 1.0), (-10.0, -1.0)] {
        let mut model = start(|m| clutched(m, w));
        assert!(value(&mut model, "wheel.a").abs() < 1e-9);
        let phi = value(&mut model, "wheel.phi");
        assert!((phi - sign * 15.0 / 50.0).abs() < 1e-9, "{phi}");
    }
}

/// A shaft whose speed a PI controller holds at 30 rad/s against a load of 4 N.m.
fn controlled(m: &mut Assembly, pi: PI, inertia: r::Inertia) -> r::InertiaPorts {
    let wanted = m.add("wanted", Constant::new().k(30.0));
    let error = m.add("error", Feedback::new());
    let pi = m.add("pi", pi);
    let lag = m.add("lag", FirstOrder::new().k(1.0).T(0.05).steady_state(true));
    let torque = m.add("torque", r::Torque::new());
    let shaft = m.add("shaft", inertia);
    let drag =
        m.add("drag", r::QuadraticSpeedDependentTorque::new().tau_nominal(-4.0).w_nominal(30.0));
    let sensor = m.add("sensor", r::SpeedSensor::new());
    m.connect(wanted.y, error.u1);
    m.connect(sensor.w, error.u2);
    m.connect(error.y, pi.u);
    m.connect(pi.y, lag.u);
    m.connect(lag.y, torque.tau);
    m.connect(torque.flange, shaft.flange_a);
    m.connect(drag.flange, shaft.flange_b);
    m.connect(sensor.flange, shaft.flange_b);
    shaft
}

/// An acceleration of a flange at the start.
fn accelerate(m: &mut Assembly, flange: Flange, a: f64) {
    let begin = m.add("begin", r::InitializeFlange::new());
    let wanted = m.add("a_start", Constant::new().k(a));
    m.connect(wanted.y, begin.a_start);
    m.connect(begin.flange, flange);
}

#[test]
fn a_controller_and_its_plant_start_in_their_steady_state() {
    let pi = || PI::new().k(2.0).T(0.4).steady_state(true);
    let names = ["shaft.w", "pi.x", "lag.y"];
    // The controller determines the speed, the rest of the shaft the state of the controller.
    let mut model = start(|m| {
        let shaft = controlled(m, pi(), r::Inertia::new().J(0.3).phi(fixed(0.0)).w(guess(20.0)));
        accelerate(m, shaft.flange_a, 0.0);
    });
    let first = names.map(|name| value(&mut model, name));
    let wanted = [30.0, 2.0, 4.0];
    assert!(first.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{first:?}");
    step(&mut model, 0.1);
    let then = names.map(|name| value(&mut model, name));
    assert!(first.iter().zip(then).all(|(a, b)| (a - b).abs() < 1e-9), "{then:?}");

    // Otherwise the state of the controller is free.
    let mut model = start(|m| {
        controlled(
            m,
            pi().x_start(guess(0.7)),
            r::Inertia::new().J(0.3).phi(fixed(0.0)).w(guess(20.0)),
        );
    });
    let first = names.map(|name| value(&mut model, name));
    assert!((first[0] - 30.0).abs() < 1e-9 && (first[1] - 0.7).abs() < 1e-12, "{first:?}");
    assert!((first[2] - 1.4).abs() < 1e-9, "{first:?}");
}

#[test]
fn a_start_value_of_a_controller_that_is_not_fixed_is_determined_by_other_conditions() {
    let begin = |start: Start, wanted: f64| {
        let model = simulation(|m| {
            let inertia = r::Inertia::new().J(0.3).phi(fixed(0.0)).w(fixed(20.0));
            let shaft = controlled(m, PI::new().k(2.0).T(0.4).x_start(start), inertia);
            if !start.fixed {
                accelerate(m, shaft.flange_a, 0.0);
            }
        });
        let mut model = model.expect("the model is sound");
        initialize(&mut model);
        let x = value(&mut model, "pi.x");
        assert!((x - wanted).abs() < 1e-9, "{start:?}: {x}");
    };
    // At 20 rad/s the load takes 4 (20 / 30)^2 N.m, which the controller gives at an error of 10.
    let balanced = 2.0 * 4.0 / 9.0 - 10.0;
    begin(guess(1.0), balanced);
    begin(free(), balanced);
    begin(fixed(0.25), 0.25);
    let open = program(|m| {
        let u = m.add("u", Constant::new().k(0.0));
        let pi = m.add("pi", PI::new().k(2.0).T(0.4).x_start(guess(1.5)));
        m.add("idle", r::Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(0.0)));
        m.connect(u.y, pi.u);
    });
    let open = open.expect("the model is sound");
    let note = "no initial condition determines pi.x; it begins at its start value";
    assert_eq!(open.notes(), [note]);
    let mut open = simulation_of(&open);
    initialize(&mut open);
    assert_eq!(value(&mut open, "pi.x"), 1.5);
}

#[test]
fn a_filter_in_a_closed_loop_starts_at_rest() {
    let mut model = start(|m| {
        let torque = m.add("torque", r::Torque::new());
        let shaft = m.add("shaft", r::Inertia::new().J(0.3).phi(fixed(0.0)).w(guess(1.0)));
        let drag = m.add("drag", r::Damper::new().d(0.5));
        let wall = m.add("wall", r::Fixed::new().phi0(0.0));
        let sensor = m.add("sensor", r::SpeedSensor::new());
        let filter = m.add("filter", CriticalDamping::new().n(2).f(3.0).steady_state(true));
        let wanted = m.add("wanted", Constant::new().k(12.0));
        let error = m.add("error", Feedback::new());
        let gain = m.add("gain", Gain::new().k(2.0).unit("N.m"));
        m.connect(wanted.y, error.u1);
        m.connect(filter.y, error.u2);
        m.connect(error.y, gain.u);
        m.connect(gain.y, torque.tau);
        m.connect(torque.flange, shaft.flange_a);
        m.connect(shaft.flange_b, drag.flange_a);
        m.connect(drag.flange_b, wall.flange);
        m.connect(sensor.flange, shaft.flange_b);
        m.connect(sensor.w, filter.u);
        accelerate(m, shaft.flange_a, 0.0);
    });
    // 2 (12 - w) = 0.5 w
    for name in ["shaft.w", "filter.x[1]", "filter.x[2]"] {
        assert!((value(&mut model, name) - 9.6).abs() < 1e-9, "{name}");
    }
}

#[test]
fn a_controller_whose_plant_is_given_cannot_start_at_rest() {
    let message = refusal(|m| {
        let shaft = r::Inertia::new().J(0.3).phi(fixed(0.0)).w(fixed(20.0));
        controlled(m, PI::new().k(2.0).T(0.4).steady_state(true), shaft);
    });
    assert_eq!(
        message,
        "pi.x: the steady state at the start depends on no initial value that is free; it depends \
         on shaft.w, which is fixed"
    );
}

#[test]
fn an_acceleration_determines_the_speed_where_the_position_is_fixed() {
    let mut model = start(|m| {
        let wheel = m.add("wheel", r::Inertia::new().J(0.5).phi(fixed(0.3)).w(guess(1.0)));
        let wall = m.add("wall", r::Fixed::new().phi0(0.0));
        let damper = m.add("damper", r::Damper::new().d(0.2));
        m.connect(wall.flange, damper.flange_a);
        m.connect(damper.flange_b, wheel.flange_a);
        accelerate(m, wheel.flange_b, -3.0);
    });
    assert!((value(&mut model, "wheel.phi") - 0.3).abs() < 1e-15);
    assert!((value(&mut model, "wheel.w") - 7.5).abs() < 1e-9);
    assert!((value(&mut model, "wheel.a") + 3.0).abs() < 1e-9);
}

#[test]
fn an_angle_of_a_flange_without_inertia_determines_the_stretch_of_its_springs() {
    let mut model = start(|m| {
        let wall = m.add("wall", r::Fixed::new().phi0(0.0));
        let soft = m.add("soft", r::Spring::new().c(10.0).phi_rel(fixed(0.2)));
        let stiff = m.add("stiff", r::Spring::new().c(40.0));
        let wheel = m.add("wheel", r::Inertia::new().J(1.0).w(fixed(0.0)));
        m.connect(wall.flange, soft.flange_a);
        m.connect(soft.flange_b, stiff.flange_a);
        m.connect(stiff.flange_b, wheel.flange_a);
    });
    assert!((value(&mut model, "soft.phi_rel") - 0.2).abs() < 1e-12);
    assert!((value(&mut model, "wheel.phi") - 0.25).abs() < 1e-12);
}

/// A crank of 0.1 m and a rod of 0.3 m that move a slider.
fn slider_crank(m: &mut Assembly, crank: Revolute, slider: Prismatic) {
    let world = m.add("world", World::new());
    let crank = m.add("crank", crank);
    let arm = m.add("arm", BodyCylinder::new().r([0.1, 0.0, 0.0]).diameter(0.02));
    let pin = m.add("pin", Revolute::new().n(Z));
    let rod = m.add("rod", BodyCylinder::new().r([0.3, 0.0, 0.0]).diameter(0.02));
    let wrist = m.add("wrist", RevolutePlanarLoopConstraint::new().n(Z));
    let slider = m.add("slider", slider);
    let mass = m.add("piston", Body::new().m(0.5).r_cm([0.0; 3]));
    m.connect(world.frame_b, crank.frame_a);
    m.connect(crank.frame_b, arm.frame_a);
    m.connect(arm.frame_b, pin.frame_a);
    m.connect(pin.frame_b, rod.frame_a);
    m.connect(rod.frame_b, wrist.frame_a);
    m.connect(world.frame_b, slider.frame_a);
    m.connect(slider.frame_b, wrist.frame_b);
    m.connect(mass.frame_a, slider.frame_b);
}

#[test]
fn two_speeds_of_a_linkage_determine_its_position() {
    let crank = || Revolute::new().n(Z).phi(guess(1.0)).w(fixed(5.0)).states(Always);
    let slider = |v: f64| Prismatic::new().n(X).s(guess(0.4)).v(fixed(v));
    let mut model = start(|m| slider_crank(m, crank(), slider(-0.4)));
    assert!((value(&mut model, "crank.w") - 5.0).abs() < 1e-12);
    assert!((value(&mut model, "slider.v") + 0.4).abs() < 1e-9);
    let phi = value(&mut model, "crank.phi");
    let (x, y) = (0.1 * phi.cos(), 0.1 * phi.sin());
    let v = -5.0 * y - y * 5.0 * x / (0.09 - y * y).sqrt();
    assert!((v + 0.4).abs() < 1e-9, "{phi}");

    let message = refusal(|m| {
        slider_crank(m, crank().phi(fixed(1.0)), slider(-0.4));
    });
    let sentence = "slider.v: its fixed start speed is one too many: the loop closed by wrist \
                    already determines it; it depends on";
    assert!(message.starts_with(sentence), "{message}");
    assert!(message.contains("crank.phi") && message.contains("crank.w"), "{message}");
}

#[test]
fn fixed_starts_that_contradict_each_other_through_a_loop_are_all_named() {
    let crank = |start| Revolute::new().n(Z).phi(start);
    let slider = |start| Prismatic::new().n(X).s(start);
    let message = |phi, s| refusal(|m| slider_crank(m, crank(phi), slider(s)));
    let at = |phi: f64| 0.1 * phi.cos() + (0.09 - (0.1 * phi.sin()).powi(2)).sqrt();

    let contradiction = message(fixed(1.0), fixed(0.2));
    let both = "wrist: the loop cannot be closed with the fixed start values crank.phi = 1 rad, \
                slider.s = 0.2 m, which contradict each other: a gap of ";
    assert!(contradiction.starts_with(both), "{contradiction}");
    assert!(contradiction.ends_with(" m remains; free one of them"), "{contradiction}");

    let surplus = message(fixed(1.0), fixed(at(1.0)));
    assert_eq!(
        surplus,
        "slider.s: its fixed start value is one too many: the loop closed by wrist already \
         determines it; it depends on crank.phi, which is fixed"
    );

    // Crank and rod reach no further than 0.4 m.
    let beyond = message(guess(0.5), fixed(0.45));
    let one =
        "wrist: the loop cannot be closed with the fixed start value slider.s = 0.45 m: a gap";
    assert!(beyond.starts_with(one) && beyond.ends_with("; free it"), "{beyond}");

    // From where both bars are on one line no step leads to a place that is within reach; the
    // search begins elsewhere too.
    assert_eq!(message(guess(0.0), fixed(0.3)), "");
}

/// Inertias in kg.m2, stiffnesses in N.m/rad and dampings in N.m.s/rad of a chain on a wall.
const CHAIN: [[f64; 3]; 3] = [[0.5, 40.0, 1.5], [0.8, 25.0, 2.5], [0.3, 60.0, 0.8]];

/// The chain, with conditions on positions (0), speeds (1) and accelerations (2) of its wheels.
fn chain(m: &mut Assembly, conditions: &[(usize, usize, f64)]) {
    let mut before = m.add("wall", r::Fixed::new().phi0(0.0)).flange;
    for (k, [inertia, stiffness, damping]) in CHAIN.into_iter().enumerate() {
        let spring = m.add(format!("spring{k}"), r::SpringDamper::new().c(stiffness).d(damping));
        let wheel = m.add(format!("wheel{k}"), r::Inertia::new().J(inertia));
        let begin = m.add(format!("begin{k}"), r::InitializeFlange::new());
        m.connect(before, spring.flange_a);
        m.connect(spring.flange_b, wheel.flange_a);
        m.connect(begin.flange, wheel.flange_a);
        for &(_, order, wanted) in conditions.iter().filter(|c| c.0 == k) {
            let value = m.add(format!("value{k}_{order}"), Constant::new().k(wanted));
            m.connect(value.y, [begin.phi_start, begin.w_start, begin.a_start][order]);
        }
        before = wheel.flange_b;
    }
}

/// The rows of the conditions in the positions and speeds of the wheels.
fn rows(conditions: &[(usize, usize, f64)]) -> nalgebra::DMatrix<f64> {
    let mut rows = nalgebra::DMatrix::zeros(conditions.len(), 6);
    for (row, &(k, order, _)) in conditions.iter().enumerate() {
        if order < 2 {
            rows[(row, 3 * order + k)] = 1.0;
            continue;
        }
        // J a = tau of the spring behind, less tau of the spring before.
        for (spring, sign) in [(k, -1.0), (k + 1, 1.0)].into_iter().filter(|s| s.0 < 3) {
            let [_, stiffness, damping] = CHAIN[spring];
            for (first, slope) in [(0, stiffness), (3, damping)] {
                let slope = sign * slope / CHAIN[k][0];
                rows[(row, first + spring)] += slope;
                if spring > 0 {
                    rows[(row, first + spring - 1)] -= slope;
                }
            }
        }
    }
    rows
}

#[test]
fn any_six_conditions_on_a_chain_of_three_wheels_are_met_or_refused() {
    let all: Vec<(usize, usize)> = (0..3).flat_map(|k| (0..3).map(move |o| (k, o))).collect();
    let mut random = common::Random(3);
    let (mut met, mut refused) = (0, 0);
    for chosen in (0..512_usize).filter(|set| set.count_ones() == 6) {
        let picked = all.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1);
        let conditions: Vec<(usize, usize, f64)> =
            picked.map(|(_, &(k, order))| (k, order, random.number())).collect();
        let rows = rows(&conditions);
        if rows.rank(1e-9) < 6 {
            refused += usize::from(!refusal(|m| chain(m, &conditions)).is_empty());
            continue;
        }
        let wanted = nalgebra::DVector::from_iterator(6, conditions.iter().map(|c| c.2));
        let solution = rows.lu().solve(&wanted).expect("a regular system");
        let mut model = start(|m| chain(m, &conditions));
        for k in 0..3 {
            for (name, of) in [("phi", k), ("w", 3 + k)] {
                let gap = value(&mut model, &format!("wheel{k}.{name}")) - solution[of];
                assert!(gap.abs() < 1e-8, "{conditions:?}: wheel{k}.{name} is off by {gap}");
            }
        }
        met += 1;
    }
    // Fifteen sets leave something undetermined.
    assert_eq!((met, refused), (69, 15));
}

/// A shaft and a free body; an integrator that starts at rest holds the sum of their speeds.
fn sum_of_speeds(m: &mut Assembly, body: Body) {
    m.add("space", World::new().g(0.0));
    let body = m.add("body", body.angles_start(guess_vector([0.1, 0.2, 0.3])));
    let turning = m.add("turning", AbsoluteAngularVelocity::new());
    let shaft = m.add("shaft", r::Inertia::new().J(0.3).phi(fixed(0.0)).w(guess(1.0)));
    let sensor = m.add("sensor", r::SpeedSensor::new());
    let twice = m.add("twice", Gain::new().k(2.0));
    let wanted = m.add("wanted", Constant::new().k(5.0));
    let error = m.add("error", Feedback::new());
    let rest = m.add("rest", Feedback::new());
    let integrator = m.add("integrator", Integrator::new().k(1.0).steady_state(true));
    m.connect(body.frame_a, turning.frame_a);
    m.connect(shaft.flange_b, sensor.flange);
    m.connect(sensor.w, twice.u);
    m.connect(wanted.y, error.u1);
    m.connect(twice.y, error.u2);
    m.connect(error.y, rest.u1);
    m.connect(turning.w[0], rest.u2);
    m.connect(rest.y, integrator.u);
}

#[test]
fn a_guess_of_an_orientation_is_no_guess_of_its_angular_velocity() {
    for quaternions in [true, false] {
        let body = || {
            let body = Body::new().m(1.0).r_cm([0.0; 3]).inertia([0.3, 0.5, 0.4]);
            body.use_quaternions(quaternions)
        };
        // A start value that was not given is determined, and is not a guess.
        let mut model = start(|m| sum_of_speeds(m, body()));
        assert!((value(&mut model, "shaft.w") - 1.0).abs() < 1e-12);
        let mut model =
            start(|m| sum_of_speeds(m, body().w_0_start(guess_vector([1.0, 0.0, 0.0]))));
        assert!((value(&mut model, "shaft.w") - 1.0).abs() > 0.1);
    }
}
