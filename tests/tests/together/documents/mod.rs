//! The documents, the commands that they show, and packages of people.

mod commands;
mod components;
mod conformance;
mod packages;
