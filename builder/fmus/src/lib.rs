//! FMUs of any origin: archives, descriptions, and libraries, which are called as an importer calls
//! them.

pub mod child_process;
mod files;
pub mod fmu;
pub mod host;
mod vocabulary;

pub use files::{
    archive, atomic_file, csv, csv_of_any_tool, model_description, related_files, shared_library,
};
pub use vocabulary::{error, finding, fmi, platform, wording, xml};
