//! Tests of the library that plays tapes.

mod files;
#[path = "../../../tests/runtime/host.rs"]
#[allow(dead_code, reason = "it is an importer for other tests too")]
mod host;
#[allow(dead_code, reason = "other tests use the rest")]
mod models;
mod playing;
