//! Signals: blocks, loops of them, and units of what is connected.

mod blocks;
mod derivatives;
mod units;
