//! The sizes of a value, and those that its variable declares.

use super::Evaluator;
use crate::instance::{Size, Variable};
use crate::source::{Checked, Complaint, Span};
use crate::syntax::{Expression, ExpressionKind, Subscript};

impl Evaluator<'_> {
    /// Refuses a value of other sizes than those of a variable, of which `:` may be any.
    pub(crate) fn check_sizes_of(
        &self,
        variable: &Variable,
        given: &[usize],
        span: &Span,
    ) -> Checked<()> {
        self.declared_sizes(&variable.sizes)?;
        let mut sizes = Vec::new();
        for Size { subscript, scope } in &variable.sizes {
            sizes.push(match subscript {
                Subscript::Index(size) => match own_size(variable, size) {
                    // A size that is another one of the same array, as of a square matrix.
                    Some(at) => at.checked_sub(1).and_then(|at| given.get(at)).copied(),
                    None => Some(self.size(size, scope)?),
                },
                _ => None,
            });
        }
        let fits = |(size, given): (&Option<usize>, &usize)| size.is_none_or(|size| size == *given);
        // Of an empty array, only the first sizes are known.
        let may_be_empty = sizes.iter().any(|size| size.is_none_or(|size| size == 0));
        let is_empty = may_be_empty && given.contains(&0);
        if is_empty || sizes.len() == given.len() && sizes.iter().zip(given).all(fits) {
            return Ok(());
        }
        let words = sizes.iter().map(|size| size.map_or(":".to_owned(), |size| size.to_string()));
        let words = words.collect::<Vec<_>>().join(", ");
        let sentence = format!("{} has the sizes [{words}], its value {given:?}", variable.name);
        Err(Complaint::at(span, sentence))
    }
}

/// The number `k` if an expression is `size(x, k)` with the name `x` of a variable.
fn own_size(variable: &Variable, size: &Expression) -> Option<usize> {
    let ExpressionKind::Call(function, arguments) = &*size.kind else { return None };
    let ([function], [array, at]) = (&function.parts[..], &arguments.positional[..]) else {
        return None;
    };
    let ExpressionKind::Reference(array) = &*array.kind else { return None };
    let [array] = &array.parts[..] else { return None };
    let ExpressionKind::Integer(at) = &*at.kind else { return None };
    let own = variable.name.rsplit('.').next()?;
    let is_own = &*function.name.text == "size" && &*array.name.text == own;
    usize::try_from(*at).ok().filter(|_| is_own)
}
