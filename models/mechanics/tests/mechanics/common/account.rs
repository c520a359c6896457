//! Energy accounts of tests: further states integrate the work of a model's sources and its losses.

use super::{energy, value};
use equations::{Ex, Expression, Model};
use fmu_runtime::Simulation;

/// Adds the states `account.work`, `account.loss` and `account.turnover`, in J: the work of the
/// sources whose torques and speeds have these names, the integral of every `lossPower`, and the
/// sum of the magnitudes of both.
pub fn keep_account(model: &mut Model, sources: &[[String; 2]]) {
    // A gearbox publishes the sum of the losses of its parts.
    let whole = |name: &str| name.ends_with(".lossPower") && name.matches('.').count() == 1;
    let losses: Vec<String> = model.names().filter(|name| whole(name)).map(str::to_owned).collect();
    let of = |name: &String| match model.expression_of(name) {
        Some(Expression::Real(power)) => power,
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

/// The energy in J that impacts have taken, as the model publishes it. No other event may change
/// the energy.
pub fn impacts(model: &mut Simulation) -> f64 {
    model.read("energy.lost_in_impacts").unwrap_or(0.0)
}

/// The energy in J that is missing in the account since the energy was `before`, and the energy
/// with which it is to be compared.
pub fn missing(model: &mut Simulation, before: f64) -> (f64, f64) {
    let change = energy(model) - before;
    let impacts = impacts(model);
    let [work, loss, turnover] =
        ["work", "loss", "turnover"].map(|name| value(model, &format!("account.{name}")));
    (work - loss - impacts - change, turnover + impacts.abs() + before.abs())
}
