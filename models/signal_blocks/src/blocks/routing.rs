//! Vectors of signals: their elements together, one by one, or selected.

use super::interfaces::blocks;
use super::sums::{first_true, read_all};
use crate::signals::interfaces::give_array;
use equations::Bool;
use mechanics::assembly::element;
use mechanics::declaration::{group, prelude::*};

group! {
    /// A block whose output is a vector of the same length as its input.
    pub struct OfVector(of_vector) {}
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Signals
        y: Array,
    }
}

/// Defines an output whose elements are a function of those of the input.
fn of_each(c: &mut Contribution<'_>, law: fn(Ex) -> Ex) -> Result<(), Error> {
    let u = c.connected_inputs("u", "Input")?;
    for i in 1..=u.len() {
        c.passes_unit(element("u", i), element("y", i));
    }
    give_array(c, "y", u.len(), move |e, i| e.read(u[i - 1]).map(law));
    Ok(())
}

blocks! { of_vector, of_each;
    /// Vector of any number of signals.
    ///
    /// # Equations
    /// `y[i] = u[i]`.
    Multiplex = "Modelica.Blocks.Routing.Multiplex": |u| u;

    /// Elements of a vector of signals.
    ///
    /// # Equations
    /// `y[i] = u[i]`.
    DeMultiplex = "Modelica.Blocks.Routing.DeMultiplex": |u| u;
}

component! {
    /// Vector whose elements are the same signal.
    ///
    /// # Equations
    /// `y[i] = u` for `i` from 1 to `nout`.
    pub struct Replicator = "Modelica.Blocks.Routing.Replicator" {
        /// Number of outputs
        nout: Integer["1", >= 1] = 1,
    }
    ports {
        /// Input signal
        u: Input,
    }
    variables {
        /// Signals
        y: Array,
    }
}

impl Component for Replicator {
    fn contribute(p: ReplicatorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.input("u")?;
        let count = usize::try_from(p.nout).expect("the declaration says so");
        for i in 1..=count {
            c.passes_unit("u", element("y", i));
        }
        give_array(c, "y", count, move |e, _| e.read(u));
        Ok(())
    }
}

component! {
    /// Element of a vector of signals.
    ///
    /// # Equations
    /// `y = u[index]`. With `allowOutOfRange`, `y = outOfRangeValue` if there is no such element.
    ///
    /// # Events
    /// An index without an element ends the simulation with an error, unless `allowOutOfRange` is
    /// true.
    pub struct Extractor = "Modelica.Blocks.Routing.Extractor" {
        /// Whether an index without an element is allowed
        allow_out_of_range "allowOutOfRange": bool = false,
        /// Output if the index has no element
        out_of_range_value "outOfRangeValue": Real = 1e10,
    }
    ports {
        /// Input signals
        u: [Input],
        /// Number of the element, counted from 1
        index: IntegerInput,
    }
    variables {
        /// Signal
        y: Real,
    }
}

impl Component for Extractor {
    fn contribute(p: ExtractorParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let (u, index) = (c.connected_inputs("u", "Input")?, c.integer_input("index")?);
        for i in 1..=u.len() {
            c.passes_unit(element("u", i), "y");
        }
        c.output("y", move |e| {
            let (u, index) = (read_all(e, &u)?, e.read(index)?);
            let count = u.len() as f64;
            if !p.allow_out_of_range {
                let name = e.full("index");
                let sentence = format!("{name}: there are the elements 1 to {count} only");
                e.model().assert(None, index.ge(1.0) & index.le(count), &sentence, false);
            }
            let otherwise = if p.allow_out_of_range { p.out_of_range_value } else { Ex::zero() };
            let numbers = 1..=u32::try_from(u.len()).expect("there are few");
            let chosen: Vec<Bool> = numbers.map(|i| index.equals(f64::from(i))).collect();
            Ok(first_true(&chosen, &u, otherwise))
        });
        Ok(())
    }
}
