//! The account of a model's energy: work of its sources and losses, as further states.

use super::{energy, value};
use equations::{Ex, Model, Quantity};
use fmu_runtime::Simulation;

/// Adds the states `account.work`, `account.loss` and `account.turnover`, in J: the work of sources
/// whose torques and speeds have these names, what everything with a `lossPower` has lost, and the
/// sum of both without their signs.
pub fn keep_account(model: &mut Model, sources: &[[String; 2]]) {
    // A gearbox says the sum of what its parts say.
    let whole = |name: &str| name.ends_with(".lossPower") && name.matches('.').count() == 1;
    let losses: Vec<String> = model.names().filter(|name| whole(name)).map(str::to_owned).collect();
    let of = |name: &String| match model.quantity_of(name) {
        Some(Quantity::Real(power)) => power,
        _ => panic!("{name}: no such variable"),
    };
    let sum = |powers: &mut dyn Iterator<Item = Ex>| powers.fold(Ex::from(0.0), |sum, p| sum + p);
    let powers = sources.iter().map(|[torque, speed]| -(of(torque) * of(speed)));
    let powers: Vec<Ex> = powers.collect();
    let work = sum(&mut powers.iter().copied());
    let driving = sum(&mut powers.iter().map(|power| power.abs()));
    let loss = sum(&mut losses.iter().map(of));
    let entries = [("work", work), ("loss", loss), ("turnover", driving + loss.abs())];
    for (name, power) in entries {
        let state = model.state(&format!("account.{name}"), 0.0).unit("J").done();
        model.derivative(state, power);
    }
}

/// The energy that impacts have taken, in J: what the model says of it. No other event may change
/// the energy.
pub fn impacts(model: &mut Simulation) -> f64 {
    model.read("energy.lost_in_impacts").unwrap_or(0.0)
}

/// What is missing in the account since energy was `before`, and the size to compare it with.
pub fn missing(model: &mut Simulation, before: f64) -> (f64, f64) {
    let change = energy(model) - before;
    let impacts = impacts(model);
    let [work, loss, turnover] =
        ["work", "loss", "turnover"].map(|name| value(model, &format!("account.{name}")));
    (work - loss - impacts - change, turnover + impacts.abs() + before.abs())
}
