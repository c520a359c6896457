//! Components of rotational drive trains.

mod clutch;
mod disc;
mod elasto_backlash;
mod gearbox;
mod ideal_gear;
mod ideal_gear_r2t;
mod ideal_planetary;
mod ideal_rolling_wheel;
mod inertia;
mod lossy_gear;
mod one_way_clutch;
mod rotor1d;

pub use crate::interfaces::regularization::Regularization;
pub use crate::one_dimensional::adaptors::rotational::*;
pub use crate::one_dimensional::bearing_friction::rotational::*;
pub use crate::one_dimensional::brake::rotational::*;
pub use crate::one_dimensional::eddy_current::rotational::*;
pub use crate::one_dimensional::fixed::rotational::*;
pub use crate::one_dimensional::initialize_flange::rotational::*;
pub use crate::one_dimensional::motion_sources::rotational::*;
pub use crate::one_dimensional::relative_states::rotational::*;
pub use crate::one_dimensional::sensors::rotational::*;
pub use crate::one_dimensional::sources::rotational::*;
pub use crate::one_dimensional::spring_damper::rotational::*;
pub use clutch::*;
pub use disc::*;
pub use elasto_backlash::*;
pub use gearbox::{Gearbox, GearboxPorts};
pub use ideal_gear::*;
pub use ideal_gear_r2t::*;
pub use ideal_planetary::*;
pub use ideal_rolling_wheel::*;
pub use inertia::*;
pub use lossy_gear::*;
pub use one_way_clutch::*;
pub use rotor1d::*;
