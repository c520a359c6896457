//! Sensors: they measure and exert no loads.

mod absolute;
mod absolute_single;
mod cut;
mod distance;
mod measure;
mod power;
mod relative;
mod relative_single;
mod transform;

pub use absolute::{AbsoluteSensor, AbsoluteSensorPorts};
pub use absolute_single::{
    AbsoluteAngles, AbsoluteAnglesPorts, AbsoluteAngularVelocity, AbsoluteAngularVelocityPorts,
    AbsolutePosition, AbsolutePositionPorts, AbsoluteVelocity, AbsoluteVelocityPorts,
};
pub use cut::{
    CutForce, CutForceAndTorque, CutForceAndTorquePorts, CutForcePorts, CutTorque, CutTorquePorts,
};
pub use distance::{Distance, DistancePorts};
pub use power::{Power, PowerPorts};
pub use relative::{RelativeSensor, RelativeSensorPorts};
pub use relative_single::{
    RelativeAngles, RelativeAnglesPorts, RelativeAngularVelocity, RelativeAngularVelocityPorts,
    RelativePosition, RelativePositionPorts, RelativeVelocity, RelativeVelocityPorts,
};
pub use transform::{
    TransformAbsoluteVector, TransformAbsoluteVectorPorts, TransformRelativeVector,
    TransformRelativeVectorPorts,
};
