//! Signals: sources, blocks, loops of them, and units of what is connected.

mod blocks;
mod comparisons;
mod controllers;
mod conversions;
mod delays;
mod derivatives;
mod expressions;
mod filters;
mod functions;
mod integrators;
mod linear_systems;
mod logic;
mod nonlinear;
mod sources;
mod statistics;
mod sums;
mod tables_of_signals;
mod tables_of_time;
mod timing;
mod units;
