//! Why expressions cannot be compared as the model text runs: what the compiler says to whoever
//! tries.
//!
//! `==` exists, because matrices of nalgebra ask for it, but a call of it is not compiled. `<`,
//! `max` and the like exist under a condition that nothing fulfils: without them the compiler had
//! nothing to say but that they are missing.

use std::cmp::Ordering;

use crate::ops::Ex;

/// The type that an expression can be said to equal: itself, for nalgebra's sake.
#[diagnostic::on_unimplemented(
    message = "an expression has no value while a model is written: it cannot be compared",
    label = "a comparison as the model text runs",
    note = "conditions of the simulation are `x.gt(y)`, `x.ge(y)`, `x.lt(y)`, `x.le(y)`, \
            `x.is_true()`; `select(condition, a, b)` chooses"
)]
pub trait Comparable {}

impl Comparable for Ex {}

/// Is evaluated where [`Ex`] is compared, and stops the compiler there.
struct Refused<T>(T);

impl<T> Refused<T> {
    const COMPARISON: bool = {
        assert!(
            size_of::<T>() == usize::MAX,
            "an expression has no value while a model is written: `==` and `!=` cannot compare it. \
             `select` with a condition such as `x.gt(y)` chooses between two; `Ex::key` tells \
             whether two are the same expression"
        );
        false
    };
}

/// Matrices of nalgebra ask for it, but nobody may call it: whoever does is not compiled.
impl<T: Comparable> PartialEq<T> for Ex {
    fn eq(&self, _: &T) -> bool {
        Refused::<T>::COMPARISON
    }

    #[allow(clippy::partialeq_ne_impl, reason = "the compiler names the caller of this one")]
    fn ne(&self, _: &T) -> bool {
        Refused::<T>::COMPARISON
    }
}

/// Says of nothing that an author writes that it has an order: the compiler then explains why.
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

/// What nobody compares. With two such types the compiler does not take one of them for the meant.
#[derive(Debug)]
pub enum Nothing {}

#[diagnostic::do_not_recommend]
impl Ordered<'_> for Order<Nothing> {}

#[diagnostic::do_not_recommend]
impl Ordered<'_> for Order<[Nothing; 1]> {}

/// Exists so that the compiler has a sentence for whoever compares; see `Ordered`.
impl<T> PartialOrd<T> for Ex
where
    Ex: PartialEq<T>,
    Order<T>: for<'a> Ordered<'a>,
{
    fn partial_cmp(&self, _: &T) -> Option<Ordering> {
        None
    }
}

/// The same for `Ord`. The lifetime keeps the compiler from looking at the bound before it is used.
impl Eq for Ex where Order<Ex>: for<'a> Ordered<'a> {}

impl Ord for Ex
where
    Order<Ex>: for<'a> Ordered<'a>,
{
    fn cmp(&self, _: &Ex) -> Ordering {
        Ordering::Equal
    }
}
