//! What texts may do with elements of other classes: redeclare replaceable ones, and name and
//! modify public ones.

use super::{BASES, has, refused, simulation};

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
fn redeclarations_keep_sizes_conditions_and_modifiers() {
    let of = |content: &str| format!("{BASES} {content}");
    has(
        &of("model A parameter Integer n = 2; parameter Boolean has = true; \
             replaceable Base b[n](k = {5, 6}) if has; end A; \
             model M A x(redeclare Other b(d = {7, 8})); A y(redeclare Other b, has = false); \
             A z(redeclare Other b[3](k = {1, 2, 3})); end M;"),
        &[("x.b[2].y", 6.0), ("x.b[2].z", 8.0), ("z.b[3].y", 3.0)],
    );
    has(
        &of("model A replaceable Base b(k = 5); end A; \
             model B extends A(b(k = 6)); redeclare Other b(d = 4); end B; \
             model M redeclare Other b(d = 9); extends A; B x; B y(b(k = 8)); end M;"),
        &[("b.y", 5.0), ("b.z", 9.0), ("x.b.y", 6.0), ("x.b.z", 4.0), ("y.b.y", 8.0)],
    );
}

#[test]
fn constraints_modify_whatever_is_redeclared() {
    let of = |content: &str| format!("{BASES} {content}");
    has(
        &of("model A replaceable Base b(k = 1) constrainedby Base(k = 7); end A; \
             model M A plain; A x(redeclare Other b(d = 4)); A y(redeclare Other b(k = 9)); \
             A z(b(k = 10)); A w(redeclare replaceable Other b constrainedby Other(d = 11)); end M;"),
        &[
            ("plain.b.y", 1.0),
            ("x.b.y", 7.0),
            ("x.b.z", 4.0),
            ("y.b.y", 9.0),
            ("z.b.y", 10.0),
            ("w.b.z", 11.0),
        ],
    );
    has(
        &of("model A parameter Real n = 7; \
             replaceable model B = Base constrainedby Base(k = n); B b; end A; \
             model D extends A(n = 12); redeclare model B = Other(d = n); end D; \
             model M A plain(n = 8); A x(redeclare model B = Other(d = 5)); \
             A y(redeclare model B = Other(k = 9)); A z(redeclare model B = Other, b(k = 11)); D d; \
             end M;"),
        &[
            ("plain.b.y", 8.0),
            ("x.b.y", 7.0),
            ("x.b.z", 5.0),
            ("y.b.y", 9.0),
            ("z.b.y", 11.0),
            ("d.b.y", 12.0),
            ("d.b.z", 12.0),
        ],
    );
}

#[test]
fn modifiers_of_a_declaration_hold_after_a_redeclaration_unless_it_has_a_constraint() {
    let text = |declaration: &str, change: &str| {
        format!(
            "partial model S parameter Real c = 1; end S;
               model S1 extends S; end S1; model S2 extends S(c = 9); end S2;
               model A {declaration} end A;
               model M A a(redeclare {change}); Real c = a.s.c; end M;"
        )
    };
    for (declaration, change, c) in [
        ("replaceable S1 s(c = 4) constrainedby S;", "S2 s", 9.0),
        ("replaceable S1 s(c = 4) constrainedby S(c = 5);", "S2 s", 5.0),
        ("replaceable S1 s(c = 4);", "S2 s", 4.0),
        ("replaceable model T = S1(c = 4); T s;", "model T = S2", 4.0),
        ("replaceable model T = S1(c = 4) constrainedby S; T s;", "model T = S2", 9.0),
    ] {
        let mut m = simulation(&text(declaration, change));
        assert_eq!(m.read("c").unwrap(), c, "{declaration} {change}");
    }
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
