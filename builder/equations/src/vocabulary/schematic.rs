//! The components of a model and their connections, for pictures of the model only.

/// The components of a model and their connections; empty if its equations were written directly.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schematic {
    /// The components in the order in which they were added.
    pub components: Vec<DrawnComponent>,
    /// The connections in the order in which they were made; a signal leads from the first
    /// connector to the second.
    pub connections: Vec<[Connector; 2]>,
    /// The places that the author of the model gave to components, or to groups of components whose
    /// names begin with this one and a dot or a bracket.
    pub places: Vec<(String, Place)>,
}

/// The place of a symbol.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The centre, to the right; symbols are about 20 wide.
    pub x: f64,
    /// The centre, upwards.
    pub y: f64,
    /// The angle in degrees by which it is turned, counter-clockwise.
    pub rotation: f64,
    /// Whether left and right are exchanged before it is turned.
    pub mirrored: bool,
}

/// A component of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnComponent {
    /// Its FMI name.
    pub name: String,
    /// The name of its type: the class of the Modelica Standard Library to which it corresponds,
    /// or else its own name.
    pub type_name: String,
}

/// One end of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connector {
    /// The place of its component in the list of components.
    pub component: usize,
    /// Its name within the component.
    pub name: String,
    /// Its kind.
    pub kind: ConnectorKind,
}

/// The kind of a connector.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConnectorKind {
    /// A flange of rotational mechanics.
    Flange,
    /// A flange of translational mechanics.
    TranslationalFlange,
    /// A frame in space.
    Frame,
    /// A heat port.
    Heat,
    /// A pin of a circuit.
    Pin,
    /// An input signal.
    Input,
    /// An input signal of type Boolean.
    BooleanInput,
    /// An input signal of type Integer.
    IntegerInput,
    /// A variable that is the source of a signal.
    Output,
    /// A variable that is the source of a signal of type Boolean.
    BooleanOutput,
    /// A variable that is the source of a signal of type Integer.
    IntegerOutput,
}
