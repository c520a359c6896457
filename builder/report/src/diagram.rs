//! The diagram of a model: its components and their connections, the content of the file
//! `documentation/diagram.json` of an FMU.
//!
//! It is drawn in these steps:
//!
//! ```text
//! Diagram --folding--> nodes, lines --circuit, orientation, grid--> columns, rows
//!         --routing--> places --svg--> SVG
//! ```
//!
//! Symbols have cells of their own, and lines run in channels between the cells or through empty
//! cells, so that no line runs through a symbol.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

mod circuit;
#[cfg(test)]
mod circuit_tests;
mod folding;
mod grid;
mod icons;
mod orientation;
mod routing;
mod shapes;
mod svg;
mod symbol;
#[cfg(test)]
mod tests;

pub use svg::{Layout, Line};
pub use symbol::{Kind, Symbol};

/// Maximum number of components that a file may have.
const MOST_COMPONENTS: usize = 100_000;

/// Maximum number of connections that a file may have.
const MOST_CONNECTIONS: usize = 200_000;

/// Maximum number of connectors that a component in a file may have.
const MOST_CONNECTORS: usize = 200;

/// Maximum number of lines in the picture of a file. The ways of lines depend on each other, so the
/// time of the search for ways grows faster than the number of lines.
const MOST_LINES: usize = 1000;

/// The components of a model and their connections.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub struct Diagram {
    components: Vec<Component>,
    /// The names of the connectors at both ends; a signal leads from the first to the second.
    connections: Vec<[String; 2]>,
    /// The places of all nodes, by their names, if the author of the model gave them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    places: BTreeMap<String, Place>,
}

/// The place of a node.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
pub struct Place {
    /// The centre, to the right; symbols are about 20 wide.
    pub x: f64,
    /// The centre, upwards.
    pub y: f64,
    /// Whether left and right are exchanged; `None` if the symbol is turned by a right angle.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mirrored: Option<bool>,
}

/// A component.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// The name of its type, for example a class of the Modelica Standard Library.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The symbol that stands for it.
    pub symbol: Symbol,
    /// The transmission ratio of a gear, as its model text gives it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ratio: Option<f64>,
    /// The connectors that are connected.
    pub connectors: Vec<Connector>,
    /// The variables that move the symbol.
    #[serde(skip_serializing_if = "Moves::is_none", default)]
    pub moves: Moves,
}

/// A connector that is connected.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Connector {
    /// Its name within the component; the elements of a vector are one connector.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
}

/// The names of the variables that move a symbol; a part without a variable stays still.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub struct Moves {
    /// The angle in rad or the position in m of the component, or of its left end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a: Option<String>,
    /// The angle in rad or the position in m of its right end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b: Option<String>,
    /// The distance between its ends, in m.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<String>,
    /// The torque in N.m or the force in N that it transmits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force: Option<String>,
    /// Its mode of friction: -1 backward, 0 stuck, 1 forward, 2 free.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<String>,
}

impl Moves {
    fn is_none(&self) -> bool {
        *self == Moves::default()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let Moves { a, b, length, force, mode } = self;
        [a, b, length, force, mode].into_iter().flatten().map(String::as_str)
    }
}

/// The end of a connection: the places of its component, and of its connector there.
type End = (usize, usize);

impl Diagram {
    /// The diagram of components without connectors: pairs of a name and the name of its type.
    pub fn of(components: impl IntoIterator<Item = (String, String)>) -> Diagram {
        let component = |(name, type_name): (String, String)| Component {
            symbol: Symbol::of(&type_name),
            name,
            type_name,
            ratio: None,
            connectors: Vec::new(),
            moves: Moves::default(),
        };
        let components = components.into_iter().map(component).collect();
        Diagram { components, ..Diagram::default() }
    }

    /// Connects two connectors, each given by the place of its component, its name and its kind.
    /// Elements of vectors are connected by one line, however many they are.
    pub fn connect(&mut self, ends: [(usize, &str, Kind); 2]) {
        let mut names = [String::new(), String::new()];
        for (full, (index, name, kind)) in names.iter_mut().zip(ends) {
            let Some(component) = self.components.get_mut(index) else { return };
            let name = name.split('[').next().unwrap_or(name);
            if !component.connectors.iter().any(|known| known.name == name) {
                component.connectors.push(Connector { name: name.to_owned(), kind });
            }
            *full = format!("{}.{name}", component.name);
        }
        // The elements of a vector follow each other.
        if self.connections.last() != Some(&names) {
            self.connections.push(names);
        }
    }

    /// Gives places to components, or to groups of components whose names begin with the same word.
    /// They are used if all have one, and if there are at least two.
    pub fn place(&mut self, places: impl IntoIterator<Item = (String, Place)>) {
        let places: BTreeMap<String, Place> = places.into_iter().collect();
        // The one without a name is the model itself.
        let named = self.components.iter().filter(|component| !component.name.is_empty());
        let words: BTreeSet<&str> = named.map(|component| first_word(&component.name)).collect();
        let is_sound = |word: &&str| {
            places.get(*word).is_some_and(|place| place.x.is_finite() && place.y.is_finite())
        };
        if words.len() > 1 && words.iter().all(is_sound) {
            let used = places.iter().filter(|(name, _)| words.contains(name.as_str()));
            self.places = used.map(|(name, place)| (name.clone(), *place)).collect();
        }
    }

    /// The place of a node with a name.
    fn place_of(&self, name: &str) -> Option<Place> {
        self.places.get(first_word(name)).copied()
    }

    /// Names the variables that move the symbols, as far as they are `known`, and the ratios of
    /// gears, of which `number` is the value of a parameter.
    pub fn animate(&mut self, known: impl Fn(&str) -> bool, number: impl Fn(&str) -> Option<f64>) {
        for component in &mut self.components {
            let find = |locals: &[&str]| {
                let full = locals.iter().map(|local| format!("{}.{local}", component.name));
                full.into_iter().find(|name| known(name))
            };
            let locals = component.symbol.moves();
            let moves = Moves {
                a: find(locals.a),
                b: find(locals.b),
                length: find(locals.length),
                force: find(locals.force),
                mode: find(locals.mode),
            };
            component.ratio = number(&format!("{}.ratio", component.name))
                .filter(|ratio| component.symbol == Symbol::Gear && is_ratio(*ratio));
            component.moves = moves;
        }
    }

    /// Whether there is nothing to draw.
    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    /// The components.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Reads the text of the file.
    ///
    /// # Errors
    /// A sentence without a full stop, which says what is wrong.
    pub fn read(text: &str) -> Result<Diagram, String> {
        let diagram: Diagram = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let count = diagram.components.len();
        if count > MOST_COMPONENTS {
            return Err(format!("it has {count} components, more than {MOST_COMPONENTS}"));
        }
        let count = diagram.connections.len();
        if count > MOST_CONNECTIONS {
            return Err(format!("it has {count} connections, more than {MOST_CONNECTIONS}"));
        }
        let mut names = BTreeSet::new();
        for component in &diagram.components {
            let count = component.connectors.len();
            if count > MOST_CONNECTORS {
                let name = &component.name;
                return Err(format!("{name} has {count} connectors, more than {MOST_CONNECTORS}"));
            }
            if !names.insert(&*component.name) {
                return Err(format!("there are two components {}", component.name));
            }
            if let Some(ratio) = component.ratio.filter(|ratio| !is_ratio(*ratio)) {
                return Err(format!("{}: its ratio is {ratio}", component.name));
            }
        }
        let mut places = diagram.places.values();
        if places.any(|place| !(place.x.is_finite() && place.y.is_finite())) {
            return Err("a place is no number".to_owned());
        }
        let known = diagram.connectors();
        let all: usize = diagram.components.iter().map(|c| c.connectors.len()).sum();
        if known.len() < all {
            return Err("two connectors have the same name".to_owned());
        }
        let mut ends = diagram.connections.iter().flatten();
        if let Some(lost) = ends.find(|name| !known.contains_key(*name)) {
            return Err(format!("there is no connector {lost}"));
        }
        let count = folding::scheme(&diagram).lines.len();
        if count > MOST_LINES {
            return Err(format!("its picture has {count} lines, more than {MOST_LINES}"));
        }
        Ok(diagram)
    }

    /// The text of the file.
    ///
    /// # Errors
    /// As a sentence without a full stop, if the diagram has no text.
    pub fn text(&self) -> Result<String, String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        Ok(text + "\n")
    }

    /// The variables that move symbols.
    pub fn variables(&self) -> BTreeSet<&str> {
        self.components.iter().flat_map(|component| component.moves.names()).collect()
    }

    /// The places of the connectors by their full names.
    fn connectors(&self) -> BTreeMap<String, End> {
        let mut known = BTreeMap::new();
        for (i, component) in self.components.iter().enumerate() {
            for (k, connector) in component.connectors.iter().enumerate() {
                known.insert(format!("{}.{}", component.name, connector.name), (i, k));
            }
        }
        known
    }

    /// The connections as places, without those between two connectors that are the same.
    fn ends(&self) -> Vec<[End; 2]> {
        let known = self.connectors();
        let ends = self.connections.iter().filter_map(|[a, b]| {
            let ends = [*known.get(a)?, *known.get(b)?];
            (ends[0] != ends[1]).then_some(ends)
        });
        ends.collect()
    }
}

/// The name before the first dot or bracket.
fn first_word(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
}

fn is_ratio(ratio: f64) -> bool {
    ratio.is_finite() && ratio != 0.0
}
