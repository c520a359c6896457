//! What a text says about a component beyond our parameters: it must be without influence on
//! results.

use super::{Leaf, Reader, is_block};
use crate::instance::{ATTRIBUTES, Content, Kind, Type, is_of, kind_of};
use crate::modifier::Modifier;
use crate::source::{Checked, Complaint};
use crate::syntax::{Argument, ArgumentKind, ClassKind, ExpressionKind, Variability};
use crate::value::Value;
use std::rc::Rc;

impl Leaf {
    /// Whether entries of a record are parameters of ours.
    pub(super) fn has_entries_of(&self, record: &str) -> bool {
        let mut names = self.class.declaration.parameters.iter().map(|of| of.name);
        names.any(|name| name.strip_prefix(record).is_some_and(|rest| rest.starts_with('.')))
    }
}

impl Reader<'_> {
    /// Refuses another unit of one of our parameters or variables, and notes attributes that have
    /// no influence.
    pub(super) fn check_given(&self, name: &str, modifier: &Modifier) -> Checked<()> {
        let Some(parameter) = self.leaf.parameter(name) else { return Ok(()) };
        for (attribute, of) in &modifier.elements {
            let place = format!("{}.{name}", self.instance.name);
            match &**attribute {
                "unit" => {
                    let unit = self.evaluator.attribute(modifier, "unit")?;
                    let is_other = match &unit {
                        Some(Value::Text(unit)) => **unit != *parameter.unit,
                        other => other.is_some(),
                    };
                    // A gain has the unit that a text gives to it.
                    if is_other && matches!(parameter.unit, "" | "1") {
                        let note = format!("the unit of {place} has no influence");
                        self.evaluator.notes.borrow_mut().push(note);
                    } else if is_other {
                        let sentence =
                            format!("{place} is in {}, not in another unit", parameter.unit);
                        return Err(Complaint::at(&self.place(of), sentence));
                    }
                }
                "min" | "max" | "nominal" | "stateSelect" | "unbounded" => {
                    let note = format!("{attribute} of {place} has no influence");
                    self.evaluator.notes.borrow_mut().push(note);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What a text says beyond our parameters must be without influence on results.
    pub(super) fn check_other(&self, name: &str, modifier: &Modifier) -> Checked<()> {
        if self.leaf.has_entries_of(name) {
            return self.check_entries(name, modifier);
        }
        let is_known = |name: &str| self.leaf.parameter(name).is_some();
        let of_vector = name
            .rsplit_once('_')
            .is_some_and(|(stem, k)| matches!(k, "1" | "2" | "3") && is_known(stem));
        let with_start =
            name.strip_suffix("_fixed").is_some_and(|stem| is_known(&format!("{stem}_start")));
        if is_known(name) || of_vector || with_start || is_read_with_others(name) {
            return Ok(());
        }
        let path = self.leaf.class.path();
        let mut of_others = OF_OTHER_VARIABLES.iter().filter(|(class, _)| *class == path);
        if WITHOUT_INFLUENCE.contains(&name) || of_others.any(|(_, names)| names.contains(&name)) {
            return Ok(());
        }
        if is_length(name) && self.leaf.has_vectors() {
            return Ok(());
        }
        let class = &self.leaf.text.path;
        let Some(member) = self.member(name)? else {
            // A function for colours, for instance.
            if modifier.redeclared.is_some() && self.leaf.is_picture() {
                return Ok(());
            }
            let members = self.instance.members(self.evaluator.library)?;
            let sentence = members.lack(&self.leaf.text, name);
            return Err(Complaint::at(&self.place(modifier), sentence));
        };
        let is_parameter = matches!(
            member.declaration.variability,
            Variability::Parameter | Variability::Constant
        );
        if is_of_animation(&member.declaration.annotation) {
            return Ok(());
        }
        // A parameter of a class that extends ours.
        let mut extending = self.leaf.extended_by.iter();
        if is_parameter && extending.any(|class| Rc::ptr_eq(class, &member.scope.class)) {
            return Ok(());
        }
        if !is_parameter {
            if self.leaf.bound_input(self.evaluator, self.instance, name)?.is_some() {
                return Ok(());
            }
            if let Some(binding) = &modifier.value {
                let sentence = format!("an equation for {class}.{name} is not supported");
                return Err(Complaint::at(&binding.expression.span, sentence));
            }
            return self.check_attributes(name, modifier);
        }
        if modifier.value.is_none() {
            return Ok(());
        }
        let is_of_connector =
            matches!(kind_of(self.evaluator.library, &member.class)?, Kind::Type(Type::Boolean))
                && (self.has_port_of(name)
                    || (name.starts_with("use") && !is_block(self.leaf.class)));
        if is_of_connector {
            return Ok(());
        }
        // A guess of something that our class does not search.
        if let Some(stem) = name.strip_suffix("_start")
            && self.member(&format!("{stem}_fixed"))?.is_some()
            && let Value::Boolean(fixed) = self.value(&format!("{stem}_fixed"))?
            && fixed.constant_value() == Some(false)
        {
            return Ok(());
        }
        // The default of the standard library is what our class does.
        let default = member.declaration.modification.value.as_ref();
        if let Some(default) = default
            && let (Ok(given), Ok(usual)) =
                (self.value(name), self.evaluator.value(default, &member.scope))
            && same(&given, &usual)
        {
            return Ok(());
        }
        let value = modifier.value.as_ref().map_or("", |binding| binding.expression.span.text());
        let short = self.leaf.class.declaration.name;
        let sentence = format!("{short}.{name} = {value} is not supported");
        Err(Complaint::at(&self.place(modifier), sentence))
    }

    /// What a text says about the entries of a record: there must be such entries. Those that are
    /// no parameters of ours have no influence.
    fn check_entries(&self, name: &str, modifier: &Modifier) -> Checked<()> {
        let Some(member) = self.member(name)? else { return Ok(()) };
        let Content::Instance(record) = self.evaluator.content(self.instance, &member)? else {
            return Ok(());
        };
        let members = record.members(self.evaluator.library)?;
        let unknown = modifier.elements.iter().find(|(entry, _)| members.get(entry).is_none());
        if let Some((entry, of)) = unknown {
            return Err(Complaint::at(&self.place(of), members.lack(&record.class, entry)));
        }
        // A part that is no record has equations, in which its parameters have an influence.
        if is_of(self.evaluator.library, &record.class, ClassKind::Record)? {
            return Ok(());
        }
        let is_ours = |entry: &str| self.leaf.parameter(&format!("{name}.{entry}")).is_some();
        let mut given = modifier.elements.iter();
        given.find(|(entry, _)| !is_ours(entry)).map_or(Ok(()), |(entry, of)| {
            let short = self.leaf.class.declaration.name;
            let sentence = format!("{short}.{name}.{entry} is not supported");
            Err(Complaint::at(&self.place(of), sentence))
        })
    }

    /// Whether a flag is about a port of our class, which exists in any case.
    fn has_port_of(&self, flag: &str) -> bool {
        let port = match flag {
            "withFeedForward" => Some("u_ff"),
            _ => flag.strip_prefix("use_"),
        };
        self.leaf.class.declaration.ports.iter().any(|of| Some(of.name) == port)
    }

    /// Attributes of a variable that is not among our start values.
    fn check_attributes(&self, name: &str, modifier: &Modifier) -> Checked<()> {
        let is_ours = |name: &str| self.leaf.parameter(name).is_some();
        for (attribute, of) in &modifier.elements {
            let place = self.place(of);
            let is_true = |of: &Modifier| match &of.value {
                Some(binding) => Ok(match self.evaluator.bound(binding)? {
                    Value::Boolean(truth) => truth.constant_value() != Some(false),
                    other => other.scalars().iter().any(|x| match x {
                        Value::Boolean(truth) => truth.constant_value() != Some(false),
                        _ => true,
                    }),
                }),
                None => Ok(false),
            };
            match &**attribute {
                "start" | "fixed" if is_ours(&format!("{name}.start")) => {}
                "fixed" if is_true(of)? && MODES.contains(&name) => {
                    let full = self.instance.full(name);
                    let note = format!("{full}: speeds and forces determine the mode at the start");
                    self.evaluator.notes.borrow_mut().push(note);
                }
                "fixed" if is_true(of)? => {
                    let class = self.leaf.class.declaration.name;
                    let sentence =
                        format!("an initial condition for {class}.{name} is not supported");
                    return Err(Complaint::at(&place, sentence));
                }
                "start" => {
                    let full = self.instance.full(name);
                    let note = format!("the guess of {full} is not used");
                    self.evaluator.notes.borrow_mut().push(note);
                }
                other
                    if is_ours(&format!("{name}.{other}"))
                        || is_ours(&format!("{name}.{other}.start")) => {}
                // A guess of a variable that our class does not search.
                other if is_guess(of) => {
                    let full = self.instance.full(&format!("{name}.{other}"));
                    let note = format!("the guess of {full} is not used");
                    self.evaluator.notes.borrow_mut().push(note);
                }
                other if !ATTRIBUTES.contains(&other) => {
                    let class = self.leaf.class.declaration.name;
                    let sentence = format!("{class}.{name}.{other} cannot be modified");
                    return Err(Complaint::at(&place, sentence));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// `(start = 1)`, and nothing else.
fn is_guess(modifier: &Modifier) -> bool {
    modifier.value.is_none()
        && !modifier.elements.is_empty()
        && modifier.elements.keys().all(|name| &**name == "start")
}

/// Parameters that are read together with others.
fn is_read_with_others(name: &str) -> bool {
    name.ends_with("stateSelect") || matches!(name, "rotationType" | "gravityAcceleration")
}

/// Modes of friction and of clutches, which our classes find at the start.
const MODES: [&str; 6] = ["mode", "free", "locked", "stuck", "startForward", "startBackward"];

/// Numbers of the elements of connectors, which have as many here as are connected.
fn is_length(name: &str) -> bool {
    matches!(name, "n" | "nu" | "nin" | "nout")
}

/// Elements without influence on results that no dialog marks as such.
const WITHOUT_INFLUENCE: [&str; 18] = [
    "animation",
    "enableAnimation",
    "animateWorld",
    "animateGravity",
    "animateGround",
    "animateSphere",
    "animateLine",
    "animateMass",
    "axisLength",
    "labelAxes",
    "label1",
    "label2",
    "showMass",
    "showMassConnector",
    // Variables that are there anyway.
    "checkTotalPower",
    // A hint for symbolic solvers; the length of the rod is constrained in any case.
    "kinematicConstraint",
    // Simplified equations for solvers with homotopy.
    "homotopyType",
    "ySimplified",
];

/// Parameters of classes that determine only variables which our classes do not have.
const OF_OTHER_VARIABLES: [(&str, &[&str]); 1] = [("translational::GasForce2", &["k", "k0", "k1"])];

/// `Dialog(tab = "Animation")`: an element for pictures only.
fn is_of_animation(annotation: &[Argument]) -> bool {
    let is_animation = |argument: &Argument| {
        let ArgumentKind::Modify(name, modification) = &argument.kind else { return false };
        let Some(value) = &modification.value else { return false };
        match (&*name.to_string(), &*value.kind) {
            // The second one contains sizes and colours of shapes, of the world only.
            ("tab", ExpressionKind::Text(text)) => matches!(&**text, "Animation" | "Defaults"),
            ("group", ExpressionKind::Text(text)) => text.starts_with("if anim"),
            ("enable", _) => value.span.text().contains("anim"),
            ("colorSelector", _) => true,
            _ => false,
        }
    };
    annotation.iter().any(|argument| match &argument.kind {
        ArgumentKind::Modify(name, modification) => {
            name.to_string() == "Dialog" && modification.arguments.iter().any(is_animation)
        }
        _ => false,
    })
}

/// Whether two values are the same known value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Text(a), Value::Text(b)) => a == b,
        (Value::Boolean(a), Value::Boolean(b)) => {
            a.constant_value().is_some() && a.constant_value() == b.constant_value()
        }
        (Value::Literal { number: a, .. }, Value::Literal { number: b, .. }) => a == b,
        (Value::Array(x), Value::Array(y)) => {
            x.len() == y.len() && x.iter().zip(&**y).all(|(a, b)| same(a, b))
        }
        _ => match (a.real(), b.real()) {
            (Ok(a), Ok(b)) => {
                a.constant_value().is_some() && a.constant_value() == b.constant_value()
            }
            _ => false,
        },
    }
}
