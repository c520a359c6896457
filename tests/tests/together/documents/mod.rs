//! Tests of the documents, of the commands that they show, and of users' packages.

mod commands;
mod components;
mod conformance;
mod diagrams;
mod packages;
mod reports;
mod tutorial;
mod views;
