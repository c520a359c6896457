//! Expressions, from the tree of grammar rules.

use super::tree::{Child, Leaf, Node};
use super::{
    Arguments, Expression, ExpressionKind, ForIndex, Name, Operator, Part, Reference, Subscript,
    Word,
};
use crate::source::Span;
use moparse::{ModelicaToken as T, SyntaxKind as K};
use std::rc::Rc;

/// The word of a token; quotes of a quoted identifier belong to it.
pub fn word(token: &Leaf) -> Word {
    Word { text: token.span.text().into(), span: token.span.clone() }
}

/// The content of a token that is a text.
pub fn text(token: &Leaf) -> String {
    let quoted = token.span.text();
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut content = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(c) = characters.next() {
        content.push(match c {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('a') => '\u{7}',
                Some('b') => '\u{8}',
                Some('f') => '\u{c}',
                Some('v') => '\u{b}',
                Some(other) => other,
                None => break,
            },
            other => other,
        });
    }
    content
}

/// `A.B.C`, of the rule `type-specifier` or `name`.
pub fn name(node: &Node) -> Option<Name> {
    let span = node.span()?;
    let from_root = node.kind == K::TypeSpecifier && node.has(T::Dot);
    let inner = node.find(K::Name).unwrap_or(node);
    let parts = inner.tokens().filter(|token| token.kind == T::Identifier).map(word).collect();
    Some(Name { from_root, parts, span })
}

/// `a.b[1]`, of the rule `component-reference`.
pub fn reference(node: &Node) -> Option<Reference> {
    let mut parts: Vec<Part> = Vec::new();
    let mut from_root = false;
    for child in &node.children {
        match child {
            Child::Token(token) if token.kind == T::Dot => from_root |= parts.is_empty(),
            Child::Token(token) => parts.push(Part { name: word(token), subscripts: Vec::new() }),
            Child::Node(node) => parts.last_mut()?.subscripts = subscripts(node)?,
        }
    }
    Some(Reference { from_root, parts, span: node.span()? })
}

/// `[1, :]`, of the rule `array-subscripts`.
pub fn subscripts(node: &Node) -> Option<Vec<Subscript>> {
    let subscript = |node: &Node| match node.find(K::Expression) {
        Some(index) => Some(Subscript::Index(expression(index)?)),
        None => Some(Subscript::All(node.span()?)),
    };
    node.nodes().map(subscript).collect()
}

/// An expression, of any of the rules for expressions.
pub fn expression(mut node: &Node) -> Option<Expression> {
    // Most rules contain nothing but the next one.
    while node.kind != K::Primary
        && let [Child::Node(only)] = &node.children[..]
    {
        node = only;
    }
    let kind = match node.kind {
        K::Expression if node.has(T::If) => choice(node)?,
        K::SimpleExpression if node.has(T::Colon) => {
            let mut parts = node.nodes().map(expression);
            let (first, second, third) = (parts.next()??, parts.next()??, parts.next());
            match third {
                Some(last) => ExpressionKind::Range(first, Some(second), last?),
                None => ExpressionKind::Range(first, None, second),
            }
        }
        K::LogicalExpression | K::LogicalTerm => {
            let operator = if node.kind == K::LogicalTerm { Operator::And } else { Operator::Or };
            return chain(node.nodes(), |_| Some(operator));
        }
        K::LogicalFactor if node.has(T::Not) => {
            ExpressionKind::Unary(Operator::Not, expression(node.nodes().next()?)?)
        }
        K::Relation | K::Term => return chain(node.nodes(), operator),
        K::ArithmeticExpression => return sum(node),
        K::Factor => {
            let mut parts = node.nodes().map(expression);
            let base = parts.next()??;
            match parts.next() {
                Some(exponent) => {
                    let is_elementwise = node.has(T::DotFlex);
                    let power =
                        if is_elementwise { Operator::ElementPower } else { Operator::Power };
                    ExpressionKind::Binary(power, base, exponent?)
                }
                None => return Some(base),
            }
        }
        K::Primary => return primary(node),
        _ => return expression(node.nodes().next()?),
    };
    Some(Expression { kind: Rc::new(kind), span: node.span()? })
}

fn choice(node: &Node) -> Option<ExpressionKind> {
    let mut parts = node.nodes().map(expression).collect::<Option<Vec<_>>>()?.into_iter();
    let (mut branches, mut held) = (Vec::new(), parts.next()?);
    while let Some(value) = parts.next() {
        branches.push((held, value));
        held = parts.next()?;
    }
    Some(ExpressionKind::If(branches, held))
}

/// Operands with operators between them, from the left.
fn chain<'n>(
    mut nodes: impl Iterator<Item = &'n Node>,
    operator_of: impl Fn(&Node) -> Option<Operator>,
) -> Option<Expression> {
    let mut whole = expression(nodes.next()?)?;
    while let Some(node) = nodes.next() {
        let operator = operator_of(node)?;
        let has_own_rule =
            matches!(node.kind, K::MulOperator | K::AddOperator | K::RelationalOperator);
        let right = expression(if has_own_rule { nodes.next()? } else { node })?;
        whole = binary(operator, whole, right);
    }
    Some(whole)
}

fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
    let span = left.span.to(&right.span);
    Expression { kind: Rc::new(ExpressionKind::Binary(operator, left, right)), span }
}

/// `-a + b`: the sign belongs to the first term.
fn sum(node: &Node) -> Option<Expression> {
    let mut nodes = node.nodes().peekable();
    let Some(sign) = nodes.next_if(|first| first.kind == K::AddOperator) else {
        return chain(nodes, operator);
    };
    let first = expression(nodes.next()?)?;
    let span = sign.span()?.to(&first.span);
    let kind = match operator(sign)? {
        Operator::Subtract | Operator::ElementSubtract => {
            ExpressionKind::Unary(Operator::Subtract, first)
        }
        _ => ExpressionKind::Unary(Operator::Add, first),
    };
    let mut whole = Expression { kind: Rc::new(kind), span };
    while let Some(node) = nodes.next() {
        whole = binary(operator(node)?, whole, expression(nodes.next()?)?);
    }
    Some(whole)
}

fn operator(node: &Node) -> Option<Operator> {
    Some(match node.tokens().next()?.kind {
        T::Plus => Operator::Add,
        T::Minus => Operator::Subtract,
        T::Star => Operator::Multiply,
        T::Slash => Operator::Divide,
        T::DotPlus => Operator::ElementAdd,
        T::DotMinus => Operator::ElementSubtract,
        T::DotStar => Operator::ElementMultiply,
        T::DotSlash => Operator::ElementDivide,
        T::Les => Operator::Less,
        T::Leq => Operator::LessEqual,
        T::Gre => Operator::Greater,
        T::Geq => Operator::GreaterEqual,
        T::Eq => Operator::Equal,
        T::Neq => Operator::NotEqual,
        _ => return None,
    })
}

fn primary(node: &Node) -> Option<Expression> {
    let span = node.span()?;
    let mut tokens = node.tokens();
    let kind = match tokens.next() {
        None => {
            let reference = reference(node.find(K::ComponentReference)?)?;
            match node.find(K::FunctionCallArgs) {
                Some(call) => ExpressionKind::Call(reference, arguments(call)?),
                None => ExpressionKind::Reference(reference),
            }
        }
        Some(token) => match token.kind {
            T::UReal => ExpressionKind::Real(token.span.text().parse().ok()?),
            T::UInt => match token.span.text().parse() {
                Ok(number) => ExpressionKind::Integer(number),
                Err(_) => ExpressionKind::Real(token.span.text().parse().ok()?),
            },
            T::String => ExpressionKind::Text(text(token).into()),
            T::Bool => ExpressionKind::Boolean(token.span.text() == "true"),
            T::End => ExpressionKind::End,
            T::LParen => return bracketed(node, span),
            T::LBracket => {
                let row = |list: &Node| list.nodes().map(expression).collect::<Option<Vec<_>>>();
                ExpressionKind::Matrix(node.nodes().map(row).collect::<Option<_>>()?)
            }
            T::LCurly => {
                let list = node.find(K::ArrayArguments)?;
                let mut values = expressions_in(list)?;
                match list.find(K::ForIndices) {
                    Some(indices) => {
                        ExpressionKind::Comprehension(values.pop()?, for_indices(indices)?)
                    }
                    None => ExpressionKind::Array(values),
                }
            }
            // `der`, `initial` and `pure` are called like functions.
            _ => {
                let part = Part { name: word(token), subscripts: Vec::new() };
                let span = token.span.clone();
                let function = Reference { from_root: false, parts: vec![part], span };
                ExpressionKind::Call(function, arguments(node.find(K::FunctionCallArgs)?)?)
            }
        },
    };
    Some(Expression { kind: Rc::new(kind), span })
}

/// `(a)`, `(a)[1]` or `(a, , b)`.
fn bracketed(node: &Node, span: Span) -> Option<Expression> {
    let parts = outputs(node.find(K::OutputExpressionList)?)?;
    let inner = match <[Option<Expression>; 1]>::try_from(parts) {
        Ok([Some(single)]) => single,
        Ok(nothing) => return Some(tuple(nothing.into(), span)),
        Err(several) => tuple(several, span.clone()),
    };
    match node.find(K::ArraySubscripts) {
        Some(list) => {
            let kind = ExpressionKind::Element(inner, subscripts(list)?);
            Some(Expression { kind: Rc::new(kind), span })
        }
        None => Some(Expression { kind: inner.kind, span }),
    }
}

fn tuple(parts: Vec<Option<Expression>>, span: Span) -> Expression {
    Expression { kind: Rc::new(ExpressionKind::Tuple(parts)), span }
}

/// `a, , b`: values between commas, some of which are missing.
pub fn outputs(list: &Node) -> Option<Vec<Option<Expression>>> {
    let mut parts = vec![None];
    for child in &list.children {
        match child {
            Child::Token(_) => parts.push(None),
            Child::Node(node) => *parts.last_mut()? = Some(expression(node)?),
        }
    }
    Some(parts)
}

/// The expressions among the parts of a list.
pub fn expressions_in(list: &Node) -> Option<Vec<Expression>> {
    list.nodes().filter(|node| node.kind == K::Expression).map(expression).collect()
}

/// `(a, b, c = d)`, of the rule `function-call-args`.
pub fn arguments(node: &Node) -> Option<Arguments> {
    let mut arguments = Arguments::default();
    let Some(list) = node.find(K::FunctionArguments) else { return Some(arguments) };
    for part in list.nodes() {
        match part.kind {
            K::ForIndices => {
                let body = arguments.positional.pop()?;
                let span = body.span.to(&part.span()?);
                let kind = ExpressionKind::Iteration(body, for_indices(part)?);
                arguments.positional.push(Expression { kind: Rc::new(kind), span });
            }
            K::NamedArgument => arguments.named.push(named_argument(part)?),
            _ => arguments.positional.push(argument(part)?),
        }
    }
    Some(arguments)
}

fn named_argument(node: &Node) -> Option<(Word, Expression)> {
    Some((word(node.tokens().next()?), argument(node.nodes().next()?)?))
}

/// An expression, or `function f(a = b)`.
fn argument(node: &Node) -> Option<Expression> {
    match node.kind {
        K::FunctionPartialApplication => {
            let function = name(node.find(K::TypeSpecifier)?)?;
            let named = node.nodes().filter(|part| part.kind == K::NamedArgument);
            let named = named.map(named_argument).collect::<Option<_>>()?;
            let arguments = Arguments { positional: Vec::new(), named };
            let kind = Rc::new(ExpressionKind::Partial(function, arguments));
            Some(Expression { kind, span: node.span()? })
        }
        K::FunctionArgument => argument(node.nodes().next()?),
        _ => expression(node),
    }
}

/// `i in 1:n, j`, of the rule `for-indices`.
pub fn for_indices(node: &Node) -> Option<Vec<ForIndex>> {
    let index = |node: &Node| {
        let range = match node.find(K::Expression) {
            Some(range) => Some(expression(range)?),
            None => None,
        };
        Some(ForIndex { name: word(node.tokens().next()?), range })
    };
    node.nodes().map(index).collect()
}
