//! Makes the diagram of a model, and finds that of an FMU.

use std::collections::BTreeMap;
use std::fs;

use equations::description::{Description, VariableType};
use equations::schematic::{Connector, ConnectorKind, Place, Schematic};
use report::{Diagram, Kind};

use fmus::fmu::{Fmu, text};

/// The place of the diagram in an FMU.
pub const FILE: &str = "documentation/diagram.json";

/// The diagram of a model; `None` if it has no components.
pub fn of_model(schematic: &Schematic, description: &Description) -> Option<Diagram> {
    let places = places(schematic);
    let drawn = schematic.components.iter().zip(&places).filter(|(_, place)| place.is_some());
    let mut diagram = Diagram::of(drawn.map(|(c, _)| (c.name.clone(), c.type_name.clone())));
    for [a, b] in &schematic.connections {
        if let [Some(at), Some(to)] = [places[a.component], places[b.component]] {
            diagram.connect([(at, &a.name, kind(a.kind)), (to, &b.name, kind(b.kind))]);
        }
    }
    let variables: BTreeMap<&str, Option<f64>> =
        description.variables.iter().map(|v| (&*v.name, start(&v.kind))).collect();
    diagram.animate(
        |name| variables.contains_key(name),
        |name| variables.get(name).copied().flatten(),
    );
    diagram.place(schematic.places.iter().map(|(name, place)| (name.clone(), placed(*place))));
    (!diagram.is_empty()).then_some(diagram)
}

/// The place of a symbol, which is drawn upright.
fn placed(Place { x, y, rotation, mirrored }: Place) -> report::Place {
    let half_turns = rotation / 180.0;
    let is_level = (half_turns - half_turns.round()).abs() < 0.25;
    let is_turned = half_turns.round().rem_euclid(2.0) == 1.0;
    report::Place { x, y, mirrored: is_level.then_some(mirrored != is_turned) }
}

/// The place of each component in the diagram. A component has no place if all its signals are
/// signals of its parts, passed on under their names. (A gear passes on the signals of its joints.)
fn places(schematic: &Schematic) -> Vec<Option<usize>> {
    let full = |c: &Connector| format!("{}.{}", schematic.components[c.component].name, c.name);
    let passes = |index: usize| {
        let mut own =
            schematic.connections.iter().filter(|ends| ends.iter().any(|c| c.component == index));
        let is_outer = |[a, b]: &[Connector; 2]| {
            let (this, other) = if a.component == index { (a, b) } else { (b, a) };
            full(this) == full(other) && this.name.len() > other.name.len()
        };
        let first = own.next();
        first.is_some_and(is_outer) && own.all(is_outer)
    };
    let mut count = 0;
    let place = |index: usize| {
        (!passes(index)).then(|| {
            count += 1;
            count - 1
        })
    };
    (0..schematic.components.len()).map(place).collect()
}

fn start(kind: &VariableType) -> Option<f64> {
    match kind {
        VariableType::Real { start, .. } => *start,
        _ => None,
    }
}

fn kind(kind: ConnectorKind) -> Kind {
    match kind {
        ConnectorKind::Flange => Kind::Flange,
        ConnectorKind::TranslationalFlange => Kind::TranslationalFlange,
        ConnectorKind::Frame => Kind::Frame,
        ConnectorKind::Heat => Kind::Heat,
        ConnectorKind::Pin => Kind::Pin,
        ConnectorKind::Input => Kind::Input,
        ConnectorKind::BooleanInput => Kind::BooleanInput,
        ConnectorKind::IntegerInput => Kind::IntegerInput,
        ConnectorKind::Output => Kind::Output,
        ConnectorKind::BooleanOutput => Kind::BooleanOutput,
        ConnectorKind::IntegerOutput => Kind::IntegerOutput,
    }
}

/// The diagram of an FMU: none without a file, and a sentence if the file cannot be read.
pub fn of_fmu(fmu: &Fmu) -> (Option<Diagram>, Option<String>) {
    let Ok(bytes) = fs::read(fmu.folder().join(FILE)) else { return (None, None) };
    match text(&bytes).and_then(Diagram::read) {
        Ok(diagram) => (Some(diagram), None),
        Err(reason) => (None, Some(format!("no diagram: {FILE}: {reason}"))),
    }
}
