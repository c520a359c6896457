//! Files that belong to an FMU by the layered standard FMI-LS-REF: the manifest that lists them,
//! experiments, and sets of parameters.
//!
//! The manifest follows FMI-LS-REF 1.0.0-beta.1. Files of experiments follow MA-HS-Experiments, a
//! draft without a version: both the form of its published page, which has times as attributes of
//! an experiment, and the later form, which has an element for the kind of analysis.

pub mod experiments;
pub mod manifest;
pub mod parameter_set;
mod schema;
mod source;

pub use schema::{Read, Shape};
pub use source::Source;

/// The folder of the layered standard in an FMU.
pub const FOLDER: &str = "extra/org.fmi-standard.fmi-ls-ref";

/// The manifest, which lists the files.
pub const MANIFEST: &str = "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml";

/// The type of tables of stimuli and of results.
pub const TABLE: &str = "text/csv";

/// The types of files of experiments: the present one and the one before.
pub const EXPERIMENTS: [&str; 2] =
    ["application/x-ma-hs-experiments", "application/x-ma-ls-experiments"];

/// The type of sets of parameters.
pub const PARAMETERS: &str = "application/x-ssp-parameter-set";
