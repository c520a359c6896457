//! Models of the repository and the texts of the Modelica Standard Library from which they come
//! have the same results.

use coupler::{Assembly, Simulation, simulation};
use modelica::library::Library;
use modelica::model::Model;
use models::MODELS;
use std::collections::BTreeSet;

/// The tolerance of both simulations.
const TOLERANCE: f64 = 1e-12;

/// The largest difference, as a part of the range of a variable.
const ALLOWED: f64 = 1e-9;

/// The smallest range, in SI units: a variable that is zero but for rounding has none.
const SMALLEST_RANGE: f64 = 1.0;

/// Outputs of models that the texts name otherwise.
const OTHERWISE_NAMED: [&str; 1] = ["engineTorque"];

/// Models, and the classes below `Modelica.Mechanics` from which they come.
const ORIGINALS: &[(&str, &str)] = &[
    ("actuated_drive", "MultiBody.Examples.Rotational3DEffects.ActuatedDrive"),
    ("backlash", "Rotational.Examples.Backlash"),
    ("bevel_gear1d", "MultiBody.Examples.Rotational3DEffects.BevelGear1D"),
    ("brake", "Translational.Examples.Brake"),
    ("coupled_clutches", "Rotational.Examples.CoupledClutches"),
    ("damper", "Translational.Examples.Damper"),
    ("double_pendulum", "MultiBody.Examples.Elementary.DoublePendulum"),
    ("elasto_gap", "Translational.Examples.ElastoGap"),
    ("engine1a", "MultiBody.Examples.Loops.Engine1a"),
    ("engine1b", "MultiBody.Examples.Loops.Engine1b"),
    ("first", "Rotational.Examples.First"),
    ("first_grounded", "Rotational.Examples.FirstGrounded"),
    ("force_and_torque", "MultiBody.Examples.Elementary.ForceAndTorque"),
    ("fourbar1", "MultiBody.Examples.Loops.Fourbar1"),
    ("fourbar2", "MultiBody.Examples.Loops.Fourbar2"),
    ("fourbar_analytic", "MultiBody.Examples.Loops.Fourbar_analytic"),
    ("free_body", "MultiBody.Examples.Elementary.FreeBody"),
    ("gear_constraint", "MultiBody.Examples.Rotational3DEffects.GearConstraint"),
    ("line_force_with_two_masses", "MultiBody.Examples.Elementary.LineForceWithTwoMasses"),
    ("lossy_gear_demo1", "Rotational.Examples.LossyGearDemo1"),
    ("lossy_gear_demo2", "Rotational.Examples.LossyGearDemo2"),
    ("multibody_heat_losses", "MultiBody.Examples.Elementary.HeatLosses"),
    ("one_way_clutch", "Rotational.Examples.OneWayClutch"),
    ("oscillator", "Translational.Examples.Oscillator"),
    ("pendulum", "MultiBody.Examples.Elementary.Pendulum"),
    ("planar_fourbar", "MultiBody.Examples.Loops.PlanarFourbar"),
    ("point_gravity", "MultiBody.Examples.Elementary.PointGravity"),
    ("revolute_constraint", "MultiBody.Examples.Constraints.RevoluteConstraint"),
    ("rolling_wheel", "MultiBody.Examples.Elementary.RollingWheel"),
    ("rolling_wheel_set_driving", "MultiBody.Examples.Elementary.RollingWheelSetDriving"),
    ("rotational_eddy_current_brake", "Rotational.Examples.EddyCurrentBrake"),
    ("rotational_friction", "Rotational.Examples.Friction"),
    ("sign_convention", "Translational.Examples.SignConvention"),
    ("spherical_constraint", "MultiBody.Examples.Constraints.SphericalConstraint"),
    ("surfaces", "MultiBody.Examples.Elementary.Surfaces"),
    ("three_springs", "MultiBody.Examples.Elementary.ThreeSprings"),
    ("translational_eddy_current_brake", "Translational.Examples.EddyCurrentBrake"),
    ("translational_friction", "Translational.Examples.Friction"),
    ("user_defined_gravity_field", "MultiBody.Examples.Elementary.UserDefinedGravityField"),
    ("engine_v6", "MultiBody.Examples.Loops.EngineV6"),
    ("vehicle", "Translational.Examples.Vehicle"),
];

fn original(class: &str) -> Result<Simulation, String> {
    let library = Library::new(Library::folders_of_environment());
    let class = library.find(&format!("Modelica.Mechanics.{class}"));
    let class = class.map_err(|complaint| complaint.describe())?;
    let model = Model::new(library, &class);
    if let Err(complaints) = model.add_to(&mut Assembly::new()) {
        return Err(complaints[0].describe());
    }
    simulation(move |m: &mut Assembly| drop(model.add_to(m))).map_err(|error| error.to_string())
}

/// The values of the variables that both have, at ten equal steps.
fn values(
    simulation: &mut Simulation,
    names: &[String],
    stop: f64,
) -> Result<Vec<Vec<f64>>, String> {
    simulation.start(Some(TOLERANCE)).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for step in 0..=10 {
        if step > 0 {
            simulation.run_to(stop * f64::from(step) / 10.0).map_err(|error| error.to_string())?;
        }
        let row = names.iter().map(|name| simulation.read(name).map_err(|error| error.to_string()));
        rows.push(row.collect::<Result<Vec<f64>, _>>()?);
    }
    Ok(rows)
}

/// A comparison of a model with its original.
struct Comparison {
    /// The number of variables of both that vary.
    number: usize,
    /// The variable that differs most, and the difference over its range.
    worst: (String, f64),
}

fn compare(name: &str, class: &str) -> Result<Comparison, String> {
    let mut ours = MODELS.simulation(name).map_err(|error| error.to_string())?;
    let mut theirs = original(class)?;
    let of_theirs: BTreeSet<&str> = theirs.names().collect();
    let is_common = |name: &&str| {
        let is_other = name.starts_with("solver.") || OTHERWISE_NAMED.contains(name);
        of_theirs.contains(name) && !is_other
    };
    let names: Vec<String> = ours.names().filter(is_common).map(str::to_owned).collect();
    let stop = ours.info().stop_time;
    let (ours, theirs) = (values(&mut ours, &names, stop)?, values(&mut theirs, &names, stop)?);
    let mut comparison = Comparison { number: 0, worst: (String::new(), 0.0) };
    for (j, name) in names.into_iter().enumerate() {
        let span = |rows: &[Vec<f64>]| {
            let column = rows.iter().map(|row| row[j]);
            let ends = column.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            ends.1 - ends.0
        };
        let range = span(&ours).max(span(&theirs));
        // Parameters have other names in some texts.
        if range == 0.0 {
            continue;
        }
        comparison.number += 1;
        let range = range.max(SMALLEST_RANGE);
        let differences = ours.iter().zip(&theirs).map(|(a, b)| (a[j] - b[j]).abs() / range);
        let largest = differences.fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a });
        if largest > comparison.worst.1 || largest.is_nan() {
            comparison.worst = (name, largest);
        }
    }
    Ok(comparison)
}

#[test]
fn models_have_the_results_of_their_originals() {
    if std::env::var_os("MODELICAPATH").is_none() {
        println!("skipped: MODELICAPATH is not set");
        return;
    }
    let mut differing = Vec::new();
    for (name, class) in ORIGINALS {
        match compare(name, class) {
            Ok(Comparison { number, worst: (variable, error) }) => {
                println!("{name}: {number} variables, {variable} differs by {error:.1e}");
                if !(error <= ALLOWED && number > 0) {
                    differing.push(format!("{name}: {variable} differs by {error:.1e}"));
                }
            }
            Err(sentence) => differing.push(format!("{name}: {sentence}")),
        }
    }
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}
