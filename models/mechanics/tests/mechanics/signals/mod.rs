//! Signals: blocks, loops of them, and units of what is connected.

mod blocks;
mod conversions;
mod derivatives;
mod logic;
mod units;
