//! Components by name: what front ends other than model texts need to fill an assembly.

use super::{AnyPort, Assembly, Connection, NamedPorts, Part, PortId};
use crate::error::Error;
use language::declaration::{Declaration, Declared, Parameter, Settings, Value};
use std::any::TypeId;
use std::fmt::Debug;

/// A component of a library, or a group of components, as a value: its declaration, and how it is
/// made.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// The library to which it belongs: its module.
    pub library: &'static str,
    /// Its declaration.
    pub declaration: &'static Declaration,
    new: fn() -> Box<dyn AnyPart>,
    component: fn() -> TypeId,
}

impl Class {
    /// The class of a type that `component!` declares, in the library of this name.
    pub const fn of<P>(library: &'static str) -> Class
    where
        P: Part<Ports: NamedPorts + 'static> + Settings + Default + 'static,
    {
        Class {
            library,
            declaration: P::DECLARATION,
            new: || Box::new(P::default()),
            component: TypeId::of::<P>,
        }
    }

    /// Its name with that of its library: `rotational::Inertia`.
    pub fn path(&self) -> String {
        format!("{}::{}", self.library, self.declaration.name)
    }

    /// A component of this class with nothing given yet.
    pub fn component(&self) -> Box<dyn AnyPart> {
        (self.new)()
    }

    /// Whether components of this type are of this class.
    pub fn is(&self, component: TypeId) -> bool {
        (self.component)() == component
    }
}

/// A component, or a group of components, of any class.
pub trait AnyPart: Debug {
    /// Its declaration.
    fn declaration(&self) -> &'static Declaration;

    /// Gives a value to a parameter, and returns the parameter; see [`Settings::set`].
    ///
    /// # Errors
    /// Those of [`Settings::set`].
    fn set(
        &mut self,
        instance: &str,
        name: &str,
        value: Value,
    ) -> Result<&'static Parameter, Error>;

    /// The given values; see [`Settings::given_values`].
    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)>;

    /// Adds it under its FMI name and returns its ports; see [`Part::add_to`].
    fn add_to(self: Box<Self>, assembly: &mut Assembly, name: String) -> Box<dyn NamedPorts>;
}

impl<P: Part<Ports: NamedPorts + 'static> + Settings> AnyPart for P {
    fn declaration(&self) -> &'static Declaration {
        <P as Declared>::DECLARATION
    }

    fn set(
        &mut self,
        instance: &str,
        name: &str,
        value: Value,
    ) -> Result<&'static Parameter, Error> {
        Settings::set(self, instance, name, value)
    }

    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)> {
        Settings::given_values(self)
    }

    fn add_to(self: Box<Self>, assembly: &mut Assembly, name: String) -> Box<dyn NamedPorts> {
        Box::new(Part::add_to(*self, assembly, name))
    }
}

impl Assembly {
    /// Adds a component of a class, with values of parameters by their names, and returns its
    /// ports.
    ///
    /// ```
    /// use mechanics::prelude::*;
    ///
    /// let mut m = Assembly::new();
    /// let class = libraries::class("rotational::Inertia")?;
    /// let wheel = m.add_by_name(class, "wheel", [("J", 0.5)])?;
    /// let other = m.add_by_name(class, "other", [("J", 2.0)])?;
    /// let ends = [wheel.port("flange_b"), other.port("flange_a")].map(|port| port.unwrap());
    /// m.connect_by_name(ends[0], ends[1])?;
    ///
    /// let refused = m.add_by_name(class, "third", [("j", true)]).unwrap_err();
    /// assert_eq!(refused.to_string(), "third: Inertia has no parameter `j`; is it `J`?");
    /// # Ok::<(), mechanics::Error>(())
    /// ```
    ///
    /// # Errors
    /// A name is not that of a parameter, it is given twice, or its value is of another kind. Then
    /// nothing is added. Required parameters that are missing are reported later, as for model
    /// texts in Rust.
    pub fn add_by_name(
        &mut self,
        class: &Class,
        name: impl Into<String>,
        settings: impl IntoIterator<Item = (impl AsRef<str>, impl Into<Value>)>,
    ) -> Result<Box<dyn NamedPorts>, Error> {
        let (name, mut component) = (name.into(), class.component());
        for (parameter, value) in settings {
            component.set(&name, parameter.as_ref(), value.into())?;
        }
        Ok(component.add_to(self, name))
    }

    /// Connects two ports of any kinds.
    ///
    /// # Errors
    /// Ports of these kinds cannot be connected.
    pub fn connect_by_name(&mut self, a: AnyPort, b: AnyPort) -> Result<(), Error> {
        match a.connection(b) {
            Ok(connection) => {
                self.netlist.connections.push(connection);
                Ok(())
            }
            Err(why) => {
                let [a, b] = [a, b].map(|port| self.name_of(port.id()));
                Err(Error::Connection(format!("{a} and {b}: {why}")))
            }
        }
    }

    /// The variable to which an input is connected.
    pub fn source(&self, input: PortId) -> Option<PortId> {
        self.netlist.connections.iter().find_map(|connection| match *connection {
            Connection::Signal { from, to } if to == input => Some(from),
            _ => None,
        })
    }

    /// The name of a port or a variable with that of its component.
    pub fn name_of(&self, port: PortId) -> String {
        self.netlist.name_of(port)
    }
}
