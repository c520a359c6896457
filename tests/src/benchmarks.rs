//! Models that only the measurements of speed and accuracy use.

use fmu_builder::models::Traced;
use mechanics::Assembly;

use crate::own;

mod crank_rocker;
mod engine_v6_analytic;
mod hexapod;
mod planar_loops;
mod robot;
mod sampled_drives;
mod spatial_linkage;
mod vehicle;

pub use hexapod::INPUTS as HEXAPOD_INPUTS;

/// A model of the measurements.
pub struct BenchmarkModel {
    /// Its FMI name.
    pub name: &'static str,
    /// The name of its text.
    text_name: &'static str,
    text: fn(&mut Assembly),
}

impl BenchmarkModel {
    /// Its program, ready to become an FMU.
    pub fn traced(&self) -> Traced {
        own::traced(self.text_name, self.text)
    }
}

/// All of them.
pub const BENCHMARKS: [BenchmarkModel; 12] = [
    BenchmarkModel {
        name: "EngineV6Analytic",
        text_name: "engine_v6_analytic",
        text: engine_v6_analytic::model,
    },
    BenchmarkModel { name: "Robot", text_name: "robot", text: robot::model },
    BenchmarkModel { name: "RollingVehicle", text_name: "rolling_vehicle", text: vehicle::model },
    BenchmarkModel { name: "PlanarLoops", text_name: "planar_loops", text: planar_loops::model },
    BenchmarkModel { name: "CrankRocker", text_name: "crank_rocker", text: crank_rocker::minimal },
    BenchmarkModel {
        name: "FreeCrankRocker",
        text_name: "free_crank_rocker",
        text: crank_rocker::free,
    },
    BenchmarkModel {
        name: "SpatialLinkage",
        text_name: "spatial_linkage",
        text: spatial_linkage::minimal,
    },
    BenchmarkModel {
        name: "FreeSpatialLinkage",
        text_name: "free_spatial_linkage",
        text: spatial_linkage::free,
    },
    BenchmarkModel { name: "Hexapod", text_name: "hexapod", text: hexapod::model },
    BenchmarkModel {
        name: "SampledBridge",
        text_name: "sampled_bridge",
        text: sampled_drives::bridge,
    },
    BenchmarkModel { name: "PausingBuck", text_name: "pausing_buck", text: sampled_drives::buck },
    BenchmarkModel {
        name: "SampledPlant",
        text_name: "sampled_plant",
        text: sampled_drives::plant,
    },
];
