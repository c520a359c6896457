//! Chains of ports and of components with two ends.

use crate::port::{
    BooleanInput, Connection, Connects, Flange, Frame, HeatPort, Input, IntegerInput, Pin,
    Quantity, TranslationalFlange,
};

/// An element of a chain: a port, or a component with one port on either side, such as `frame_a`
/// and `frame_b`, `flange_a` and `flange_b`, the pins `p` and `n`, or the input `u` and the output
/// `y`. Every component that is declared with [`component!`](crate::component!) and has such a pair
/// is an element.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not have two ends by which a chain could connect it",
    label = "name one of its ports, such as `world.frame_b`",
    note = "a chain contains ports, and components with `frame_a` and `frame_b`, `flange_a` and \
            `flange_b`, `port_a` and `port_b`, `p` and `n`, or `u` and `y`",
    note = "`Elements`, such as the signals of a table, are in a chain one by one: `table.y(1)`"
)]
pub trait InLine: Copy {
    /// The port that is connected to the element before.
    type In;
    /// The port that is connected to the element after.
    type Out;

    /// Both ports.
    fn ends(self) -> (Self::In, Self::Out);
}

/// Both ends of a port are the port.
macro_rules! ports_in_line {
    ($($Port:ty),*) => { $(
        impl InLine for $Port {
            type In = Self;
            type Out = Self;

            fn ends(self) -> (Self, Self) {
                (self, self)
            }
        }
    )* };
}

ports_in_line!(
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

/// A tuple of neighbours, for [`Assembly::chain`](super::Assembly::chain).
#[diagnostic::on_unimplemented(
    message = "this is not a chain",
    label = "a chain is a tuple of two to twelve neighbours: `m.chain((a, b, c))`"
)]
pub trait Chain {
    /// The connections between neighbours.
    fn connections(self) -> Vec<Connection>;
}

/// Chains of these types and all shorter ones down to two.
macro_rules! chains {
    ($First:ident $Second:ident) => {
        chains!(@one $First, $First $Second; $Second);
    };
    ($First:ident $($Rest:ident)+) => {
        chains!(@one $First, $First $($Rest)+; $($Rest)+);
        chains!($($Rest)+);
    };
    (@one $First:ident, $($Before:ident)+; $($After:ident)+) => {
        chains!(@impl [$($Before)+] [] $($Before)+);
    };
    (@impl [$($All:ident)+] [$($Pairs:tt)*] $Left:ident $Right:ident $($Rest:ident)*) => {
        chains!(@impl [$($All)+] [$($Pairs)* ($Left $Right)] $Right $($Rest)*);
    };
    (@impl [$($All:ident)+] [$(($Left:ident $Right:ident))+] $Last:ident) => {
        #[allow(non_snake_case, reason = "a neighbour is called as its type")]
        impl<$($All: InLine),+> Chain for ($($All,)+)
        where
            $($Left::Out: Connects<$Right::In>,)+
        {
            fn connections(self) -> Vec<Connection> {
                let ($($All,)+) = self;
                let mut connections = Vec::new();
                $(connections.extend($Left.ends().1.ends($Right.ends().0));)+
                connections
            }
        }
    };
}

chains!(A B C D E F G H I J K L);
