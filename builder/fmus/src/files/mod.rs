//! Reading and writing of files: archives, descriptions, tables, libraries.

pub mod archive;
pub mod atomic_file;
pub mod csv;
pub mod csv_of_any_tool;
pub mod model_description;
pub mod related_files;
pub mod shared_library;
