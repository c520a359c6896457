//! Tests of components and assemblies, one folder for each theme.

mod circuits;
mod common;
mod contacts;
mod drive_trains;
mod events;
mod impacts;
mod impulses;
mod loops;
mod mechatronics;
mod multibody;
mod sampled;
mod signals;
mod starts;
mod texts;
