//! The contributions of components, before any of them is solved: data, and laws that are evaluated
//! later.

#[doc(hidden)]
pub mod circuits;
#[doc(hidden)]
pub mod clocks;
#[doc(hidden)]
pub mod connection_sets;
pub mod constraints;
#[doc(hidden)]
pub mod drive_trains;
pub mod flanges;
#[doc(hidden)]
pub mod heat;
#[doc(hidden)]
pub mod initial_conditions;
pub mod multibody;
pub mod start_variable;
#[doc(hidden)]
pub mod units;

use crate::declaration::facts::Declaration;
use crate::domain::Domain;
use crate::ids::{ComponentId, CoordinateId, FlangeNode, FrameNode, JointId, List};
use crate::port::{PortId, full_name};
use crate::scene::Shapes;
use crate::statements::laws::acceleration_view::AccelerationLaw;
use crate::statements::laws::signal_view::Signal;
use crate::statements::laws::velocity_view::VelocityLaw;
use crate::statements::motion::ends::{FlangeEnd, FrameEnd};
use circuits::Circuits;
use clocks::Clocks;
use drive_trains::DriveTrains;
use equations::Ex;
use flanges::{FlangePort, Flanges, PrescribedMotion};
use heat::Heat;
use initial_conditions::{Condition, OfBlocks, UnknownParameter};
use multibody::{
    Coordinate, CoordinateType, FramePort, Multibody, ReplacedOrientation, SuccessiveTurn,
};
use units::Units;

/// The contributions of all components.
#[derive(Default)]
#[doc(hidden)]
pub struct Contributions {
    /// Data: the parts of the model and their connections.
    pub structure: Structure,
    /// Laws, which are evaluated when the motion is known.
    pub laws: Laws,
    /// Units of signals.
    pub units: Units,
    /// Placeholders of the parameters of the model, with the parameters.
    pub model_parameters: Vec<(Ex, Ex)>,
}

/// The data that components contributed.
#[derive(Default)]
#[doc(hidden)]
pub struct Structure {
    /// The names of the components.
    pub names: List<ComponentId, String>,
    /// Their declarations.
    pub declarations: List<ComponentId, &'static Declaration>,
    /// The number of flange nodes.
    pub flange_nodes: usize,
    /// Rotation and translation in one dimension.
    pub flanges: Flanges,
    /// Drive trains on moving parts.
    pub drive_trains: DriveTrains,
    /// Mechanics in space.
    pub multibody: Multibody,
    /// Heat flow.
    pub heat: Heat,
    /// Circuits.
    pub circuits: Circuits,
    /// Clocks of signals.
    pub clocks: Clocks,
    /// Parameters that the initial system determines.
    pub unknown_parameters: Vec<UnknownParameter>,
    /// Whether anything gives impulses.
    pub impulsive: bool,
    /// Whether all coordinates of loops are states, whatever the build would choose.
    pub free_loops: bool,
    /// Shapes, if a scene is requested.
    pub scene: Option<Shapes>,
}

/// The laws that components contributed, each with its component unless the law contains it.
#[derive(Default)]
#[doc(hidden)]
pub struct Laws {
    /// Signals by the variable they give.
    pub signals: Vec<(PortId, Signal)>,
    /// Laws on positions and speeds.
    pub velocity: Vec<(ComponentId, VelocityLaw)>,
    /// Laws on accelerations.
    pub acceleration: Vec<(ComponentId, AccelerationLaw)>,
    /// Prescribed motions.
    pub prescribed_motions: Vec<PrescribedMotion>,
    /// Initial conditions that signals give.
    pub conditions: Vec<Condition>,
    /// The initial conditions of blocks.
    pub of_blocks: OfBlocks,
}

impl Structure {
    /// The full name of a port.
    pub fn name_of(&self, port: PortId) -> String {
        full_name(&self.names[port.component], port.port)
    }

    /// Whether a flange follows a coordinate.
    pub fn is_tied(&self, coordinate: CoordinateId) -> bool {
        self.flanges.constraints.iter().any(|constraint| constraint.coordinate == Some(coordinate))
    }

    /// Describes the free orientation of a joint by three turns; returns what described it before.
    pub fn use_angles(&mut self, joint: JointId) -> Option<ReplacedOrientation> {
        let orientation = self.multibody.joints[joint].orientation.take()?;
        let last = self.multibody.joints[joint].coordinates.last(3);
        let angular_velocity = [0, 1, 2].map(|k| self.multibody.coordinates[last.nth(k)].clone());
        self.turn_about(joint, orientation.turns.clone());
        Some(ReplacedOrientation { joint, orientation, angular_velocity })
    }

    /// Describes the orientation of a joint by its quaternion again.
    pub fn use_quaternion(&mut self, replaced: &ReplacedOrientation) {
        let joint = &mut self.multibody.joints[replaced.joint];
        joint.orientation = Some(replaced.orientation.clone());
        for (c, coordinate) in joint.coordinates.last(3).iter().zip(&replaced.angular_velocity) {
            self.multibody.coordinates[c] = coordinate.clone();
        }
    }

    /// Makes the last three coordinates of a joint these turns.
    pub fn turn_about(&mut self, joint: JointId, turns: [SuccessiveTurn; 3]) {
        let last = self.multibody.joints[joint].coordinates.last(3);
        for (c, SuccessiveTurn { axis, angle: position, speed }) in last.iter().zip(turns) {
            let coordinate = &mut self.multibody.coordinates[c];
            let coordinate_type = CoordinateType::Revolute;
            *coordinate =
                Coordinate { coordinate_type, axis, position, speed, ..coordinate.clone() };
        }
    }

    /// The flange of a component's port, registered once.
    pub fn flange_end(&mut self, port: FlangePort) -> FlangeEnd {
        let known = self.flanges.ends.enumerate().rfind(|(_, e)| e.port == port.port);
        let known = known.map(|(end, _)| end);
        let end = known.unwrap_or_else(|| self.flanges.ends.push(port));
        FlangeEnd { node: port.node, end }
    }

    /// The frame of a component's port, registered once.
    pub fn frame_end(
        &mut self,
        node: FrameNode,
        component: ComponentId,
        port: &'static str,
    ) -> FrameEnd {
        let id = PortId { component, port };
        if self.multibody.frames.iter().rev().all(|e| e.port != id) {
            self.multibody.frames.push(FramePort { node, port: id });
        }
        FrameEnd { node }
    }

    /// A hidden flange: the housing behind an open support.
    pub fn hidden_end(
        &mut self,
        node: FlangeNode,
        component: ComponentId,
        domain: &'static Domain,
    ) -> FlangeEnd {
        let port = PortId { component, port: "" };
        let end = self.flanges.ends.push(FlangePort { node, port, domain });
        FlangeEnd { node, end }
    }

    /// The frames that drive trains and contacts act on.
    pub fn carriers(&self) -> impl Iterator<Item = FrameEnd> + '_ {
        let supports = self.drive_trains.supports.iter().filter_map(|support| support.frame);
        let rotors = self.drive_trains.rotors.iter().filter_map(|rotor| rotor.frame);
        let on_lines = self.drive_trains.lines.iter().flat_map(|support| support.ends);
        supports
            .chain(rotors)
            .chain(on_lines)
            .chain(self.multibody.contacts.iter().flatten().copied())
    }
}
