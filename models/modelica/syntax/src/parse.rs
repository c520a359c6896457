//! Classes, equations and statements, from the tree of grammar rules.

use super::expressions::{
    arguments, expression, for_indices, name, outputs, reference, subscripts, text, word,
};
use super::repeated::{other_ends, twice};
use super::tree::{Child, Node, tree};
use super::{
    Argument, ArgumentKind, Body, Causality, Class, ClassKind, Component, Composition, Constraint,
    Element, ElementKind, Equation, EquationKind, Expression, ExpressionKind, Extends, Import,
    Modification, Name, Reference, Statement, StatementKind, StoredDefinition, Subscript,
    Variability, Word,
};
use crate::source::{Complaint, Complaints, File};
use moparse::{ModelicaToken as T, SyntaxKind as K};
use std::rc::Rc;

/// Parses the text of a file.
///
/// # Errors
/// What is wrong with it, in all its places.
pub fn parse(file: &Rc<File>) -> Result<StoredDefinition, Complaints> {
    let tree = tree(file, K::StoredDefinition)?;
    let none = |mut complaints: Complaints| {
        complaints.sort_by_key(|complaint| complaint.span.as_ref().map(|span| span.start));
        if complaints.is_empty() { Ok(()) } else { Err(complaints) }
    };
    none(other_ends(&tree))?;
    let within = tree.find(K::Name).and_then(name);
    let classes = tree.nodes().filter(|node| node.kind == K::ClassDefinition);
    match classes.map(class).collect::<Option<Vec<_>>>() {
        Some(classes) => {
            none(twice(&classes))?;
            Ok(StoredDefinition { within, classes })
        }
        None => Err(vec![Complaint::general(format!("{}: not understood", file.path.display()))]),
    }
}

fn class(node: &Node) -> Option<Rc<Class>> {
    let is_encapsulated = node.has(T::Encapsulated);
    let specifier = node.find(K::ClassSpecifier)?.nodes().next()?;
    class_of(node.find(K::ClassPrefixes)?, specifier, is_encapsulated)
}

fn class_of(prefixes: &Node, specifier: &Node, encapsulated: bool) -> Option<Rc<Class>> {
    let kind = prefixes.tokens().fold(ClassKind::Class, |kind, token| match token.kind {
        T::Model => ClassKind::Model,
        T::Block => ClassKind::Block,
        T::Record => ClassKind::Record,
        T::Connector => ClassKind::Connector,
        T::Type => ClassKind::Type,
        T::Package => ClassKind::Package,
        T::Function => ClassKind::Function,
        T::Operator => ClassKind::Operator,
        _ => kind,
    });
    let mut words = specifier.tokens().filter(|token| token.kind == T::Identifier).map(word);
    let class_name = words.next()?;
    let (mut annotation, mut about) = (Vec::new(), String::new());
    if let Some(description) = specifier.find(K::Description) {
        (about, annotation) = described(description)?;
    }
    let body = match specifier.kind {
        K::LongClassSpecifier => {
            about = specifier.find(K::DescriptionString).map(description_text).unwrap_or_default();
            let (mut composition, own) = composition(specifier.find(K::Composition)?)?;
            annotation = own;
            if specifier.has(T::Extends) {
                let modification = specifier.find(K::ClassModification);
                composition.extends_inherited =
                    Some(modification.map_or(Some(Vec::new()), class_modification)?);
            }
            Body::Long(composition)
        }
        K::DerClassSpecifier => Body::Derivative(specifier.span()?),
        _ if specifier.has(T::Enumeration) => {
            let literals = specifier.find(K::EnumList);
            let literal = |node: &Node| {
                let name = word(node.tokens().next()?);
                Some((name, described(node.find(K::Description)?)?.0))
            };
            let literals = literals.map(|list| list.nodes().map(literal).collect::<Option<_>>());
            Body::Enumeration(literals.unwrap_or_else(|| Some(Vec::new()))?)
        }
        _ => Body::Short {
            causality: specifier.find(K::BasePrefix).and_then(causality),
            base: name(specifier.find(K::TypeSpecifier)?)?,
            subscripts: optional(specifier.find(K::ArraySubscripts), subscripts)?,
            modification: optional(specifier.find(K::ClassModification), class_modification)?,
        },
    };
    Some(Rc::new(Class {
        kind,
        expandable: prefixes.has(T::Expandable),
        partial: prefixes.has(T::Partial),
        encapsulated,
        name: class_name,
        description: about,
        body,
        annotation,
    }))
}

/// What a rule that may be missing contains.
fn optional<L: Default>(
    node: Option<&Node>,
    content: impl FnOnce(&Node) -> Option<L>,
) -> Option<L> {
    node.map_or_else(|| Some(L::default()), content)
}

fn causality(node: &Node) -> Option<Causality> {
    node.tokens().find_map(|token| match token.kind {
        T::Input => Some(Causality::Input),
        T::Output => Some(Causality::Output),
        _ => None,
    })
}

/// The description and the annotation of the rule `description`.
fn described(node: &Node) -> Option<(String, Vec<Argument>)> {
    let line = node.find(K::DescriptionString).map(description_text).unwrap_or_default();
    Some((line, optional(node.find(K::AnnotationClause), annotation)?))
}

fn description_text(node: &Node) -> String {
    node.tokens().filter(|token| token.kind == T::String).map(text).collect()
}

fn annotation(node: &Node) -> Option<Vec<Argument>> {
    class_modification(node.find(K::ClassModification)?)
}

/// The content of a class and its annotation.
fn composition(node: &Node) -> Option<(Composition, Vec<Argument>)> {
    let mut content = Composition::default();
    let (mut is_protected, mut own, mut is_external) = (false, Vec::new(), false);
    for child in &node.children {
        match child {
            Child::Token(token) => match token.kind {
                T::Protected => is_protected = true,
                T::Public => is_protected = false,
                T::External => {
                    is_external = true;
                    content.external = Some(token.span.clone());
                }
                T::Semicolon => is_external = false,
                _ => {}
            },
            Child::Node(node) => match node.kind {
                K::ElementList => {
                    for part in node.nodes() {
                        element(part, is_protected, &mut content.elements)?;
                    }
                }
                K::EquationSection => {
                    let equations = node.nodes().map(equation).collect::<Option<Vec<_>>>()?;
                    let is_initial = node.has(T::Initial);
                    let section = if is_initial {
                        &mut content.initial_equations
                    } else {
                        &mut content.equations
                    };
                    section.extend(equations);
                }
                K::AlgorithmSection => {
                    let statements = node.nodes().map(statement).collect::<Option<Vec<_>>>()?;
                    let is_initial = node.has(T::Initial);
                    let sections = if is_initial {
                        &mut content.initial_algorithms
                    } else {
                        &mut content.algorithms
                    };
                    sections.push(statements);
                }
                K::AnnotationClause if !is_external => own = annotation(node)?,
                _ => {}
            },
        }
    }
    Some((content, own))
}

/// Adds the elements of one clause, which may declare several components.
fn element(node: &Node, protected: bool, elements: &mut Vec<Element>) -> Option<()> {
    let constraint = match node.find(K::ConstrainingClause) {
        Some(clause) => Some(Rc::new(Constraint {
            of: name(clause.find(K::TypeSpecifier)?)?,
            modification: constraint(node)?,
        })),
        None => None,
    };
    let mut add = |kind| {
        elements.push(Element {
            protected,
            redeclare: node.has(T::Redeclare),
            is_final: node.has(T::Final),
            inner: node.has(T::Inner),
            outer: node.has(T::Outer),
            replaceable: node.has(T::Replaceable),
            constraint: constraint.clone(),
            kind,
        });
    };
    for part in node.nodes() {
        match part.kind {
            K::ImportClause => {
                imports(part)?.into_iter().map(ElementKind::Import).for_each(&mut add)
            }
            K::ExtendsClause => {
                let list = part
                    .find(K::ClassOrInheritanceModification)
                    .and_then(|node| node.find(K::ArgumentOrInheritanceModificationList));
                let of_kind = |kind| {
                    list.into_iter().flat_map(Node::nodes).filter(move |node| node.kind == kind)
                };
                let extends = Extends {
                    base: name(part.find(K::TypeSpecifier)?)?,
                    modification: of_kind(K::Argument).map(argument).collect::<Option<_>>()?,
                    breaks: of_kind(K::InheritanceModification).filter_map(Node::span).collect(),
                };
                add(ElementKind::Extends(Rc::new(extends)));
            }
            K::ClassDefinition => add(ElementKind::Class(class(part)?)),
            K::ComponentClause => {
                for component in components(part)? {
                    add(ElementKind::Component(Rc::new(component)));
                }
            }
            // The constraint of a replaceable element, and its description.
            _ => {}
        }
    }
    Some(())
}

/// The modification of `constrainedby A(x = 1)`.
fn constraint(node: &Node) -> Option<Vec<Argument>> {
    let clause = node.find(K::ConstrainingClause);
    optional(clause.and_then(|clause| clause.find(K::ClassModification)), class_modification)
}

fn imports(node: &Node) -> Option<Vec<Import>> {
    let path = name(node.find(K::Name)?)?;
    if node.has(T::DotStar) {
        return Some(vec![Import::All(path)]);
    }
    if let Some(list) = node.find(K::ImportList) {
        let words = list.tokens().filter(|token| token.kind == T::Identifier).map(word);
        let import = |word: Word| {
            let mut of = path.clone();
            of.parts.push(word.clone());
            Import::Named(word, of)
        };
        return Some(words.map(import).collect());
    }
    let alias = node.tokens().find(|token| token.kind == T::Identifier).map(word);
    let short = alias.or_else(|| path.parts.last().cloned())?;
    Some(vec![Import::Named(short, path)])
}

/// The components of the rule `component-clause`.
fn components(clause: &Node) -> Option<Vec<Component>> {
    let prefix = clause.find(K::TypePrefix)?;
    let of = name(clause.find(K::TypeSpecifier)?)?;
    let of_type: Vec<Subscript> = optional(clause.find(K::ArraySubscripts), subscripts)?;
    let list = clause.find(K::ComponentList)?;
    let component = |node| component_of(node, prefix, &of, &of_type);
    list.nodes().map(component).collect()
}

fn component_of(node: &Node, prefix: &Node, of: &Name, of_type: &[Subscript]) -> Option<Component> {
    let declaration = node.find(K::Declaration)?;
    let mut sizes: Vec<Subscript> = optional(declaration.find(K::ArraySubscripts), subscripts)?;
    sizes.extend_from_slice(of_type);
    let variability = prefix.tokens().find_map(|token| match token.kind {
        T::Constant => Some(Variability::Constant),
        T::Parameter => Some(Variability::Parameter),
        T::Discrete => Some(Variability::Discrete),
        _ => None,
    });
    let condition = match node.find(K::ConditionAttribute) {
        Some(condition) => Some(expression(condition.find(K::Expression)?)?),
        None => None,
    };
    let (description, annotation) = described(node.find(K::Description)?)?;
    Some(Component {
        variability: variability.unwrap_or(Variability::Continuous),
        causality: causality(prefix),
        of: of.clone(),
        subscripts: sizes,
        name: word(declaration.tokens().next()?),
        modification: optional(declaration.find(K::Modification), modification)?,
        condition,
        description,
        annotation,
    })
}

fn modification(node: &Node) -> Option<Modification> {
    let arguments = optional(node.find(K::ClassModification), class_modification)?;
    let value = match node.find(K::ModificationExpression).and_then(|of| of.find(K::Expression)) {
        Some(value) => Some(expression(value)?),
        None => None,
    };
    Some(Modification { arguments, value })
}

fn class_modification(node: &Node) -> Option<Vec<Argument>> {
    let list = node.find(K::ArgumentList);
    list.into_iter().flat_map(Node::nodes).map(argument).collect()
}

fn argument(node: &Node) -> Option<Argument> {
    let inner = node.nodes().next()?;
    let span = node.span()?;
    let (mut each, mut is_final) = (inner.has(T::Each), inner.has(T::Final));
    let mut innermost = inner;
    let mut demanded = constraint(inner)?;
    while let Some(next) = [K::ElementModification, K::ElementReplaceable]
        .into_iter()
        .find_map(|kind| innermost.find(kind))
    {
        innermost = next;
        each |= innermost.has(T::Each);
        is_final |= innermost.has(T::Final);
        demanded.extend(constraint(innermost)?);
    }
    let kind = if innermost.kind == K::ElementModification {
        let modification = optional(innermost.find(K::Modification), modification)?;
        ArgumentKind::Modify(name(innermost.find(K::Name)?)?, Rc::new(modification))
    } else if let Some(definition) = innermost.find(K::ShortClassDefinition) {
        let specifier = definition.find(K::ShortClassSpecifier)?;
        ArgumentKind::RedeclareClass(class_of(
            definition.find(K::ClassPrefixes)?,
            specifier,
            false,
        )?)
    } else {
        let clause = innermost.find(K::ComponentClause1)?;
        let of = name(clause.find(K::TypeSpecifier)?)?;
        let declared = clause.find(K::ComponentDeclaration1)?;
        let component = component_of(declared, clause.find(K::TypePrefix)?, &of, &[])?;
        ArgumentKind::RedeclareComponent(Rc::new(component))
    };
    Some(Argument { each, is_final, constraint: demanded, kind, span })
}

fn equation(node: &Node) -> Option<Equation> {
    let (mut kind, span) = (None, node.span()?);
    let mut sides = Vec::new();
    for part in node.nodes() {
        match part.kind {
            K::IfEquation => {
                let (branches, otherwise) = branches(part, equation)?;
                kind = Some(EquationKind::If(branches, otherwise));
            }
            K::ForEquation => {
                let indices = for_indices(part.find(K::ForIndices)?)?;
                let of = part.nodes().filter(|node| node.kind == K::Equation).map(equation);
                kind = Some(EquationKind::For(indices, of.collect::<Option<_>>()?));
            }
            K::WhenEquation => kind = Some(EquationKind::When(branches(part, equation)?.0)),
            K::ConnectEquation => {
                let mut ends = part.nodes().map(reference);
                kind = Some(EquationKind::Connect(ends.next()??, ends.next()??));
            }
            K::Description => {}
            _ => sides.push(expression(part)?),
        }
    }
    let kind = match (kind, <[Expression; 2]>::try_from(sides)) {
        (Some(kind), _) => kind,
        (None, Ok([left, right])) => EquationKind::Equal(left, right),
        (None, Err(mut single)) => EquationKind::Call(single.pop()?),
    };
    let description = node.find(K::Description).and_then(|of| of.find(K::DescriptionString));
    Some(Equation {
        kind,
        span,
        description: description.map(description_text).unwrap_or_default(),
    })
}

/// Conditions with what belongs to them, and what belongs to `else`.
type Branches<L> = (Vec<(Expression, Vec<L>)>, Vec<L>);

fn branches<L>(node: &Node, line: impl Fn(&Node) -> Option<L>) -> Option<Branches<L>> {
    let (mut branches, mut otherwise, mut is_else): (Vec<(_, Vec<L>)>, Vec<L>, bool) =
        Default::default();
    for child in &node.children {
        match child {
            Child::Token(token) => is_else |= token.kind == T::Else,
            Child::Node(part) if part.kind == K::Expression => {
                branches.push((expression(part)?, Vec::new()));
            }
            Child::Node(part) if is_else => otherwise.push(line(part)?),
            Child::Node(part) => branches.last_mut()?.1.push(line(part)?),
        }
    }
    Some((branches, otherwise))
}

fn statement(node: &Node) -> Option<Statement> {
    let span = node.span()?;
    let of_kind = |kind| node.find(kind);
    let kind = if let Some(part) = of_kind(K::IfStatement) {
        let (branches, otherwise) = branches(part, statement)?;
        StatementKind::If(branches, otherwise)
    } else if let Some(part) = of_kind(K::ForStatement) {
        let lines = part.nodes().filter(|node| node.kind == K::Statement).map(statement);
        let lines = lines.collect::<Option<_>>()?;
        StatementKind::For(for_indices(part.find(K::ForIndices)?)?, lines)
    } else if let Some(part) = of_kind(K::WhileStatement) {
        let (mut single, _) = branches(part, statement)?;
        let (condition, lines) = single.pop()?;
        StatementKind::While(condition, lines)
    } else if let Some(part) = of_kind(K::WhenStatement) {
        StatementKind::When(branches(part, statement)?.0)
    } else if node.has(T::Break) {
        StatementKind::Break
    } else if node.has(T::Return) {
        StatementKind::Return
    } else {
        let target = reference(of_kind(K::ComponentReference)?)?;
        match of_kind(K::FunctionCallArgs) {
            Some(of_call) => {
                let call = call(target, arguments(of_call)?, of_call)?;
                match of_kind(K::OutputExpressionList) {
                    Some(targets) => StatementKind::AssignSeveral(outputs(targets)?, call),
                    None => StatementKind::Call(call),
                }
            }
            None => StatementKind::Assign(target, expression(of_kind(K::Expression)?)?),
        }
    };
    Some(Statement { kind, span })
}

fn call(function: Reference, arguments: super::Arguments, node: &Node) -> Option<Expression> {
    let span = function.span.to(&node.span()?);
    Some(Expression { kind: Rc::new(ExpressionKind::Call(function, arguments)), span })
}
