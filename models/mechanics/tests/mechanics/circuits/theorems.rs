//! Theorems on random circuits.

use super::networks::{Element, Kind, Law, Network};
use super::pencils::{is_grounded, pencil};
use crate::common::cores::on_all_cores;
use crate::common::{Random, along, program, seeds, simulation_of, value};
use fmu_runtime::Simulation;
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

fn some_seeds() -> Vec<u64> {
    seeds(&(0..60).collect::<Vec<_>>())
}

/// Whether the structure of a circuit is the same for all values of parameters: currents through
/// the ports of a gyrator may cancel if its conductances are equal.
fn is_generic(network: &Network) -> bool {
    pencil(network, false) == pencil(network, true)
}

/// Checks something of all networks of a kind that have a solution.
fn on_all(kind: Kind, check: impl Fn(&Network, &mut Simulation) -> Result<(), String> + Sync) {
    let checked = AtomicUsize::new(0);
    let complaints = on_all_cores(&some_seeds(), |seed| {
        let network = Network::random(seed, kind);
        if !is_generic(&network) {
            return None;
        }
        let mut model = match program(|m| drop(network.add(m))) {
            Ok(program) => simulation_of(&program),
            Err(_) => return None,
        };
        checked.fetch_add(1, Relaxed);
        let checked = match model.start(Some(1e-9)) {
            Ok(()) => check(&network, &mut model),
            Err(why) => Err(why.to_string()),
        };
        let checked = match checked {
            Err(why)
                if [": those of them that", "no states of"].iter().any(|of| why.contains(of)) =>
            {
                is_extreme(&network, model.time()).map_err(|peak| format!("{why} ({peak:e})"))
            }
            checked => checked,
        };
        checked.err().map(|why| format!("{kind:?} {seed}: {why}\n{network:?}\n"))
    });
    let (checked, all) = (checked.into_inner(), complaints.len());
    assert!(
        all < 30 || 3 * checked >= all,
        "{kind:?}: only {checked} of {all} circuits have a solution"
    );
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.concat());
}

/// The same circuit, where ideal switches have this resistance and this conductance.
fn softened(network: &Network, size: f64) -> Network {
    let mut soft = network.clone();
    for element in &mut soft.elements {
        if let Law::Diode([ron, goff, _]) | Law::Switch([ron, goff, _]) = &mut element.law {
            [*ron, *goff] = [ron.max(size), goff.max(size)];
        }
    }
    soft
}

/// Whether sources that contradict each other at a time would cause extreme voltages or currents
/// if no switch were ideal; otherwise the largest one.
fn is_extreme(network: &Network, time: f64) -> Result<(), f64> {
    let soft = softened(network, 1e-6);
    let Ok(program) = program(|m| drop(soft.add(m))) else { return Ok(()) };
    let mut model = simulation_of(&program);
    model.start(Some(1e-6)).expect("a start");
    model.run_to(time).expect("a motion");
    let largest = |model: &mut Simulation| {
        let all = soft.elements.iter().flat_map(|of| ports(model, of)).flatten();
        all.fold(0.0, |largest: f64, x| largest.max(x.abs()))
    };
    let mut peak = largest(&mut model);
    model.run_to(time + 1e-3).expect("a motion");
    peak = peak.max(largest(&mut model));
    if peak > 1e3 { Ok(()) } else { Err(peak) }
}

/// The voltages and currents of an element.
fn ports(model: &mut Simulation, element: &Element) -> Vec<[f64; 2]> {
    let pins = element.pins();
    let mut read = |pin: &str, of: &str| value(model, &format!("{}.{pin}.{of}", element.name));
    let mut all = Vec::new();
    for pair in pins.chunks(2) {
        all.push([read(pair[0], "v") - read(pair[1], "v"), read(pair[0], "i")]);
    }
    all
}

fn power(model: &mut Simulation, element: &Element) -> f64 {
    ports(model, element).iter().map(|[v, i]| v * i).sum()
}

/// The stored energy of an element.
fn energy(model: &mut Simulation, element: &Element) -> f64 {
    let ports = ports(model, element);
    match element.law {
        Law::Capacitor(c, _) => 0.5 * c * ports[0][0].powi(2),
        Law::Inductor(l, _) => 0.5 * l * ports[0][1].powi(2),
        Law::Transformer([l1, l2, m], _) => {
            let [i1, i2] = [ports[0][1], ports[1][1]];
            0.5 * l1 * i1 * i1 + 0.5 * l2 * i2 * i2 + m * i1 * i2
        }
        _ => 0.0,
    }
}

fn total_energy(model: &mut Simulation, network: &Network) -> f64 {
    let rotor = |model: &mut Simulation, element: &Element| match element.law {
        Law::Emf([_, j]) => 0.5 * j * value(model, &format!("{}_rotor.w", element.name)).powi(2),
        _ => 0.0,
    };
    network.elements.iter().map(|of| energy(model, of) + rotor(model, of)).sum()
}

fn near(what: &str, value: f64, expected: f64, tolerance: f64) -> Result<(), String> {
    match (value - expected).abs() <= tolerance {
        true => Ok(()),
        false => Err(format!("{what}: {value:e}, not {expected:e} (within {tolerance:e})")),
    }
}

#[test]
fn exactly_the_circuits_with_a_solution_are_accepted() {
    for kind in [Kind::Any, Kind::Driven, Kind::Linear, Kind::Passive] {
        let found = on_all_cores(&some_seeds(), |seed| {
            let network = Network::random(seed, kind);
            if !is_generic(&network) {
                return (false, false, String::new());
            }
            let pencil = pencil(&network, false);
            if pencil.derivatives > 0 {
                // A motor beside a capacitor is refused, unless nodes lie between them.
                return (false, false, String::new());
            }
            let possible = pencil.states;
            let possible = possible.filter(|_| is_grounded(&network));
            let built = program(|m| drop(network.add(m)));
            let motors = network.elements.iter().filter(|of| matches!(of.law, Law::Emf(_)));
            let mechanical = 2 * motors.count();
            let states = built
                .as_ref()
                .ok()
                .map(|program| simulation_of(program).continuous_states().len() - mechanical);
            let sentence = built.err().unwrap_or_default();
            // Controlled sources may relate states by a factor that depends on a switch.
            let varies = kind == Kind::Any && sentence.contains("a factor that varies");
            let agrees = states == possible || varies;
            (
                possible.is_some(),
                !agrees,
                format!("{seed}: {states:?} {pencil:?} {sentence}\n{network:?}\n"),
            )
        });
        let wrong: Vec<&str> = found.iter().filter(|of| of.1).map(|of| &*of.2).collect();
        assert!(wrong.is_empty(), "{kind:?}: {} wrong\n{}", wrong.len(), wrong.concat());
        let accepted = found.iter().filter(|of| of.0).count();
        assert!(3 * accepted > found.len(), "{kind:?}: only {accepted} of {}", found.len());
    }
}

#[test]
fn the_powers_of_all_branches_cancel_and_so_do_currents_at_each_node() {
    on_all(Kind::Driven, powers_cancel);
    on_all(Kind::IdealDriven, powers_cancel);
}

fn powers_cancel(network: &Network, model: &mut Simulation) -> Result<(), String> {
    for step in 0..4 {
        model.run_to(0.13 * f64::from(step)).map_err(|why| why.to_string())?;
        let (mut sum, mut scale) = (0.0, 1e-3);
        let mut balances = vec![[0.0; 2]; network.nodes];
        for element in &network.elements {
            for (&node, pin) in element.nodes.iter().zip(element.pins()) {
                let [v, i] =
                    ["v", "i"].map(|of| value(model, &format!("{}.{pin}.{of}", element.name)));
                sum += v * i;
                scale += (v * i).abs();
                balances[node][0] += i;
                balances[node][1] += i.abs();
            }
        }
        near("Tellegen", sum, 0.0, 1e-12 * scale)?;
        let largest = balances.iter().map(|of| of[1]).fold(1.0, f64::max);
        for (node, [sum, _]) in balances.iter().enumerate() {
            if !network.grounds.contains(&node) {
                near(&format!("node {node}"), *sum, 0.0, 1e-12 * largest)?;
            }
        }
    }
    Ok(())
}

#[test]
fn stored_energy_grows_by_the_powers_of_all_other_elements() {
    on_all(Kind::Driven, |network, model| {
        for step in 0..3 {
            model.run_to(0.17 * f64::from(step)).map_err(|why| why.to_string())?;
            let stores = |of: &&Element| {
                matches!(of.law, Law::Capacitor(..) | Law::Inductor(..) | Law::Transformer(..))
            };
            let mut supplied = 0.0;
            let mut scale = 1.0;
            for element in network.elements.iter().filter(|of| !stores(of)) {
                let power = power(model, element);
                supplied -= power;
                scale += power.abs();
            }
            let h = 1e-6;
            let energies = along(model, &[h, -h], |model| {
                network.elements.iter().filter(stores).map(|of| energy(model, of)).sum::<f64>()
            });
            let rate = (energies[0] - energies[1]) / (2.0 * h);
            let rounding = 1e-15 * energies[0].abs() / h;
            near("power", rate, supplied, 1e-6 * scale + rounding)?;
        }
        Ok(())
    });
}

#[test]
fn a_circuit_without_sources_gains_no_energy() {
    for kind in [Kind::Passive, Kind::Ideal] {
        on_all(kind, never_gains);
    }
}

fn never_gains(network: &Network, model: &mut Simulation) -> Result<(), String> {
    let mut before = total_energy(model, network);
    for step in 1..30 {
        model.run_to(0.02 * f64::from(step)).map_err(|why| why.to_string())?;
        let now = total_energy(model, network);
        if now > before * (1.0 + 1e-7) + 1e-9 {
            return Err(format!("t = {}: {now} J after {before} J", model.time()));
        }
        before = now;
    }
    Ok(())
}

#[test]
fn order_names_and_directions_change_nothing_but_signs() {
    on_all(Kind::Linear, |network, model| {
        let (other, names) = network.rewritten(&mut Random(network.elements.len() as u64));
        let other = program(|m| drop(other.add(m))).map_err(|why| format!("rewritten: {why}"))?;
        let mut other = simulation_of(&other);
        other.start(Some(1e-9)).map_err(|why| why.to_string())?;
        for step in 0..2 {
            // States of loops may be others at the start, with other start values.
            if step == 0 && model.continuous_states().len() < stores(network) {
                return Ok(());
            }
            for simulation in [&mut *model, &mut other] {
                simulation.run_to(0.11 * f64::from(step)).map_err(|why| why.to_string())?;
            }
            for (element, (name, sign)) in network.elements.iter().zip(&names) {
                let renamed = Element { name: name.clone(), ..element.clone() };
                let pairs = ports(model, element).into_iter().zip(ports(&mut other, &renamed));
                for ([v, i], [other_v, other_i]) in pairs {
                    let power = (v * i).abs();
                    near(&element.name, sign * other_v, v, 1e-6 * (1.0 + v.abs() + power))?;
                    near(&element.name, sign * other_i, i, 1e-6 * (1.0 + i.abs() + power))?;
                }
            }
        }
        Ok(())
    });
}

/// The number of variables that can be states.
fn stores(network: &Network) -> usize {
    let of = |element: &Element| match element.law {
        Law::Capacitor(..) | Law::Inductor(..) => 1,
        Law::Emf(_) | Law::Transformer(..) => 2,
        _ => 0,
    };
    network.elements.iter().map(of).sum()
}

/// The current through a sensor between the node 1 and the ground, while a voltage drives the node
/// 0, or the same with both nodes exchanged. The circuit is empty at the start.
fn response(network: &Network, exchanged: bool) -> Option<f64> {
    let mut network = network.clone();
    for element in &mut network.elements {
        match &mut element.law {
            Law::Capacitor(_, start) | Law::Inductor(_, start) => *start = 0.0,
            Law::Transformer(_, start) => *start = [0.0; 2],
            _ => {}
        }
    }
    let program = program(|m| {
        add! { m,
            signal: Sine::new().amplitude(1).f(0.7),
            source: SignalVoltage::new(),
            rs: Resistor::new().R(0.5), ro: Resistor::new().R(0.5),
            sensor: CurrentSensor::new(),
            earth: Ground::new(),
        }
        m.connect(signal.y, source.v);
        m.connect(source.p, rs.p);
        m.connect(ro.n, sensor.p);
        for pin in [source.n, sensor.n] {
            m.connect(pin, earth.p);
        }
        let nodes = network.add(m);
        let [a, b] = if exchanged { [1, 0] } else { [0, 1] };
        m.connect(rs.n, nodes[a]);
        m.connect(ro.p, nodes[b]);
    });
    let mut model = simulation_of(&program.ok()?);
    model.start(Some(1e-9)).expect("a start");
    model.run_to(0.8).expect("a motion");
    Some(value(&mut model, "sensor.i"))
}

#[test]
fn ideal_switches_are_the_limit_of_those_with_little_resistance_and_conductance() {
    for kind in [Kind::Ideal, Kind::IdealDriven] {
        on_all(kind, |network, model| {
            model.run_to(0.45).map_err(|why| why.to_string())?;
            // After several steps of a jump, charges depend on resistances, however small.
            if model.messages().iter().any(|message| message.text.contains("energy is lost")) {
                return Ok(());
            }
            let soft = softened(network, 1e-7);
            let Ok(program) = program(|m| drop(soft.add(m))) else { return Ok(()) };
            let mut soft_model = simulation_of(&program);
            soft_model.start(Some(1e-8)).map_err(|why| format!("soft: {why}"))?;
            soft_model.run_to(0.45).map_err(|why| format!("soft: {why}"))?;
            for element in &network.elements {
                let pairs = ports(model, element).into_iter().zip(ports(&mut soft_model, element));
                for ([v, i], [soft_v, soft_i]) in pairs {
                    let stored = match element.law {
                        Law::Capacitor(..) => [v, soft_v],
                        Law::Inductor(..) | Law::Transformer(..) => [i, soft_i],
                        _ => continue,
                    };
                    let [exact, soft] = stored;
                    near(&element.name, soft, exact, 1e-4 * (1.0 + exact.abs()))?;
                }
            }
            Ok(())
        });
    }
}

#[test]
fn circuits_of_resistors_capacitors_and_inductors_are_reciprocal() {
    let found = on_all_cores(&some_seeds(), |seed| {
        let mut network = Network::random(seed, Kind::Reciprocal);
        network.grounds = vec![network.nodes - 1];
        let responses = [response(&network, false)?, response(&network, true)?];
        Some((seed, responses))
    });
    let found: Vec<(u64, [f64; 2])> = found.into_iter().flatten().collect();
    let size = |of: &&(u64, [f64; 2])| of.1[0].abs() > 1e-4;
    assert!(found.iter().filter(size).count() > some_seeds().len() / 3);
    for (seed, [one, other]) in found {
        assert!((one - other).abs() < 1e-7, "{seed}: {one} {other}");
    }
}
