//! A stop takes the momentum of the mass that meets it and of nothing else; the published example
//! HeatLosses of Translational loses more.

use coupler::Simulation;
use coupler_tests::curves::Columns;
use coupler_tests::root;
use coupler_tests::simulations::{run_to, value};
use coupler_tests::stop_impact::{
    LOSSES, StopImpact, figures, heat_losses, published_forces, section,
};

#[test]
fn the_train_moves_as_published_until_it_meets_the_stop() {
    let (figures, published) = (figures(), StopImpact::published());
    let mut model = coupler::simulation(heat_losses).expect("the model is sound");
    model.start(Some(1e-9)).expect("there are initial values");
    for (t, row) in figures.time.iter().zip(&figures.rows).filter(|(t, _)| **t < published.t) {
        run_to(&mut model, *t);
        for name in ["massWithStopAndFriction.s", "massWithStopAndFriction.v"] {
            let (ours, wanted) = (value(&mut model, name), row[figures.index(name)]);
            assert!((ours - wanted).abs() < 1e-5, "{name} at {t} s: {ours} is not {wanted}");
        }
    }
    let (ours, _) = StopImpact::simulated();
    assert!((ours.t - published.t).abs() < 1e-5, "{} s and {} s", ours.t, published.t);
    for k in 0..2 {
        let gap = ours.before[k] - published.before[k];
        assert!(gap.abs() < 1e-4, "{ours:?} and {published:?}");
    }
}

#[test]
fn a_stop_takes_the_momentum_of_the_mass_that_meets_it_only() {
    let (impact, lost) = StopImpact::simulated();
    assert!(impact.before[0] > 0.6 && impact.before[1] > 0.6, "{impact:?}");
    assert!(impact.impulse_behind().abs() < 1e-7, "{impact:?}");
    assert!(impact.after[1].abs() < 1e-12, "{impact:?}");
    assert!((impact.energy() - lost).abs() < 1e-7 && lost > 0.2, "{impact:?}: {lost} J");
    assert!((impact.energy_of_stop() - lost).abs() < 1e-7, "{impact:?}: {lost} J");
}

#[test]
fn the_energy_of_a_train_with_stops_is_balanced_to_its_end() {
    let mut model = coupler::simulation(heat_losses).expect("the model is sound");
    model.start(Some(1e-10)).expect("there are initial values");
    let kept = |model: &mut Simulation| {
        let kept = ["energy.kinetic", "energy.potential", "energy.lost_in_impacts"];
        kept.iter().map(|name| value(model, name)).sum::<f64>()
    };
    let first = kept(&mut model);
    run_to(&mut model, 2.0);
    let kept = kept(&mut model) - first;
    let lost: f64 = LOSSES.iter().map(|name| value(&mut model, &format!("{name}_lost.y"))).sum();
    let work = value(&mut model, "work.y");
    assert!(work > 1.0 && (kept + lost - work).abs() < 1e-7 * work, "{kept} + {lost}: {work} J");
}

#[test]
fn the_published_impact_takes_momentum_and_energy_without_a_force() {
    let impact = StopImpact::published();
    let forces = published_forces();
    assert!((forces[0] - forces[1]).abs() < 1e-4 && forces[0].abs() < 10.0, "{forces:?} N");
    assert!(impact.impulse_behind() < -0.67, "{impact:?}");
    let gap = impact.energy() - impact.energy_of_stop();
    assert!(gap > 0.23, "{gap} J of {impact:?}");
}

#[test]
fn the_document_states_the_balance_of_the_impact() {
    let text = std::fs::read_to_string(root().join("docs/validation.md")).expect("the document");
    assert!(text.ends_with(&section()), "`cargo xtask reference` writes it again");
}
