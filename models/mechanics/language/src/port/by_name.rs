//! Ports by name, for front ends: what the types of ports are for model texts in Rust.

use super::{
    BooleanInput, Connection, Elements, Flange, Frame, HeatPort, Input, IntegerInput, Pin,
    PortEntry, PortId, Quantity, TranslationalFlange,
};
use std::fmt::Debug;

/// A port, or a variable, of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnyPort {
    /// A connector of 3-D mechanics.
    Frame(Frame),
    /// A connector of rotational 1-D mechanics.
    Flange(Flange),
    /// A connector of translational 1-D mechanics.
    TranslationalFlange(TranslationalFlange),
    /// A connector of heat flow.
    HeatPort(HeatPort),
    /// A connector of circuits.
    Pin(Pin),
    /// An input signal.
    Input(Input),
    /// An input signal of type Boolean.
    BooleanInput(BooleanInput),
    /// An input signal of type Integer.
    IntegerInput(IntegerInput),
    /// A variable.
    Quantity(Quantity),
}

impl AnyPort {
    /// The name of its kind: that of its type.
    pub fn kind(self) -> &'static str {
        match self {
            AnyPort::Frame(_) => "Frame",
            AnyPort::Flange(_) => "Flange",
            AnyPort::TranslationalFlange(_) => "TranslationalFlange",
            AnyPort::HeatPort(_) => "HeatPort",
            AnyPort::Pin(_) => "Pin",
            AnyPort::Input(_) => "Input",
            AnyPort::BooleanInput(_) => "BooleanInput",
            AnyPort::IntegerInput(_) => "IntegerInput",
            AnyPort::Quantity(_) => "Quantity",
        }
    }

    /// The component to which it belongs, and its name.
    pub fn id(self) -> PortId {
        match self {
            AnyPort::Frame(Frame(id))
            | AnyPort::Flange(Flange(id))
            | AnyPort::TranslationalFlange(TranslationalFlange(id))
            | AnyPort::HeatPort(HeatPort(id))
            | AnyPort::Pin(Pin(id))
            | AnyPort::Input(Input(id))
            | AnyPort::BooleanInput(BooleanInput(id))
            | AnyPort::IntegerInput(IntegerInput(id))
            | AnyPort::Quantity(Quantity(id)) => id,
        }
    }

    /// The input, if it is one.
    pub fn input(self) -> Option<PortId> {
        let is_input =
            matches!(self, AnyPort::Input(_) | AnyPort::BooleanInput(_) | AnyPort::IntegerInput(_));
        is_input.then(|| self.id())
    }

    /// The connection with another port.
    ///
    /// # Errors
    /// Ports of these kinds cannot be connected, for the reasons of [`Connects`](super::Connects).
    pub fn connection(self, other: AnyPort) -> Result<Connection, String> {
        use AnyPort as P;
        let signal = |from, to: AnyPort| match from {
            P::Quantity(Quantity(from)) => to.input().map(|to| Connection::Signal { from, to }),
            _ => None,
        };
        if let Some(signal) = signal(self, other).or_else(|| signal(other, self)) {
            return Ok(signal);
        }
        Ok(match (self, other) {
            (P::Frame(Frame(a)), P::Frame(Frame(b))) => Connection::Frames(a, b),
            (P::Flange(Flange(a)), P::Flange(Flange(b)))
            | (
                P::TranslationalFlange(TranslationalFlange(a)),
                P::TranslationalFlange(TranslationalFlange(b)),
            ) => Connection::Flanges(a, b),
            (P::HeatPort(HeatPort(a)), P::HeatPort(HeatPort(b))) => Connection::HeatPorts(a, b),
            (P::Pin(Pin(a)), P::Pin(Pin(b))) => Connection::Pins(a, b),
            _ => {
                let [a, b] = [self, other].map(AnyPort::kind);
                let hint = match (self, other) {
                    (P::Quantity(_), _) | (_, P::Quantity(_)) => SIGNAL,
                    (a, b) if a.input().or(b.input()).is_some() => SIGNAL,
                    (P::Pin(_), _) | (_, P::Pin(_)) => "a `Pin` is connected with another one",
                    (P::HeatPort(_), _) | (_, P::HeatPort(_)) => {
                        "a `HeatPort` is connected with another one"
                    }
                    (P::Frame(_), _) | (_, P::Frame(_)) => {
                        "`Mounting1D`, or a joint with flanges, connects space with rotation or \
                         translation"
                    }
                    _ => "`IdealGearR2T` connects rotation with translation",
                };
                return Err(format!(
                    "a port of the kind `{a}` cannot be connected with one of the kind `{b}`; \
                     {hint}"
                ));
            }
        })
    }
}

/// What a signal connects.
const SIGNAL: &str =
    "a signal leads from a `Quantity` to an `Input`, a `BooleanInput` or an `IntegerInput`";

/// Ports and variables by their FMI names: `flange_a`, `r_0[1]`, `R.T[1,2]`.
///
/// [`component!`](crate::declaration) implements it for the ports of a component. It is written by
/// hand for ports that are written by hand.
pub trait NamedPorts: Debug {
    /// The ports and variables of this name: one, or none, or an input and the variable by which a
    /// component publishes it. The empty name is that of a single port itself.
    fn named(&self, name: &str) -> Vec<AnyPort>;

    /// The port of this name, or else the variable.
    fn port(&self, name: &str) -> Option<AnyPort> {
        self.named(name).first().copied()
    }

    /// The variable of this name.
    fn variable(&self, name: &str) -> Option<Quantity> {
        self.named(name).into_iter().find_map(|port| match port {
            AnyPort::Quantity(quantity) => Some(quantity),
            _ => None,
        })
    }
}

/// The indices at the beginning of a name, counted from 1, and the rest: `[2]`, `[1,3]`.
pub fn indices<const N: usize>(name: &str) -> Option<([usize; N], &str)> {
    let (inside, rest) = name.strip_prefix('[')?.split_once(']')?;
    let index = |text: &str| {
        let is_plain = text.bytes().all(|c| c.is_ascii_digit()) && !text.starts_with('0');
        text.parse().ok().filter(|_| is_plain)
    };
    let indices: Vec<usize> = inside.split(',').map(index).collect::<Option<_>>()?;
    Some((indices.try_into().ok()?, rest))
}

/// Implements [`NamedPorts`] for single ports.
macro_rules! single_ports {
    ($($Port:ident),*) => { $(
        impl NamedPorts for $Port {
            fn named(&self, name: &str) -> Vec<AnyPort> {
                name.is_empty().then_some(AnyPort::$Port(*self)).into_iter().collect()
            }
        }
    )* };
}

single_ports!(
    Frame,
    Flange,
    TranslationalFlange,
    HeatPort,
    Pin,
    Input,
    BooleanInput,
    IntegerInput,
    Quantity
);

impl<P: Copy + NamedPorts + PortEntry> NamedPorts for Elements<P> {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        match indices(name) {
            Some(([number], rest)) => self.element(number).named(rest),
            None => Vec::new(),
        }
    }
}

/// The ports of the element of a vector that a name begins with.
fn of_element<T: NamedPorts>(vector: &[T], name: &str) -> Vec<AnyPort> {
    let found = indices(name).and_then(|([number], rest)| Some((vector.get(number - 1)?, rest)));
    found.map(|(element, rest)| element.named(rest)).unwrap_or_default()
}

impl<T: NamedPorts> NamedPorts for [T; 3] {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        of_element(self, name)
    }
}

impl NamedPorts for [Quantity; 4] {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        of_element(self, name)
    }
}

/// Row by row.
impl NamedPorts for [Quantity; 9] {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        match indices(name) {
            Some(([row @ 1..=3, column @ 1..=3], rest)) => {
                self[3 * (row - 1) + column - 1].named(rest)
            }
            _ => Vec::new(),
        }
    }
}

/// For `frames[2]`.
impl<T: NamedPorts> NamedPorts for Vec<T> {
    fn named(&self, name: &str) -> Vec<AnyPort> {
        of_element(self, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{ComponentId, Id};
    use crate::port::At;

    #[test]
    fn elements_have_the_names_of_their_variables() {
        let at = At(ComponentId::at(0));
        let name = |port: Option<AnyPort>| port.map(|port| port.id().port);
        assert_eq!(name(at.three::<Quantity>("r_0").port("[2]")), Some("r_0[2]"));
        assert_eq!(name(at.matrix("R").port("[2,3]")), Some("R[2,3]"));
        assert_eq!(name(at.elements::<Quantity>("y").port("[12]")), Some("y[12]"));
        assert_eq!(name(at.frame("frame_a").port("")), Some("frame_a"));
        for wrong in
            ["", "[0]", "[4]", "[02]", "[+1]", "[1,1]", "[1", "[1].x", "[99999999999999999999]"]
        {
            assert_eq!(at.three::<Quantity>("r_0").port(wrong), None, "{wrong}");
        }
        assert_eq!(at.matrix("R").port("[4,1]"), None);
        assert_eq!(at.frame("frame_a").port("[1]"), None);
    }

    #[test]
    fn only_ports_of_fitting_kinds_are_connected() {
        let at = At(ComponentId::at(0));
        let (frame, input) = (AnyPort::Frame(at.frame("a")), AnyPort::Input(at.input("u")));
        let y = AnyPort::Quantity(at.quantity("y"));
        assert!(frame.connection(frame).is_ok());
        let [one, other] = [y.connection(input), input.connection(y)];
        assert_eq!(one, other);
        assert_eq!(
            y.connection(y).unwrap_err(),
            "a port of the kind `Quantity` cannot be connected with one of the kind `Quantity`; a \
             signal leads from a `Quantity` to an `Input`, a `BooleanInput` or an `IntegerInput`"
        );
    }
}
