//! The parameters that an importer has changed, in words.

use std::fmt;

use crate::model::system::{Base, Info, Source, Variable};
use kernels::limits::{Number, Spaced};

/// How many parameters a message names.
const MOST_NAMES: usize = 3;

/// The parameters of a model that have other values than in its text, for the end of a sentence;
/// lengths come first.
pub(crate) struct Changes<'a> {
    /// The model.
    pub info: &'a Info,
    /// The present values of its parameters and start values.
    pub parameters: &'a [f64],
}

impl<'a> Changes<'a> {
    /// The changed parameters that are lengths, or all others, with the present value of each and
    /// the one of the text.
    fn of(&self, lengths: bool) -> impl Iterator<Item = (&'a Variable, f64, f64)> {
        let (info, parameters) = (self.info, self.parameters);
        info.variables(Base::Real).iter().filter_map(move |variable| {
            let Source::Parameter(place) = variable.source else { return None };
            let (now, text) =
                (*parameters.get(place as usize)?, *info.parameters.get(place as usize)?);
            ((variable.unit == "m") == lengths && now != text).then_some((variable, now, text))
        })
    }
}

impl fmt::Display for Changes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (k, (variable, now, text)) in self.of(true).chain(self.of(false)).enumerate() {
            if k == MOST_NAMES {
                return f.write_str(" and more");
            }
            let introduction = if k == 0 { "; other values than in the text: " } else { ", " };
            let (name, unit) = (variable.name, Spaced(variable.unit));
            write!(
                f,
                "{introduction}{name} = {}{unit} (text: {}{unit})",
                Number(now),
                Number(text)
            )?;
        }
        Ok(())
    }
}
