//! Ports of component instances, and their connections.

use crate::ids::ComponentId;

mod by_name;

pub use by_name::{AnyPort, NamedPorts, indices};
use std::marker::PhantomData;

/// A port of a component instance: which component, and the port's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortId {
    /// Index of the component.
    pub component: ComponentId,
    /// Name of the port, for example `flange_a`.
    pub port: &'static str,
}

/// The name of an element, such as `y[2]`. It is never freed, because names of ports exist as long
/// as the process.
pub fn element(port: &str, index: impl std::fmt::Display) -> &'static str {
    format!("{port}[{index}]").leak()
}

/// The name of a variable of a connector, such as `flange_a.tau`. It is never freed either.
pub fn part(port: &str, variable: &str) -> &'static str {
    format!("{port}.{variable}").leak()
}

/// The indices `row,column` of the element with number `k` of a three by three matrix; elements are
/// counted row by row from zero.
pub fn place(k: usize) -> String {
    format!("{},{}", k / 3 + 1, k % 3 + 1)
}

/// The full name of a port or a variable of a component. The component without a name is the model
/// itself.
pub fn full_name(component: &str, local: &str) -> String {
    if component.is_empty() { local.to_owned() } else { format!("{component}.{local}") }
}

/// A connector of 3-D mechanics: position and orientation, cut force and cut torque.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame(#[doc(hidden)] pub PortId);

/// A connector of rotational 1-D mechanics: angle `phi` and cut torque `tau`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flange(#[doc(hidden)] pub PortId);

/// A connector of translational 1-D mechanics: position `s` and cut force `f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TranslationalFlange(#[doc(hidden)] pub PortId);

/// A connector of heat flow: temperature `T` and heat flow `Q_flow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeatPort(#[doc(hidden)] pub PortId);

/// A connector of circuits: potential `v` and current `i` into the component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin(#[doc(hidden)] pub PortId);

/// An input signal of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input(#[doc(hidden)] pub PortId);

/// An input signal that is true or false.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BooleanInput(#[doc(hidden)] pub PortId);

/// An input signal that is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerInput(#[doc(hidden)] pub PortId);

/// A variable of a component, which can be an output of the model or be connected to an input of
/// its type: an [`Input`], an [`IntegerInput`] or a [`BooleanInput`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quantity(#[doc(hidden)] pub PortId);

/// The component instance whose ports and variables are made.
#[derive(Clone, Copy, Debug)]
pub struct At(#[doc(hidden)] pub ComponentId);

/// A vector of ports whose length depends on parameters or on connections.
#[derive(Clone, Copy, Debug)]
pub struct Elements<P> {
    at: At,
    name: &'static str,
    kind: PhantomData<P>,
}

impl<P: PortEntry> Elements<P> {
    /// The element of this number, counted from 1.
    pub fn element(self, number: usize) -> P {
        P::at(self.at, element(self.name, number))
    }
}

/// A variable that is an array whose length depends on parameters.
pub type Array = Elements<Quantity>;

impl At {
    /// The frame of this name.
    pub fn frame(self, port: &'static str) -> Frame {
        Frame(PortId { component: self.0, port })
    }
    /// The flange of this name.
    pub fn flange(self, port: &'static str) -> Flange {
        Flange(PortId { component: self.0, port })
    }
    /// The translational flange of this name.
    pub fn translational_flange(self, port: &'static str) -> TranslationalFlange {
        TranslationalFlange(PortId { component: self.0, port })
    }
    /// The heat port of this name.
    pub fn heat_port(self, port: &'static str) -> HeatPort {
        HeatPort(PortId { component: self.0, port })
    }
    /// The pin of this name.
    pub fn pin(self, port: &'static str) -> Pin {
        Pin(PortId { component: self.0, port })
    }
    /// The input of this name.
    pub fn input(self, port: &'static str) -> Input {
        Input(PortId { component: self.0, port })
    }
    /// The input of type Boolean of this name.
    pub fn boolean_input(self, port: &'static str) -> BooleanInput {
        BooleanInput(PortId { component: self.0, port })
    }
    /// The input of type Integer of this name.
    pub fn integer_input(self, port: &'static str) -> IntegerInput {
        IntegerInput(PortId { component: self.0, port })
    }
    /// The three elements of a vector of ports of this name.
    pub fn three<P: PortEntry>(self, port: &'static str) -> [P; 3] {
        [1, 2, 3].map(|i| P::at(self, element(port, i)))
    }
    /// The variable of this name.
    pub fn quantity(self, port: &'static str) -> Quantity {
        Quantity(PortId { component: self.0, port })
    }
    /// The vector of this name.
    pub fn elements<P>(self, name: &'static str) -> Elements<P> {
        Elements { at: self, name, kind: PhantomData }
    }
    /// The elements of the quaternion of this name, with the scalar part last.
    pub fn quaternion(self, port: &'static str) -> [Quantity; 4] {
        [1, 2, 3, 4].map(|i| self.quantity(element(port, i)))
    }
    /// The elements of the three by three matrix of this name, row by row.
    pub fn matrix(self, port: &'static str) -> [Quantity; 9] {
        std::array::from_fn(|k| self.quantity(element(port, place(k))))
    }
}

/// An entry of a struct of ports, made from the instance and a name.
pub trait PortEntry {
    /// The entry of this name.
    fn at(at: At, name: &'static str) -> Self;
}

/// Implements [`PortEntry`] for types that a method of [`At`] makes.
macro_rules! connectors {
    ($($Type:ty: $method:ident),* $(,)?) => { $(
        impl PortEntry for $Type {
            fn at(at: At, name: &'static str) -> Self {
                at.$method(name)
            }
        }
    )* };
}

connectors! {
    Frame: frame,
    Flange: flange,
    TranslationalFlange: translational_flange,
    HeatPort: heat_port,
    Pin: pin,
    Input: input,
    BooleanInput: boolean_input,
    IntegerInput: integer_input,
    Quantity: quantity,
    [Quantity; 4]: quaternion,
    [Quantity; 9]: matrix,
}

impl<P: PortEntry> PortEntry for [P; 3] {
    fn at(at: At, name: &'static str) -> Self {
        at.three(name)
    }
}

impl<P> PortEntry for Elements<P> {
    fn at(at: At, name: &'static str) -> Self {
        at.elements(name)
    }
}

/// Pairs of ports that may be connected with each other.
#[diagnostic::on_unimplemented(
    message = "a port of the kind `{Self}` cannot be connected with one of the kind `{Other}`",
    label = "here a `{Self}` would be connected with a `{Other}`",
    note = "`Flange` belongs to rotation, `TranslationalFlange` to translation, and `Frame` to space: \
            `IdealGearR2T` connects the first two, and `Mounting1D` or a joint with flanges the \
            others",
    note = "a signal leads from a `Quantity` to an `Input`, a `BooleanInput` or an `IntegerInput`",
    note = "`Elements`, such as the signals of a table, are connected one by one: `table.y(1)`"
)]
pub trait Connects<Other>: Copy {
    /// The connections: one, or one for each pair of elements.
    fn ends(self, other: Other) -> Vec<Connection>;
}

/// Nothing that could be connected. If each port could be connected with one type only, the
/// compiler would expect that type of every other port, and not print the message of [`Connects`].
#[derive(Clone, Copy, Debug)]
pub enum Nothing {}

/// Implements [`Connects`] with [`Nothing`].
macro_rules! connects_nothing {
    ($($Port:ty),*) => { $(
        #[diagnostic::do_not_recommend]
        impl Connects<Nothing> for $Port {
            fn ends(self, other: Nothing) -> Vec<Connection> {
                match other {}
            }
        }
    )* };
}

connects_nothing!(Frame, Flange, TranslationalFlange, HeatPort, Pin, Quantity);

/// A variable that can be an output of the model.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a variable that can be an output",
    label = "an output is a variable of a component, a `Quantity`",
    note = "`Elements`, such as the signals of a table, are outputs one by one: `table.y(1)`",
    note = "a vector or a quaternion is a list of variables: `m.outputs(body.r_0)`, \
            `m.output(\"x\", body.r_0[0])`"
)]
pub trait Observable {
    /// The variable.
    fn quantity(self) -> Quantity;
}

impl Observable for Quantity {
    fn quantity(self) -> Quantity {
        self
    }
}

impl Connects<Frame> for Frame {
    fn ends(self, other: Frame) -> Vec<Connection> {
        vec![Connection::Frames(self.0, other.0)]
    }
}

impl Connects<Flange> for Flange {
    fn ends(self, other: Flange) -> Vec<Connection> {
        vec![Connection::Flanges(self.0, other.0)]
    }
}

impl Connects<TranslationalFlange> for TranslationalFlange {
    fn ends(self, other: TranslationalFlange) -> Vec<Connection> {
        vec![Connection::Flanges(self.0, other.0)]
    }
}

impl Connects<HeatPort> for HeatPort {
    fn ends(self, other: HeatPort) -> Vec<Connection> {
        vec![Connection::HeatPorts(self.0, other.0)]
    }
}

impl Connects<Pin> for Pin {
    fn ends(self, other: Pin) -> Vec<Connection> {
        vec![Connection::Pins(self.0, other.0)]
    }
}

/// Implements [`Connects`] for the types of inputs.
macro_rules! inputs {
    ($($Input:ident),*) => { $(
        impl Connects<$Input> for Quantity {
            fn ends(self, other: $Input) -> Vec<Connection> {
                vec![Connection::Signal { from: self.0, to: other.0 }]
            }
        }

        impl Connects<Quantity> for $Input {
            fn ends(self, other: Quantity) -> Vec<Connection> {
                other.ends(self)
            }
        }
    )* };
}

inputs!(Input, BooleanInput, IntegerInput);
connects_nothing!(Input, BooleanInput, IntegerInput);

impl<A: Connects<B>, B: Copy> Connects<[B; 3]> for [A; 3] {
    fn ends(self, other: [B; 3]) -> Vec<Connection> {
        self.into_iter().zip(other).flat_map(|(a, b)| a.ends(b)).collect()
    }
}

/// One connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Two frames coincide.
    Frames(PortId, PortId),
    /// Two flanges move together.
    Flanges(PortId, PortId),
    /// Two heat ports have the same temperature.
    HeatPorts(PortId, PortId),
    /// Two pins have the same potential.
    Pins(PortId, PortId),
    /// A variable is connected to an input.
    Signal {
        /// The variable.
        from: PortId,
        /// The input.
        to: PortId,
    },
}

impl Connection {
    /// The ports that it connects; a variable is none.
    pub(crate) fn ports(self) -> impl Iterator<Item = PortId> {
        let (first, second) = match self {
            Connection::Frames(a, b)
            | Connection::Flanges(a, b)
            | Connection::HeatPorts(a, b)
            | Connection::Pins(a, b) => (a, Some(b)),
            Connection::Signal { to, .. } => (to, None),
        };
        std::iter::once(first).chain(second)
    }
}
