//! A copy of everything of an instance that changes: an FMU state.

use crate::data::memory::Memory;
use crate::data::status::{Lifecycle, Progress};
use crate::fmi::calls::FmuType;

/// A copy of the plain data of an instance.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub guid: &'static str,
    pub fmu_type: FmuType,
    pub lifecycle: Lifecycle,
    pub memory: Memory,
    pub progress: Progress,
    /// The stored form of the integrator state.
    pub integrator_state: Box<[f64]>,
}
