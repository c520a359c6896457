//! The library of impulses: its joints and bodies, forces, loops and start values.

mod forces;
mod joints;
mod loops;
mod starts;
