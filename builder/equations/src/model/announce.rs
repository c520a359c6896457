//! Announcements: units and descriptions of variables before their declaration.

use crate::model::{Announced, Model};

impl Model {
    /// Announces the unit and the description of a variable that is not declared yet, or of the
    /// elements of an array of this name. A declaration with another unit is an error; an empty
    /// unit allows any.
    pub fn announce(&mut self, name: &str, unit: &str, description: &str) {
        let announced = Announced { unit: unit.to_owned(), description: description.to_owned() };
        self.announced.insert(name.to_owned(), announced);
    }

    /// All announcements: names, units and descriptions.
    pub fn announcements(&self) -> impl Iterator<Item = [&str; 3]> {
        self.announced.iter().map(|(name, Announced { unit, description })| {
            [name.as_str(), unit.as_str(), description.as_str()]
        })
    }

    /// Whether a variable has this name, or is announced under it.
    pub fn is_taken(&self, name: &str) -> bool {
        self.has_variable(name) || self.is_announced(name)
    }

    /// Whether a variable of this name, or the array of which it is an element, is announced.
    pub fn is_announced(&self, name: &str) -> bool {
        self.announced_of(name).is_some()
    }

    pub(crate) fn announced_of(&self, name: &str) -> Option<&Announced> {
        let array = || name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        self.announced.get(name).or_else(|| self.announced.get(array()?.0))
    }
}
