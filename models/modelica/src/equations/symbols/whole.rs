//! Whole numbers that follow from variables.

use super::{Meaning, Symbols};
use crate::source::{Checked, Span};
use crate::value::{Value, arithmetic};
use equations::{Ex, select};

impl Symbols {
    /// The value of which a symbol is the whole part.
    pub fn whole_of(&self, number: usize) -> Ex {
        self.wholes.borrow()[number]
    }

    /// `floor`, `ceil`, `integer`, `div`, `mod` and `rem` of variables; they jump at events.
    pub(super) fn whole_number(
        &self,
        name: &str,
        arguments: &[Value],
        span: &Span,
    ) -> Checked<Option<Value>> {
        let reals = arguments.iter().map(Value::real).collect::<Result<Vec<_>, _>>();
        let Ok(reals) = reals else { return Ok(None) };
        if self.are_fixed(&reals) {
            return Ok(None);
        }
        let floor = |x| self.floor(x, span);
        let div = |a: Ex, b: Ex| {
            let quotient = a / b;
            let is_negative = if self.is_smooth(&[quotient]) {
                self.positive(-quotient, span)
            } else {
                quotient.lt(0.0)
            };
            select(is_negative, -floor(-quotient), floor(quotient))
        };
        let of = |name, a: Ex, b: Ex| match name {
            "div" => div(a, b),
            "mod" => a - floor(a / b) * b,
            _ => a - div(a, b) * b,
        };
        Ok(match (name, &reals[..], arguments) {
            ("integer", [x], _) => Some(Value::Whole(floor(*x))),
            ("floor", [x], _) => Some(Value::Real(floor(*x))),
            ("ceil", [x], _) => Some(Value::Real(-floor(-*x))),
            (_, [..], [a, b]) => arithmetic(a, b, |a, b| of(name, a, b)).ok(),
            _ => None,
        })
    }

    /// The largest whole number that is not larger.
    fn floor(&self, x: Ex, span: &Span) -> Ex {
        if !self.is_smooth(&[x]) {
            return x.floor();
        }
        let mut wholes = self.wholes.borrow_mut();
        let known = wholes.iter().position(|known| known.key() == x.key());
        let whole = known.unwrap_or_else(|| {
            wholes.push(x);
            wholes.len() - 1
        });
        drop(wholes);
        self.ex(self.number(Meaning::Whole(whole), None, span))
    }
}
