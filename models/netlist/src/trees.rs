//! Trees of several expressions: parts that they share, and long parts, become definitions.

use crate::data::Data;
use crate::expression::{INITIAL, parts};
use equations::{Ex, Leaf};
use expressions::code::Code;
use expressions::graph::{Comparison, Id, Node};

/// The largest depth of a tree; a deeper one gets definitions.
const DEEPEST: usize = 40;

/// What a leaf is called.
pub type Leaves<'a> = &'a dyn Fn(Leaf) -> Result<Data, String>;

/// Writes expressions one after the other.
#[derive(Debug)]
pub struct Trees {
    code: Code,
    /// The numbers of the expressions in the code, in their order.
    roots: Vec<Id>,
    /// The number of the next expression, and of the next node that may become a definition.
    next: (usize, Id),
    is_shared: Vec<bool>,
    /// The names of the nodes that are definitions.
    names: Vec<Option<String>>,
    /// The definitions so far; each names earlier ones only.
    pub definitions: Vec<(String, Data)>,
}

impl Trees {
    /// The trees of these expressions.
    ///
    /// # Errors
    /// A tree cannot state one of them: what it contains.
    pub fn new(values: &[Ex]) -> Result<Trees, String> {
        let ids: Vec<Id> = values.iter().map(|value| value.id()).collect();
        let (code, roots) = Code::extract(&ids);
        let count = code.node_count();
        let (mut uses, mut depths) = (vec![0_u32; count], vec![0_usize; count]);
        let mut is_shared = vec![false; count];
        for id in 0..count as Id {
            if is_plain(&code, id) {
                continue;
            }
            for operand in parts(&code, id)?.1 {
                uses[operand as usize] += 1;
                if !is_shared[operand as usize] {
                    let depth = depths[operand as usize] + 1;
                    depths[id as usize] = depths[id as usize].max(depth);
                }
            }
            is_shared[id as usize] = depths[id as usize] >= DEEPEST;
        }
        for id in 0..count as Id {
            is_shared[id as usize] |= uses[id as usize] > 1 && !is_plain(&code, id);
        }
        let (names, definitions) = (vec![None; count], Vec::new());
        Ok(Trees { code, roots, next: (0, 0), is_shared, names, definitions })
    }

    /// The tree of the next expression, after definitions of its parts. `leaf` names leaves.
    ///
    /// # Errors
    /// A leaf has no name.
    ///
    /// # Panics
    /// There was no such expression.
    pub fn next(&mut self, leaf: Leaves<'_>) -> Result<Data, String> {
        let root = self.define_parts(leaf)?;
        match self.truth_of(root) {
            // The name alone would be that of a number.
            Some(truth) if !is_plain(&self.code, truth) => self.named_tree(truth, leaf),
            _ => self.named_tree(root, leaf),
        }
    }

    /// The tree of the next expression, which is a truth value as a number.
    ///
    /// # Errors
    /// Those of [`Trees::next`].
    ///
    /// # Panics
    /// There was no such expression.
    pub fn next_truth(&mut self, leaf: Leaves<'_>) -> Result<Data, String> {
        let root = self.define_parts(leaf)?;
        self.named_tree(self.truth_of(root).unwrap_or(root), leaf)
    }

    /// Defines the parts of the next expression and returns its number.
    fn define_parts(&mut self, leaf: Leaves<'_>) -> Result<Id, String> {
        let (number, first) = self.next;
        let root = self.roots[number];
        for id in first..=root {
            if self.is_shared[id as usize] {
                let tree = self.tree(id, leaf)?;
                self.names[id as usize] = Some(self.define(tree));
            }
        }
        self.next = (number + 1, first.max(root + 1));
        Ok(root)
    }

    /// The truth value that a number states by 1 and 0, unless it has a name.
    fn truth_of(&self, id: Id) -> Option<Id> {
        match *self.code.node(id) {
            Node::Select(truth, one, zero)
                if is_number(&self.code, one, 1.0)
                    && is_number(&self.code, zero, 0.0)
                    && self.names[id as usize].is_none() =>
            {
                Some(truth)
            }
            _ => None,
        }
    }

    /// Adds a definition and returns its name.
    pub fn define(&mut self, what: Data) -> String {
        let name = format!("${}", self.definitions.len() + 1);
        self.definitions.push((name.clone(), what));
        name
    }

    fn named_tree(&self, id: Id, leaf: Leaves<'_>) -> Result<Data, String> {
        match &self.names[id as usize] {
            Some(name) => Ok(Data::Text(name.clone())),
            None => self.tree(id, leaf),
        }
    }

    fn tree(&self, id: Id, leaf: Leaves<'_>) -> Result<Data, String> {
        let list = |operation: &str, operands: &[Id]| {
            let operands = operands.iter().map(|operand| self.named_tree(*operand, leaf));
            let operands = operands.collect::<Result<Vec<_>, _>>()?;
            Ok(Data::List([vec![Data::Text(operation.to_owned())], operands].concat()))
        };
        match self.code.node(id) {
            Node::Constant(bits) => return Ok(Data::Number(f64::from_bits(*bits))),
            Node::Truth(value) => return Ok(Data::Boolean(*value)),
            Node::Leaf(Leaf::Initial) => return list(INITIAL, &[]),
            Node::Leaf(of) => return leaf(*of),
            _ => {}
        }
        if let Some(of) = variable(&self.code, id) {
            return self.named_tree(of, leaf);
        }
        let (operation, operands) = parts(&self.code, id)?;
        list(operation, &operands)
    }
}

fn is_number(code: &Code, id: Id, value: f64) -> bool {
    matches!(code.node(id), Node::Constant(bits) if *bits == value.to_bits())
}

/// The variable of a node that states whether it is true.
fn variable(code: &Code, id: Id) -> Option<Id> {
    match *code.node(id) {
        Node::Compare(Comparison::NotEqual, of, zero)
            if matches!(code.node(of), Node::Leaf(_)) && is_number(code, zero, 0.0) =>
        {
            Some(of)
        }
        _ => None,
    }
}

/// Whether a node needs no operation. The nodes of sine and cosine together have no name.
fn is_plain(code: &Code, id: Id) -> bool {
    let node = code.node(id);
    let is_leaf = matches!(node, Node::Constant(_) | Node::Truth(_) | Node::Leaf(_));
    is_leaf || matches!(node, Node::SinCos(_)) || variable(code, id).is_some()
}
