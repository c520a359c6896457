//! The connectors of components whose texts have equations, as data: physical connectors, frames
//! and pins.

use super::symbols::{Meaning, Symbols};
use crate::instance::Instance;
use crate::source::Span;
use mechanics::domain::Domain;
use std::rc::Rc;

/// A physical connector of a component whose text is read.
#[derive(Clone, Debug)]
pub(super) struct Port {
    /// Its full name.
    pub name: Rc<str>,
    /// What it is.
    pub kind: PortKind,
    /// The component to which it belongs.
    pub owner: Rc<Instance>,
    /// The full name of its potential.
    pub potential: Rc<str>,
    /// The full name of its flow.
    pub flow: Rc<str>,
    /// Whether other components are connected with it inside of its component, and nothing outside.
    pub is_inside: bool,
    /// Whether they are also connected outside, and equations name its flow: then it has two ends.
    pub has_inner: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A kind of physical connector.
#[derive(Clone, Copy, Debug)]
pub(super) enum PortKind {
    /// A flange.
    Flange(&'static Domain),
    /// A heat port.
    Heat,
}

impl PortKind {
    /// The names of potential and flow.
    pub fn variables(self) -> [&'static str; 2] {
        match self {
            PortKind::Flange(domain) => [domain.position.local, domain.flow.local],
            PortKind::Heat => ["T", "Q_flow"],
        }
    }

    /// The kind of port in a declaration.
    pub fn declared(self) -> &'static str {
        match self {
            PortKind::Flange(domain) => domain.port,
            PortKind::Heat => "HeatPort",
        }
    }

    /// The domain of a flange.
    pub fn domain(self) -> Option<&'static Domain> {
        match self {
            PortKind::Flange(domain) => Some(domain),
            PortKind::Heat => None,
        }
    }
}

/// A frame of a component whose text is read.
#[derive(Clone, Debug)]
pub(super) struct FramePort {
    /// Its full name.
    pub name: Rc<str>,
    /// The component to which it belongs.
    pub owner: Rc<Instance>,
    /// Whether other components are connected with it inside of its component, and nothing outside.
    pub is_inside: bool,
    /// Where it is declared.
    pub span: Span,
}

/// What a symbol of a frame stands for; indices begin at zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum OfFrame {
    /// An element of the position.
    Position(usize),
    /// An element of the velocity in the axes of the world.
    Velocity(usize),
    /// An element of the matrix that leads from the axes of the world to those of the frame.
    Matrix(usize, usize),
    /// An element of the angular velocity in the axes of the frame.
    AngularVelocity(usize),
}

/// The names of the elements of a vector.
fn elements(name: &str) -> [String; 3] {
    [1, 2, 3].map(|k| format!("{name}[{k}]"))
}

impl FramePort {
    /// The names of force and torque.
    pub fn flows(&self) -> [[String; 3]; 2] {
        ["f", "t"].map(|flow| elements(&format!("{}.{flow}", self.name)))
    }

    /// The symbols of what the mechanics gives.
    pub fn potentials(&self, symbols: &Symbols) -> Vec<(usize, OfFrame)> {
        let name = &self.name;
        let mut found = Vec::new();
        for k in 0..3 {
            if let Some(position) = symbols.variable(&elements(&format!("{name}.r_0"))[k]) {
                found.push((position, OfFrame::Position(k)));
                let velocity = symbols.find(&Meaning::Derivative(position));
                found.extend(velocity.map(|number| (number, OfFrame::Velocity(k))));
            }
            let speed = symbols.variable(&elements(&format!("{name}.R.w"))[k]);
            found.extend(speed.map(|number| (number, OfFrame::AngularVelocity(k))));
            for j in 0..3 {
                let element = symbols.variable(&format!("{name}.R.T[{},{}]", k + 1, j + 1));
                found.extend(element.map(|number| (number, OfFrame::Matrix(k, j))));
            }
        }
        found
    }
}

/// A pin of a component whose text is read, or one axis of a space phasor.
#[derive(Clone, Debug)]
pub(super) struct Pin {
    /// Its full name.
    pub name: Rc<str>,
    /// The full name of its connector: the pin, or the space phasor.
    pub connector: Rc<str>,
    /// The component to which it belongs.
    pub owner: Rc<Instance>,
    /// The full name of its potential.
    pub potential: Rc<str>,
    /// The full name of its current.
    pub current: Rc<str>,
    /// Whether other components are connected with it inside of its component.
    pub is_inside: bool,
    /// Where it is declared.
    pub span: Span,
}

impl Pin {
    /// Whether it is a connector of its own, whose variables circuits publish.
    pub fn is_whole(&self) -> bool {
        self.name == self.connector
    }
}
