//! Models of the repository and the texts of the Modelica Standard Library from which they come
//! have the same results.

use coupler::{Assembly, Simulation, simulation};
use modelica::library::Library;
use modelica::model::Model;
use models::MODELS;
use std::collections::BTreeSet;

/// The tolerance of both simulations.
const TOLERANCE: f64 = 1e-12;

/// Models whose currents of 1000 A leave rounding errors in others that are zero, and their
/// tolerance.
const LARGE: ([&str; 1], f64) = (["rectifier"], 1e-10);

/// The largest difference, as a part of the range of a variable.
const ALLOWED: f64 = 1e-9;

/// The smallest range, in SI units: a variable that is zero but for rounding has none.
const SMALLEST_RANGE: f64 = 1.0;

/// Outputs of models that the texts name otherwise.
const OTHERWISE_NAMED: [&str; 1] = ["engineTorque"];

/// Models, and the classes below `Modelica` from which they come.
const ORIGINALS: &[(&str, &str)] = &[
    ("actuated_drive", "Mechanics.MultiBody.Examples.Rotational3DEffects.ActuatedDrive"),
    ("backlash", "Mechanics.Rotational.Examples.Backlash"),
    ("bevel_gear1d", "Mechanics.MultiBody.Examples.Rotational3DEffects.BevelGear1D"),
    ("brake", "Mechanics.Translational.Examples.Brake"),
    ("cauer_low_pass_analog", "Electrical.Analog.Examples.CauerLowPassAnalog"),
    ("controlled_temperature", "Thermal.HeatTransfer.Examples.ControlledTemperature"),
    ("coupled_clutches", "Mechanics.Rotational.Examples.CoupledClutches"),
    ("damper", "Mechanics.Translational.Examples.Damper"),
    ("dcpm_start", "Electrical.Machines.Examples.DCMachines.DCPM_Start"),
    ("double_pendulum", "Mechanics.MultiBody.Examples.Elementary.DoublePendulum"),
    ("elasto_gap", "Mechanics.Translational.Examples.ElastoGap"),
    ("engine1a", "Mechanics.MultiBody.Examples.Loops.Engine1a"),
    ("engine1b", "Mechanics.MultiBody.Examples.Loops.Engine1b"),
    ("engine_v6", "Mechanics.MultiBody.Examples.Loops.EngineV6"),
    ("first", "Mechanics.Rotational.Examples.First"),
    ("first_grounded", "Mechanics.Rotational.Examples.FirstGrounded"),
    ("force_and_torque", "Mechanics.MultiBody.Examples.Elementary.ForceAndTorque"),
    ("fourbar1", "Mechanics.MultiBody.Examples.Loops.Fourbar1"),
    ("fourbar2", "Mechanics.MultiBody.Examples.Loops.Fourbar2"),
    ("fourbar_analytic", "Mechanics.MultiBody.Examples.Loops.Fourbar_analytic"),
    ("free_body", "Mechanics.MultiBody.Examples.Elementary.FreeBody"),
    ("gear_constraint", "Mechanics.MultiBody.Examples.Rotational3DEffects.GearConstraint"),
    ("heating_rectifier", "Electrical.Analog.Examples.HeatingRectifier"),
    ("ideal_triac_circuit", "Electrical.Analog.Examples.IdealTriacCircuit"),
    ("lc_oscillator", "Electrical.Analog.Examples.OpAmps.LCOscillator"),
    (
        "line_force_with_two_masses",
        "Mechanics.MultiBody.Examples.Elementary.LineForceWithTwoMasses",
    ),
    ("lossy_gear_demo1", "Mechanics.Rotational.Examples.LossyGearDemo1"),
    ("lossy_gear_demo2", "Mechanics.Rotational.Examples.LossyGearDemo2"),
    ("multibody_heat_losses", "Mechanics.MultiBody.Examples.Elementary.HeatLosses"),
    ("multivibrator", "Electrical.Analog.Examples.OpAmps.Multivibrator"),
    ("one_way_clutch", "Mechanics.Rotational.Examples.OneWayClutch"),
    ("oscillator", "Mechanics.Translational.Examples.Oscillator"),
    ("overvoltage_protection", "Electrical.Analog.Examples.OvervoltageProtection"),
    ("pendulum", "Mechanics.MultiBody.Examples.Elementary.Pendulum"),
    ("pid_controller", "Blocks.Examples.PID_Controller"),
    ("planar_fourbar", "Mechanics.MultiBody.Examples.Loops.PlanarFourbar"),
    ("point_gravity", "Mechanics.MultiBody.Examples.Elementary.PointGravity"),
    ("rectifier", "Electrical.Analog.Examples.Rectifier"),
    ("revolute_constraint", "Mechanics.MultiBody.Examples.Constraints.RevoluteConstraint"),
    ("rolling_wheel", "Mechanics.MultiBody.Examples.Elementary.RollingWheel"),
    ("rolling_wheel_set_driving", "Mechanics.MultiBody.Examples.Elementary.RollingWheelSetDriving"),
    ("rotational_eddy_current_brake", "Mechanics.Rotational.Examples.EddyCurrentBrake"),
    ("rotational_friction", "Mechanics.Rotational.Examples.Friction"),
    ("saturating_inductor", "Electrical.Analog.Examples.ShowSaturatingInductor"),
    ("schmitt_trigger", "Electrical.Analog.Examples.OpAmps.SchmittTrigger"),
    ("sign_convention", "Mechanics.Translational.Examples.SignConvention"),
    ("spherical_constraint", "Mechanics.MultiBody.Examples.Constraints.SphericalConstraint"),
    ("surfaces", "Mechanics.MultiBody.Examples.Elementary.Surfaces"),
    ("switch_with_arc", "Electrical.Analog.Examples.SwitchWithArc"),
    ("three_springs", "Mechanics.MultiBody.Examples.Elementary.ThreeSprings"),
    ("translational_eddy_current_brake", "Mechanics.Translational.Examples.EddyCurrentBrake"),
    ("translational_friction", "Mechanics.Translational.Examples.Friction"),
    (
        "user_defined_gravity_field",
        "Mechanics.MultiBody.Examples.Elementary.UserDefinedGravityField",
    ),
    ("variable_resistor", "Electrical.Analog.Examples.ShowVariableResistor"),
    ("vehicle", "Mechanics.Translational.Examples.Vehicle"),
];

fn original(class: &str) -> Result<Simulation, String> {
    let library = Library::new(Library::folders_of_environment());
    let class = library.find(&format!("Modelica.{class}"));
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
    (stop, tolerance): (f64, f64),
) -> Result<Vec<Vec<f64>>, String> {
    simulation.start(Some(tolerance)).map_err(|error| error.to_string())?;
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
    let tolerance = if LARGE.0.contains(&name) { LARGE.1 } else { TOLERANCE };
    let run = (ours.info().stop_time, tolerance);
    let (ours, theirs) = (values(&mut ours, &names, run)?, values(&mut theirs, &names, run)?);
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
