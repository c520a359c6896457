//! Values of variables that are no texts, as numbers.

use super::Instance;
use crate::files::model_description::{Base, ScalarVariable};
use crate::vocabulary::error::FailedCall;

impl Instance<'_> {
    /// The value of a variable that is not a text.
    ///
    /// # Errors
    /// If the call does not succeed.
    pub fn number(&mut self, v: &ScalarVariable) -> Result<f64, FailedCall> {
        let (reference, mut real, mut whole) = (&[v.value_reference], [0.0], [0]);
        match v.base {
            Base::Real => {
                self.get_real(reference, &mut real)?;
                return Ok(real[0]);
            }
            Base::Boolean => self.get_boolean(reference, &mut whole)?,
            _ => self.get_integer(reference, &mut whole)?,
        }
        Ok(f64::from(whole[0]))
    }

    /// The values of variables of one base type other than String, read in one call.
    ///
    /// # Errors
    /// If the call does not succeed.
    pub fn numbers(&mut self, base: Base, references: &[u32]) -> Result<Vec<f64>, FailedCall> {
        let n = references.len();
        let (mut reals, mut whole) = (vec![f64::NAN; n], vec![i32::MIN; n]);
        match base {
            Base::Real => {
                self.get_real(references, &mut reals)?;
                return Ok(reals);
            }
            Base::Boolean => self.get_boolean(references, &mut whole)?,
            _ => self.get_integer(references, &mut whole)?,
        }
        Ok(whole.into_iter().map(f64::from).collect())
    }

    /// Sets a variable to its present or another possible value.
    ///
    /// # Errors
    /// If the call does not succeed.
    pub fn set_number(&mut self, v: &ScalarVariable, value: f64) -> Result<(), FailedCall> {
        let reference = &[v.value_reference];
        match v.base {
            Base::Real => self.set_real(reference, &[value]),
            Base::Boolean => self.set_boolean(reference, &[i32::from(value != 0.0)]),
            _ => self.set_integer(reference, &[value as i32]),
        }
    }
}
