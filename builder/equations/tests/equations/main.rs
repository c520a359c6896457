//! Tests of expressions, programs and their tapes, one module for each topic.

mod common;
mod derivatives;
mod expressions;
mod impacts;
mod jumps;
mod programs;
mod refusals;
mod starts;
mod types;
