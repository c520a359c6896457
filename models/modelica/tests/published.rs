//! Models of the Modelica Standard Library, read from their texts, agree with published results.

use coupler::{Assembly, Simulation, simulation};
use modelica::library::{ClassNode, Library};
use modelica::model::{Model, named};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The packages with the models. `MODELICAPATH` names the folder of the library, and
/// `COUPLER_REFERENCE` that of the results: `<package>/<model>.csv`.
const PACKAGES: [&str; 6] = [
    "Modelica.Mechanics.Rotational.Examples",
    "Modelica.Mechanics.Translational.Examples",
    "Modelica.Mechanics.MultiBody.Examples",
    "ModelicaTest.Rotational",
    "ModelicaTest.Translational",
    "ModelicaTest.MultiBody",
];

/// Models of other packages.
const MODELS: [&str; 6] = [
    "ModelicaTest.Blocks.Discrete",
    "Modelica.Clocked.Examples.SimpleControlledDrive.Continuous",
    "Modelica.Clocked.Examples.SimpleControlledDrive.ClockedWithDiscreteController",
    "Modelica.Clocked.Examples.SimpleControlledDrive.ClockedWith_AD_DA_Effects",
    "Modelica.Clocked.Examples.CascadeControlledDrive.Continuous",
    "Modelica.Clocked.Examples.CascadeControlledDrive.SubClocked",
];

/// Blocks, circuits and heat. All published signals agree, except protected variables of blocks.
const MECHATRONIC: [&str; 46] = [
    "Modelica.Blocks.Examples.PID_Controller",
    "Modelica.Blocks.Examples.Filter",
    "Modelica.Blocks.Examples.RealNetwork1",
    "Modelica.Blocks.Examples.BooleanNetwork1",
    "Modelica.Blocks.Examples.SlewRateLimiter",
    "Modelica.Blocks.Examples.Modulation",
    "Modelica.Blocks.Examples.TotalHarmonicDistortion",
    "ModelicaTest.Blocks.BooleanTable",
    "ModelicaTest.Blocks.Continuous",
    "ModelicaTest.Blocks.Continuous_SteadyState",
    "ModelicaTest.Blocks.Hysteresis",
    "ModelicaTest.Blocks.LimPID",
    "ModelicaTest.Blocks.Limiters",
    "ModelicaTest.Blocks.Logical",
    "ModelicaTest.Blocks.Mean",
    "ModelicaTest.Blocks.PadeDelay1",
    "ModelicaTest.Blocks.ResetHoldIntegrator",
    "ModelicaTest.Blocks.FilterTests.Basic",
    "Modelica.Electrical.Analog.Examples.Rectifier",
    "Modelica.Electrical.Analog.Examples.CauerLowPassAnalog",
    "Modelica.Electrical.Analog.Examples.CauerLowPassSC",
    "Modelica.Electrical.Analog.Examples.CharacteristicIdealDiodes",
    "Modelica.Electrical.Analog.Examples.IdealTriacCircuit",
    "Modelica.Electrical.Analog.Examples.ShowSaturatingInductor",
    "Modelica.Electrical.Analog.Examples.SwitchWithArc",
    "Modelica.Electrical.Analog.Examples.OvervoltageProtection",
    "Modelica.Electrical.Analog.Examples.HeatingRectifier",
    "Modelica.Electrical.Analog.Examples.ResonanceCircuits",
    "Modelica.Electrical.Analog.Examples.ShowVariableResistor",
    "ModelicaTest.Electrical.Analog.Ideal.IdealTwoWaySwitches",
    "Modelica.Electrical.Analog.Examples.OpAmps.Adder",
    "Modelica.Electrical.Analog.Examples.OpAmps.SchmittTrigger",
    "Modelica.Electrical.Analog.Examples.OpAmps.LCOscillator",
    "Modelica.Electrical.Analog.Examples.OpAmps.Multivibrator",
    "Modelica.Electrical.Analog.Examples.OpAmps.Integrator",
    "Modelica.Electrical.Analog.Examples.OpAmps.ControlCircuit",
    "Modelica.Electrical.Batteries.Examples.CCCV_Cell",
    "Modelica.Electrical.Batteries.Examples.CCCVcharging",
    "Modelica.Electrical.Machines.Examples.DCMachines.DCPM_Start",
    "Modelica.Electrical.Machines.Examples.DCMachines.DCSE_Start",
    "Modelica.Electrical.Machines.Examples.DCMachines.DC_CompareCharacteristics",
    "Modelica.Electrical.Machines.Examples.SynchronousMachines.SMPM_CurrentSource",
    "Modelica.Electrical.PowerConverters.Examples.DCAC.SinglePhaseTwoLevel.SinglePhaseTwoLevel_R",
    "Modelica.Electrical.PowerConverters.Examples.DCDC.ChopperStepDown.ChopperStepDown_RL",
    "Modelica.Electrical.PowerConverters.Examples.DCDC.HBridge.HBridge_RL",
    "Modelica.Thermal.HeatTransfer.Examples.ControlledTemperature",
];

/// The last time in s at which a result of a circuit is right, and the sign of its signals.
fn validity(name: &str) -> (f64, f64) {
    match name.rsplit('.').next() {
        // The published period is too long by 1e-4 of its value.
        Some("Multivibrator") => (0.1, 1.0),
        // The sensor was connected the other way round when the results were published.
        Some("Adder") => (f64::INFINITY, -1.0),
        _ => (f64::INFINITY, 1.0),
    }
}

/// Models that differ; the page on models in Modelica says what is known about the reasons.
const DIFFERING: [&str; 6] = [
    "Modelica.Mechanics.Rotational.Examples.LossyGearDemo2",
    "Modelica.Mechanics.MultiBody.Examples.Elementary.PointGravity",
    "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6",
    "ModelicaTest.Rotational.InitializationConversion.Inertia",
    "ModelicaTest.MultiBody.Sensors.AbsoluteSensor",
    "ModelicaTest.MultiBody.InitializationConversion.Rotor1D",
];

/// Within this time of an event in s, a value may be that before or after it.
const AT_EVENT: f64 = 1e-6;

/// The largest value that is zero but for rounding.
const ROUNDING: f64 = 1e-10;

/// Models with an experiment, at any depth.
fn collect(library: &Library, class: &Rc<ClassNode>, found: &mut Vec<String>) {
    if named(&class.syntax.annotation, "experiment").is_some() && !class.syntax.partial {
        found.push(class.path.to_string());
    }
    for inner in library.children(class).unwrap_or_default() {
        collect(library, &inner, found);
    }
}

fn model(name: &str) -> Model {
    let library = Library::new(Library::folders_of_environment());
    let class = library.find(name).unwrap_or_else(|complaint| panic!("{}", complaint.describe()));
    Model::new(library, &class)
}

/// The first thing in a model that is not supported.
fn refusal(name: &str) -> Option<String> {
    let complaints = model(name).add_to(&mut Assembly::new()).err()?;
    complaints.first().map(|complaint| complaint.sentence.clone())
}

/// Builds a model and starts it.
fn started(name: &str) -> Result<(), String> {
    let text = model(name);
    let simulation = simulation(move |m: &mut Assembly| drop(text.add_to(m)));
    let mut simulation = simulation.map_err(|error| error.to_string())?;
    simulation.start(None).map_err(|error| error.to_string())
}

/// The file with the published results of a model.
fn published(folder: &Path, name: &str) -> Option<PathBuf> {
    let (package, short) = name.rsplit_once('.')?;
    let plain = package.replace("Modelica.Mechanics.", "").replace(".Examples", "");
    let files = [package, &plain].map(|package| folder.join(package).join(format!("{short}.csv")));
    files.into_iter().find(|file| file.is_file())
}

/// A model whose text reads variables that the components do not publish, each with the name under
/// which it is read, and those that are protected, so that no text can read them.
fn reading<'n>(name: &str, missing: &[&'n str]) -> (Model, Vec<(&'n str, String)>, usize) {
    let text_with = |declarations: &str| {
        let mut library = Library::new(Library::folders_of_environment());
        let text = format!("model Reader extends {name};{declarations} end Reader;");
        let class = library.open_text("Reader.mo", &text).expect("it is a text");
        let class = Rc::clone(class.last().expect("there is a class"));
        Model::new(library, &class)
    };
    let (mut declarations, mut read, mut protected) = (String::new(), Vec::new(), 0);
    for (k, of) in missing.iter().enumerate() {
        let own = format!("read_{k}");
        let mut types = ["Boolean", "Integer", "Real"].map(|of_type| {
            let declaration = format!(" {of_type} {own} = {of};");
            (text_with(&declaration).add_to(&mut Assembly::new()).err(), declaration)
        });
        if let Some((_, declaration)) = types.iter_mut().find(|(refused, _)| refused.is_none()) {
            declarations.push_str(declaration);
            read.push((*of, own));
        } else {
            let refused = types.iter().flat_map(|(refused, _)| refused);
            let mut sentences = refused.flatten().map(|complaint| &complaint.sentence);
            protected += usize::from(sentences.any(|sentence| sentence.contains("is protected")));
        }
    }
    (text_with(&declarations), read, protected)
}

/// How a model compares with its published result.
struct Comparison {
    /// The largest difference over the range of its signal.
    error: f64,
    /// The signal with this difference.
    signal: String,
    /// The number of signals that were compared, and of those that the model does not publish.
    compared: [usize; 2],
}

/// The simulation of a model, the names that variables have in it, and the number of protected
/// variables of blocks, which it does not have.
fn with_variables(
    name: &str,
    variables: &[&str],
) -> Result<(Simulation, Vec<String>, usize), String> {
    let started = |model: Model| {
        let text = model.wanting(variables.iter().map(|&name| name.to_owned()));
        let simulation = simulation(move |m: &mut Assembly| drop(text.add_to(m)));
        let mut simulation = simulation.map_err(|error| error.to_string())?;
        simulation.start(None).map_err(|error| error.to_string())?;
        Ok::<_, String>(simulation)
    };
    let mut simulation = started(model(name))?;
    let mut names: Vec<String> = variables.iter().map(|&name| name.to_owned()).collect();
    let is_missing = |name: &&str| simulation.read(name).is_err();
    let missing: Vec<&str> = variables.iter().copied().filter(is_missing).collect();
    if missing.is_empty() || !MECHATRONIC.contains(&name) {
        return Ok((simulation, names, 0));
    }
    let (reader, read, protected) = reading(name, &missing);
    for (of, own) in read {
        names.iter_mut().filter(|name| **name == of).for_each(|name| name.clone_from(&own));
    }
    Ok((started(reader)?, names, protected))
}

/// Compares a model with its published result.
fn difference(name: &str, file: &Path) -> Result<Comparison, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut lines = text.lines().map(|line| line.split(',').map(str::trim));
    let columns: Vec<&str> = lines.next().into_iter().flatten().skip(1).collect();
    let mut rows: Vec<Vec<f64>> =
        lines.map(|line| line.map(|cell| cell.parse().unwrap_or(f64::NAN)).collect()).collect();
    let (until, sign) = validity(name);
    rows.retain(|row| row[0] <= until);
    rows.iter_mut().for_each(|row| row[1..].iter_mut().for_each(|value| *value *= sign));
    let (mut simulation, names, protected) = with_variables(name, &columns)?;
    let known = names.iter().filter(|name| simulation.read(name).is_ok()).count();
    let compared = [known, names.len() - known - protected];
    let mut largest = vec![0.0_f64; names.len()];
    let mut last_event = f64::NEG_INFINITY;
    for (k, row) in rows.iter().enumerate() {
        while row[0] > simulation.time() {
            let is_event = simulation.run_to_event(row[0]).map_err(|error| error.to_string())?;
            last_event = if is_event { simulation.time() } else { last_event };
        }
        let next_event = simulation.next_event_time().map_err(|error| error.to_string())?;
        // An event has two rows, of which thinning may leave one.
        let at_event = [k.checked_sub(1), Some(k + 1)].into_iter().flatten();
        let is_near = |other: &Vec<f64>| (other[0] - row[0]).abs() <= AT_EVENT;
        let is_event = at_event.filter_map(|k| rows.get(k)).any(is_near)
            || (row[0] - last_event).min(next_event - row[0]) < AT_EVENT;
        for (j, name) in names.iter().enumerate() {
            if let (false, Ok(value)) = (is_event, simulation.read(name)) {
                largest[j] = largest[j].max((value - row[j + 1]).abs());
            }
        }
    }
    let range = |j: usize| {
        let values = rows.iter().map(|row| row[j + 1]);
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        // Zero but for rounding: ours must be so, too.
        if low.abs().max(high.abs()) < ROUNDING {
            return 1e3 * ROUNDING;
        }
        // Results are published with nine digits, so that a constant one agrees to 1e-8.
        (high - low).max(1e-5 * high.abs()).max(1e-9)
    };
    let ratios = largest.iter().enumerate().map(|(j, error)| (error / range(j), columns[j]));
    let worst = ratios.fold((0.0, ""), |a, b| if b.0 > a.0 { b } else { a });
    Ok(Comparison { error: worst.0, signal: worst.1.to_owned(), compared })
}

#[test]
fn the_published_models_agree() {
    if std::env::var_os("MODELICAPATH").is_none() {
        println!("skipped: MODELICAPATH is not set");
        return;
    }
    let folder = std::env::var_os("COUPLER_REFERENCE").map(PathBuf::from);
    let library = Library::new(Library::folders_of_environment());
    let mut names = MODELS.map(str::to_owned).to_vec();
    for package in PACKAGES {
        let class = library.find(package);
        let class = class.unwrap_or_else(|complaint| panic!("{}", complaint.describe()));
        collect(&library, &class, &mut names);
    }
    let (mut built, mut compared, mut differing) = (0, 0, Vec::new());
    for name in &names {
        let file = folder.as_ref().and_then(|folder| published(folder, name));
        let result = match (refusal(name), file) {
            (Some(sentence), _) => format!("refused: {sentence}"),
            (None, None) => match started(name) {
                Ok(()) => "built".to_owned(),
                Err(sentence) => {
                    differing.push(format!("{name}: {sentence}"));
                    sentence
                }
            },
            (None, Some(file)) => match difference(name, &file) {
                Ok(Comparison { compared: [0, _], .. }) => "built, no signal in common".to_owned(),
                Ok(Comparison { error, signal, compared: [known, unknown] }) => {
                    compared += 1;
                    if error > 1e-3 && !DIFFERING.contains(&name.as_str()) {
                        differing.push(format!("{name}: {signal} differs by {error:.1e}"));
                    }
                    format!("{error:.1e} in {known} signals, {unknown} are not published")
                }
                Err(sentence) => {
                    differing.push(format!("{name}: {sentence}"));
                    sentence
                }
            },
        };
        built += usize::from(!result.starts_with("refused"));
        println!("| {name} | {result} |");
    }
    println!("{built} of {} are built, {compared} compared", names.len());
    assert!(differing.is_empty(), "{differing:#?}");
    assert_eq!(built, names.len());
}

#[test]
fn the_published_blocks_and_circuits_agree() {
    let folder = std::env::var_os("COUPLER_REFERENCE").map(PathBuf::from);
    let Some(folder) = folder.filter(|_| std::env::var_os("MODELICAPATH").is_some()) else {
        println!("skipped: MODELICAPATH or COUPLER_REFERENCE is not set");
        return;
    };
    let mut differing = Vec::new();
    for name in MECHATRONIC {
        let file = published(&folder, name).unwrap_or_else(|| panic!("no results of {name}"));
        let result = match refusal(name) {
            Some(sentence) => Err(sentence),
            None => difference(name, &file),
        };
        match result {
            Ok(Comparison { error, signal, compared: [known, 0] }) if error <= 1e-3 => {
                println!("| {name} | {error:.1e} in {known} signals, most in {signal} |");
            }
            Ok(Comparison { error, signal, compared: [_, unknown] }) => {
                let what = format!("{signal} differs by {error:.1e}, {unknown} are not published");
                differing.push(format!("{name}: {what}"));
            }
            Err(sentence) => differing.push(format!("{name}: {sentence}")),
        }
    }
    assert!(differing.is_empty(), "{differing:#?}");
}
