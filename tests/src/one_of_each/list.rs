//! The list of small models, and what many of them need.

use coupler::prelude::*;
use coupler::rotational;

/// A model text with its name.
pub type Small = (String, Box<dyn FnOnce(&mut Assembly)>);

/// The list under construction.
#[derive(Default)]
pub struct List {
    /// The models so far.
    pub models: Vec<Small>,
}

impl List {
    /// Adds a model.
    pub fn add(&mut self, name: impl Into<String>, text: impl FnOnce(&mut Assembly) + 'static) {
        self.models.push((name.into(), Box::new(text)));
    }
}

/// An input of the FMU.
pub fn external(m: &mut Assembly, name: &str, unit: &str) -> Quantity {
    m.add(name, ExternalInput::new().unit(unit).start(0.3)).y
}

/// The input of the FMU for a port of a block.
pub fn source_of(m: &mut Assembly, name: &str, (kind, unit): (&str, &str)) -> Quantity {
    match kind {
        "BooleanInput" => m.add(name, ExternalBoolean::new().start(true)).y,
        "IntegerInput" => m.add(name, ExternalInteger::new().start(2)).y,
        _ => external(m, name, if unit.is_empty() { "1" } else { unit }),
    }
}

/// The signal accelerates a shaft, and is integrated.
pub fn used(m: &mut Assembly, y: Quantity) {
    let sum = m.add("sum", Integrator::new().k(2));
    let drive = m.add("drive", rotational::Accelerate::new().phi(fixed(0)).w(fixed(0)));
    let shaft = m.add("shaft", rotational::Inertia::new().J(2));
    m.connect(y, sum.u);
    m.connect(y, drive.a_ref);
    m.connect(drive.flange, shaft.flange_a);
}
