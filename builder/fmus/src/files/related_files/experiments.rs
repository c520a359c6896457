//! Files of experiments in the format of MA-HS-Experiments.

use super::schema::{ANNOTATIONS, Read, Shape};
use super::source::Source;
use super::{PARAMETERS, TABLE};
use crate::vocabulary::wording::excerpt;
use crate::vocabulary::xml::{self, Element, double};

/// An experiment: the settings of a simulation, and the files that belong to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Experiment {
    /// Its name.
    pub name: String,
    /// The kind of analysis; `None` for a simulation over time.
    pub other_analysis: Option<String>,
    /// The start time in s.
    pub start: Option<f64>,
    /// The stop time in s.
    pub stop: Option<f64>,
    /// The communication step in s.
    pub step: Option<f64>,
    /// The relative tolerance.
    pub tolerance: Option<f64>,
    /// The values of parameters.
    pub parameters: Option<Data>,
    /// The inputs over time.
    pub stimuli: Option<Data>,
    /// The expected results over time.
    pub references: Option<Data>,
}

/// A file of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Its type, such as `text/csv`.
    pub media_type: String,
    /// Its place.
    pub source: Source,
    /// The line of the file of experiments.
    pub line: usize,
}

/// The kinds of analyses in the later form of the format.
const ANALYSES: [&str; 7] = [
    TRANSIENT,
    "SteadyState",
    "ParameterOptimization",
    "SetPointOptimization",
    "SensitivityAnalysis",
    "TrajectoryOptimization",
    "Linearization",
];

/// The simulation over time.
const TRANSIENT: &str = "TransientSimulation";

const TIMES: [&str; 3] = ["startTime", "stopTime", "stepSize"];

const ROOT: Shape = Shape {
    required: &["name"],
    optional: &["description"],
    children: &[&["Experiment"], &[ANNOTATIONS]],
    several: &["Experiment"],
};

const FILES: [&[&str]; 4] = [&["Parameters"], &["Stimuli"], &["References"], &[ANNOTATIONS]];

const EXPERIMENT: Shape = Shape {
    required: &["name"],
    optional: &["description", "startTime", "stopTime", "tolerance", "stepSize"],
    children: &FILES,
    several: &[],
};

/// An experiment in the later form, whose first element is its kind of analysis.
const WITH_ANALYSIS: Shape = Shape {
    required: &["name"],
    optional: &["description", "tolerance"],
    children: &[&ANALYSES, FILES[0], FILES[1], FILES[2], FILES[3]],
    several: &[],
};

const SIMULATION: Shape = Shape { required: &[], optional: &TIMES, children: &[], several: &[] };

const OTHER_ANALYSIS: Shape = Shape { required: &[], optional: &[], children: &[], several: &[] };

const DATA: Shape =
    Shape { required: &["source"], optional: &["type"], children: &[&[ANNOTATIONS]], several: &[] };

/// Reads the file of experiments with a path in the archive.
///
/// # Errors
/// A sentence if the text is no XML, or that of another kind of document.
pub fn read(text: &str, path: &str) -> Result<Read<Vec<Experiment>>, String> {
    let root = xml::parse(text)?;
    if root.name != "Experiments" {
        let name = excerpt(&root.name);
        return Err(format!("its root element is <{name}>, not <Experiments>"));
    }
    let mut read: Read<Vec<Experiment>> = Read::default();
    ROOT.compare(&root, &mut read.faults);
    for element in root.children.iter().filter(|child| child.name == "Experiment") {
        read.content.push(experiment(element, path, &mut read.faults));
    }
    if read.content.is_empty() {
        read.faults.push(format!("line {}: there is no <Experiment>", root.line));
    }
    Ok(read)
}

fn experiment(element: &Element, path: &str, faults: &mut Vec<String>) -> Experiment {
    let analysis = element.children.iter().find(|child| ANALYSES.contains(&&*child.name));
    match analysis {
        None => EXPERIMENT.compare(element, faults),
        Some(analysis) => {
            WITH_ANALYSIS.compare(element, faults);
            let shape = if analysis.name == TRANSIENT { SIMULATION } else { OTHER_ANALYSIS };
            shape.compare(analysis, faults);
        }
    }
    let times = analysis.unwrap_or(element);
    let mut number = |of: &Element, name: &str| {
        let text = of.attribute(name)?;
        let value = double(text).filter(|value| value.is_finite());
        if value.is_none() {
            let text = excerpt(text);
            faults.push(format!("line {}: {name} is `{text}`, no finite number", of.line));
        }
        value
    };
    let [start, stop, step] = TIMES.map(|name| number(times, name));
    let tolerance = number(element, "tolerance");
    let mut data = |name: &str, of_type: &str| {
        let data = element.child(name)?;
        DATA.compare(data, faults);
        Some(Data {
            media_type: data.attribute("type").unwrap_or(of_type).trim().to_owned(),
            source: Source::of(data.attribute("source")?, path),
            line: data.line,
        })
    };
    Experiment {
        name: element.attribute("name").unwrap_or_default().to_owned(),
        other_analysis: analysis.map(|a| a.name.clone()).filter(|name| name != TRANSIENT),
        start,
        stop,
        step,
        tolerance,
        parameters: data("Parameters", PARAMETERS),
        stimuli: data("Stimuli", TABLE),
        references: data("References", TABLE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "extra/org.fmi-standard.fmi-ls-ref/a.exp";

    fn experiments(inside: &str) -> Read<Vec<Experiment>> {
        read(&format!("<Experiments name=\"e\">\n{inside}\n</Experiments>"), PATH).unwrap()
    }

    #[test]
    fn both_forms_of_an_experiment_are_read_alike() {
        let files = "<Stimuli source=\"in.csv\"/><References type=\"application/hdf5\" \
                     source=\"../b.h5\"/></Experiment>";
        let published = experiments(&format!(
            "<Experiment name=\"a\" startTime=\"1\" stopTime=\"3.0\" stepSize=\".5\" \
             tolerance=\"1e-4\">{files}"
        ));
        let later = experiments(&format!(
            "<Experiment name=\"a\" tolerance=\"1e-4\"><TransientSimulation startTime=\"1\" \
             stopTime=\"3.0\" stepSize=\".5\"/>{files}"
        ));
        assert_eq!(published, later);
        assert_eq!(published.faults, [""; 0]);
        let [experiment] = &published.content[..] else { panic!("{published:?}") };
        let settings = [experiment.start, experiment.stop, experiment.step, experiment.tolerance];
        assert_eq!(settings, [Some(1.0), Some(3.0), Some(0.5), Some(1e-4)]);
        let [stimuli, references] =
            [&experiment.stimuli, &experiment.references].map(|data| data.clone().unwrap());
        assert_eq!(stimuli.media_type, TABLE);
        assert_eq!(references.source.path(), Some("extra/b.h5"));
    }

    #[test]
    fn faults_of_experiments_have_lines() {
        let check =
            |inside: &str, sentence: &str| assert_eq!(experiments(inside).faults, [sentence]);
        check("", "line 1: there is no <Experiment>");
        check("<Experiment/>", "line 2: <Experiment> lacks its attribute name");
        check(
            "<Experiment name=\"a\" stopTime=\"soon\"/>",
            "line 2: stopTime is `soon`, no finite number",
        );
        check(
            "<Experiment name=\"a\" stopTime=\"1\"><SteadyState/></Experiment>",
            "line 2: <Experiment> has no attribute `stopTime`",
        );
        check(
            "<Experiment name=\"a\"><References source=\"a\"/><Stimuli source=\"b\"/></Experiment>",
            "line 2: <Stimuli> comes after <References>",
        );
        check(
            "<Experiment name=\"a\"><SteadyState/><Linearization/></Experiment>",
            "line 2: <Linearization> follows <SteadyState>, but one is allowed",
        );
        check(
            "<Experiment name=\"a\"><References/></Experiment>",
            "line 2: <References> lacks its attribute source",
        );
        let steady = experiments("<Experiment name=\"a\"><SteadyState/></Experiment>");
        assert_eq!(steady.content[0].other_analysis.as_deref(), Some("SteadyState"));
        assert!(read("<fmiReferences/>", PATH).is_err());
    }
}
