//! Tests that the automatic choice of the method needs little more work than the better method.

use coupler_tests::chains::stiff_chain;
use coupler_tests::fmu::starts;
use coupler_tests::{own, simulations};
use fmu_runtime::Simulation;
use fmu_runtime::simulation::FmuState;
use libraries::multibody::*;
use libraries::prelude::*;
use libraries::rotational;

/// Largest work relative to that of the better method.
const MAX_RATIO: f64 = 1.15;

/// `solver.method` of the implicit method.
const RODAS5P: f64 = 2.0;

/// A robot with six axes. Each has a motor with bearing friction, an elastic gear, and a controller
/// that acts like a spring-damper between the motor and a reference; `stiff` multiplies stiffness
/// and damping of the gears.
fn robot(m: &mut Assembly, stiff: f64) {
    let world = m.add("world", World::new());
    let mut last = world.frame_b;
    for k in 0..6 {
        let name = |what: &str| format!("{what}{}", k + 1);
        let size = 0.75_f64.powi(k);
        let reference = Sine::new().amplitude(0.5 * 105.0).f(0.4 + 0.1 * f64::from(k));
        let reference = m.add(name("reference"), reference);
        let position = m.add(name("position"), rotational::Position::new());
        let controller = rotational::SpringDamper::new().c(20.0 * size).d(0.5 * size);
        let controller = m.add(name("controller"), controller);
        let motor = rotational::Inertia::new().J(1.3e-3 * size).phi(fixed(0.0)).w(fixed(0.0));
        let motor = m.add(name("motor"), motor);
        let bearing = rotational::BearingFriction::new().tau_pos([[0.0, 0.4], [200.0, 0.6]]);
        let bearing = m.add(name("bearing"), bearing);
        let ratio = m.add(name("ratio"), rotational::IdealGear::new().ratio(105.0));
        let gear = rotational::SpringDamper::new().c(8e4 * stiff * size).d(80.0 * stiff * size);
        let gear = m.add(name("gear"), gear);
        let axis = if k % 3 == 0 { Y } else { Z };
        let joint = Revolute::new().n(axis).phi(fixed(0.0)).w(fixed(0.0));
        let joint = m.add(name("joint"), joint);
        let arm = BodyShape::new().r([0.5 * size, 0.0, 0.0]).r_cm([0.25 * size, 0.0, 0.02]);
        let inertia = [0.1, 0.6, 0.6].map(|i| i * size * size * size);
        let arm = m.add(name("arm"), arm.m(15.0 * size).inertia(inertia));
        m.connect(reference.y, position.phi_ref);
        m.connect(position.flange, controller.flange_a);
        m.connect(controller.flange_b, motor.flange_a);
        m.connect(motor.flange_b, bearing.flange_a);
        m.connect(bearing.flange_b, ratio.flange_a);
        m.connect(ratio.flange_b, gear.flange_a);
        m.connect(gear.flange_b, joint.axis);
        m.connect(last, joint.frame_a);
        m.connect(joint.frame_b, arm.frame_a);
        last = arm.frame_b;
    }
}

/// A chain of `n` inertias with stiff springs, whose dampings are multiplied by a factor.
fn chain(n: usize, damping: f64) -> Simulation {
    let mut simulation = own::simulation("stiff_chain", |m| stiff_chain(m, n));
    for spring in 1..n {
        let d = format!("spring{spring}.d");
        let value = simulations::value(&mut simulation, &d);
        simulations::set(&mut simulation, &d, damping * value);
    }
    simulation
}

/// The work of a simulation with a value of `solver.method`.
fn work(simulation: &mut Simulation, start: &FmuState, stop: f64, method: f64) -> f64 {
    simulation.set_fmu_state(start).expect("it is a state of this model");
    simulations::set(simulation, "solver.method", method);
    simulation.start(Some(1e-6)).unwrap_or_else(|error| panic!("{error}"));
    simulations::run_to(simulation, stop);
    simulation.work()
}

#[test]
fn the_choice_of_the_method_is_nearly_as_good_as_the_better_method() {
    let robot = |stiff| own::simulation("robot", |m: &mut Assembly| robot(m, stiff));
    let named = |name: &'static str| {
        let mut simulation = simulations::named(name);
        starts(name)
            .iter()
            .for_each(|(name, value)| simulations::set(&mut simulation, name, *value));
        simulation
    };
    let models = [
        ("robot", robot(1.0), 0.3),
        ("robot with stiff gears", robot(10.0), 0.3),
        ("robot with gears that are stiffer still", robot(25.0), 0.3),
        ("robot with very stiff gears", robot(1000.0), 0.03),
        ("short chain", chain(6, 1.0), 0.02),
        ("chain", chain(30, 1.0), 0.02),
        ("chain of elastic springs", chain(12, 1e-2), 0.2),
        ("chain of very elastic springs", chain(12, 1e-4), 0.2),
        ("vehicle", named("Vehicle"), 2.0),
        ("actuated drive", named("ActuatedDrive"), 2.0),
        ("coupled clutches", named("CoupledClutches"), 1.5),
        ("test bench", named("TestBench"), 1.0),
        ("drive train", named("Drivetrain"), 1.0),
    ];
    let (mut bad, mut stiff) = (Vec::new(), 0);
    for (name, mut simulation, stop) in models {
        let start = simulation.fmu_state();
        let mut work = |method| work(&mut simulation, &start, stop, method);
        let [auto, tsit5, rodas5p] = [0.0, 1.0, RODAS5P].map(&mut work);
        let ratio = auto / tsit5.min(rodas5p);
        println!("{name}: {ratio:.3} (Auto {auto:.0}, Tsit5 {tsit5:.0}, Rodas5P {rodas5p:.0})");
        if ratio > MAX_RATIO {
            bad.push((name, ratio));
        }
        stiff += u32::from(rodas5p < tsit5);
    }
    assert!(bad.is_empty(), "{bad:?}");
    assert!((3..=9).contains(&stiff), "{stiff} models are stiff");
}
