//! Diagnostics of the compiler for model texts that compare expressions as if they were numbers.
//!
//! `==` exists because matrices of nalgebra require it, but a call of `==` does not compile. `<`,
//! `max` and similar functions exist under a bound that no type satisfies. Without these functions
//! the compiler could only say that something is missing.

use std::cmp::Ordering;

use crate::ops::Ex;

/// The type with which an expression can be compared: its own type, because nalgebra requires it.
#[diagnostic::on_unimplemented(
    message = "an expression has no value while a model is written: it cannot be compared",
    label = "a comparison as the model text runs",
    note = "conditions of the simulation are `x.gt(y)`, `x.ge(y)`, `x.lt(y)`, `x.le(y)`, \
            `x.is_true()`; `select(condition, a, b)` chooses"
)]
pub trait Comparable {}

impl Comparable for Ex {}

/// Its evaluation stops the compiler where an [`Ex`] is compared.
struct Refused<T>(T);

impl<T> Refused<T> {
    const COMPARISON: bool = {
        assert!(
            size_of::<T>() == usize::MAX,
            "an expression has no value while a model is written: `==` and `!=` cannot compare it. \
             `select` with a condition such as `x.gt(y)` chooses between two; `Ex::key` shows \
             whether two are the same expression"
        );
        false
    };
}

/// Matrices of nalgebra require it, but a call of it does not compile.
impl<T: Comparable> PartialEq<T> for Ex {
    fn eq(&self, _: &T) -> bool {
        Refused::<T>::COMPARISON
    }

    #[allow(clippy::partialeq_ne_impl, reason = "the compiler names the caller of this one")]
    fn ne(&self, _: &T) -> bool {
        Refused::<T>::COMPARISON
    }
}

/// Implemented for no type that an author uses in comparisons, so that the compiler prints this
/// message.
#[diagnostic::on_unimplemented(
    message = "an expression has no value while a model is written: it cannot be compared",
    label = "a comparison as the model text runs",
    note = "conditions of the simulation are `x.gt(y)`, `x.ge(y)`, `x.lt(y)`, `x.le(y)`, \
            `x.is_true()`; `select(condition, a, b)` chooses, `x.max(y)` is the larger one"
)]
pub trait Ordered<'a> {}

/// The order of expressions and of another type.
#[derive(Debug)]
pub struct Order<T>(T);

/// A type that is never used in comparisons. The bound holds for two such types, so that the
/// compiler suggests neither.
#[derive(Debug)]
pub enum Nothing {}

#[diagnostic::do_not_recommend]
impl Ordered<'_> for Order<Nothing> {}

#[diagnostic::do_not_recommend]
impl Ordered<'_> for Order<[Nothing; 1]> {}

/// Implemented so that a comparison gives the message of `Ordered`.
impl<T> PartialOrd<T> for Ex
where
    Ex: PartialEq<T>,
    Order<T>: for<'a> Ordered<'a>,
{
    fn partial_cmp(&self, _: &T) -> Option<Ordering> {
        None
    }
}

/// The same for `Ord`. The lifetime prevents the compiler from checking the bound before it is
/// used.
impl Eq for Ex where Order<Ex>: for<'a> Ordered<'a> {}

impl Ord for Ex
where
    Order<Ex>: for<'a> Ordered<'a>,
{
    fn cmp(&self, _: &Ex) -> Ordering {
        Ordering::Equal
    }
}
