//! Tests that energy and momenta of systems without losses are constant.

use coupler_tests::curves::Columns;
use coupler_tests::simulations;

/// A model without losses.
struct System {
    model: &'static str,
    /// Parameters that are set to avoid losses.
    set: &'static [(&'static str, f64)],
    /// Bodies whose centres of mass are the origins of their frames, and whose angular momentum
    /// about the origin of the world is constant.
    central: &'static [&'static str],
}

const fn energy(model: &'static str) -> System {
    System { model, set: &[], central: &[] }
}

const fn without(model: &'static str, set: &'static [(&'static str, f64)]) -> System {
    System { model, set, central: &[] }
}

const NO_DAMPER: &[(&str, f64)] = &[("damper.d", 0.0)];

const SYSTEMS: &[System] = &[
    without("DoublePendulum", NO_DAMPER),
    energy("Engine1a"),
    energy("Fourbar1"),
    energy("Fourbar2"),
    energy("FreeBody"),
    without("Pendulum", NO_DAMPER),
    without("PlanarFourbar", NO_DAMPER),
    System { central: &["body1", "body2"], ..energy("PointGravity") },
    energy("ThreeSprings"),
    energy("TripleRocker"),
    energy("TumblingBody"),
];

/// The largest difference of values from the first one, in m2/s or J.
fn drift(values: &[f64]) -> f64 {
    values.iter().map(|value| (value - values[0]).abs()).fold(0.0, f64::max)
}

#[test]
fn systems_without_losses_conserve_energy_and_momenta() {
    let mut failures = Vec::new();
    for system in SYSTEMS {
        let mut simulation = simulations::named(system.model);
        let vectors =
            |body: &str| ["r_0", "v_0"].map(|v| [1, 2, 3].map(|k| format!("{body}.{v}[{k}]")));
        let bodies: Vec<_> = system.central.iter().map(|body| vectors(body)).collect();
        let mut record = vec!["energy.kinetic", "energy.potential"];
        record.extend(bodies.iter().flatten().flatten().map(String::as_str));
        simulations::start(&mut simulation, Some(1e-10), system.set);
        let stop = simulation.info().stop_time;
        let table = simulations::table(&mut simulation, stop / 500.0, stop, &record);
        let [kinetic, potential] = ["energy.kinetic", "energy.potential"].map(|e| table.column(e));
        let sum: Vec<f64> = kinetic.iter().zip(&potential).map(|(t, v)| t + v).collect();
        // Only differences of potential energy have a meaning.
        let most = kinetic.iter().copied().fold(0.0, f64::max).max(drift(&potential));
        assert!(most > 0.0, "{} moves", system.model);
        let mut errors = vec![("energy".to_owned(), drift(&sum) / most)];
        for (body, [r, v]) in system.central.iter().zip(&bodies) {
            let [r, v] = [r, v].map(|names| names.each_ref().map(|name| table.column(name)));
            let moment = |k: usize, i: usize| {
                let (a, b) = ((k + 1) % 3, (k + 2) % 3);
                r[a][i] * v[b][i] - r[b][i] * v[a][i]
            };
            let moments: Vec<Vec<f64>> =
                (0..3).map(|k| (0..sum.len()).map(|i| moment(k, i)).collect()).collect();
            let size = moments.iter().map(|l| l[0] * l[0]).sum::<f64>().sqrt();
            let apart = moments.iter().map(|l| drift(l)).fold(0.0, f64::max);
            errors.push((format!("angular momentum of {body}"), apart / size));
        }
        for (what, error) in errors {
            if error.is_nan() || error > 1e-8 {
                failures.push(format!("{}: {what} drifts by {error:e}", system.model));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
