//! Contributions to heat flow: ports, capacities, held temperatures.

use super::start_variable::StartVariable;
use crate::ids::{ComponentId, HeatLinkId, HeatNode, List};
use crate::port::PortId;
use crate::statements::motion::ends::HeatEnd;
use equations::Ex;

/// A connected heat port of a component.
#[derive(Clone, Copy, Debug)]
pub struct HeatPortOf {
    /// The connection set it belongs to.
    pub node: HeatNode,
    /// Component and port.
    pub port: PortId,
}

/// A heat capacity at a heat port.
#[derive(Clone, Debug)]
pub struct HeatCapacity {
    /// The component that states it.
    pub component: ComponentId,
    /// The connection set.
    pub node: HeatNode,
    /// Heat capacity in J/K.
    pub capacity: Ex,
    /// Its temperature in K.
    pub temperature: StartVariable,
}

/// A heat port that is held at a temperature.
#[derive(Clone, Copy, Debug)]
pub struct HeldTemperature {
    /// The component that states it.
    pub component: ComponentId,
    /// The connection set.
    pub node: HeatNode,
    /// The temperature in K; `None` if a law of the component states it.
    pub temperature: Option<Ex>,
}

/// Two heat ports of a component with one temperature, such as the ports of a sensor. Any heat
/// flows from the first port to the second port.
#[derive(Clone, Copy, Debug)]
pub struct HeatLink {
    /// The component that states it.
    pub component: ComponentId,
    /// The two ports.
    pub ends: [HeatEnd; 2],
}

/// All contributions to heat flow.
#[derive(Debug, Default)]
pub struct Heat {
    /// Connected heat ports.
    pub ports: Vec<HeatPortOf>,
    /// Heat capacities.
    pub capacities: Vec<HeatCapacity>,
    /// Ports that are held at temperatures.
    pub held: Vec<HeldTemperature>,
    /// Pairs of ports with one temperature.
    pub links: List<HeatLinkId, HeatLink>,
}
