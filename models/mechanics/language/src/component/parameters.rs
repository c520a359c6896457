//! Parameters of a component.

use super::Contribution;
use crate::declaration::{Choice, Chosen, Lifetime, Parameter, Real, Setting};
use crate::error::Error;
use crate::orientation::Sequence;
use crate::statements::algebra::numeric::Numeric;
use crate::statements::contributions::initial_conditions::UnknownParameter;
use equations::{Assigned, Bool, Ex, Limits, Number, VariableBuilder, depends_on, substitute};

impl Contribution<'_> {
    /// A scalar parameter without a declaration; give it a unit and a description, and finish with
    /// `.into()`.
    pub fn parameter(&mut self, local: &str, value: f64) -> VariableBuilder<'_, Ex> {
        let name = self.full(local);
        self.model.parameter(&name, value)
    }

    /// A scalar that is fixed when the FMU is generated, visible as a fixed variable; give it a
    /// unit and a description ([`Parameter::describe`]).
    pub fn constant(&mut self, local: &str, value: f64) -> VariableBuilder<'_, Ex> {
        let name = self.full(local);
        self.model.constant(&name, value)
    }

    /// Checks that the axes of three rotations are 1 to 3 and that neighbours differ.
    pub fn check_sequence(&self, local: &str, axes: [usize; 3]) -> Result<Sequence, Error> {
        Sequence::new(axes).ok_or_else(|| {
            self.refuse(local, format!("{axes:?} are not axes 1 to 3 with different neighbours"))
        })
    }

    /// Axes of three rotations, 1 to 3; fixed when the FMU is generated.
    pub fn sequence(&mut self, of: &Parameter, axes: [usize; 3]) -> Result<Sequence, Error> {
        let sequence = self.check_sequence(of.name, axes)?;
        for (i, &axis) in axes.iter().enumerate() {
            of.describe(self.constant(&format!("{}[{}]", of.name, i + 1), axis as f64));
        }
        Ok(sequence)
    }

    /// Publishes the value of a choice with an index, counted from 0, if the parameter is
    /// `constant`: as a fixed value of an enumeration.
    pub fn choice<C: Chosen>(&mut self, of: &Parameter, index: i32) {
        if of.lifetime == Lifetime::Constant {
            let Choice { name, values, .. } = C::CHOICE;
            let items: Vec<_> =
                (1..).zip(values).map(|(k, &(name, text))| (k, name, text)).collect();
            of.describe(self.constant(of.name, f64::from(index + 1))).enumeration(name, &items);
        }
    }

    /// The value of an expression of parameters for their present values; `None` if the initial
    /// system determines some of them.
    pub fn number(&self, value: Ex) -> Option<f64> {
        Some(Numeric::new(self.model).one(value)).filter(|number| number.is_finite())
    }

    /// The value of an expression of parameters that scales other values: its
    /// [`Contribution::number`], or 1 if it has none. It may be negative.
    pub fn magnitude(&self, value: Ex) -> f64 {
        self.number(value).unwrap_or(1.0)
    }

    /// Checks that a parameter value is within limits.
    pub fn check(&self, local: &str, value: f64, unit: &str, limits: Limits) -> Result<(), Error> {
        match limits.contain(value) {
            true => Ok(()),
            false => Err(Error::Parameter(limits.refuse(&self.full(local), value, unit))),
        }
    }

    /// Checks that a value is in the range of a parameter, which may exclude zero.
    pub fn check_range(&self, local: &str, value: f64, of: &Parameter) -> Result<(), Error> {
        self.check(local, value, of.unit, of.limits)?;
        if of.non_zero && value == 0.0 {
            let what = Assigned { name: &self.full(local), value, unit: of.unit };
            return Err(Error::Parameter(format!("{what}: must not be zero")));
        }
        Ok(())
    }

    /// Checks that a parameter value is finite.
    pub fn finite(&self, local: &str, value: f64, unit: &str) -> Result<(), Error> {
        self.check(local, value, unit, Limits::ANY)
    }

    /// Checks that the abscissae of a table `name[row,1]` are not negative and increase.
    pub fn check_abscissae(&self, name: &str, values: &[f64], unit: &str) -> Result<(), Error> {
        let local = |i: usize| format!("{name}[{},1]", i + 1);
        if values.is_empty() {
            return Err(self.refuse(name, "at least one row is required"));
        }
        for (i, &value) in values.iter().enumerate() {
            self.check(&local(i), value, unit, Limits::NOT_NEGATIVE)?;
            if let Some(&above) = i.checked_sub(1).map(|above| &values[above])
                && value <= above
            {
                let [what, than] = [(i, value), (i - 1, above)]
                    .map(|(i, v)| format!("{} = {} {unit}", self.full(&local(i)), Number(v)));
                return Err(Error::Parameter(format!("{what}: must be larger than {than}")));
            }
        }
        Ok(())
    }

    /// Requires a `condition` on parameters, now and at the end of initialization; the error
    /// message is `sentence`, after the parameters `of` and their values. See
    /// `equations::Model::require`.
    pub fn require(&mut self, of: &[&str], condition: Bool, sentence: &str) -> Result<(), Error> {
        let of: Vec<String> = of.iter().map(|local| self.full(local)).collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.model.require(&of, condition, sentence);
        self.model.check_parameters().map_err(|error| Error::Parameter(error.to_string()))
    }

    /// Adds a note if a `condition` on parameters is false at the values of the model text; see
    /// `equations::Model::remark`.
    pub fn remark(&mut self, of: &[&str], condition: Bool, sentence: &str) {
        let of: Vec<String> = of.iter().map(|local| self.full(local)).collect();
        let of: Vec<&str> = of.iter().map(String::as_str).collect();
        self.model.remark(&of, condition, sentence);
    }

    /// The value of a required parameter.
    ///
    /// # Errors
    /// It is not given, or not allowed.
    pub fn declare<S: Setting>(
        &mut self,
        (of, given): (&'static Parameter, Option<S>),
    ) -> Result<S::Declared, Error> {
        match given {
            Some(value) => value.declare(self, of),
            None => Err(of.missing(&self.name)),
        }
    }

    /// The value of a parameter, or its default, which is an independent value unless it follows
    /// the parameters above.
    ///
    /// # Errors
    /// The value is not allowed.
    pub fn declare_or<S: Setting>(
        &mut self,
        (of, given): (&'static Parameter, Option<S>),
        default: impl FnOnce() -> S,
    ) -> Result<S::Declared, Error> {
        if given.is_some() {
            self.given.push(of.name);
        }
        let value = match given {
            Some(value) => value,
            None if of.follows => default(),
            None => default().evaluated(self),
        };
        value.declare(self, of)
    }

    /// Whether the text states a value for a parameter that has a default.
    pub fn is_given(&self, local: &str) -> bool {
        self.given.contains(&local)
    }

    /// The value of an optional parameter.
    ///
    /// # Errors
    /// The value is not allowed.
    pub fn declare_if<S: Setting>(
        &mut self,
        (of, given): (&'static Parameter, Option<S>),
    ) -> Result<Option<S::Declared>, Error> {
        given.map(|value| value.declare(self, of)).transpose()
    }

    /// The value of an expression, unless it depends on parameters of the model or on values that
    /// the initial system determines.
    pub fn fixed_number(&self, value: Ex) -> Option<f64> {
        let mut of_model = self.model_parameters.iter();
        let follows = of_model.any(|(_, parameter)| depends_on(&[value], *parameter));
        if follows { None } else { self.number(value) }
    }

    /// A scalar, published as `local`, with the unit, range and description of a parameter.
    ///
    /// # Errors
    /// The value is not allowed.
    pub fn real(&mut self, local: &str, value: Real, of: &Parameter) -> Result<Ex, Error> {
        let declared = self.real_or_zero(local, value, of)?;
        if of.non_zero {
            self.require(&[local], declared.is_true(), "must not be zero")?;
        }
        Ok(declared)
    }

    fn real_or_zero(&mut self, local: &str, value: Real, of: &Parameter) -> Result<Ex, Error> {
        match value {
            Real::Number(value) => {
                self.check(local, value, of.unit, of.limits)?;
                let declared = of.describe(self.parameter(local, value)).limits(of.limits);
                let declared = if of.fixed { declared } else { declared.tunable() };
                Ok(declared.into())
            }
            Real::Expression(value) => {
                let value = substitute(&[value], self.model_parameters)[0];
                if of.fixed {
                    self.model.fix_parameters_in(value);
                }
                self.check_unit(local, value, of)?;
                let name = self.full(local);
                of.describe(self.model.following(&name, value));
                self.within(local, value, of)?;
                Ok(value)
            }
            Real::Unknown { guess } => {
                self.finite(local, guess, of.unit)?;
                let (name, symbol) = (self.full(local), Ex::symbol());
                let parameter: Ex = of.describe(self.model.calculated(&name, symbol)).into();
                let unknown = UnknownParameter { name, parameter, symbol, guess };
                self.structure.unknown_parameters.push(unknown);
                self.within(local, parameter, of)?;
                Ok(parameter)
            }
        }
    }

    /// Does the same as [`Contribution::real`], except that zero is structural: it becomes a
    /// constant.
    ///
    /// # Errors
    /// The value is not allowed.
    pub fn structural_zero(
        &mut self,
        local: &str,
        value: Real,
        of: &Parameter,
    ) -> Result<Ex, Error> {
        let is_zero = match value {
            Real::Number(value) => value == 0.0,
            Real::Expression(value) => value.is_constant_zero(),
            Real::Unknown { .. } => false,
        };
        if !is_zero {
            return self.real(local, value, of);
        }
        self.check_range(local, 0.0, of)?;
        of.describe(self.constant(local, 0.0));
        Ok(Ex::zero())
    }

    /// Whether a parameter is zero, which is decided when the FMU is built: an importer cannot set
    /// another one to zero. It is for parameters by which laws divide.
    ///
    /// # Errors
    /// A value of the model text is not allowed.
    pub fn is_zero(&mut self, local: &str, value: Ex) -> Result<bool, Error> {
        let is_zero = self.fixed_number(value) == Some(0.0);
        if !is_zero {
            let why = "whether it is zero is decided when the FMU is built";
            self.require(&[local], !value.equals(0.0), why)?;
        }
        Ok(is_zero)
    }

    /// Checks that a parameter of the model that is given without an expression has the right unit;
    /// a pure number may be used with any unit.
    fn check_unit(&self, local: &str, value: Ex, of: &Parameter) -> Result<(), Error> {
        let known = |unit: &str| !unit.is_empty() && unit != "1";
        match self.model.parameter_of(value) {
            Some((name, unit))
                if known(unit) && known(of.unit) && !self.model.same_unit(unit, of.unit) =>
            {
                let why = format!("it is in {}, but {name} is in {unit}", of.unit);
                Err(self.refuse(local, why))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the values of an expression are finite and within the range of a parameter.
    fn within(&mut self, local: &str, value: Ex, of: &Parameter) -> Result<(), Error> {
        // Finite numbers are between the largest ones.
        let Limits { min, max } = of.limits;
        let (min, max) = (min.max(f64::MIN), max.min(f64::MAX));
        let sentence = format!("must be {}", of.limits.of(of.unit));
        self.require(&[local], value.ge(min) & value.le(max), &sentence)
    }
}
