//! Numbers of things, each of a type of its own.

/// Declares types of numbers.
macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Id(pub(crate) usize);

        impl $Id {
            /// The number, counted from 0.
            pub fn index(self) -> usize {
                self.0
            }
        }
    )* };
}

ids! {
    /// A variable on which motion is built: see [`Numbering`](super::motion::variables::Numbering).
    VariableId,
    /// A connection set of flanges.
    FlangeNode,
    /// A connection set of frames.
    FrameNode,
    /// A connection set of heat ports.
    HeatNode,
}

impl FlangeNode {
    /// Its position: flange nodes are the first variables.
    pub fn variable(self) -> VariableId {
        VariableId(self.0)
    }
}
