//! How large a model may be.

use super::refused;
use std::fmt::Write as _;

#[test]
fn components_in_components_are_counted() {
    let sentence = "the model has more than 100000 components";
    let mut doubled = "model D0 Real y = 1; end D0;".to_owned();
    for k in 1..40 {
        let _ = write!(doubled, "model D{k} D{} a; D{} b; end D{k};", k - 1, k - 1);
    }
    let nested = "model A parameter Real y = 1; end A; model B A a[1000]; end B; \
        model C B b[1000]; end C;";
    refused(&[
        (&format!("{nested} model M C c[1000]; end M;"), sentence),
        (
            &format!("{nested} model M C c; parameter Real y = c.b[1000].a[1000].y; end M;"),
            sentence,
        ),
        (&format!("{nested} model M A a[1000000]; end M;"), sentence),
        (&format!("{doubled} model M D39 d; end M;"), sentence),
    ]);
}
