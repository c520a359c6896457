//! Libraries of components as tables, for documentation, front ends and other languages.

use super::Class;
use crate::error::Error;
use equations::similar;
use std::any::TypeId;

/// A library of components.
#[derive(Clone, Copy, Debug)]
pub struct ComponentLibrary {
    /// Its module.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
    /// Its components.
    pub components: &'static [Class],
    /// Components that groups of this library add besides others; texts do not name them.
    pub inner: &'static [Class],
}

impl ComponentLibrary {
    /// All components, also those that only groups add.
    pub fn classes(&self) -> impl Iterator<Item = &'static Class> + use<> {
        self.components.iter().chain(self.inner)
    }
}

/// The libraries whose components a front end knows.
#[derive(Clone, Debug)]
pub struct Registry {
    libraries: Vec<&'static ComponentLibrary>,
}

impl Registry {
    /// The registry of these libraries, whose names differ.
    pub fn new(libraries: impl IntoIterator<Item = &'static ComponentLibrary>) -> Registry {
        Registry { libraries: libraries.into_iter().collect() }
    }

    /// The libraries.
    pub fn libraries(&self) -> impl Iterator<Item = &'static ComponentLibrary> {
        self.libraries.iter().copied()
    }

    /// The class of a path such as `rotational::Inertia`.
    ///
    /// # Errors
    /// There is no such class; the sentence names a similar one.
    pub fn class(&self, path: &str) -> Result<&'static Class, Error> {
        let all = || self.libraries().flat_map(|library| library.classes());
        let (library, name) = path.split_once("::").unwrap_or(("", path));
        let mut named = all().filter(|class| class.declaration.name == name);
        if let Some(class) = named.find(|class| class.library == library) {
            return Ok(class);
        }
        let refuse = |known: String| {
            Err(Error::Parameter(format!("no library has a component `{path}`; {known}")))
        };
        let elsewhere: Vec<String> =
            all().filter(|class| class.declaration.name == name).map(Class::path).collect();
        if !elsewhere.is_empty() {
            return refuse(format!("is it `{}`?", elsewhere.join("` or `")));
        }
        let paths: Vec<String> = all().map(Class::path).collect();
        match similar(path, paths.iter().map(String::as_str)) {
            Some(similar) => refuse(format!("is it `{similar}`?")),
            None => {
                let names: Vec<&str> = self.libraries().map(|library| library.name).collect();
                refuse(format!("the libraries are {}", names.join(", ")))
            }
        }
    }

    /// The classes that correspond to a class of the Modelica Standard Library: usually one, and
    /// several where it has parts with and without impacts, or one for each domain.
    pub fn classes_of(&self, modelica: &str) -> impl Iterator<Item = &'static Class> {
        let components = self.libraries().flat_map(|library| library.components);
        components.filter(move |class| !modelica.is_empty() && class.declaration.class == modelica)
    }

    /// The class of a component of this type.
    pub fn class_of(&self, component: TypeId) -> Option<&'static Class> {
        self.libraries().flat_map(|library| library.classes()).find(|class| class.is(component))
    }
}
