//! Sensors: they measure and exert no loads.

mod absolute;
mod absolute_single;
mod distance;
mod measure;
mod relative;
mod relative_single;
mod transform;

pub use absolute::{AbsoluteSensor, AbsoluteSensorPorts};
pub use absolute_single::{
    AbsoluteAngles, AbsoluteAnglesPorts, AbsoluteAngularVelocity, AbsoluteAngularVelocityPorts,
    AbsolutePosition, AbsolutePositionPorts, AbsoluteVelocity, AbsoluteVelocityPorts,
};
pub use distance::{Distance, DistancePorts};
pub use relative::{RelativeSensor, RelativeSensorPorts};
pub use relative_single::{
    RelativeAngles, RelativeAnglesPorts, RelativeAngularVelocity, RelativeAngularVelocityPorts,
    RelativePosition, RelativePositionPorts, RelativeVelocity, RelativeVelocityPorts,
};
pub use transform::{
    TransformAbsoluteVector, TransformAbsoluteVectorPorts, TransformRelativeVector,
    TransformRelativeVectorPorts,
};
