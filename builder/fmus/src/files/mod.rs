//! Reading and writing of files: archives, descriptions, libraries.

pub mod archive;
pub mod atomic_file;
pub mod model_description;
pub mod shared_library;
