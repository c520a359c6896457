//! A model: its components and connections, added to an assembly.

mod annotations;
mod connections;
mod declarations;
mod documentation;
mod ends;
mod initial;
mod parameters;
mod units;

use crate::equations::{Connected, Equations, Ports, Symbols};
use crate::evaluate::Evaluator;
use crate::instance::{Content, Instance, Kind, Member, Scope, Variable, is_of, kind_of};
use crate::leaf::{Leaf, declared, has_readable_text, leaf_of};
use crate::library::{ClassNode, Library};
use crate::modifier::Modifier;
use crate::source::{Checked, Complaint, Complaints, Span};
use crate::syntax::{
    Argument, ArgumentKind, Body, ClassKind, Equation, EquationKind, Expression, ExpressionKind,
    Modification, Variability,
};
use crate::value::Value;
use connections::Connections;
pub use declarations::Declarations;
use mechanics::Assembly;
use mechanics::declaration::Value as Setting;
use parameters::Parameter;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How often parameters may turn out to be needed when the model is built.
const MOST_ROUNDS: usize = 50;

/// How many complaints are collected at most.
const MOST_COMPLAINTS: usize = 100;

/// The note about a missing Modelica Standard Library.
const WITHOUT_TEXTS: &str = "MODELICAPATH leads to no Modelica Standard Library: only the classes \
                             that Coupler declares are known, with their own defaults";

/// A model that can be added to an assembly.
#[derive(Debug)]
pub struct Model {
    library: Library,
    class: Rc<ClassNode>,
    wanted: Vec<String>,
}

/// What a model says besides what it adds to an assembly.
#[derive(Debug)]
pub struct Added {
    /// Notes for the author of the text.
    pub notes: Vec<String>,
    /// The places of its components.
    pub declarations: Declarations,
}

/// The components and connections of a model, before they are added to an assembly.
struct Flat {
    components: Vec<Component>,
    connections: Connections,
    parameters: Vec<Parameter>,
    /// Parameters that follow from others, each with its symbol.
    calculated: Vec<Parameter>,
    equations: Equations,
    declarations: Declarations,
    root: Rc<Instance>,
}

/// A component of one of our classes with its settings.
struct Component {
    instance: Rc<Instance>,
    leaf: Leaf,
    settings: Vec<(&'static str, Setting)>,
}

impl Model {
    /// A class as a model.
    pub fn new(library: Library, class: &Rc<ClassNode>) -> Model {
        Model { library, class: Rc::clone(class), wanted: Vec::new() }
    }

    /// The same with variables of connectors that no component publishes, such as
    /// `rod.frame_b.f[1]`.
    #[must_use]
    pub fn wanting(self, variables: impl IntoIterator<Item = String>) -> Model {
        Model { wanted: variables.into_iter().collect(), ..self }
    }

    /// The classes.
    pub fn library(&self) -> &Library {
        &self.library
    }

    /// Its full name.
    pub fn path(&self) -> &str {
        &self.class.path
    }

    /// Its name without those of its packages.
    pub fn name(&self) -> &str {
        self.class.name()
    }

    /// Its description and its documentation in Markdown.
    pub fn documentation(&self) -> String {
        let texts = named(&self.class.syntax.annotation, "Documentation").unwrap_or_default();
        let info = match value_of(texts, "info").map(|of| &*of.kind) {
            Some(ExpressionKind::Text(text)) => text.to_string(),
            _ => String::new(),
        };
        let inner = documentation::markdown(&info);
        let parts = [self.class.syntax.description.as_str(), &inner];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Adds its parameters, components and connections to an assembly.
    ///
    /// # Errors
    /// What is not supported or wrong, with all places.
    pub fn add_to(&self, assembly: &mut Assembly) -> Result<Added, Complaints> {
        let (mut constants, mut read) = (BTreeSet::new(), BTreeSet::new());
        // The inputs of a block are those of the model if the block is the model.
        if self.library.has_standard_texts() {
            read.insert(String::new());
        }
        for _ in 0..MOST_ROUNDS {
            let is_leaf = |name: &str, class: &ClassNode| {
                declared(class).is_some_and(|of| !(has_readable_text(of) && read.contains(name)))
            };
            let symbols: Rc<Symbols> = Rc::default();
            let mut evaluator = Evaluator::new(&self.library, &is_leaf, &constants);
            evaluator.symbols = Some(&*symbols);
            let root = Instance::new(String::new(), &self.class, Modifier::default(), None);
            let flat = Flattener::flat(&evaluator, &root, &symbols);
            let mut more = evaluator.blocks_to_read.take();
            if !more.is_empty() {
                read.append(&mut more);
                continue;
            }
            let mut flat = flat?;
            if evaluator.needed.borrow().is_empty() {
                let dropped = flat.equations.drop_vanishing_derivatives(&evaluator);
                dropped.map_err(|complaint| vec![complaint])?;
            }
            let needed = evaluator.needed.take();
            if needed.is_empty() {
                evaluator.notes.borrow_mut().extend_from_slice(flat.equations.notes());
                assembly.keep_names();
                assembly.mix_units();
                evaluator.notes.borrow_mut().extend(flat.declare_units(assembly));
                let declarations = std::mem::take(&mut flat.declarations);
                let added = flat.add_to(assembly, &self.wanted);
                added.map_err(|complaints| declarations.placed(complaints))?;
                let members = root.members(&self.library).map_err(|complaint| vec![complaint])?;
                for (name, place) in annotations::places(&evaluator, members) {
                    assembly.place(name, place);
                }
                annotations::experiment(&evaluator, &root, assembly)
                    .map_err(|complaint| vec![complaint])?;
                let mut notes = evaluator.notes.take();
                notes.extend(parameters::check_all(&evaluator, &root)?);
                notes.extend(self.library.notes());
                if !self.library.has_standard_texts() {
                    notes.push(WITHOUT_TEXTS.to_owned());
                }
                notes.extend(constants.iter().map(|name| {
                    format!("{name} is a constant: it decides which equations the model has")
                }));
                return Ok(Added { notes, declarations });
            }
            constants.extend(needed);
        }
        Err(vec![Complaint::general("the parameters of the model depend on each other")])
    }
}

/// Whether a class is a model that can be simulated.
pub fn is_model(class: &ClassNode) -> bool {
    other_than_model(class).is_none()
}

/// Whether a class is a package, which is no model.
pub fn is_package(class: &ClassNode) -> bool {
    class.syntax.kind == ClassKind::Package
}

/// The classes in packages of a class, at any depth, and the class itself; no packages.
///
/// # Errors
/// A file in a package is wrong.
pub fn classes_in(library: &Library, class: &Rc<ClassNode>) -> Checked<Vec<Rc<ClassNode>>> {
    if !is_package(class) {
        return Ok(vec![Rc::clone(class)]);
    }
    let inner = library.children(class)?;
    let inner = inner.iter().map(|inner| classes_in(library, inner));
    Ok(inner.collect::<Checked<Vec<_>>>()?.concat())
}

/// What a class is that is no model; `None` for a model.
pub fn other_than_model(class: &ClassNode) -> Option<&'static str> {
    let syntax = &class.syntax;
    Some(match (syntax.kind, syntax.partial) {
        (ClassKind::Model | ClassKind::Block | ClassKind::Class, true) => "a partial model",
        (ClassKind::Model | ClassKind::Block | ClassKind::Class, false) => return None,
        (ClassKind::Record, _) => "a record",
        (ClassKind::Connector, _) => "a connector",
        (ClassKind::Type, _) => "a type",
        (ClassKind::Package, _) => "a package",
        (ClassKind::Function, _) => "a function",
        (ClassKind::Operator, _) => "an operator",
    })
}

/// The arguments of an annotation of this name.
pub fn named<'a>(annotation: &'a [Argument], name: &str) -> Option<&'a [Argument]> {
    modification(annotation, name).map(|modification| &modification.arguments[..])
}

/// The value of an annotation of this name.
pub fn value_of<'a>(annotation: &'a [Argument], name: &str) -> Option<&'a Expression> {
    modification(annotation, name)?.value.as_ref()
}

fn modification<'a>(annotation: &'a [Argument], name: &str) -> Option<&'a Modification> {
    annotation.iter().find_map(|argument| match &argument.kind {
        ArgumentKind::Modify(of, modification) if of.to_string() == name => Some(&**modification),
        _ => None,
    })
}

impl Flat {
    fn add_to(mut self, assembly: &mut Assembly, wanted: &[String]) -> Result<(), Complaints> {
        let one = |complaint| vec![complaint];
        for parameter in &self.parameters {
            let Parameter { name, symbol, value, unit, description, limits } = parameter;
            assembly.parameter_with_symbol(*symbol, name, *value, unit, description);
            assembly.limit(*symbol, limits.min..=limits.max);
        }
        for Parameter { name, symbol, unit, description, limits, .. } in &self.calculated {
            assembly.calculated(name, *symbol, unit, description);
            assembly.limit_calculated(name, limits.min..=limits.max);
        }
        let mut ports = Ports::new();
        for Component { instance, leaf, settings } in self.components {
            let name = instance.name.clone();
            let place = leaf.modifier.span.clone();
            let added = assembly.add_by_name(leaf.class, name.clone(), settings);
            let added = added.map_err(|error| match &place {
                Some(span) => Complaint::at(span, error.to_string()),
                None => Complaint::general(error.to_string()),
            });
            ports.insert(name, added.map_err(one)?);
        }
        self.equations.add_inputs(assembly, &mut ports).map_err(one)?;
        self.equations.add_sensors(assembly, &mut ports, wanted);
        let mut open =
            self.connections.add_to(assembly, &ports, &mut self.equations).map_err(one)?;
        for (name, input, span) in self.equations.open_inputs(assembly, &ports) {
            if !open.drives(input) && self.equations.take_input(&name, &self.root) {
                open.drive(&name, input, span);
            }
        }
        let connected =
            Connected { at_all: &|name| open.connects(name), faces: &|name| open.faces(name) };
        let determined = self.equations.add_to(assembly, &ports, &connected)?;
        open.add_to(assembly, &determined).map_err(one)?;
        determined.connect_inputs(assembly).map_err(one)
    }
}

/// Collects the components and connections of a model.
struct Flattener<'e> {
    evaluator: &'e Evaluator<'e>,
    components: Vec<Component>,
    connections: Connections,
    equations: Equations,
    declarations: Declarations,
    complaints: Complaints,
}

impl<'e> Flattener<'e> {
    fn flat(
        evaluator: &'e Evaluator<'e>,
        root: &Rc<Instance>,
        symbols: &Rc<Symbols>,
    ) -> Result<Flat, Complaints> {
        let mut flattener = Flattener {
            evaluator,
            components: Vec::new(),
            connections: Connections::default(),
            equations: Equations::new(symbols),
            declarations: Declarations::default(),
            complaints: Vec::new(),
        };
        flattener.instance(root);
        if let Some(world) = evaluator.default_world.get() {
            flattener.instance(world);
        }
        let leaves: Vec<_> =
            flattener.components.iter().map(|of| (Rc::clone(&of.instance), &of.leaf)).collect();
        let read = flattener.equations.read_leaf_texts(evaluator, root, &leaves);
        flattener.checked(read);
        symbols.claimed.replace(evaluator.claimed.take());
        let attributes = flattener.equations.read_attributes(evaluator);
        flattener.checked(attributes);
        let initial = flattener.initial_conditions();
        flattener.checked(initial);
        flattener.check_supports();
        let parameters = parameters::settable(evaluator);
        let calculated = parameters::calculated(evaluator);
        let Flattener { components, connections, equations, declarations, mut complaints, .. } =
            flattener;
        let parameters = parameters.unwrap_or_else(|complaint| {
            complaints.push(complaint);
            Vec::new()
        });
        let calculated = calculated.unwrap_or_else(|complaint| {
            complaints.push(complaint);
            Vec::new()
        });
        if complaints.is_empty() {
            let root = Rc::clone(root);
            Ok(Flat {
                components,
                connections,
                parameters,
                calculated,
                equations,
                declarations,
                root,
            })
        } else {
            Err(complaints)
        }
    }

    /// The same for the text of a component: a complaint about a class of the standard library is
    /// one about its use.
    fn checked_of(&mut self, instance: &Instance, result: Checked<()>) {
        let is_of_library = instance.class.path.starts_with("Modelica.");
        self.checked(result.map_err(|complaint| match self.declarations.use_of(&instance.name) {
            Some(place) if is_of_library => {
                let (class, sentence) = (&instance.class.path, &complaint.sentence);
                let text = complaint.span.as_ref().map_or(String::new(), Span::place);
                let name = &instance.name;
                let sentence = format!("{name}: {class} is not supported: {sentence} ({text})");
                Complaint::at(place, sentence)
            }
            _ => complaint,
        }));
    }

    fn checked(&mut self, result: Checked<()>) {
        if let Err(complaint) = result {
            self.complaints.push(complaint);
        }
    }

    fn instance(&mut self, instance: &Rc<Instance>) {
        if self.complaints.len() >= MOST_COMPLAINTS {
            return;
        }
        match leaf_of(self.evaluator, instance) {
            Ok(Some(leaf)) => self.leaf(instance, leaf),
            Ok(None) => {
                let result = self.composite(instance);
                self.checked(result);
            }
            Err(complaint) => self.complaints.push(complaint),
        }
    }

    fn leaf(&mut self, instance: &Rc<Instance>, leaf: Leaf) {
        match leaf.settings(self.evaluator, instance) {
            Ok(settings) => {
                let result = self.bound_inputs(instance, &leaf);
                self.checked(result);
                let instance = Rc::clone(instance);
                self.components.push(Component { instance, leaf, settings });
            }
            Err(_) if leaf.read_instead(self.evaluator, instance) => {}
            Err(complaints) => self.complaints.extend(complaints),
        }
    }

    /// Equations for inputs where a component of ours is declared.
    fn bound_inputs(&mut self, instance: &Rc<Instance>, leaf: &Leaf) -> Checked<()> {
        let inputs = leaf.bound_inputs(self.evaluator, instance)?;
        inputs.iter().try_for_each(|input| self.equations.bind_input(self.evaluator, input))
    }

    /// A housing with `useSupport = true` is free if nothing is connected to it, but ours is fixed
    /// then.
    fn check_supports(&mut self) {
        for Component { instance, leaf, .. } in &self.components {
            let name = &instance.name;
            let is_shaft = matches!(leaf.class.library, "rotational" | "translational");
            let flag = leaf.modifier.elements.get("useSupport");
            let Some(binding) = flag.and_then(|of| of.value.as_ref()).filter(|_| is_shaft) else {
                continue;
            };
            let is_used = match self.evaluator.bound(binding) {
                Ok(Value::Boolean(truth)) => truth.constant_value() == Some(true),
                _ => false,
            };
            if is_used && !self.connections.is_connected(name, "support") {
                let sentence = format!(
                    "{name}.support is not connected, so the housing would move freely, which is \
                     not supported: connect it, or leave out useSupport"
                );
                self.complaints.push(Complaint::at(&binding.expression.span, sentence));
            }
        }
    }

    fn composite(&mut self, instance: &Rc<Instance>) -> Checked<()> {
        let library = self.evaluator.library;
        let class = &instance.class;
        if class.path.starts_with("Modelica.Mechanics.MultiBody.Visualizers.") {
            return Ok(());
        }
        let members = instance.members(library)?;
        let initial = self.initial_equations(instance);
        for member in &members.list {
            // Another component is the one that it is outside of.
            if member.outer && !member.inner {
                continue;
            }
            let declared = &member.declaration.name;
            self.declarations.add(instance.full(&declared.text), &declared.span);
            let is_record = is_of(library, &member.class, ClassKind::Record)?;
            let is_no_component = is_record || is_of(library, &member.class, ClassKind::Connector)?;
            if is_no_component && matches!(kind_of(library, &member.class)?, Kind::Composite) {
                let result = match is_record {
                    true => self.record(instance, member),
                    false => self.connector(instance, member),
                };
                self.checked(result);
                continue;
            }
            match self.evaluator.content(instance, member) {
                Ok(Content::Variable(variable)) => {
                    let result = self.variable(instance, &variable);
                    self.checked(result);
                }
                Ok(content) => self.content(&content),
                Err(complaint) => self.complaints.push(complaint),
            }
        }
        for text in &members.texts {
            let Body::Long(content) = &text.syntax.body else { continue };
            let scope =
                Scope { instance: Some(Rc::clone(instance)), class: Rc::clone(text), frame: None };
            for equation in &content.equations {
                let result = self.equation(equation, &scope);
                self.checked_of(instance, result);
            }
            for algorithm in &content.algorithms {
                let result = self.equations.algorithm(self.evaluator, algorithm, &scope);
                self.checked_of(instance, result);
            }
            for algorithm in &content.initial_algorithms {
                let result = self.equations.initial_algorithm(self.evaluator, algorithm, &scope);
                self.checked(result);
            }
        }
        for (equation, scope) in initial? {
            let result = self.equations.initial_equation(self.evaluator, equation, &scope);
            self.checked(result);
        }
        Ok(())
    }

    fn connector(&mut self, instance: &Rc<Instance>, member: &Rc<Member>) -> Checked<()> {
        let content = self.evaluator.content(instance, member)?;
        let place = &member.declaration.name.span;
        self.equations.declare_connector(self.evaluator, instance, (&content, place))
    }

    /// The variables of a record without a value, which equations determine.
    fn record(&mut self, instance: &Rc<Instance>, member: &Rc<Member>) -> Checked<()> {
        let is_parameter = matches!(
            member.declaration.variability,
            Variability::Constant | Variability::Parameter
        );
        if is_parameter || member.modifier.value.is_some() {
            return Ok(());
        }
        let content = self.evaluator.content(instance, member)?;
        let Content::Instance(record) = content else { return Ok(()) };
        for member in &record.members(self.evaluator.library)?.list {
            if let Content::Variable(variable) = self.evaluator.content(&record, member)?
                && variable.modifier.value.is_none()
            {
                self.variable(instance, &variable)?;
            }
        }
        Ok(())
    }

    fn variable(&mut self, instance: &Rc<Instance>, variable: &Rc<Variable>) -> Checked<()> {
        match variable.variability {
            Variability::Constant | Variability::Parameter => Ok(()),
            _ => self.equations.declare(self.evaluator, instance, variable),
        }
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Instance(inner) => self.instance(inner),
            Content::Array(elements) => elements.iter().for_each(|element| self.content(element)),
            Content::Absent | Content::Variable(_) => {}
        }
    }

    fn equation(&mut self, equation: &Equation, scope: &Scope) -> Checked<()> {
        match &equation.kind {
            EquationKind::Connect(a, b) => {
                let [a, b] = [a, b].map(|side| ends::side(self.evaluator, side, scope));
                self.connections.connect(a?, b?, &equation.span)
            }
            EquationKind::For(indices, body) => {
                for inner in self.evaluator.scopes(indices, scope)? {
                    for equation in body {
                        self.equation(equation, &inner)?;
                    }
                }
                Ok(())
            }
            EquationKind::If(branches, otherwise) => {
                for (condition, equations) in branches {
                    match self.equations.condition(self.evaluator, condition, scope)? {
                        Some(false) => {}
                        Some(true) => {
                            return equations.iter().try_for_each(|one| self.equation(one, scope));
                        }
                        None => return self.equations.equation(self.evaluator, equation, scope),
                    }
                }
                otherwise.iter().try_for_each(|one| self.equation(one, scope))
            }
            EquationKind::Call(_) | EquationKind::Equal(..) | EquationKind::When(_) => {
                self.equations.equation(self.evaluator, equation, scope)
            }
        }
    }
}
