//! The arena of expressions: every distinct expression exists once and is identified by its number.

use std::cell::RefCell;
use std::sync::Arc;

use kernels::newton::BlockKind;
use rustc_hash::FxHashMap as HashMap;

use crate::table::LookupTable;

/// Number of a node in the arena of its thread, or in a [`Code`](crate::code::Code).
pub type Id = u32;

/// A leaf of an expression: a quantity that is supplied from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaf {
    /// Time in s.
    Time,
    /// A continuous state.
    State(u32),
    /// An input.
    Input(u32),
    /// A parameter or a start value.
    Parameter(u32),
    /// A value fixed by initialization.
    Calculated(u32),
    /// A discrete variable before the present event iteration.
    Pre(u32),
    /// A relation, frozen (a truth value).
    Relation(u32),
    /// An unknown of a nonlinear block at the last accepted point.
    Anchor(u32),
    /// True while initial values are being determined (a truth value).
    Initial,
    /// A placeholder: an unknown of a nonlinear block, or a value to be substituted.
    Symbol(u32),
    /// A delayed signal: its delay, and the order of the derivative with respect to time.
    Delayed(u32, u32),
}

impl Leaf {
    /// Whether the leaf is a truth value.
    pub fn is_truth(self) -> bool {
        matches!(self, Leaf::Relation(_) | Leaf::Initial)
    }
}

/// An operation on one real number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// The opposite number.
    Neg,
    /// The square root.
    Sqrt,
    /// The exponential function.
    Exp,
    /// The natural logarithm.
    Ln,
    /// The absolute value.
    Abs,
    /// -1, 0 or 1.
    Sign,
    /// The largest integer that is at most the number.
    Floor,
}

/// An operation on two real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The quotient.
    Div,
    /// The angle of the point (second, first), in rad.
    Atan2,
    /// The first to the power of the second.
    Pow,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
}

/// A comparison of two real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a != b`
    NotEqual,
}

/// The result of a lookup in a piecewise linear table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reading {
    /// The interpolated ordinate.
    Value,
    /// The slope of the piece.
    Slope,
}

/// The result of a lookup in a table of plain numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// The number of rows whose abscissa is at most the argument.
    Count,
    /// The number in a column; the argument is the row.
    Entry(u32),
}

/// A nonlinear block: a function of bound symbols whose root is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewtonBlock {
    /// Name of the block, for error messages.
    pub name: Arc<str>,
    /// The kind of its equations.
    pub kind: BlockKind,
    /// The unknowns: symbols that do not occur outside.
    pub unknowns: Arc<[Id]>,
    /// Residuals, as many as unknowns.
    pub residuals: Arc<[Id]>,
    /// The starting point of the iteration; for a block that follows a path, the wishes too (see
    /// [`kernels::newton::path`]).
    pub guesses: Arc<[Id]>,
    /// Whether the guesses are already the root.
    pub confirms: bool,
    /// Wanted sign of the Jacobian's determinant; the constant 0 accepts both.
    pub sign: Id,
    /// Newton correction `-inverse(J) g`.
    pub step: Arc<[Id]>,
    /// Determinant of the Jacobian.
    pub determinant: Id,
    /// The largest residual.
    pub residual: Id,
}

impl NewtonBlock {
    /// Whether the last unknown is the position on a path from a known solution.
    pub fn follows_path(&self) -> bool {
        self.guesses.len() > self.unknowns.len()
    }
}

/// One pass of impacts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pass {
    /// Matrix of all rows, row by row.
    pub w: Arc<[Id]>,
    /// Velocities before.
    pub v: Arc<[Id]>,
    /// The contacts, in the order of their rows.
    pub contacts: Arc<[Contact]>,
}

/// A contact of a pass: it has one row, or three with friction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contact {
    /// Whether the contact is active (a truth value).
    pub active: Id,
    /// Coefficient of restitution.
    pub restitution: Id,
    /// Coefficient of friction; a smooth contact has none.
    pub friction: Option<Id>,
}

/// An operation and its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A real number, by its bits.
    Constant(u64),
    /// A truth value.
    Truth(bool),
    /// A quantity that is supplied from outside.
    Leaf(Leaf),
    /// An operation on a real number.
    Unary(Unary, Id),
    /// An operation on two real numbers.
    Binary(Binary, Id, Id),
    /// A truth value from two real numbers.
    Compare(Comparison, Id, Id),
    /// Negation.
    Not(Id),
    /// Conjunction.
    And(Id, Id),
    /// Disjunction.
    Or(Id, Id),
    /// Condition, value if it is true, value if it is false.
    Select(Id, Id, Id),
    /// One of several results of a node.
    Output(Id, u32),
    /// Results: sine, cosine.
    SinCos(Id),
    /// Factorization with partial pivoting of a matrix given row by row.
    Lu(Arc<[Id]>, u32),
    /// Results: the solution. Children: the factorization, the right-hand side.
    LuSolve(Id, Arc<[Id]>),
    /// Determinant of a factorized matrix.
    LuDeterminant(Id),
    /// Results: a basis of the null space of a matrix given row by row, row by row. The numbers of
    /// rows and columns.
    NullSpace(Arc<[Id]>, u32, u32),
    /// A lookup: abscissae, ordinates, argument.
    Table(Reading, Arc<[Id]>, Arc<[Id]>, Id),
    /// A lookup in a table of plain numbers, and its argument.
    Lookup(Lookup, LookupTable, Id),
    /// An argument that must be inside a table, and the value if it is.
    Guard(LookupTable, Id, Id),
    /// Results: the solution, then the sign of the determinant.
    Newton(Arc<NewtonBlock>),
    /// Results: the impulses of all rows.
    Impulses(Arc<Pass>),
}

impl Node {
    /// Whether its computation can fail.
    pub fn can_fail(&self) -> bool {
        matches!(self, Node::Newton(_) | Node::Guard(..))
    }

    /// Calls `f` with every node from which this one is built, including the inside of a block.
    pub fn for_each_child(&self, f: &mut dyn FnMut(Id)) {
        match self {
            Node::Constant(_) | Node::Truth(_) | Node::Leaf(_) => {}
            Node::Unary(_, a)
            | Node::Not(a)
            | Node::Output(a, _)
            | Node::SinCos(a)
            | Node::LuDeterminant(a)
            | Node::Lookup(_, _, a) => f(*a),
            Node::Binary(_, a, b)
            | Node::Compare(_, a, b)
            | Node::And(a, b)
            | Node::Or(a, b)
            | Node::Guard(_, a, b) => {
                f(*a);
                f(*b);
            }
            Node::Select(c, a, b) => {
                f(*c);
                f(*a);
                f(*b);
            }
            Node::Lu(matrix, _) | Node::NullSpace(matrix, ..) => {
                matrix.iter().copied().for_each(f);
            }
            Node::LuSolve(factor, rhs) => {
                f(*factor);
                rhs.iter().copied().for_each(f);
            }
            Node::Table(_, xs, ys, arg) => {
                xs.iter().copied().for_each(&mut *f);
                ys.iter().copied().for_each(&mut *f);
                f(*arg);
            }
            Node::Newton(block) => {
                block.guesses.iter().copied().for_each(&mut *f);
                f(block.sign);
                block.unknowns.iter().copied().for_each(&mut *f);
                block.residuals.iter().copied().for_each(&mut *f);
                block.step.iter().copied().for_each(&mut *f);
                f(block.determinant);
                f(block.residual);
            }
            Node::Impulses(pass) => {
                pass.w.iter().copied().for_each(&mut *f);
                pass.v.iter().copied().for_each(&mut *f);
                for contact in pass.contacts.iter() {
                    f(contact.active);
                    f(contact.restitution);
                    contact.friction.into_iter().for_each(&mut *f);
                }
            }
        }
    }

    /// The same operation with other operands, without folding.
    pub fn with_children(&self, mut f: impl FnMut(Id) -> Id) -> Node {
        let mut all = |ids: &Arc<[Id]>| -> Arc<[Id]> { ids.iter().map(|&i| f(i)).collect() };
        match self {
            Node::Constant(_) | Node::Truth(_) | Node::Leaf(_) => self.clone(),
            Node::Lu(matrix, n) => Node::Lu(all(matrix), *n),
            Node::NullSpace(matrix, m, n) => Node::NullSpace(all(matrix), *m, *n),
            Node::LuSolve(factor, rhs) => {
                let rhs = all(rhs);
                Node::LuSolve(f(*factor), rhs)
            }
            Node::Table(reading, xs, ys, arg) => {
                let (xs, ys) = (all(xs), all(ys));
                Node::Table(*reading, xs, ys, f(*arg))
            }
            Node::Newton(block) => {
                let (unknowns, residuals) = (all(&block.unknowns), all(&block.residuals));
                let (guesses, step) = (all(&block.guesses), all(&block.step));
                Node::Newton(Arc::new(NewtonBlock {
                    name: block.name.clone(),
                    kind: block.kind,
                    unknowns,
                    residuals,
                    guesses,
                    confirms: block.confirms,
                    step,
                    sign: f(block.sign),
                    determinant: f(block.determinant),
                    residual: f(block.residual),
                }))
            }
            Node::Impulses(pass) => {
                let (w, v) = (all(&pass.w), all(&pass.v));
                let contacts = pass.contacts.iter().map(|contact| Contact {
                    active: f(contact.active),
                    restitution: f(contact.restitution),
                    friction: contact.friction.map(&mut f),
                });
                let contacts = contacts.collect();
                Node::Impulses(Arc::new(Pass { w, v, contacts }))
            }
            Node::Unary(op, a) => Node::Unary(*op, f(*a)),
            Node::Not(a) => Node::Not(f(*a)),
            Node::Output(a, k) => Node::Output(f(*a), *k),
            Node::SinCos(a) => Node::SinCos(f(*a)),
            Node::LuDeterminant(a) => Node::LuDeterminant(f(*a)),
            Node::Lookup(lookup, table, a) => Node::Lookup(*lookup, table.clone(), f(*a)),
            Node::Guard(table, a, b) => Node::Guard(table.clone(), f(*a), f(*b)),
            Node::Binary(op, a, b) => Node::Binary(*op, f(*a), f(*b)),
            Node::Compare(op, a, b) => Node::Compare(*op, f(*a), f(*b)),
            Node::And(a, b) => Node::And(f(*a), f(*b)),
            Node::Or(a, b) => Node::Or(f(*a), f(*b)),
            Node::Select(c, a, b) => Node::Select(f(*c), f(*a), f(*b)),
        }
    }

    /// The table that the node reads.
    pub fn table(&self) -> Option<&LookupTable> {
        match self {
            Node::Lookup(_, table, _) | Node::Guard(table, ..) => Some(table),
            _ => None,
        }
    }

    /// Whether the node is a literal or a load, and not computed.
    pub fn is_given(&self) -> bool {
        matches!(self, Node::Constant(_) | Node::Truth(_) | Node::Leaf(_))
    }

    /// Whether the node is a truth value.
    pub fn is_truth(&self) -> bool {
        match self {
            Node::Truth(_) | Node::Compare(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => {
                true
            }
            Node::Leaf(leaf) => leaf.is_truth(),
            _ => false,
        }
    }
}

#[derive(Default)]
struct Arena {
    nodes: Vec<Node>,
    index: HashMap<Node, Id>,
    symbols: u32,
    /// Sine and cosine of the angles that were made from them.
    directions: HashMap<Id, (Id, Id)>,
}

thread_local! {
    static ARENA: RefCell<Arena> = RefCell::default();
}

/// The number of a node, which is created if it does not exist yet. No folding.
pub(crate) fn intern(node: Node) -> Id {
    ARENA.with_borrow_mut(|arena| {
        if let Some(&id) = arena.index.get(&node) {
            return id;
        }
        let id = Id::try_from(arena.nodes.len()).expect("fewer than 2^32 expressions");
        arena.nodes.push(node.clone());
        arena.index.insert(node, id);
        id
    })
}

/// The node with a number.
pub(crate) fn node(id: Id) -> Node {
    ARENA.with_borrow(|arena| arena.nodes[id as usize].clone())
}

/// Reads the whole arena.
pub(crate) fn with_nodes<T>(f: impl FnOnce(&[Node]) -> T) -> T {
    ARENA.with_borrow(|arena| f(&arena.nodes))
}

/// A new placeholder.
pub(crate) fn new_symbol() -> Id {
    let number = ARENA.with_borrow_mut(|arena| {
        arena.symbols += 1;
        arena.symbols - 1
    });
    intern(Node::Leaf(Leaf::Symbol(number)))
}

/// States that an angle was made from its sine and cosine.
pub(crate) fn set_direction(angle: Id, sine: Id, cosine: Id) {
    ARENA.with_borrow_mut(|arena| arena.directions.insert(angle, (sine, cosine)));
}

/// The sine and the cosine from which an angle was made.
pub(crate) fn direction(angle: Id) -> Option<(Id, Id)> {
    ARENA.with_borrow(|arena| arena.directions.get(&angle).copied())
}

/// Runs `f` with an empty arena, so that its expressions do not depend on earlier ones.
///
/// Expressions made outside must not be used inside `f`, and vice versa.
pub fn with_fresh_arena<T>(f: impl FnOnce() -> T) -> T {
    struct Restore(Option<Arena>);
    impl Drop for Restore {
        fn drop(&mut self) {
            if let Some(arena) = self.0.take() {
                ARENA.with(|cell| cell.replace(arena));
            }
        }
    }
    let _restore = Restore(Some(ARENA.with(RefCell::take)));
    f()
}

/// Pushes the operands of a node that the traversal visits.
type Visit<'a> = &'a dyn Fn(Id, &Node, &mut dyn FnMut(Id));

/// Nodes reachable from `roots`, operands before the nodes that use them, each once.
pub(crate) fn post_order(nodes: &[Node], roots: &[Id], visit: Visit<'_>) -> Vec<Id> {
    let mut done = HashMap::<Id, bool>::default();
    let mut order = Vec::new();
    let mut stack = Vec::new();
    for &root in roots {
        stack.push(root);
        while let Some(&id) = stack.last() {
            match done.get(&id) {
                Some(true) => {
                    stack.pop();
                }
                Some(false) => {
                    done.insert(id, true);
                    order.push(id);
                    stack.pop();
                }
                None => {
                    done.insert(id, false);
                    let first = stack.len();
                    visit(id, &nodes[id as usize], &mut |child| {
                        if !done.contains_key(&child) {
                            stack.push(child);
                        }
                    });
                    // The first operand is computed first.
                    stack[first..].reverse();
                }
            }
        }
    }
    order
}

/// [`post_order`] in the arena, through all children.
pub(crate) fn reachable(roots: &[Id]) -> Vec<Id> {
    with_nodes(|nodes| post_order(nodes, roots, &|_, node, push| node.for_each_child(push)))
}
