//! Tests of the library that plays tapes.

mod equivalence;
#[path = "../../../tests/runtime/importer.rs"]
#[allow(dead_code, reason = "it is an importer for other tests too")]
mod importer;
#[allow(dead_code, reason = "other tests use the rest")]
mod models;
mod tape_files;
