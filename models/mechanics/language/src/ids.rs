//! Typed indices, and lists that are indexed by them.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The number of an item of one kind.
pub trait Id: Copy + Ord {
    /// The first number.
    const FIRST: Self;

    /// The number of the item at a place, counted from 0.
    fn at(index: usize) -> Self;

    /// The place, counted from 0.
    fn index(self) -> usize;
}

/// Declares types of numbers.
macro_rules! ids {
    ($($(#[$doc:meta])* $Id:ident),* $(,)?) => { $(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Id(usize);

        impl Id for $Id {
            const FIRST: Self = $Id(0);

            fn at(index: usize) -> Self {
                $Id(index)
            }

            fn index(self) -> usize {
                self.0
            }
        }
    )* };
}

ids! {
    /// A component instance.
    ComponentId,
    /// A connection set of flanges.
    FlangeNode,
    /// A connection set of frames.
    FrameNode,
    /// A connection set of heat ports.
    HeatNode,
    /// A pair of heat ports with one temperature.
    HeatLinkId,
    /// A connection set of pins.
    PinNode,
    /// A pin of a component.
    PinId,
    /// A branch of a circuit.
    BranchId,
    /// A variable of a circuit that may be a state.
    CircuitStateId,
    /// A linear relation between flange positions.
    FlangeConstraintId,
    /// A prescribed motion.
    PrescribedMotionId,
    /// A coordinate of a joint or of a constraint.
    CoordinateId,
    /// A joint.
    JointId,
    /// A variable on which motion is built: see
    /// [`Numbering`](crate::statements::motion::variables::Numbering).
    VariableId,
    /// A link of the spanning tree.
    LinkId,
    /// A variable that may become a state.
    CandidateId,
    /// A friction element.
    FrictionId,
    /// A flange of a component.
    FlangeId,
}

impl FlangeNode {
    /// Its position: flange nodes are the first variables.
    pub fn variable(self) -> VariableId {
        VariableId(self.0)
    }
}

/// Consecutive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<I> {
    first: I,
    len: usize,
}

impl<I: Id> Span<I> {
    /// `len` consecutive numbers, beginning with `first`.
    pub fn new(first: I, len: usize) -> Self {
        Span { first, len }
    }

    /// The first one.
    pub fn first(self) -> I {
        self.first
    }

    /// The one at a place, counted from 0.
    pub fn nth(self, place: usize) -> I {
        I::at(self.first.index() + place)
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// All of them.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = I> + Clone {
        (self.first.index()..self.first.index() + self.len).map(I::at)
    }

    /// Whether it is one of them.
    pub fn contains(self, id: I) -> bool {
        id >= self.first && id.index() < self.first.index() + self.len
    }

    /// All but the last ones.
    pub fn without_last(self, count: usize) -> Self {
        Span { len: self.len - count, ..self }
    }

    /// The last ones.
    pub fn last(self, count: usize) -> Self {
        Span { first: I::at(self.first.index() + self.len - count), len: count }
    }
}

/// A list whose places are numbers of a type of their own.
#[derive(Clone, Debug)]
pub struct List<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I, T> Default for List<I, T> {
    fn default() -> Self {
        List { items: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> List<I, T> {
    /// A list with as many items as another list has, all of them equal.
    pub fn of_each<U>(others: &List<I, U>, item: T) -> Self
    where
        T: Clone,
    {
        List { items: vec![item; others.len()], id: PhantomData }
    }

    /// Adds an item; returns its number.
    pub fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::at(self.items.len() - 1)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The number of the next item.
    pub fn next(&self) -> I {
        I::at(self.items.len())
    }

    /// All numbers.
    pub fn ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.items.len()).map(I::at)
    }

    /// All items.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All items with their numbers.
    pub fn enumerate(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.items.iter().enumerate().map(|(k, item)| (I::at(k), item))
    }

    /// The number of the first item with a property.
    pub fn position(&self, property: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(property).map(I::at)
    }

    /// All items, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// The items of a span.
    pub fn of(&self, span: Span<I>) -> &[T] {
        let first = span.first.index();
        &self.items[first..first + span.len]
    }

    /// The item of this number, if there is one.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// All items.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Index<I> for List<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for List<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T> FromIterator<T> for List<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        List { items: items.into_iter().collect(), id: PhantomData }
    }
}

impl<I, T> IntoIterator for List<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, I, T> IntoIterator for &'a List<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}
