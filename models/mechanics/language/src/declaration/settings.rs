//! Parameters by name: what front ends need to make a component from its declaration.

use super::{Declaration, Declared, Parameter, Value};
use crate::error::Error;
use equations::similar;
use std::fmt::Debug;

/// The parameters of a component, which a front end sets by their names. `component!` implements
/// it.
pub trait Settings: Declared + Debug {
    /// Gives a value to the parameter with an index in the declaration.
    ///
    /// # Errors
    /// It is not a value of the parameter's kind: what is needed.
    #[doc(hidden)]
    fn set_at(&mut self, index: usize, value: Value) -> Result<(), String>;

    /// The given values: each with the index of its parameter, and `None` if no [`Value`] can
    /// express it.
    #[doc(hidden)]
    fn given_at(&self) -> Vec<(usize, Option<Value>)>;

    /// Gives a value to a parameter: its FMI name, or else the name of its setter. Returns the
    /// parameter.
    ///
    /// # Errors
    /// There is no such parameter, it has a value already, or this is not a value of its kind. The
    /// sentence names the component by the name of the `instance`.
    fn set(
        &mut self,
        instance: &str,
        name: &str,
        value: Value,
    ) -> Result<&'static Parameter, Error> {
        let declaration = Self::DECLARATION;
        let index = declaration.find(name).ok_or_else(|| declaration.unknown(instance, name))?;
        let what = value.to_string();
        let parameter = &declaration.parameters[index];
        if self.given_at().iter().any(|(given, _)| *given == index) {
            let name = parameter.name;
            return Err(Error::Parameter(format!("{instance}.{name}: it is given twice")));
        }
        match self.set_at(index, value) {
            Ok(()) => Ok(parameter),
            Err(needed) => {
                let Parameter { name, kind, .. } = parameter;
                Err(Error::Parameter(format!(
                    "{instance}.{name}: {what} is not a value of the kind `{kind}`: {needed}"
                )))
            }
        }
    }

    /// The given values; `None` for one that only Rust can express.
    fn given_values(&self) -> Vec<(&'static Parameter, Option<Value>)> {
        let of = |(index, value): (usize, _)| (&Self::DECLARATION.parameters[index], value);
        self.given_at().into_iter().map(of).collect()
    }
}

impl Declaration {
    /// The index of the parameter with this FMI name, or else with a setter of this name.
    fn find(&self, name: &str) -> Option<usize> {
        let by_name = self.parameters.iter().position(|p| p.name == name);
        by_name.or_else(|| self.parameters.iter().position(|p| p.setter == name))
    }

    /// The error that an instance has no parameter of this name.
    fn unknown(&self, instance: &str, name: &str) -> Error {
        let names = || self.parameters.iter().map(|p| p.name);
        let known = match similar(name, names()) {
            Some(similar) => format!("is it `{similar}`?"),
            None if self.parameters.is_empty() => "it has no parameters".to_owned(),
            None => {
                let names: Vec<&str> = names().collect();
                format!("its parameters are {}", names.join(", "))
            }
        };
        let class = self.name;
        Error::Parameter(format!("{instance}: {class} has no parameter `{name}`; {known}"))
    }
}
