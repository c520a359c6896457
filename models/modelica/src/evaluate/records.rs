//! Parameters in records: `data.m` of `parameter Data data = Data(m = 2)`.

use super::Evaluator;
use crate::instance::{Content, Instance, Member, Variable, is_of};
use crate::source::Checked;
use crate::syntax::{ClassKind, Part, Variability};
use crate::value::Value;
use std::rc::Rc;

impl Evaluator<'_> {
    /// The value of a record with a value as a whole. Parameters of the model in it are symbols:
    /// all, or the one with which a name continues.
    pub(super) fn given_record(
        &self,
        instance: &Rc<Instance>,
        rest: &[Part],
    ) -> Checked<Option<Value>> {
        let Some(binding) = &instance.modifier.value else { return Ok(None) };
        self.with_parameters(instance, self.bound(binding)?, rest).map(Some)
    }

    fn with_parameters(
        &self,
        instance: &Rc<Instance>,
        value: Value,
        rest: &[Part],
    ) -> Checked<Value> {
        let Value::Record(fields) = &value else { return Ok(value) };
        let members = instance.members(self.library)?;
        let field = |(name, value): &(Rc<str>, Value)| {
            let is_named = rest.first().is_none_or(|part| part.name.text == *name);
            let member = members.get(name).filter(|_| is_named);
            let content = member.map(|member| self.content(instance, member)).transpose()?;
            let value = match content {
                Some(Content::Variable(variable)) => {
                    self.given_parameter(instance, &variable, value.clone())?
                }
                Some(Content::Instance(inner)) => {
                    let rest = rest.get(1..).unwrap_or_default();
                    self.with_parameters(&inner, value.clone(), rest)?
                }
                _ => value.clone(),
            };
            Ok((Rc::clone(name), value))
        };
        Ok(Value::Record(Rc::new(fields.iter().map(field).collect::<Checked<_>>()?)))
    }

    fn given_parameter(
        &self,
        instance: &Rc<Instance>,
        variable: &Rc<Variable>,
        value: Value,
    ) -> Checked<Value> {
        if let Some(known) = variable.value.get() {
            return Ok(known.clone());
        }
        if self.role_of(instance, variable)?.0 != Variability::Parameter {
            return Ok(value);
        }
        let value = self.as_parameter(instance, variable, value)?;
        Ok(variable.value.get_or_init(|| value).clone())
    }

    /// Whether a component is a record.
    pub(super) fn is_record(&self, member: &Member) -> Checked<bool> {
        is_of(self.library, &member.class, ClassKind::Record)
    }

    /// The variability of a variable, and whether no importer may set it; the variables of a record
    /// take both over from the record.
    pub(super) fn role_of(
        &self,
        instance: &Rc<Instance>,
        variable: &Variable,
    ) -> Checked<(Variability, bool)> {
        let (mut variability, mut is_final) = (variable.variability, variable.is_final);
        let mut at = Rc::clone(instance);
        while let Some(outer) = &at.parent
            && is_of(self.library, &at.class, ClassKind::Record)?
        {
            let local = at.name.rsplit('.').next().and_then(|name| name.split('[').next());
            let members = outer.members(self.library)?;
            let Some(record) = local.and_then(|local| members.get(local)) else { break };
            variability = match (record.declaration.variability, variability) {
                (Variability::Constant, _) => Variability::Constant,
                (outer, Variability::Continuous) => outer,
                (_, own) => own,
            };
            is_final |= record.is_final || record.protected;
            at = Rc::clone(outer);
        }
        Ok((variability, is_final))
    }
}
