//! Many friction elements that act on each other: consistent modes are found in few sweeps, and the
//! same ones every time.

use crate::common::{
    Random, follow, initialize, program, run_to, settle, simulate, simulation_of, start, value,
};
use equations::{Interpreter, NamedFailure, Program, RelationSearch};
use fmu_runtime::Simulation;
use libraries::prelude::*;
use libraries::rotational::*;

/// The connections between the elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Topology {
    /// Every element between neighbours.
    Chain,
    /// Every element between a new inertia and a random older one.
    Tree,
    /// Every element between a new inertia and the first one.
    Star,
    /// As a chain, with planetary gears that couple every third inertia.
    Planetary,
    /// Pairs of elements side by side.
    Parallel,
}

use Topology::{Chain, Parallel, Planetary, Star, Tree};

const TOPOLOGIES: [Topology; 5] = [Chain, Tree, Star, Planetary, Parallel];

/// The properties of a network; all numbers are drawn from a seed.
#[derive(Clone, Copy, Debug)]
struct Network {
    topology: Topology,
    elements: usize,
    peak: f64,
    moving: bool,
    seed: u64,
}

/// Adds the network; every inertia is driven by its own torque.
fn network(m: &mut Assembly, n: Network) {
    let mut random = Random(n.seed);
    let mut positive = |scale: f64| scale * (random.number() + 1.0);
    let press = m.add("press", Constant::new().k(1.0));
    let (mut nodes, mut speeds) = (Vec::new(), Vec::new());
    for k in 0..n.elements {
        // In a planetary gear the third inertia follows the other two.
        let follows = n.topology == Planetary && k % 3 == 2;
        let body = Inertia::new().J(0.2 + positive(0.5));
        let w = if n.moving { positive(2.0) - 2.0 } else { 0.0 };
        let body = if follows { body } else { body.phi(fixed(0.0)).w(fixed(w)) };
        nodes.push(m.add(format!("J{k}"), body));
        // Sun, ring and carrier of the planetary gears below.
        speeds.push(if follows { 3.0 * speeds[k - 2] - 2.0 * speeds[k - 1] } else { w });
        let torque = m.add(format!("torque{k}"), Torque::new());
        let amplitude = positive(10.0) - 10.0;
        let tau = Sine::new().amplitude(amplitude).f(0.3 + positive(1.0)).phase(positive(3.0));
        let tau = m.add(format!("tau{k}"), tau);
        m.connect(tau.y, torque.tau);
        m.connect(torque.flange, nodes[k].flange_a);
        if follows {
            let gear = m.add(format!("gear{k}"), IdealPlanetary::new().ratio(2.0));
            m.connect(gear.sun, nodes[k].flange_a);
            m.connect(gear.ring, nodes[k - 1].flange_a);
            m.connect(gear.carrier, nodes[k - 2].flange_a);
        }
    }
    for k in 0..n.elements {
        let (name, fn_max) = (format!("f{k}"), positive(8.0));
        let other = match n.topology {
            Chain | Planetary => k.wrapping_sub(1),
            Tree => (positive(0.5) * k as f64) as usize,
            Star => 0,
            Parallel => (k / 2).wrapping_sub(1),
        };
        let node = if n.topology == Parallel { k / 2 } else { k };
        let kind = positive(2.0);
        if other < node && kind < 2.5 {
            let clutch = m.add(name, Clutch::new().fn_max(fn_max).peak(n.peak));
            m.connect(press.y, clutch.f_normalized);
            m.connect(nodes[other].flange_b, clutch.flange_a);
            m.connect(clutch.flange_b, nodes[node].flange_b);
        } else if kind < 3.0 {
            let brake = m.add(name, Brake::new().fn_max(fn_max).peak(n.peak));
            m.connect(press.y, brake.f_normalized);
            m.connect(nodes[node].flange_b, brake.flange_a);
        } else if other < node && kind < 3.4 {
            let clutch = m.add(name, OneWayClutch::new().fn_max(fn_max).peak(n.peak));
            m.connect(press.y, clutch.f_normalized);
            // It slides forward only.
            let slow_first = speeds[other] <= speeds[node];
            let [a, b] = if slow_first { [other, node] } else { [node, other] };
            m.connect(nodes[a].flange_b, clutch.flange_a);
            m.connect(clutch.flange_b, nodes[b].flange_b);
        } else {
            let bearing = BearingFriction::new().tau_pos(0.5 * fn_max).peak(n.peak);
            let bearing = m.add(name, bearing);
            m.connect(nodes[node].flange_b, bearing.flange_a);
        }
    }
}

/// Asserts that every element is stuck within its limit, or slides in the direction of its torque.
fn assert_consistent(model: &mut Simulation, n: Network) {
    for k in 0..n.elements {
        let get = |model: &mut Simulation, names: [&str; 2]| {
            let of = |model: &mut Simulation, name| model.read(&format!("f{k}.{name}"));
            of(model, names[0]).or_else(|_| of(model, names[1])).expect("one of the two")
        };
        let (v, a) = (get(model, ["w_rel", "w"]), get(model, ["a_rel", "a"]));
        let (tau, locked) = (get(model, ["tau"; 2]), get(model, ["locked"; 2]) == 1.0);
        let low = match model.read(&format!("f{k}.fn")) {
            Ok(normal) => 0.5 * normal,
            Err(_) => get(model, ["tau_pos[1,2]"; 2]),
        };
        let one_way = model.read(&format!("f{k}.stuck")).is_ok();
        let high = low * n.peak.max(if one_way { 1.0 + 1e-4 } else { 1.0 });
        let text = format!("{n:?}, t = {}, f{k}: tau {tau}, v {v}, a {a}", model.time());
        let holds = if one_way { tau } else { tau.abs() };
        if locked {
            assert!(a.abs() < 1e-8 && holds <= high * (1.0 + 1e-7), "stuck: {text}");
        } else {
            assert!((tau.abs() - low).abs() < 1e-9, "sliding: {text}");
            let way = tau.signum();
            let starts = v.abs() < 1e-9 && a * way > -1e-8;
            assert!(v * way > 0.0 || starts, "sliding: {text}");
        }
    }
}

/// Runs a check on small and large networks of all topologies, with and without a peak.
fn check(sizes: &[usize], moving: bool, mut each: impl FnMut(Network, &Program)) {
    for &elements in sizes {
        for topology in TOPOLOGIES {
            for (seed, peak) in [(1, 1.0), (2, 1.1), (3, 1.5)] {
                let n = Network { topology, elements, peak, moving, seed };
                each(n, &program(|m| network(m, n)).expect("the model is sound"));
            }
        }
    }
}

/// A network after its start.
fn begun(program: &Program) -> Simulation {
    let mut model = simulation_of(program);
    initialize(&mut model);
    model
}

/// The torques of another instant, with everything at rest again.
fn rest_at(model: &mut Simulation, seed: u64) {
    let still = vec![0.0; model.continuous_states().len()];
    model.move_to(1000.0 * Random(seed).number(), &still).expect("the equations have a solution");
}

/// The number of sweeps over the relations until they are consistent.
fn sweeps(model: &mut Interpreter) -> usize {
    let kinds = model.program().relation_kinds();
    let mut settling = RelationSearch::new(model.r.len());
    settling.start_from(&model.r);
    let settled = settling.find_consistent(|relations, truths, _| {
        model.r.copy_from_slice(relations);
        model.realize()?;
        model.relations()?;
        for (k, truth) in truths.iter_mut().enumerate() {
            *truth = kinds[k].truth(model.d[k], model.t);
        }
        Ok::<_, NamedFailure>(())
    });
    settled.unwrap_or_else(|_| panic!("the relations settle"))
}

#[test]
fn networks_at_rest_find_consistent_modes_whatever_drives_them() {
    let mut worst = 0;
    check(&[3, 7, 12], false, |n, program| {
        let (mut model, mut equations) = (begun(program), Interpreter::new(program.clone()));
        for k in 0..20 {
            rest_at(&mut model, k);
            follow(&mut equations, &model);
            worst = worst.max(sweeps(&mut equations));
            settle(&mut model);
            assert_consistent(&mut model, n);
        }
    });
    assert!((3..=10).contains(&worst), "{worst} sweeps");
}

#[test]
fn networks_in_motion_find_consistent_modes_at_every_event() {
    let mut events = 0;
    check(&[5, 12], true, |n, program| {
        simulate(&mut begun(program), 0.1, |model| {
            assert_consistent(model, n);
            events += 1;
        });
    });
    assert!(events > 100, "{events} events");
}

#[test]
fn the_same_modes_are_found_every_time() {
    check(&[10], false, |n, program| {
        let (mut model, mut again) = (begun(program), begun(program));
        for k in 0..10 {
            for model in [&mut model, &mut again] {
                rest_at(model, k);
                settle(model);
            }
            assert_eq!(model.point().m, again.point().m, "{n:?}");
            assert_eq!(model.point().r, again.point().r, "{n:?}");
        }
    });
}

#[test]
fn friction_never_gives_power() {
    for topology in TOPOLOGIES {
        for (seed, peak) in [(1, 1.1), (2, 1.5), (3, 2.0)] {
            let n = Network { topology, elements: 7, peak, moving: false, seed };
            let mut model = start(|m| network(m, n));
            let mut events = 0;
            simulate(&mut model, 0.5, |model| {
                events += 1;
                for k in 0..n.elements {
                    let loss = value(model, &format!("f{k}.lossPower"));
                    assert!(loss > -1e-6, "{n:?}, t = {}: f{k} gives {} W", model.time(), -loss);
                }
            });
            assert!(events > 0, "{n:?}");
        }
    }
}

#[test]
fn an_inertia_that_creeps_between_stuck_elements_is_stuck_too() {
    // The friction of the bearings determines where both lock. The carrier keeps the sum of the
    // speeds that remain in them, of either sign.
    for k in 0..12 {
        let (sun, ring) = (1.0 + 0.3 * f64::from(k), 2.0 - 0.2 * f64::from(k));
        let mut model = start(|m| {
            let gear = m.add("gear", IdealPlanetary::new().ratio(2.0));
            for (name, flange, w) in [("sun", gear.sun, sun), ("ring", gear.ring, ring)] {
                let inertia = Inertia::new().J(1.0).phi(fixed(0.0)).w(fixed(w));
                let inertia = m.add(name, inertia);
                let bearing = m.add(format!("{name}Bearing"), BearingFriction::new().tau_pos(3.0));
                m.connect(flange, inertia.flange_a);
                m.connect(inertia.flange_b, bearing.flange_a);
            }
            let bearing = m.add("carrierBearing", BearingFriction::new().tau_pos(0.1));
            m.connect(gear.carrier, bearing.flange_a);
        });
        run_to(&mut model, 3.0);
        // An event happens elsewhere.
        settle(&mut model);
        for name in ["sun", "ring", "carrier"] {
            let mode = value(&mut model, &format!("{name}Bearing.mode"));
            assert_eq!(mode, 0.0, "{name} of {k}");
        }
    }
}
