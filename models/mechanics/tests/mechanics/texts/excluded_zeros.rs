//! The range `!= 0` holds for each kind of parameter that has a range.

use crate::common::refusal;
use mechanics::component::Contribution;
use mechanics::declaration::prelude::*;

mechanics::component! {
    /// Values that are not zero.
    pub struct NonZero {
        /// A number
        real: Real["m", != 0] = 1,
        /// A number whose zero is structural
        sparse: Real["m", != 0, structural zero] = 1,
        /// A number that is fixed
        constant: Real["m", != 0, constant] = 1,
        /// A number that is a constant here
        pending: Real["m", != 0, on demand] = 1,
        /// Three numbers
        vector: [Real; 3]["m", != 0] = [1; 3],
        /// A whole number
        integer: Integer["1", != 0] = 1,
        /// A start value
        start: Start["m", != 0] = guess(1),
        /// Three start values
        starts: [Start; 3]["m", != 0] = [guess(1); 3],
    }
}

impl Component for NonZero {
    fn contribute(p: NonZeroParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        p.pending.constant(c)
    }
}

#[test]
fn zero_is_refused_where_the_range_excludes_it() {
    let refused = |values: NonZero| {
        refusal(|m| {
            m.add("x", values);
        })
    };
    let none = NonZero::new();
    assert_eq!(refused(none.clone()), "");
    for (values, what) in [
        (none.clone().real(0), "x.real = 0 m"),
        (none.clone().sparse(0), "x.sparse = 0 m"),
        (none.clone().constant(0), "x.constant = 0 m"),
        (none.clone().pending(0), "x.pending = 0 m"),
        (none.clone().vector([1, 0, 1]), "x.vector[2] = 0 m"),
        (none.clone().integer(0), "x.integer = 0"),
        (none.clone().start(guess(0)), "x.start = 0 m"),
        (none.clone().starts([guess(1), guess(1), fixed(0)]), "x.starts[3] = 0 m"),
    ] {
        assert_eq!(refused(values), format!("{what}: must not be zero"));
    }
}
