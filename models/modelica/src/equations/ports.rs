//! Physical connectors of components whose texts have equations: potentials, which the mechanics
//! gives, and flows, which equations determine.

use super::connectors::{Port, PortKind};
use super::symbols::Meaning;
use super::system::{Equation, Equations};
use crate::evaluate::Evaluator;
use crate::instance::{Content, Instance, Type, Variable, is_of};
use crate::library::{ClassNode, Library};
use crate::source::{Checked, Complaint, Complaints, Span};
use crate::syntax::ClassKind;
use mechanics::domain::{ROTATIONAL, TRANSLATIONAL};
use std::rc::Rc;

/// How components are connected.
pub struct Connected<'c> {
    /// Whether a connector that is no port of our components is connected with something.
    pub at_all: &'c dyn Fn(&str) -> bool,
    /// Whether a connector is connected in the text of its component, and outside of it.
    pub faces: &'c dyn Fn(&str) -> [bool; 2],
}

/// A kind of connector with variables for which equations are supported.
#[derive(Clone, Copy, Debug)]
enum ConnectorKind {
    Port(PortKind),
    Frame,
    /// Pins, with the names of potentials and currents.
    Pins([&'static str; 2]),
}

/// What a class of the standard library is as a connector.
fn kind_of_path(path: &str) -> Option<ConnectorKind> {
    let (package, name) = path.rsplit_once('.')?;
    let is_flange = matches!(name, "Flange" | "Flange_a" | "Flange_b" | "Support");
    let package = package.strip_prefix("Modelica.")?.strip_suffix(".Interfaces")?;
    Some(match (package, name) {
        ("Mechanics.Rotational", _) if is_flange => {
            ConnectorKind::Port(PortKind::Flange(&ROTATIONAL))
        }
        ("Mechanics.Translational", _) if is_flange => {
            ConnectorKind::Port(PortKind::Flange(&TRANSLATIONAL))
        }
        ("Thermal.HeatTransfer", "HeatPort" | "HeatPort_a" | "HeatPort_b") => {
            ConnectorKind::Port(PortKind::Heat)
        }
        ("Mechanics.MultiBody", "Frame" | "Frame_a" | "Frame_b" | "Frame_resolve") => {
            ConnectorKind::Frame
        }
        ("Electrical.Analog", "Pin" | "PositivePin" | "NegativePin") => {
            ConnectorKind::Pins(["v", "i"])
        }
        ("Electrical.Machines", "SpacePhasor") => ConnectorKind::Pins(["v_", "i_"]),
        _ => return None,
    })
}

/// What a class of connectors is, also through inheritance.
fn kind_of(
    library: &Library,
    class: &Rc<ClassNode>,
    depth: usize,
) -> Checked<Option<ConnectorKind>> {
    if let Some(kind) = kind_of_path(&class.path) {
        return Ok(Some(kind));
    }
    if depth > 40 {
        return Ok(None);
    }
    for base in library.bases(class)? {
        if let Some(kind) = kind_of(library, &base.class, depth + 1)? {
            return Ok(Some(kind));
        }
    }
    Ok(None)
}

/// Potential and flow of a connector.
fn variables_of(
    evaluator: &Evaluator<'_>,
    connector: &Rc<Instance>,
    names: [&str; 2],
) -> Checked<Option<[Rc<Variable>; 2]>> {
    let variable = |name: &str| -> Checked<Option<Rc<Variable>>> {
        let Some(member) = connector.members(evaluator.library)?.get(name) else {
            return Ok(None);
        };
        Ok(match evaluator.content(connector, member)? {
            Content::Variable(variable) => Some(variable),
            _ => None,
        })
    };
    let [potential, flow] = names.map(variable);
    Ok(potential?.zip(flow?).map(<[_; 2]>::from))
}

impl Equations {
    /// Declares the variables of a connector of a component, if it is a physical one.
    ///
    /// # Errors
    /// A value of its variables is wrong.
    pub fn declare_connector(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        (content, span): (&Content, &Span),
    ) -> Checked<()> {
        let connector = match content {
            Content::Instance(connector) => connector,
            Content::Array(elements) => {
                let mut elements = elements.iter();
                return elements.try_for_each(|element| {
                    self.declare_connector(evaluator, owner, (element, span))
                });
            }
            Content::Absent | Content::Variable(_) => return Ok(()),
        };
        match kind_of(evaluator.library, &connector.class, 0)? {
            Some(ConnectorKind::Frame) => self.declare_frame(evaluator, owner, (connector, span)),
            Some(ConnectorKind::Port(kind)) => {
                self.declare_port(evaluator, owner, kind, (connector, span))
            }
            Some(ConnectorKind::Pins(names)) => match variables_of(evaluator, connector, names)? {
                Some(of) => self.declare_pins(evaluator, owner, of, (&connector.name, span)),
                None => Ok(()),
            },
            None => self.declare_inner_pins(evaluator, owner, (connector, span)),
        }
    }

    /// Declares the variables of pins in a connector: those of a plug.
    fn declare_inner_pins(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        (connector, span): (&Rc<Instance>, &Span),
    ) -> Checked<()> {
        for member in &connector.members(evaluator.library)?.list {
            let kind = kind_of(evaluator.library, &member.class, 0)?;
            let may_be = matches!(kind, None | Some(ConnectorKind::Pins(_)));
            if may_be && is_of(evaluator.library, &member.class, ClassKind::Connector)? {
                let content = evaluator.content(connector, member)?;
                self.declare_connector(evaluator, owner, (&content, span))?;
            }
        }
        Ok(())
    }

    /// Declares the variables of a flange or a heat port.
    fn declare_port(
        &mut self,
        evaluator: &Evaluator<'_>,
        owner: &Rc<Instance>,
        kind: PortKind,
        (connector, span): (&Rc<Instance>, &Span),
    ) -> Checked<()> {
        let Some([potential, flow]) = variables_of(evaluator, connector, kind.variables())? else {
            return Ok(());
        };
        let at = self.ports.len();
        self.ports.push(Port {
            name: connector.name.as_str().into(),
            kind,
            owner: Rc::clone(owner),
            potential: potential.name.as_str().into(),
            flow: flow.name.as_str().into(),
            is_inside: false,
            has_inner: false,
            span: span.clone(),
        });
        self.port_by_name.insert(connector.name.as_str().into(), at);
        self.symbols.declare_potential(&potential.name);
        self.declare(evaluator, owner, &flow)?;
        self.bind_potential(evaluator, &potential)
    }

    /// Adds the equation that a text gives for a potential where it declares the connector.
    pub(super) fn bind_potential(
        &mut self,
        evaluator: &Evaluator<'_>,
        potential: &Rc<Variable>,
    ) -> Checked<()> {
        let Some(binding) = &potential.modifier.value else { return Ok(()) };
        let span = &binding.expression.span;
        let value = evaluator.reading_equations(|| evaluator.bound(binding))?;
        let right = value.real().map_err(|why| Complaint::at(span, why))?;
        let meaning = Meaning::Variable(potential.name.as_str().into());
        let left = self.symbols.ex(self.symbols.number(meaning, Some(potential), span));
        self.equations.push(Equation::plain(Type::Real, (left, right), span));
        Ok(())
    }

    /// Whether equations name a variable of a physical connector.
    pub fn has_port(&self, name: &str) -> bool {
        self.port_by_name.get(name).is_some_and(|at| {
            let Port { potential, flow, .. } = &self.ports[*at];
            self.names_variable(potential) || self.names_variable(flow)
        }) || self.has_frame(name)
            || self.has_pins(name)
    }

    /// Whether connections inside of the component of a connector are apart from those outside,
    /// because equations name its flow, or because its flow is published with its potential, which
    /// they name.
    pub fn has_flow(&self, name: &str) -> bool {
        let port = self.port_by_name.get(name).map(|at| &self.ports[*at]);
        port.is_some_and(|port| self.names_flow(port)) || self.has_pins(name)
    }

    fn names_flow(&self, port: &Port) -> bool {
        self.names_variable(&port.flow)
            || port.kind.domain().is_some() && self.names_variable(&port.potential)
    }

    pub(super) fn names_variable(&self, name: &str) -> bool {
        self.symbols.variable(name).is_some()
    }

    /// The port whose flow a variable is.
    pub(super) fn port_of_flow(&self, name: &str) -> Option<usize> {
        let (port, _) = name.rsplit_once('.')?;
        let at = *self.port_by_name.get(port)?;
        (&*self.ports[at].flow == name).then_some(at)
    }

    /// Whether a variable is the potential of a connector.
    pub(super) fn is_potential(&self, name: &str) -> bool {
        self.symbols.is_potential(name)
    }

    /// Decides on which side of their components connectors are connected, and which flows
    /// equations should determine.
    ///
    /// # Errors
    /// Connections on both sides determine a flow.
    pub(super) fn check_ports(&mut self, connected: &Connected<'_>) -> Result<(), Complaints> {
        let mut complaints = Vec::new();
        for at in 0..self.ports.len() {
            let port = &self.ports[at];
            let Port { name, kind, owner, potential, flow, span, .. } = port;
            let [inside, outside] = (connected.faces)(name);
            let named = self.symbols.variable(flow);
            let is_flange = kind.domain().is_some();
            let has_inner = self.names_flow(port) && inside && outside && is_flange;
            if let (Some(number), true, true, false) = (named, inside, outside, has_inner) {
                let sentence = format!(
                    "{flow} is the flow of a connection, because {name} is connected inside of \
                     its component too; a sensor measures it"
                );
                complaints.push(Complaint::at(&self.symbols.get(number).span, sentence));
            }
            // What nothing names may follow from a constraint, such as `port.T = 300`.
            let is_used = outside || self.names_variable(potential);
            let is_own = !inside && is_used && !owner.name.is_empty();
            if named.is_none() && (is_own || has_inner) {
                let declared = self.by_name.get(flow).map(|at| &self.unknowns[*at].variable);
                self.symbols.number(Meaning::Variable(Rc::clone(flow)), declared, span);
            }
            (self.ports[at].is_inside, self.ports[at].has_inner) = (inside && !outside, has_inner);
        }
        if complaints.is_empty() { Ok(()) } else { Err(complaints) }
    }
}
