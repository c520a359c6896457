//! The content of a file, as its members are in JSON.

use crate::data::{Data, read_object, write_number, write_object};
use crate::equations::Equations;
use crate::layout;
use serde::{Deserialize, Serialize};

/// The version of the format.
pub const VERSION: u32 = 1;

/// The first member of every file.
const FORMAT: &str = "coupler-netlist";

/// A model of components as a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// `coupler-netlist`.
    pub format: String,
    /// The version of the format, [`VERSION`].
    pub version: u32,
    /// The name of the model: a letter, then letters, digits and underscores.
    pub name: String,
    /// Its documentation in Markdown; the first line is its description.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub documentation: String,
    /// Units of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub units: Vec<Unit>,
    /// Its parameters, which expressions name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// Values that follow from its parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calculated: Vec<Calculated>,
    /// Its components.
    pub components: Vec<Component>,
    /// Its own equations, and those of its blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub equations: Vec<Equations>,
    /// Pairs of ports, each with the name of its component: `wheel.flange_a`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<[String; 2]>,
    /// Its outputs, in the order of the FMU.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outputs: Vec<Output>,
    /// Frames whose position and orientation are outputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output_frames: Vec<FrameOutput>,
    /// Whether the FMU describes the shapes of its parts.
    #[serde(default, skip_serializing_if = "is_false")]
    pub scene: bool,
    /// Whether all loops are free.
    #[serde(default, skip_serializing_if = "is_false")]
    pub free_loops: bool,
    /// Whether names that OpenModelica imports as one are kept.
    #[serde(default, skip_serializing_if = "is_false")]
    pub keep_names: bool,
    /// Whether signals in other units than those of inputs are notes.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mix_units: bool,
    /// Notes for the author of the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Places of components in the diagram.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// The default experiment.
    #[serde(default)]
    pub experiment: Experiment,
    /// Values with which tests start the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_values: Vec<TestValue>,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// A unit: `1 name = factor of`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Its name.
    pub name: String,
    /// How many of the other unit it is.
    #[serde(serialize_with = "write_number")]
    pub factor: f64,
    /// A known unit, or a product of known units.
    pub of: String,
}

/// A parameter of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value.
    #[serde(serialize_with = "write_number")]
    pub value: f64,
    /// Its unit; `1` for a pure number.
    pub unit: String,
    /// Its description in one line.
    pub description: String,
    /// The smallest value; there may be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest value; there may be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// A value that follows from parameters of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calculated {
    /// Its name.
    pub name: String,
    /// Its value, an expression of parameters.
    pub value: Data,
    /// Its unit; `1` for a pure number.
    pub unit: String,
    /// Its description in one line.
    pub description: String,
    /// The smallest value; there may be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest value; there may be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// A component.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its class with that of its library: `rotational::Inertia`.
    pub class: String,
    /// Its name.
    pub name: String,
    /// The values of its parameters, by their names.
    #[serde(
        default,
        skip_serializing_if = "Vec::is_empty",
        serialize_with = "write_object",
        deserialize_with = "read_object"
    )]
    pub settings: Vec<(String, Data)>,
}

/// An output: a variable, or a variable under another name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "an output is the name of a variable, or an object with `name`, \
                               `variable` and, if wanted, `description`"
)]
pub enum Output {
    /// The name of the variable, which the output keeps.
    Variable(String),
    /// A name of its own.
    Named(NamedOutput),
}

/// An output with a name of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedOutput {
    /// The name of the output.
    pub name: String,
    /// The name of the variable.
    pub variable: String,
    /// Its description in one line; that of the variable if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A frame whose position and orientation are outputs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrameOutput {
    /// The name with which those of the outputs begin.
    pub name: String,
    /// The frame, with the name of its component.
    pub frame: String,
}

/// The place of a component, or of a group of components, in the diagram, which keeps to the places
/// if all components have one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The name of the component or of the group.
    pub name: String,
    /// The centre, to the right; symbols are about 20 wide.
    #[serde(serialize_with = "write_number")]
    pub x: f64,
    /// The centre, upwards.
    #[serde(serialize_with = "write_number")]
    pub y: f64,
    /// The angle in degrees by which the symbol is turned, counter-clockwise.
    #[serde(default, skip_serializing_if = "is_zero", serialize_with = "write_number")]
    pub rotation: f64,
    /// Whether left and right are exchanged before it is turned.
    #[serde(default, skip_serializing_if = "is_false")]
    pub mirrored: bool,
}

/// The default experiment, which begins at zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Experiment {
    /// Its end in s.
    #[serde(serialize_with = "write_number")]
    pub stop_time: f64,
    /// The relative tolerance.
    #[serde(serialize_with = "write_number")]
    pub tolerance: f64,
    /// The communication step in s.
    #[serde(serialize_with = "write_number")]
    pub step_size: f64,
}

/// That of an assembly in which nothing is set.
impl Default for Experiment {
    fn default() -> Self {
        let netlist = mechanics::Assembly::new().into_netlist();
        Experiment::from(netlist.experiment)
    }
}

impl From<equations::Experiment> for Experiment {
    fn from(of: equations::Experiment) -> Self {
        Experiment { stop_time: of.stop_time, tolerance: of.tolerance, step_size: of.step_size }
    }
}

/// The value of a variable with which tests start the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestValue {
    /// The name of the variable.
    pub name: String,
    /// Its value.
    #[serde(serialize_with = "write_number")]
    pub value: f64,
}

/// What begins every file, of any version.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

impl File {
    /// A model without components.
    pub fn new(name: impl Into<String>) -> File {
        File {
            format: FORMAT.to_owned(),
            version: VERSION,
            name: name.into(),
            documentation: String::new(),
            units: Vec::new(),
            parameters: Vec::new(),
            calculated: Vec::new(),
            components: Vec::new(),
            equations: Vec::new(),
            connections: Vec::new(),
            outputs: Vec::new(),
            output_frames: Vec::new(),
            scene: false,
            free_loops: false,
            keep_names: false,
            mix_units: false,
            notes: Vec::new(),
            places: Vec::new(),
            experiment: Experiment::default(),
            test_values: Vec::new(),
        }
    }

    /// Reads the text of a file; what it says is checked by [`File::check`].
    ///
    /// # Errors
    /// One sentence with line and column: it is not JSON, or a member is unknown, missing or
    /// repeated, or has another type.
    pub fn read(text: &str) -> Result<File, Mistake> {
        let head: Head = serde_json::from_str(text).map_err(Mistake::of)?;
        if head.format != FORMAT {
            return Err(Mistake::at_start(format!(
                "its format is `{}`, not `{FORMAT}`",
                head.format
            )));
        }
        if head.version != VERSION {
            return Err(Mistake::at_start(format!(
                "version {} of the format is not known; this program reads version {VERSION}",
                head.version
            )));
        }
        serde_json::from_str(text).map_err(Mistake::of)
    }

    /// The text of the file.
    ///
    /// # Errors
    /// One sentence: a number is not finite.
    pub fn text(&self) -> Result<String, String> {
        let compact = serde_json::to_string(self);
        let data = compact.and_then(|compact| serde_json::from_str(&compact));
        data.and_then(|data| layout::text(&data)).map_err(|error| error.to_string())
    }
}

/// A mistake in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its line, counted from 1.
    pub line: usize,
    /// Its column, counted from 1.
    pub column: usize,
    /// What is wrong.
    pub sentence: String,
}

impl Mistake {
    fn at_start(sentence: String) -> Mistake {
        Mistake { line: 1, column: 1, sentence }
    }

    fn of(error: serde_json::Error) -> Mistake {
        let (line, column) = (error.line().max(1), error.column().max(1));
        let sentence = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let sentence = sentence.strip_suffix(&place).unwrap_or(&sentence).to_owned();
        Mistake { line, column, sentence }
    }
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.sentence)
    }
}

impl std::error::Error for Mistake {}
