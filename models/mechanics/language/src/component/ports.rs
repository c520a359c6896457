//! Ports of a component.

use super::Contribution;
use crate::domain::Domain;
use crate::error::Error;
use crate::ids::HeatLinkId;
use crate::port::{PortId, element};
use crate::statements::contributions::flanges::FlangePort;
use crate::statements::contributions::heat::{HeatCapacity, HeatLink, HeatPortOf, HeldTemperature};
use crate::statements::contributions::multibody::GroundFrame;
use crate::statements::contributions::start_variable::StartVariable;
#[cfg(doc)]
use crate::statements::laws::signal_view::SignalView;
use crate::statements::motion::ends::{FlangeEnd, FrameEnd, HeatEnd};
use crate::statements::spatial::pose::Pose;
use equations::Ex;

impl Contribution<'_> {
    /// A flange of this component.
    pub fn flange(&mut self, domain: &'static Domain, port: &'static str) -> FlangeEnd {
        self.take_flange(port, false);
        self.flange_end(domain, port)
    }

    fn flange_end(&mut self, domain: &'static Domain, port: &'static str) -> FlangeEnd {
        let port = self.declared_port(port, domain.port);
        let node = self.wiring.flange_node(port);
        self.structure.flange_end(FlangePort { node, port, domain })
    }

    /// A flange of this component to which its own parts are connected: its torque (or force) is
    /// that on the parts, and is not published.
    pub fn inner_flange(&mut self, domain: &'static Domain, port: &'static str) -> FlangeEnd {
        let port = self.declared_port(port, domain.port).port;
        self.hidden_point(domain, port)
    }

    /// A point that moves with this component and cannot be connected; `local` distinguishes it
    /// from others.
    pub fn hidden_point(&mut self, domain: &'static Domain, local: &'static str) -> FlangeEnd {
        let port = PortId { component: self.component, port: local };
        let node = self.wiring.flange_node(port);
        self.structure.hidden_end(node, self.component, domain)
    }

    /// Fixes a flange at zero unless something else determines its position.
    pub fn rest(&mut self, end: FlangeEnd, domain: &'static Domain) {
        let housing = self.structure.hidden_end(end.node, self.component, domain);
        let constraint = self.linear(&[(housing, Ex::one())], Ex::zero());
        self.structure.flanges.constraints[constraint].optional = true;
    }

    /// A point that moves with this component and cannot be connected.
    pub fn hidden_flange(&mut self, domain: &'static Domain) -> FlangeEnd {
        let node = self.wiring.flange_node(PortId { component: self.component, port: "" });
        self.structure.hidden_end(node, self.component, domain)
    }

    /// A support flange, which is fixed at zero if nothing is connected to it.
    pub fn support(&mut self, domain: &'static Domain, port: &'static str) -> FlangeEnd {
        self.take_flange(port, true);
        let connected = self.is_connected(port);
        let end = self.flange_end(domain, port);
        if !connected {
            let housing = self.structure.hidden_end(end.node, self.component, domain);
            self.linear(&[(housing, Ex::one())], Ex::zero());
        }
        end
    }

    /// A heat port of this component; `None` if nothing is connected to it.
    pub fn heat_port(&mut self, port: &'static str) -> Option<HeatEnd> {
        let port = self.optional_port(port, "HeatPort")?;
        if !self.wiring.is_connected(port) {
            return None;
        }
        let node = self.wiring.heat_node(port);
        self.structure.heat.ports.push(HeatPortOf { node, port });
        Some(HeatEnd { node })
    }

    /// A heat port of this component that exists even if nothing is connected to it.
    pub fn own_heat_port(&mut self, port: &'static str) -> HeatEnd {
        let port = self.declared_port(port, "HeatPort");
        let node = self.wiring.heat_node(port);
        self.structure.heat.ports.push(HeatPortOf { node, port });
        HeatEnd { node }
    }

    /// Keeps a heat port at a temperature in K.
    pub fn hold_temperature(&mut self, end: HeatEnd, temperature: Ex) {
        let (component, node, temperature) = (self.component, end.node, Some(temperature));
        self.structure.heat.held.push(HeldTemperature { component, node, temperature });
    }

    /// Keeps a heat port at the temperature that a law of the component states with
    /// [`SignalView::prescribe_temperature`].
    pub fn prescribe_temperature(&mut self, end: HeatEnd) {
        let (component, node, temperature) = (self.component, end.node, None);
        self.structure.heat.held.push(HeldTemperature { component, node, temperature });
    }

    /// Gives one temperature to two heat ports. The heat that flows from the first one through the
    /// component to the second one follows from the balance of what is connected.
    pub fn link_heat_ports(&mut self, from: HeatEnd, to: HeatEnd) -> HeatLinkId {
        let component = self.component;
        self.structure.heat.links.push(HeatLink { component, ends: [from, to] })
    }

    /// A heat capacity in J/K at the temperature of a heat port.
    pub fn heat_capacity(&mut self, end: HeatEnd, capacity: Ex, temperature: StartVariable) {
        let (component, node) = (self.component, end.node);
        self.structure.heat.capacities.push(HeatCapacity {
            component,
            node,
            capacity,
            temperature,
        });
    }

    /// Whether something is connected to a port of this component.
    pub fn is_connected(&self, port: &'static str) -> bool {
        self.wiring.is_connected(PortId { component: self.component, port })
    }

    /// A frame of this component.
    pub fn frame(&mut self, port: &'static str) -> FrameEnd {
        let own = self.declared_port(port, "Frame");
        let node = self.wiring.frame_node(own);
        self.structure.frame_end(node, self.component, port)
    }

    /// A frame of this component; `None` if nothing is connected to it.
    pub fn optional_frame(&mut self, port: &'static str) -> Option<FrameEnd> {
        let own = self.optional_port(port, "Frame")?;
        let connected = self.wiring.is_connected(own);
        connected.then(|| self.frame(port))
    }

    /// The variable connected to an input of this component.
    pub fn input(&mut self, port: &'static str) -> Result<PortId, Error> {
        self.input_of(port, "Input")
    }

    /// The variable connected to an input of type Boolean of this component, which
    /// [`SignalView::read_truth`](crate::statements::laws::signal_view::SignalView::read_truth)
    /// reads.
    pub fn boolean_input(&mut self, port: &'static str) -> Result<PortId, Error> {
        self.input_of(port, "BooleanInput")
    }

    /// The variable connected to an input of type Integer of this component.
    pub fn integer_input(&mut self, port: &'static str) -> Result<PortId, Error> {
        self.input_of(port, "IntegerInput")
    }

    fn input_of(&mut self, port: &'static str, kind: &str) -> Result<PortId, Error> {
        let own = self.declared_port(port, kind);
        self.wiring.source(own).ok_or_else(|| {
            Error::Connection(format!("{}: the input is not connected", self.full(port)))
        })
    }

    /// The variables connected to the elements of a vector of inputs, whose kind is `Input`,
    /// `BooleanInput` or `IntegerInput`; there are as many elements as connections.
    pub fn connected_inputs(
        &mut self,
        vector: &'static str,
        kind: &str,
    ) -> Result<Vec<PortId>, Error> {
        let is_element =
            |port: &&str| port.strip_prefix(vector).is_some_and(|rest| rest.starts_with('['));
        let count = self.wiring.connected_ports(self.component).filter(is_element).count();
        (1..=count).map(|i| self.input_of(element(vector, i), kind)).collect()
    }

    /// The variable connected to an input of this component; `None` if nothing is connected to it.
    pub fn optional_input(&mut self, port: &'static str) -> Option<PortId> {
        let own = self.optional_port(port, "Input")?;
        self.wiring.source(own)
    }

    /// The variable connected to an input of type Boolean of this component; `None` if nothing is
    /// connected to it.
    pub fn optional_boolean_input(&mut self, port: &'static str) -> Option<PortId> {
        let own = self.optional_port(port, "BooleanInput")?;
        self.wiring.source(own)
    }

    /// States the unit of an output that is not published under its own name.
    pub fn unit_of(&mut self, port: &'static str, unit: &str) {
        self.declared_variable(port);
        let port = PortId { component: self.component, port };
        self.units.of.insert(port, unit.to_owned());
    }

    /// States that an output has the unit of an input.
    pub fn passes_unit(&mut self, input: &'static str, output: &'static str) {
        self.check_port(input, "Input");
        self.declared_variable(output);
        let [input, output] =
            [input, output].map(|p| PortId { component: self.component, port: p });
        self.units.passed.push((input, output));
    }

    /// The variables connected to the elements of an input vector of this component.
    pub fn inputs(&mut self, port: &'static str) -> Result<[PortId; 3], Error> {
        let mut input = |i| self.input(element(port, i));
        Ok([input(1)?, input(2)?, input(3)?])
    }

    /// Fixes a frame in the world.
    pub fn ground_frame(&mut self, end: FrameEnd, pose: Pose) {
        let (component, node) = (self.component, end.node);
        self.structure.multibody.ground.push(GroundFrame { component, node, pose });
    }

    /// An internal frame that moves with this component; `local` distinguishes it from others.
    pub fn hidden_frame(&mut self, local: &'static str) -> FrameEnd {
        let port = PortId { component: self.component, port: local };
        FrameEnd { node: self.wiring.frame_node(port) }
    }

    /// An internal frame at rest in the world.
    pub fn ground(&mut self, pose: Pose) -> FrameEnd {
        let port = PortId { component: self.component, port: "" };
        let end = FrameEnd { node: self.wiring.frame_node(port) };
        self.ground_frame(end, pose);
        end
    }
}
