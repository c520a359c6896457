//! Closed loops: energy, closure, and the agreement of different formulations.

mod common;

use common::{energy, start, step, value};

#[path = "../../fourbar1/src/model.rs"]
#[allow(missing_docs)]
mod fourbar1;
#[path = "../../fourbar2/src/model.rs"]
#[allow(missing_docs)]
mod fourbar2;

#[test]
fn fourbar2_keeps_its_energy_and_its_rod_length() {
    let mut model = start(fourbar2::fourbar2);
    let initial = energy(&mut model);
    let length = value(&mut model, "universalSpherical.rodLength");
    assert!((length - 1.1_f64.sqrt()).abs() < 1e-15);
    for _ in 0..2000 {
        step(&mut model, 1e-3);
        let rod: f64 = (1..=3)
            .map(|i| value(&mut model, &format!("universalSpherical.rRod_0[{i}]")).powi(2))
            .sum();
        assert!((rod.sqrt() - length).abs() < 1e-14);
    }
    let drift = (energy(&mut model) - initial) / initial;
    assert!(drift.abs() < 1e-9, "energy drifts by {drift:e}");
    println!("phi(2) = {}", value(&mut model, "j1.phi"));
    for _ in 0..3000 {
        step(&mut model, 1e-3);
    }
    println!("phi(5) = {}", value(&mut model, "j1.phi"));
}
#[test]
fn fourbar1() {
    let mut model = start(fourbar1::fourbar1);
    let initial = energy(&mut model);
    for _ in 0..2000 {
        step(&mut model, 1e-3);
    }
    let drift = (energy(&mut model) - initial) / initial;
    assert!(drift.abs() < 1e-9, "energy drifts by {drift:e}");
    println!("phi(2) = {}", value(&mut model, "j1.phi"));
}
