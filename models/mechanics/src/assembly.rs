//! The interface for model texts: components are added and connected; the result is a [`Netlist`].

mod chain;
mod class;
mod library;
pub(crate) mod picture;

pub use chain::{Chain, InLine};
pub use class::{AnyPart, Class};
pub use library::{ComponentLibrary, Registry};

use crate::component::{AnyComponent, Component};
use crate::error::Error;
use crate::ids::{ComponentId, Id};
use crate::port::full_name;
pub use crate::port::{
    AnyPort, Array, At, BooleanInput, Connection, Connects, Elements, Flange, Frame, HeatPort,
    Input, IntegerInput, NamedPorts, Observable, Pin, PortEntry, PortId, Quantity,
    TranslationalFlange,
};
pub use crate::port::{element, place};
use equations::schematic::Place;
use equations::{Ex, Experiment, Limits, Number};
use std::fmt::Debug;
use std::ops::{Bound, RangeBounds};

/// A named component.
#[derive(Debug)]
pub struct Instance {
    /// Its FMI name.
    pub name: String,
    /// The component with its parameter values.
    pub component: Box<dyn AnyComponent>,
}

/// A parameter of the model.
#[derive(Clone, Debug)]
pub struct ModelParameter {
    /// Its FMI name.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Its description in one line.
    pub description: String,
    /// The range of its values.
    pub limits: Limits,
    /// The symbol that represents it in expressions.
    pub symbol: Ex,
}

/// A parameter of the model that follows from others.
#[derive(Clone, Debug)]
pub struct CalculatedParameter {
    /// Its FMI name.
    pub name: String,
    /// Its value, an expression of parameters.
    pub value: Ex,
    /// Its unit.
    pub unit: String,
    /// Its description in one line.
    pub description: String,
    /// The range of its values.
    pub limits: Limits,
}

/// An output of the FMU.
#[derive(Debug)]
pub struct Output {
    /// A name of its own; `None`: that of the variable.
    pub name: Option<String>,
    /// The variable whose value it has.
    pub variable: PortId,
    /// Its description in one line; `None`: that of the variable.
    pub description: Option<String>,
}

impl Output {
    /// Describes the output in one line, instead of the description of the variable.
    pub fn describe(&mut self, line: impl Into<String>) -> &mut Self {
        self.description = Some(line.into());
        self
    }
}

/// The smallest and the largest value of a range.
fn bounds(range: &impl RangeBounds<f64>) -> [f64; 2] {
    let min = match range.start_bound() {
        Bound::Included(&min) => min,
        Bound::Excluded(min) => min.next_up(),
        Bound::Unbounded => f64::NEG_INFINITY,
    };
    let max = match range.end_bound() {
        Bound::Included(&max) => max,
        Bound::Excluded(max) => max.next_down(),
        Bound::Unbounded => f64::INFINITY,
    };
    [min, max]
}

/// A model as a plain value, before it is turned into equations.
#[derive(Debug)]
pub struct Netlist {
    /// The units of the model itself: name, factor, and the unit that defines it.
    pub units: Vec<(String, f64, String)>,
    /// The parameters of the model itself.
    pub parameters: Vec<ModelParameter>,
    /// Those that follow from these parameters.
    pub calculated: Vec<CalculatedParameter>,
    /// The components.
    pub components: Vec<Instance>,
    /// Their connections, in the order in which they were made.
    pub connections: Vec<Connection>,
    /// Variables that are outputs of the FMU, in the order in which they were stated.
    pub outputs: Vec<Output>,
    /// Frames whose position and orientation are outputs: name and frame.
    pub output_frames: Vec<(String, PortId)>,
    /// Whether the FMU describes the shapes of its parts.
    pub scene: bool,
    /// Whether all loops are free.
    pub free_loops: bool,
    /// Whether names that OpenModelica imports as one are kept.
    pub keeps_names: bool,
    /// Whether signals in other units than those of inputs are notes.
    pub mixes_units: bool,
    /// The default experiment.
    pub experiment: Experiment,
    /// The values with which tests start the model.
    pub test_values: Vec<(String, f64)>,
    /// Errors of groups of components.
    pub errors: Vec<Error>,
    /// Notes for the author of the text.
    pub notes: Vec<String>,
    /// The places of components in the diagram.
    pub places: Vec<(String, Place)>,
}

impl Netlist {
    /// The name of a port or a variable, with that of its component: `j1.phi`.
    pub fn name_of(&self, port: PortId) -> String {
        match self.component_of(port) {
            Some(instance) => full_name(&instance.name, port.port),
            None => port.port.to_owned(),
        }
    }

    /// The component of a port or a variable.
    pub fn component_of(&self, port: PortId) -> Option<&Instance> {
        self.components.get(port.component.index())
    }
}

/// An element of an [`Assembly`]: a component, or a group of connected components.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component",
    label = "not a component with its parameters, such as `Inertia::new().J(1)`",
    note = "a `pub struct` of `component!` needs an `impl Component`, and a `pub part` an `impl Part`"
)]
pub trait Part {
    /// The typed ports and variables for the model text.
    type Ports;

    /// Adds it under its FMI name and returns its ports.
    ///
    /// A group adds its own parts, under names that begin with `name` and a dot, and connects them.
    fn add_to(self, assembly: &mut Assembly, name: String) -> Self::Ports;
}

#[diagnostic::do_not_recommend]
impl<C: Component> Part for C {
    type Ports = C::Ports;

    fn add_to(self, assembly: &mut Assembly, name: String) -> C::Ports {
        assembly.add_component(name, Box::new(self)).into()
    }
}

/// The object to which a model text adds components.
#[derive(Debug)]
pub struct Assembly {
    netlist: Netlist,
}

impl Default for Assembly {
    fn default() -> Self {
        Assembly::new()
    }
}

impl Assembly {
    /// An empty assembly with an experiment of 1 s.
    pub fn new() -> Self {
        let experiment =
            Experiment { start_time: 0.0, stop_time: 1.0, tolerance: 1e-6, step_size: 1e-3 };
        Assembly {
            netlist: Netlist {
                units: Vec::new(),
                parameters: Vec::new(),
                calculated: Vec::new(),
                components: Vec::new(),
                connections: Vec::new(),
                outputs: Vec::new(),
                output_frames: Vec::new(),
                scene: false,
                free_loops: false,
                keeps_names: false,
                mixes_units: false,
                experiment,
                test_values: Vec::new(),
                errors: Vec::new(),
                notes: Vec::new(),
                places: Vec::new(),
            },
        }
    }

    /// Adds a parameter of the model: its FMI name, value, unit and description in one line.
    ///
    /// Parameters of components may be set to it or to expressions of it, and change when an
    /// importer sets it: `let m = a.parameter("m", 1200, "kg", "Mass of the vehicle")`, then
    /// `Mass::new().m(m / 4.0)`. It is tunable unless a parameter that depends on it is not
    /// tunable.
    pub fn parameter(
        &mut self,
        name: impl Into<String>,
        value: impl Into<f64>,
        unit: &str,
        description: &str,
    ) -> Ex {
        let symbol = Ex::symbol();
        self.parameter_with_symbol(symbol, name, value, unit, description);
        symbol
    }

    /// Does the same as [`Assembly::parameter`] with a symbol that other expressions contain
    /// already.
    pub fn parameter_with_symbol(
        &mut self,
        symbol: Ex,
        name: impl Into<String>,
        value: impl Into<f64>,
        unit: &str,
        description: &str,
    ) {
        self.netlist.parameters.push(ModelParameter {
            name: name.into(),
            value: value.into(),
            unit: unit.to_owned(),
            description: description.to_owned(),
            limits: Limits::ANY,
            symbol,
        });
    }

    /// Publishes the value of an expression of parameters of the model as a calculated parameter:
    /// its FMI name, value, unit and description in one line.
    pub fn calculated(
        &mut self,
        name: impl Into<String>,
        value: Ex,
        unit: &str,
        description: &str,
    ) {
        let (name, unit, description) = (name.into(), unit.to_owned(), description.to_owned());
        let limits = Limits::ANY;
        self.netlist.calculated.push(CalculatedParameter {
            name,
            value,
            unit,
            description,
            limits,
        });
    }

    /// Sets the range of a calculated parameter: parameters of the model that lead to another value
    /// are refused.
    pub fn limit_calculated(&mut self, name: &str, range: impl RangeBounds<f64>) {
        let [min, max] = bounds(&range);
        match self.netlist.calculated.iter_mut().find(|known| known.name == name) {
            Some(known) => known.limits = Limits::between(min, max),
            None => self.refuse(Error::Parameter(format!("{name} is no calculated parameter"))),
        }
    }

    /// Declares a unit that variables of the model may have: `1 name = factor of`, where `of` is a
    /// known unit or a product of known units such as `kg.m2/A`:
    /// `a.unit("gal/min", 6.30902e-5, "m3/s")`.
    pub fn unit(&mut self, name: impl Into<String>, factor: f64, of: impl Into<String>) {
        self.netlist.units.push((name.into(), factor, of.into()));
    }

    /// Sets the range of a parameter of the model, which becomes its `min` and `max` in the FMU:
    /// `a.limit(m, 800.0..=2000.0)`, or `a.limit(m, 800.0..)`. The value in the model text must
    /// also be in it.
    pub fn limit(&mut self, parameter: Ex, range: impl RangeBounds<f64>) {
        let [min, max] = bounds(&range);
        match self.netlist.parameters.iter_mut().find(|known| known.symbol.key() == parameter.key())
        {
            Some(known) if min <= max => known.limits = Limits::between(min, max),
            Some(ModelParameter { name, unit, .. }) => {
                let [least, largest] = [min, max].map(Number);
                let sentence = format!(
                    "{name}: its limits are in wrong order, from {least} to {largest} {unit}"
                );
                self.refuse(Error::Parameter(sentence));
            }
            None => self.refuse(Error::Parameter(format!(
                "a range from {min} to {max} can be set only for a parameter of the model, not for \
                 an expression"
            ))),
        }
    }

    /// Reports an error in the parameters of a group.
    pub fn refuse(&mut self, error: Error) {
        self.netlist.errors.push(error);
    }

    /// Adds a component under its FMI name and returns its ports; [`add!`](crate::add!) adds
    /// several.
    pub fn add<P: Part>(&mut self, name: impl Into<String>, part: P) -> P::Ports {
        let name = name.into();
        if name.is_empty() {
            self.refuse(Error::Parameter("a component needs a name".to_owned()));
        }
        part.add_to(self, name)
    }

    /// Adds a component that is made at run time. The one with an empty name is the model itself:
    /// the names of its variables have no dot.
    pub fn add_component(
        &mut self,
        name: impl Into<String>,
        component: Box<dyn AnyComponent>,
    ) -> At {
        let at = At(ComponentId::at(self.netlist.components.len()));
        self.netlist.components.push(Instance { name: name.into(), component });
        at
    }

    /// Connects two ports, or vectors of them; a port may be connected any number of times.
    pub fn connect<A: Connects<B>, B>(&mut self, a: A, b: B) {
        self.netlist.connections.extend(a.ends(b));
    }

    /// Connects neighbours in series: ports, and components with one port on either side.
    ///
    /// ```
    /// # use libraries::multibody::*;
    /// # use libraries::prelude::*;
    /// # fn model(m: &mut Assembly) {
    /// # mechanics::add! { m, world: World::new(), joint: Revolute::new(), body: Body::new().m(1) }
    /// m.chain((world.frame_b, joint, body.frame_a));
    /// # }
    /// ```
    pub fn chain(&mut self, neighbours: impl Chain) {
        self.netlist.connections.extend(neighbours.connections());
    }

    /// Makes variables of components outputs of the FMU: `m.outputs([j1.phi, j1.w])`. They keep
    /// their names, `j1.phi` and `j1.w`. The FMU lists all outputs in the order of the model text.
    pub fn outputs(&mut self, quantities: impl IntoIterator<Item = impl Observable>) {
        let output = |variable| Output { name: None, variable, description: None };
        let variables = quantities.into_iter().map(|quantity| quantity.quantity().0);
        self.netlist.outputs.extend(variables.map(output));
    }

    /// Adds an output of the FMU with a name of its own and the value of a variable of a component:
    /// `m.output("w_load", load.w).describe("Speed of the drum")`. The name must differ from all
    /// others also where OpenModelica replaces `.`, `[`, `]`, `(`, `)`, `,` and blanks by `_`;
    /// [`Assembly::outputs`] needs no other name.
    pub fn output(&mut self, name: impl Into<String>, quantity: impl Observable) -> &mut Output {
        let (outputs, variable) = (&mut self.netlist.outputs, quantity.quantity().0);
        outputs.push(Output { name: Some(name.into()), variable, description: None });
        outputs.last_mut().expect("it was added just now")
    }

    /// Makes position and orientation of a frame in the world outputs of the FMU: `name.r_0[i]` in
    /// m, and `name.R.T[i,j]`, which transforms coordinates of the world into those of the frame.
    pub fn output_frame(&mut self, name: impl Into<String>, frame: Frame) {
        self.netlist.output_frames.push((name.into(), frame.0));
    }

    /// Adds the file `scene.json` to the resources of the FMU, which describes the shapes of the
    /// parts and their motion; the variables that it uses are published. Reports of a model need no
    /// such call.
    pub fn scene(&mut self) {
        self.netlist.scene = true;
    }

    /// Sets whether all loops are *free*: all their coordinates are states, so that no motion meets
    /// a dead point. Loops in which wheels roll, whose conditions depend on each other, or that
    /// sources move entirely stay as they are; a note names them. Without this call, or with
    /// `false`, the build decides for each loop.
    pub fn free_loops(&mut self, free: bool) {
        self.netlist.free_loops = free;
    }

    /// Adds a note, which the build prints: something that the author of the text should know.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.netlist.notes.push(sentence.into());
    }

    /// Sets the place of a component in the diagram, or of a group of components. The diagram keeps
    /// to these places if all components have one.
    pub fn place(&mut self, name: impl Into<String>, place: Place) {
        self.netlist.places.push((name.into(), place));
    }

    /// Notes names that OpenModelica imports as one, such as `a_b` beside `a.b`, and does not
    /// refuse them: for front ends whose texts have given names.
    pub fn keep_names(&mut self) {
        self.netlist.keeps_names = true;
    }

    /// Notes signals that are not in the unit of the input with which they are connected, instead
    /// of refusing them: in other languages, a gain may convert without saying so.
    pub fn mix_units(&mut self) {
        self.netlist.mixes_units = true;
    }

    /// Sets `stopTime` of the default experiment, in s.
    pub fn stop_time(&mut self, seconds: impl Into<f64>) {
        self.netlist.experiment.stop_time = seconds.into();
    }

    /// Sets `tolerance` of the default experiment (relative).
    pub fn tolerance(&mut self, relative: impl Into<f64>) {
        self.netlist.experiment.tolerance = relative.into();
    }

    /// Sets `stepSize` of the default experiment, in s.
    pub fn step_size(&mut self, seconds: impl Into<f64>) {
        self.netlist.experiment.step_size = seconds.into();
    }

    /// The value of an input, or a start value, with which tests start a model that would rest
    /// without it. It is no part of the FMU.
    pub fn test_value(&mut self, name: impl Into<String>, value: impl Into<f64>) {
        self.netlist.test_values.push((name.into(), value.into()));
    }

    /// The model as a plain value.
    pub fn into_netlist(self) -> Netlist {
        self.netlist
    }
}

/// Adds components to an assembly, each under the name of the variable to which its ports are
/// bound, or under the FMI name given after it.
///
/// ```
/// use mechanics::add;
/// use libraries::prelude::*;
/// use libraries::rotational::*;
///
/// fn model(m: &mut Assembly) {
///     add! { m,
///         motor: ConstantTorque::new().tau_constant(2),
///         wheel "bigWheel": Inertia::new().J(0.5).w(fixed(0)),
///     }
///     m.connect(motor.flange, wheel.flange_a);
/// }
/// # let _ = model;
/// ```
///
/// A computed name is given in brackets: `wheel [format!("wheel{k}")]: ..`.
///
/// `add! { m, name; wheel: .. }` adds the parts of a group `name`, as `name.wheel`.
#[macro_export]
macro_rules! add {
    ($assembly:expr,
     $($variable:ident $($name:literal)? $([$computed:expr])?: $part:expr),* $(,)?) => {
        $(let $variable = $assembly.add(
            $crate::add!(@name $variable $($name)? $([$computed])?),
            $part,
        );)*
    };
    ($assembly:expr, $group:tt;
     $($variable:ident $($name:literal)? $([$computed:expr])?: $part:expr),* $(,)?) => {
        $(let $variable = $assembly.add(
            format!("{}.{}", $group, $crate::add!(@name $variable $($name)? $([$computed])?)),
            $part,
        );)*
    };
    (@name $variable:ident) => { stringify!($variable) };
    (@name $variable:ident $name:literal) => { $name };
    (@name $variable:ident [$computed:expr]) => { $computed };
}
