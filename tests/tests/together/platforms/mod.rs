//! Tests of FMUs with libraries for several platforms, which run in emulators of these.

mod needs;
mod same_bits;
