//! What texts may do with elements of other classes: redeclare replaceable ones, and name and modify
//! public ones.

use super::{has, refused};

/// Classes that have, and have not, the elements of `Base`.
const CLASSES: &str = "
    partial model Base parameter Real k = 1; Real y; end Base;
    model Double extends Base; equation y = 2 * k; end Double;
    model Square extends Base(k = 3); parameter Real more = 0; equation y = k ^ 2 + more; end Square;
    model Other Real y = 5; end Other;
    partial function law input Real x; output Real y; end law;
    function cube extends law; algorithm y := x ^ 3; end cube;
    function constant_law output Real y; algorithm y := 1; end constant_law;
";

fn of(text: &str) -> String {
    format!("{CLASSES} {text}")
}

#[test]
fn replaceable_elements_are_redeclared() {
    has(
        &of("model A replaceable Double b; end A; model M A a(redeclare Square b); end M;"),
        &[("a.b.y", 9.0)],
    );
    has(
        &of("model A replaceable Other b constrainedby Other; end A; \
             model M A a(redeclare Double b); end M;"),
        &[("a.b.y", 2.0)],
    );
    has(
        &of("model A replaceable model B = Double constrainedby Base; B b; end A; \
             model M A a(redeclare model B = Square(more = 1)); end M;"),
        &[("a.b.y", 10.0)],
    );
    has(
        &of("model A replaceable function f = cube constrainedby law; Real y = f(2); end A; \
             model C extends A; redeclare function f = square; function square extends law; \
             algorithm y := x ^ 2; end square; end C; model M A a; C c; end M;"),
        &[("a.y", 8.0), ("c.y", 4.0)],
    );
}

#[test]
fn other_elements_are_not_redeclared() {
    refused(&[
        (
            &of("model A Double b; end A; model M A a(redeclare Square b); end M;"),
            "b of P.A is not replaceable: it cannot be redeclared as P.Square",
        ),
        (
            &of("model A model B = Double; B b; end A; \
                 model M A a(redeclare model B = Square); end M;"),
            "B of P.A is not replaceable: it cannot be redeclared as P.Square",
        ),
        (
            &of("model A Double b; end A; model M extends A; redeclare Square b; end M;"),
            "b of P.A is not replaceable",
        ),
        (
            &of("model A model B = Double; B b; end A; \
                 model M extends A; redeclare model B = Square; end M;"),
            "B of P.A is not replaceable",
        ),
        (
            &of(
                "model A parameter Real x = 1; end A; model M A a(redeclare Integer x = 1); end M;",
            ),
            "x of P.A is not replaceable: it cannot be redeclared as Integer",
        ),
        (
            &of("model A replaceable Double b; end A; model M A a(redeclare model b = Square); \
                 end M;"),
            "b is a component",
        ),
        (
            "model M redeclare parameter Real x = 1; Real y = x; end M;",
            "x of P.M redeclares no inherited element",
        ),
    ]);
}

#[test]
fn redeclarations_fit_the_constraint() {
    let missing = "b of P.A is constrained by P.Base: P.Other cannot replace it, because it has no \
                   element k";
    refused(&[
        (
            &of("model A replaceable Double b constrainedby Base; end A; \
                 model M A a(redeclare Other b); end M;"),
            missing,
        ),
        (
            &of("model A replaceable Square b; end A; model M A a(redeclare Double b); end M;"),
            "b of P.A is constrained by P.Square: P.Double cannot replace it, because it has no \
             element more",
        ),
        (
            &of("model A replaceable Double b constrainedby Base; end A; \
                 model M extends A; redeclare Other b; end M;"),
            missing,
        ),
        (
            &of("model A replaceable model B = Double constrainedby Base; B b; end A; \
                 model M A a(redeclare model B = Other); end M;"),
            "B of P.A is constrained by P.Base: P.Other cannot replace it",
        ),
        (
            &of("model A replaceable function f = cube constrainedby law; Real y = f(2); end A; \
                 model M A a(redeclare function f = constant_law); end M;"),
            "it has no element x",
        ),
        (
            &of("model A replaceable Real x = 1; end A; model M A a(redeclare Double x); end M;"),
            "x of P.A is constrained by Real: P.Double cannot replace it",
        ),
        (
            &of(
                "model A replaceable Real x = time; end A; model M A a(redeclare Boolean x); end M;",
            ),
            "x of P.A is constrained by Real: Boolean cannot replace it",
        ),
    ]);
}

#[test]
fn final_modifiers_of_a_short_class_hold_once() {
    has(
        &of("model A model B = Double(final k = 4); B b(y(start = 1)); end A; model M A a; end M;"),
        &[("a.b.y", 8.0)],
    );
}

#[test]
fn protected_elements_belong_to_the_text_of_their_class() {
    let classes = "
        connector Pin = input Real;
        package Numbers constant Real two = 2; protected constant Real three = 3; end Numbers;
        model A parameter Real k = 1; Real y = hidden; protected parameter Real hidden = 2 * k;
          Inner inside; end A;
        model Inner Real z = 4; end Inner;
        model Open extends A(hidden = 7); end Open;
        model Block Pin u; Real y = v; protected Pin v; end Block;
    ";
    let of = |text: &str| format!("{classes} model M {text} end M;");
    has(&of("A a(k = 2); Open b;"), &[("a.y", 4.0), ("b.y", 7.0)]);
    let sentence = "hidden is protected in P.A: no other text may name or modify it";
    refused(&[
        (&of("A a(hidden = 3);"), sentence),
        (&of("A a[2](each hidden(min = 3));"), sentence),
        (&of("A a; Real x = a.hidden;"), sentence),
        (&of("A a[2]; Real x = a[2].hidden;"), sentence),
        (&of("A a; Real x; equation x = a.inside.z;"), "inside is protected in P.A"),
        (&of("Real x = Numbers.two + Numbers.three;"), "three is protected in P.Numbers"),
        (&of("input Real u; Block b; equation connect(u, b.v);"), "v is protected in P.Block"),
    ]);
}
