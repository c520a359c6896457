//! The units of a model that Coupler does not know.

use super::Flat;
use equations::is_unit;
use mechanics::Assembly;

impl Flat {
    /// Declares the units that Coupler does not know, as numbers; the results are notes.
    pub(super) fn declare_units(&self, assembly: &mut Assembly) -> Vec<String> {
        let of_parameters = self.parameters.iter().chain(&self.calculated).map(|of| &*of.unit);
        let mut units: Vec<&str> = of_parameters.chain(self.equations.units()).collect();
        // Products of units follow these.
        units.sort_by_key(|unit| (unit.len(), *unit));
        let mut own: Vec<&str> = Vec::new();
        for unit in units {
            if !unit.is_empty() && !is_unit(unit, &own) {
                assembly.unit(unit, 1.0, "1");
                own.push(unit);
            }
        }
        let note = |unit: &str| format!("the unit {unit} is not known: its values are numbers");
        own.into_iter().map(note).collect()
    }
}
