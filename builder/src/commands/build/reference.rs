//! The default experiment of a model with its result, as files of FMI-LS-REF for its FMU.

use std::path::Path;

use super::played;
use crate::models::{Traced, documentation};
use fmus::archive::Entry;
use fmus::csv::{TimeSeries, number};
use fmus::error::Error;
use fmus::fmu::Fmu;
use fmus::model_description::Base;
use fmus::related_files::{EXPERIMENTS, FOLDER, MANIFEST, TABLE, manifest};
use report::escaped;
use simulation::run::{self, Options, Overrides, RunPlan};

/// The relative tolerance of the result. A thousandth of it would be a rounding error.
const TOLERANCE: f64 = 1e-10;

/// The file of the result's explanation.
const NOTE: &str = "fmi-ls-ref.txt";

/// The default experiment and its result.
struct Known {
    model: String,
    plan: RunPlan,
    inputs: Option<TimeSeries>,
    result: TimeSeries,
}

/// The files with the default experiment of a model, with inputs over time from a file or, without
/// a file, constant ones.
///
/// # Errors
/// If the inputs are not those of the model, or if its simulation fails.
pub(super) fn entries(model: &Traced, inputs: Option<&Path>) -> Result<Vec<Entry>, Error> {
    let known = known(&played(model)?, inputs)?;
    let file = |name: &str, text: String| Entry::new(format!("{FOLDER}/{name}"), text);
    let name = &known.model;
    let mut entries = vec![
        Entry::new(MANIFEST, listing(name)),
        file(&format!("{name}.exp"), experiments(&known)),
        file(&format!("{name}_out.csv"), known.result.to_csv()),
        Entry::new(format!("documentation/{NOTE}"), note(&known)),
    ];
    entries.extend(known.inputs.map(|inputs| file(&format!("{name}_in.csv"), inputs.to_csv())));
    Ok(entries)
}

/// Adds these files to those of an FMU, and a link to their explanation.
pub(super) fn add(files: Vec<Entry>, entries: &mut Vec<Entry>) {
    for entry in entries.iter_mut().filter(|entry| entry.path == documentation::FILE) {
        let page = String::from_utf8_lossy(&entry.bytes);
        entry.bytes = documentation::linked(&page, NOTE, "Reference results").into_bytes();
    }
    entries.extend(files);
}

/// Simulates the default experiment in this process.
fn known(fmu: &Fmu, inputs: Option<&Path>) -> Result<Known, Error> {
    let description = &fmu.description;
    let numbers = description.variables.iter().filter(|v| v.base != Base::String);
    let names = numbers.filter(|v| v.causality == "input").map(|v| v.name.clone());
    let names: Vec<String> = names.collect();
    let options = Options {
        overrides: Overrides { tolerance: Some(TOLERANCE), ..Overrides::default() },
        input: inputs,
        also: (!names.is_empty()).then_some(&names),
        ..Options::default()
    };
    let outcome = run::simulate(fmu, &options, &mut |_| ())?;
    let model = description.model_name.clone();
    if let Some(failure) = outcome.failure {
        let reason = match failure {
            Error::Library { reason, .. } => reason,
            other => other.to_string(),
        };
        return Err(Error::Request(format!(
            "{model}: --with-reference simulates the default experiment, which fails: {reason}"
        )));
    }
    let (plan, mut result) = (outcome.experiment, outcome.table);
    if outcome.terminated.is_some() {
        // With another tolerance, the model would end the simulation at a slightly other time.
        result.time.pop();
        result.rows.pop();
    }
    let inputs = match inputs {
        Some(file) => Some(TimeSeries::read(file)?),
        None => outcome.also.and_then(|also| {
            let start = also.table.rows.first()?.clone();
            let (names, time) = (also.table.names, vec![plan.start, plan.stop]);
            Some(TimeSeries { names, time, rows: vec![start.clone(), start] })
        }),
    };
    let plan = RunPlan { tolerance: description.experiment.tolerance, ..plan };
    Ok(Known { model, plan, inputs, result })
}

/// The manifest.
fn listing(model: &str) -> String {
    let name = escaped(model);
    let (space, own, version) = (manifest::NAME_SPACE, manifest::NAME, manifest::VERSION);
    let about = manifest::DESCRIPTION;
    let experiments = EXPERIMENTS[0];
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiReferences xmlns:fmi-ls="{space}"
    fmi-ls:fmi-ls-name="{own}"
    fmi-ls:fmi-ls-version="{version}"
    fmi-ls:fmi-ls-description="{about}">
  <Related type="{experiments}" source="{name}.exp" role="experiment" description="The default experiment"/>
  <Related type="{TABLE}" source="{name}_out.csv" role="result" description="The result of the default experiment"/>
</fmiReferences>
"#
    )
}

/// The file of experiments.
fn experiments(known: &Known) -> String {
    let Known { model, plan, inputs, .. } = known;
    let name = escaped(model);
    let [start, stop, step] = [plan.start, plan.stop, plan.step].map(number);
    let tolerance = plan.tolerance.map(|tolerance| format!(" tolerance=\"{}\"", number(tolerance)));
    let tolerance = tolerance.unwrap_or_default();
    let stimuli = match inputs {
        Some(_) => format!("    <Stimuli source=\"{name}_in.csv\"/>\n"),
        None => String::new(),
    };
    let tight = number(TOLERANCE);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<Experiments name="{name}">
  <Experiment name="default" description="The default experiment. The references were computed with a relative tolerance of {tight}." startTime="{start}" stopTime="{stop}"{tolerance} stepSize="{step}">
{stimuli}    <References source="{name}_out.csv"/>
  </Experiment>
</Experiments>
"#
    )
}

/// The explanation for people.
fn note(known: &Known) -> String {
    let Known { model, plan, inputs, .. } = known;
    let [start, stop, step] = [plan.start, plan.stop, plan.step].map(number);
    let tight = number(TOLERANCE);
    let inputs = match inputs {
        Some(_) => format!("The inputs are in {model}_in.csv; they are linear between its rows.\n"),
        None => String::new(),
    };
    let expected = match plan.tolerance {
        Some(tolerance) => format!(
            "With the tolerance of the experiment, {}, results deviate by a small multiple of the\n\
             tolerance times the range of a signal. If neighbouring solutions diverge, as in a\n\
             double pendulum, they deviate by more.\n",
            number(tolerance)
        ),
        None => String::new(),
    };
    format!(
        "Reference results of {model}\n\n\
         The folder {FOLDER} contains the default\n\
         experiment ({start} s to {stop} s in steps of {step} s) and its result, by the layered\n\
         standard FMI-LS-REF. {model}_out.csv has a row for each communication point. It was\n\
         computed when the FMU was built, in Co-Simulation with a relative tolerance of {tight}.\n\
         {inputs}{expected}"
    )
}
