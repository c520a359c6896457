//! Components whose classes our libraries declare: what a text says about them, held against the
//! declaration.
//!
//! The texts of these classes are not read for their equations. They tell defaults, conditions of
//! connectors, and which parameters are for animation only.

mod blocks;
pub mod defaults;
mod others;
mod starts;

pub use blocks::{has_readable_text, is_block};

use crate::evaluate::Evaluator;
use crate::instance::{Instance, Member, Scope};
use crate::library::ClassNode;
use crate::modifier::{Binding, Modifier};
use crate::names::plain_name;
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Name, Part, Variability, Word};
use crate::value::Value;
use equations::{Ex, substitute};
use libraries::classes_of;
use mechanics::assembly::Class;
use mechanics::declaration::{self, Choice, Default, Lifetime, Parameter, Real};
use std::rc::Rc;

/// Constants of the present standard library, where our defaults are those of an earlier one.
const PRESENT_CONSTANTS: [(&str, &str, f64); 2] = [
    ("translational::GasForce2", "topInwards", 0.986_061),
    ("translational::GasForce2", "topOutwards", 0.933),
];

/// A component of one of our classes.
pub struct Leaf {
    /// Our class.
    pub class: &'static Class,
    /// What texts outside the class say about it.
    pub modifier: Modifier,
    /// The class of the standard library.
    pub text: Rc<ClassNode>,
    /// The classes that extend it, the class of the instance last.
    pub extended_by: Vec<Rc<ClassNode>>,
}

/// Our class for a class of the standard library.
pub fn declared(class: &ClassNode) -> Option<&'static Class> {
    if class.path.contains('.') { classes_of(&class.path).into_iter().next() } else { None }
}

/// Our class of an instance: that of its class, or of the class that it extends.
///
/// # Errors
/// An inherited class is not found.
pub fn leaf_of(evaluator: &Evaluator<'_>, instance: &Rc<Instance>) -> Checked<Option<Leaf>> {
    find(evaluator, instance, &instance.class, instance.modifier.clone(), 0)
}

fn find(
    evaluator: &Evaluator<'_>,
    instance: &Rc<Instance>,
    class: &Rc<ClassNode>,
    modifier: Modifier,
    depth: usize,
) -> Checked<Option<Leaf>> {
    let library = evaluator.library;
    if let Some(ours) = declared(class).filter(|_| (evaluator.is_leaf)(&instance.name, class)) {
        let modifier = modifier.with_present_names(library, class);
        let (text, extended_by) = (Rc::clone(class), Vec::new());
        return Ok(Some(Leaf { class: ours, modifier, text, extended_by }));
    }
    if depth > 40 {
        return Ok(None);
    }
    let scope = |class: &Rc<ClassNode>| Scope {
        instance: Some(Rc::clone(instance)),
        class: Rc::clone(class),
        frame: None,
    };
    let mut leaf: Option<Leaf> = None;
    let said = instance.said_by(library, class)?;
    let modifier = modifier.over(said)?;
    for base in library.bases(class)? {
        let own = match &base.clause {
            Some(clause) => Modifier::of(&clause.modification, &scope(class))?,
            None => Modifier::default(),
        };
        let merged = modifier.clone().over(own)?;
        if let Some(found) = find(evaluator, instance, &base.class, merged, depth + 1)? {
            if let Some(first) = &leaf {
                let (one, other) = (&first.text.path, &found.text.path);
                let sentence = format!("{} extends both {one} and {other}", class.path);
                return Err(Complaint::at(&class.syntax.name.span, sentence));
            }
            leaf = Some(found);
        }
    }
    if let Some(leaf) = &mut leaf {
        if let Err(complaint) = blocks::check_extension(class, &leaf.text) {
            if leaf.read_instead(evaluator, instance) {
                return Ok(None);
            }
            return Err(complaint);
        }
        leaf.extended_by.push(Rc::clone(class));
    }
    Ok(leaf)
}

impl Leaf {
    /// The settings that a text gives, by the names of our declaration.
    ///
    /// # Errors
    /// Each thing that is not supported, with its place.
    pub fn settings(
        &self,
        evaluator: &Evaluator<'_>,
        instance: &Rc<Instance>,
    ) -> Result<Vec<(&'static str, declaration::Value)>, Vec<Complaint>> {
        let (mut settings, mut complaints) = (Vec::new(), Vec::new());
        let reader = Reader { leaf: self, evaluator, instance };
        for parameter in self.class.declaration.parameters {
            match reader.setting(parameter) {
                Ok(Some(value)) => settings.push((parameter.name, value)),
                Ok(None) => {}
                Err(complaint) => complaints.push(complaint),
            }
        }
        let class = self.class.path();
        let constants = PRESENT_CONSTANTS.iter().filter(|(of, ..)| *of == class);
        settings.extend(constants.map(|(_, name, value)| (*name, (*value).into())));
        for (name, modifier) in &self.modifier.elements {
            let checked = reader
                .check_other(name, modifier)
                .and_then(|()| reader.check_given(name, modifier));
            if let Err(complaint) = checked {
                complaints.push(complaint);
            }
        }
        if complaints.is_empty() {
            complaints.extend(reader.refused(&settings));
        }
        if complaints.is_empty() { Ok(settings) } else { Err(complaints) }
    }

    /// Whether our class has this variable, or an element of it, or a connector with it.
    pub fn publishes(&self, local: &str) -> bool {
        let declaration = self.class.declaration;
        let array = local.rsplit_once('[').map_or(local, |(array, _)| array);
        let connector = local.split(['.', '[']).next().unwrap_or(local);
        declaration.variables.iter().any(|of| of.name == local || of.name == array)
            || declaration.ports.iter().any(|of| of.name == connector)
    }

    /// Whether our class has vectors of inputs of any length.
    fn has_vectors(&self) -> bool {
        let is_vector = |kind: &str| kind.starts_with('[') && !kind.contains(';');
        self.class.declaration.ports.iter().any(|port| is_vector(port.kind))
    }

    /// Whether it is drawn, and has no other effect.
    fn is_picture(&self) -> bool {
        self.text.path.starts_with("Modelica.Mechanics.MultiBody.Visualizers.")
    }

    /// Our parameter for an element of the standard library's class.
    fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        let plain = plain_name(name);
        let mut parameters = self.class.declaration.parameters.iter();
        parameters.find(|of| of.name == name || plain_name(of.setter) == plain)
    }
}

/// Reads the settings of one component.
struct Reader<'r> {
    leaf: &'r Leaf,
    evaluator: &'r Evaluator<'r>,
    instance: &'r Rc<Instance>,
}

impl Reader<'_> {
    /// What a text says about an element, or about an element of an element: `a.phi`.
    fn given(&self, name: &str) -> Option<&Modifier> {
        name.split('.').try_fold(&self.leaf.modifier, |whole, part| whole.elements.get(part))
    }

    /// The place that says something about an element.
    fn place(&self, modifier: &Modifier) -> Span {
        modifier.span.clone().unwrap_or_else(|| self.leaf.text.syntax.name.span.clone())
    }

    /// The member of the standard library's text.
    fn member(&self, name: &str) -> Checked<Option<Rc<Member>>> {
        Ok(self.instance.members(self.evaluator.library)?.get(name).cloned())
    }

    /// The value of a parameter, also by its default in the standard library's text.
    fn value(&self, name: &str) -> Checked<Value> {
        let span = self.leaf.text.syntax.name.span.clone();
        let part = |name: &str| {
            let name = Word { text: name.into(), span: span.clone() };
            Part { name, subscripts: Vec::new() }
        };
        // A parameter may be the entry of a record.
        let parts: Vec<Part> = name.split('.').map(part).collect();
        let scope = Scope {
            instance: Some(Rc::clone(self.instance)),
            class: Rc::clone(&self.leaf.text),
            frame: None,
        };
        self.evaluator.member(self.instance, &parts, &scope, &span)
    }

    /// The value that a text gives to a parameter, or to the record that contains it.
    fn binding(&self, name: &str) -> Option<&Binding> {
        let dots = name.match_indices('.').map(|(at, _)| &name[..at]);
        let mut wholes = dots.rev().filter_map(|whole| self.given(whole)?.value.as_ref());
        let own = self.given(name).and_then(|modifier| modifier.value.as_ref());
        own.or_else(|| wholes.next())
    }

    /// The name of one of our parameters in the standard library: `useQuaternions` is
    /// `use_quaternions`.
    fn name_in_text(&self, parameter: &'static Parameter) -> Checked<Rc<str>> {
        // The start value `y` of ours is the parameter `y_start` of a block.
        let is_parameter = |of: Rc<Member>| of.declaration.variability == Variability::Parameter;
        if parameter.name != parameter.setter
            && self.member(parameter.setter)?.is_some_and(is_parameter)
        {
            return Ok(parameter.setter.into());
        }
        if self.member(parameter.name)?.is_none() {
            // Only a start value is that of a variable.
            let is_start = parameter.kind.contains("Start");
            let may_be = |of: &&Rc<Member>| {
                is_start || of.declaration.variability != Variability::Continuous
            };
            let plain = plain_name(parameter.setter);
            let members = self.instance.members(self.evaluator.library)?;
            let mut members = members.list.iter().filter(may_be);
            let name = |of: &Rc<Member>| Rc::clone(&of.declaration.name.text);
            if let Some(of) = members.find(|of| plain_name(&of.declaration.name.text) == plain) {
                return Ok(name(of));
            }
        }
        Ok(parameter.name.into())
    }

    /// `rotationType` decides which parameters of a `FixedRotation` are used.
    fn is_of_chosen_rotation(&self, name: &str) -> Checked<Option<bool>> {
        let wanted = match name {
            "n" | "angle" => "RotationAxis",
            "n_x" | "n_y" => "TwoAxesVectors",
            "sequence" | "angles" => "PlanarRotationSequence",
            _ => return Ok(None),
        };
        if self.member("rotationType")?.is_none() {
            return Ok(None);
        }
        Ok(match self.value("rotationType")? {
            Value::Literal { name, .. } => Some(&*name == wanted),
            _ => None,
        })
    }

    /// The function `gravityAcceleration` of a world with `gravityType = UniformGravity` or another
    /// one that a text gives.
    fn gravity_field(&self) -> Checked<Option<declaration::Value>> {
        let Some(modifier) = self.given("gravityAcceleration") else { return Ok(None) };
        let span = self.place(modifier);
        let name = Word { text: "gravityAcceleration".into(), span: span.clone() };
        let name = Name { from_root: false, parts: vec![name], span: span.clone() };
        let class = self.instance.resolve(self.evaluator.library, &self.leaf.text, &name)?;
        let arguments = [Ex::symbol(), Ex::symbol(), Ex::symbol()];
        let position = arguments.into_iter().map(Value::Real).collect();
        let function = (&class, Some(self.instance));
        let results = self.evaluator.call_values(function, vec![position], Vec::new(), &span)?;
        let acceleration = results.first().map(Value::scalars).unwrap_or_default();
        let results = acceleration.iter().map(Value::real).collect::<Result<Vec<_>, _>>();
        let results = results.map_err(|why| Complaint::at(&span, why))?;
        let function = declaration::Function::new(arguments.len(), results.len(), move |r| {
            let values: Vec<(Ex, Ex)> = arguments.into_iter().zip(r.iter().copied()).collect();
            substitute(&results, &values)
        });
        Ok(Some(declaration::Value::Function(function)))
    }

    /// The value that a text gives to one of our parameters.
    fn setting(&self, parameter: &'static Parameter) -> Checked<Option<declaration::Value>> {
        let name = self.name_in_text(parameter)?;
        let name = &*name;
        let of_rotation = self.is_of_chosen_rotation(name)?;
        if of_rotation == Some(false) {
            return Ok(None);
        }
        match parameter.kind {
            "GravityField" => return self.gravity_field(),
            "Start" => return self.start(name),
            "[Start; 3]" => return self.starts(name),
            "StateSelect" if name == "states" => return self.state_select("stateSelect"),
            "[StateSelect; 3]" => return self.state_selects(parameter),
            "bool" if name == "steady_state" => return self.steady_state(),
            "bool" if name.ends_with(".start") => return self.first_truth(parameter.name),
            _ => {}
        }
        let given = self.binding(name);
        if let Some(guess) = self.unknown(name)? {
            return Ok(Some(declaration::Value::Real(Real::Unknown { guess })));
        }
        let is_required = parameter.default == Default::Required || of_rotation == Some(true);
        let is_needed = given.is_some() || (is_required && self.member(name)?.is_some());
        if !is_needed {
            return Ok(None);
        }
        let span = given.map(|binding| binding.expression.span.clone());
        let span = span.unwrap_or_else(|| self.leaf.text.syntax.name.span.clone());
        let value = match self.value(name) {
            Ok(value) => value,
            // Without a value here and there, our declaration says what is missing.
            Err(_) if given.is_none() => return Ok(None),
            Err(complaint) if self.leaf.is_picture() => {
                let full = self.instance.full(name);
                let note = format!("{full} has its default in pictures: {}", complaint.sentence);
                self.evaluator.notes.borrow_mut().push(note);
                return Ok(None);
            }
            Err(complaint) => return Err(complaint),
        };
        // A frame with the axes of the world; where it is follows from a guess.
        if let (Value::Boolean(truth), "[Real; 3]") = (&value, parameter.kind) {
            let origin = [0.0; 3].map(declaration::Value::from).to_vec();
            let is_true = truth.constant_value() == Some(true);
            return Ok(is_true.then_some(declaration::Value::List(origin)));
        }
        // Numbers in tables are constants.
        let is_table = parameter.kind.contains("[[Real]]");
        let may_follow = parameter.kind.contains("Real")
            && !is_table
            && !self.is_absent_in_circuit(parameter, &value)
            && matches!(parameter.lifetime, Lifetime::OfKind | Lifetime::StructuralZero);
        self.converted(&value, may_follow, &span).map(Some)
    }

    /// Whether a value is zero so that something is not there, which decides about the equations of
    /// a circuit: a resistance, a loss.
    fn is_absent_in_circuit(&self, parameter: &Parameter, value: &Value) -> bool {
        let zero = || value.real().ok().and_then(|value| self.evaluator.known_number(value));
        matches!(parameter.lifetime, Lifetime::StructuralZero)
            && self.leaf.class.declaration.class.starts_with("Modelica.Electrical.")
            && zero() == Some(0.0)
    }

    /// The guess of a parameter that the initial system determines: `c(fixed = false, start = 1)`.
    fn unknown(&self, name: &str) -> Checked<Option<f64>> {
        let Some(modifier) = self.given(name) else { return Ok(None) };
        let span = self.place(modifier);
        let of_model = match &modifier.value {
            Some(binding) => self.evaluator.claim(binding, &self.instance.full(name))?,
            None => None,
        };
        let modifier = of_model.as_ref().map_or(modifier, |variable| &variable.modifier);
        let Some(fixed) = self.evaluator.attribute(modifier, "fixed")? else { return Ok(None) };
        if self.truths::<1>(&fixed, &span)?[0] {
            return Ok(None);
        }
        let start = self.evaluator.attribute(modifier, "start")?.unwrap_or(Value::from(0.0));
        Ok(Some(self.numbers::<1>(&start, &span)?[0]))
    }

    /// The first setting that our declaration does not take.
    fn refused(&self, settings: &[(&'static str, declaration::Value)]) -> Option<Complaint> {
        let mut component = self.leaf.class.component();
        settings.iter().find_map(|(parameter, value)| {
            let error = component.set(&self.instance.name, parameter, value.clone()).err()?;
            let given = self.given(parameter).or(Some(&self.leaf.modifier));
            given.map(|modifier| Complaint::at(&self.place(modifier), error.to_string()))
        })
    }

    /// A value as our declarations take it.
    fn converted(
        &self,
        value: &Value,
        may_follow: bool,
        span: &Span,
    ) -> Checked<declaration::Value> {
        use declaration::Value as Ours;
        Ok(match value {
            Value::Real(number) if may_follow && number.constant_value().is_none() => {
                Ours::Real(Real::Expression(*number))
            }
            Value::Real(number) => Ours::Real(Real::Number(self.evaluator.number(*number, span)?)),
            #[allow(clippy::cast_precision_loss, reason = "sizes and axes are small")]
            Value::Integer(number) => Ours::Real(Real::Number(*number as f64)),
            Value::Boolean(truth) => Ours::Boolean(truth.constant_value().ok_or_else(|| {
                Complaint::at(span, "the truth value must be known when the model is built")
            })?),
            Value::Text(text) => Ours::Text(text.to_string()),
            Value::Literal { name, .. } => Ours::Text(choice(name)),
            Value::Array(elements) => {
                let elements = elements.iter().map(|x| self.converted(x, may_follow, span));
                Ours::List(elements.collect::<Checked<_>>()?)
            }
            other => {
                let sentence = format!("{} is no value for a component", other.kind());
                return Err(Complaint::at(span, sentence));
            }
        })
    }
}

/// The name of a choice in our declarations: `frame_a` is `FrameA`, `NoGravity` is `None`, and `ms`
/// has the same name.
fn choice(literal: &str) -> String {
    let is_known = |of: &Choice| of.values.iter().any(|(name, _)| *name == literal);
    match literal {
        _ if libraries::CHOICES.iter().any(is_known) => return literal.to_owned(),
        "NoGravity" => return "None".to_owned(),
        "UniformGravity" => return "Uniform".to_owned(),
        "PointGravity" => return "Point".to_owned(),
        _ => {}
    }
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string());
        first.unwrap_or_default() + letters.as_str()
    };
    literal.split('_').map(word).collect()
}
