//! What the language means: modifiers of arrays, connectors in connectors, functions, iterators.

mod access;
mod parameters;
mod sizes;
mod types;

use coupler::{Assembly, Simulation};
use modelica::library::Library;
use modelica::model::Model;
use modelica::source::Complaint;

/// The model `M` of the package `P`, whose content is a text.
fn model(content: &str) -> Result<Model, Vec<Complaint>> {
    let mut library = Library::new(Vec::new());
    library.open_text("Test.mo", &format!("package P\n{content}\nend P;"))?;
    let class = library.find("P.M").map_err(|complaint| vec![complaint])?;
    Ok(Model::new(library, &class))
}

/// A simulation of the model `M` among classes, before its start.
fn not_started(content: &str) -> Simulation {
    let described = |complaints: Vec<Complaint>| -> Model {
        panic!("{}", complaints.iter().map(Complaint::describe).collect::<Vec<_>>().join("\n"))
    };
    let model = model(content).unwrap_or_else(described);
    let started = coupler::simulation(move |m: &mut Assembly| {
        if let Err(complaints) = model.add_to(m) {
            described(complaints);
        }
    });
    started.unwrap_or_else(|error| panic!("{error}"))
}

/// A simulation of the model `M` among classes.
fn simulation(content: &str) -> Simulation {
    let mut simulation = not_started(content);
    simulation.start(None).unwrap_or_else(|error| panic!("{error}"));
    simulation
}

/// Compares initial values of the model `M` with expected ones.
#[track_caller]
fn has(content: &str, expected: &[(&str, f64)]) {
    let mut simulation = simulation(content);
    for (name, expected) in expected {
        let value = simulation.read(name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(value, *expected, "{name}");
    }
}

/// Expects sentences that refuse the model `M`, each for its content.
#[track_caller]
fn refused(cases: &[(&str, &str)]) {
    for (content, sentence) in cases {
        let added = model(content).and_then(|model| model.add_to(&mut Assembly::new()));
        let complaints = added.expect_err(content);
        let found = complaints.iter().any(|one| one.sentence.contains(sentence));
        let all: Vec<String> = complaints.iter().map(Complaint::describe).collect();
        assert!(found, "{content}\n{sentence}\n{}", all.join("\n"));
        assert!(complaints[0].span.is_some(), "{}", all.join("\n"));
    }
}

/// What users are told about the model `M`.
fn notes(content: &str) -> Vec<String> {
    let model = model(content).unwrap_or_else(|complaints| panic!("{}", complaints[0].describe()));
    let notes = model.add_to(&mut Assembly::new());
    notes.unwrap_or_else(|complaints| panic!("{}", complaints[0].describe())).notes
}

/// Two levels of arrays of components.
const NESTED: &str = "
    model B parameter Real c; parameter Real v[2] = {0, 0}; Real y = c; Real z[2] = v; end B;
    model A parameter Real c; B b[2](each c = 0); B one(c = 0); Real y = c; end A;
";

#[test]
fn modifiers_of_arrays_are_split_at_every_level() {
    let of = |modifiers: &str| format!("{NESTED} model M A a[3]({modifiers}); end M;");
    has(
        &of("each c = 1, each b(c = {1, 2})"),
        &[("a[1].y", 1.0), ("a[3].b[1].y", 1.0), ("a[2].b[2].y", 2.0)],
    );
    has(
        &of("c = {5, 6, 7}, b(c = {{1, 2}, {3, 4}, {5, 6}})"),
        &[("a[2].y", 6.0), ("a[2].b[1].y", 3.0), ("a[3].b[2].y", 6.0)],
    );
    has(&of("each c = 1, b(each c = 3)"), &[("a[1].b[1].y", 3.0), ("a[3].b[2].y", 3.0)]);
    has(
        &of("each c = 1, b(each v = {{1, 2}, {3, 4}, {5, 6}}, each c = 1)"),
        &[("a[2].b[1].z[1]", 3.0), ("a[2].b[2].z[1]", 3.0), ("a[3].b[2].z[2]", 6.0)],
    );
    has(
        &of("each c = 1, each b(v = {{1, 2}, {3, 4}}, each c = 2)"),
        &[("a[1].b[2].z[1]", 3.0), ("a[3].b[1].z[2]", 2.0), ("a[3].b[2].y", 2.0)],
    );
    has(
        &of("each c = 1, each b.c = 4, one.c = {7, 8, 9}"),
        &[("a[1].b[2].y", 4.0), ("a[3].one.y", 9.0)],
    );
    has(
        &format!(
            "{NESTED} model C replaceable A a(c = 0); end C; model D extends A; end D; model M \
             C x[2](redeclare D a(c = {{3, 4}}, b(c = {{{{1, 2}}, {{5, 6}}}}))); C y[2](redeclare \
             each D a(c = 7, b(c = {{8, 9}}))); end M;"
        ),
        &[("x[1].a.y", 3.0), ("x[2].a.y", 4.0), ("x[2].a.b[1].y", 5.0), ("y[2].a.b[2].y", 9.0)],
    );
    has(
        "model M Real x[2, 3](start = {{1, 2, 3}, {4, 5, 6}}, each fixed = true); equation \
         der(x) = zeros(2, 3); end M;",
        &[("x[1,2]", 2.0), ("x[2,3]", 6.0)],
    );
}

#[test]
fn modifiers_of_wrong_sizes_are_refused() {
    let of = |modifiers: &str| format!("{NESTED} model M A a[3]({modifiers}); end M;");
    refused(&[
        (&of("c = {1, 2, 3, 4}"), "4 values for 3 components"),
        (&of("c = {1, 2}"), "2 values for 3 components"),
        (&of("c = 1"), "but one value per component is expected"),
        (&of("each c = 1, b(c = {1, 2, 3})"), "but one value per component is expected"),
        (&of("each c = 1, b(c = {{1, 2}, {3, 4}, {5, 6}, {7, 8}})"), "4 values for 3 components"),
        (&of("each c = 1, each b(c = {1, 2, 3})"), "3 values for 2 components"),
        (&of("each c = 1, each b(c = 1)"), "but one value per component is expected"),
        (&of("each c = {1, 2, 3}"), "a[1].c has the sizes [], its value [3]"),
        ("model M Real x[2](start = {1, 2, 3}); equation der(x) = {0, 0}; end M;", "an attribute"),
        (
            "model M parameter Real x[:, :] = {{1, 2}, {3}}; Real y = x[1, 1]; end M;",
            "different sizes",
        ),
    ]);
}

/// Connectors in connectors, and blocks and drives that have them.
const PLUGS: &str = "
    import R = Modelica.Mechanics.Rotational;
    import Modelica.Blocks.Interfaces.{RealInput, RealOutput};
    connector Pair R.Interfaces.Flange_a a; R.Interfaces.Flange_b b; end Pair;
    connector Reversed R.Interfaces.Flange_b b; R.Interfaces.Flange_a a; end Reversed;
    record Flanges R.Interfaces.Flange_a a[2]; end Flanges;
    connector Deep Pair pair; Flanges flanges; RealInput u[2]; RealOutput y; end Deep;
    connector Single = R.Interfaces.Flange_a;
    expandable connector Bus end Bus;
    expandable connector Outer Bus inside; end Outer;
    connector Short = Bus;
    model Wheels
      parameter Real J = 1;
      Pair p; R.Components.Inertia a(J = J); R.Components.Inertia b(J = 10 * J);
    equation
      connect(p.a, a.flange_a); connect(p.b, b.flange_a);
    end Wheels;
    model Motor
      Reversed p; R.Sources.ConstantTorque a(tau_constant = 3); R.Sources.ConstantTorque b(tau_constant = 60);
    equation
      connect(a.flange, p.a); connect(p.b, b.flange);
    end Motor;
    block Gain parameter Real k = 1; RealInput u; RealOutput y; equation y = k * u; end Gain;
";

#[test]
fn connectors_in_connectors_are_connected_in_pairs() {
    let of = |content: &str| format!("{PLUGS} {content}");
    let accelerations = [("x.a.a", 3.0), ("x.b.a", 6.0)];
    has(&of("model M Wheels x; Motor y; equation connect(y.p, x.p); end M;"), &accelerations);
    has(
        &of("model Middle Pair p; Pair q; equation connect(p, q); end Middle; \
             model M Wheels x; Middle m[2]; Motor y; equation connect(m[1].q, m[2].p); \
             connect(y.p, m[1].p); connect(m[2].q, x.p); end M;"),
        &accelerations,
    );
    has(
        &of("model M Wheels x[2](J = {1, 2}); Motor y[2]; equation connect(x, y); end M;")
            .replace("connect(x, y)", "connect(x.p, y[2:-1:1].p)"),
        &[("x[1].a.a", 3.0), ("x[2].b.a", 3.0)],
    );
    has(
        &of("model Source Deep c; R.Sources.ConstantTorque t[3](tau_constant = {1, 2, 3}); \
             Gain g[2](k = {4, 5}); Gain back; equation connect(t[1].flange, c.pair.b); \
             connect(t[2:3].flange, c.flanges.a); connect(g.y, c.u); connect(c.y, back.u); \
             for k in 1:2 loop connect(g[k].u, back.y); end for; end Source; \
             model Target Deep c; R.Components.Inertia j[3](each J = 1); Gain g; Gain h; equation \
             connect(c.pair.b, j[1].flange_a); connect(c.flanges.a[1], j[2].flange_a); \
             connect(c.flanges.a[2], j[3].flange_a); connect(c.u[1], h.u); connect(g.y, c.y); \
             g.u = 7; end Target; \
             model M Source s; Target t; equation connect(s.c, t.c); end M;"),
        &[("t.j[1].a", 1.0), ("t.j[2].a", 2.0), ("t.j[3].a", 3.0), ("t.h.y", 28.0)],
    );
}

#[test]
fn buses_in_buses_connect_members_of_every_form() {
    let of = |content: &str| format!("{PLUGS} {content}");
    let accelerations = [("x.a.a", 3.0), ("x.b.a", 6.0)];
    has(
        &of("model A Outer bus; Motor y; equation connect(bus.inside.plug, y.p); end A; \
             model B Short bus; Wheels x; equation connect(x.p, bus.plug); end B; \
             model M A a; B b; Outer bus; equation connect(a.bus, bus); \
             connect(bus.inside, b.bus); end M;"),
        &accelerations.map(|(name, value)| (&*format!("b.{name}").leak(), value)),
    );
    has(
        &of("model M Bus bus; Gain g[2](k = {2, 3}); Gain h[2]; Gain i; equation g.u = {5, 7}; \
             connect(g.y, bus.signals); connect(bus.signals, h.u); \
             connect(bus.signals[2], i.u); end M;"),
        &[("h[1].y", 10.0), ("h[2].y", 21.0), ("i.y", 21.0)],
    );
    has(
        &of(
            "model M Bus bus; Bus other; Bus third[2]; Gain g[2](k = {2, 3}); Gain h[2]; equation \
             g.u = {5, 7}; connect(g.y, bus.a.b.c[1:2]); connect(bus.a, other.d); \
             connect(other.d, third[2].e); connect(third[2].e.b.c[2:-1:1], h.u); end M;",
        ),
        &[("h[1].y", 21.0), ("h[2].y", 10.0)],
    );
}

#[test]
fn slices_and_absent_components_in_connections() {
    let of = |content: &str| format!("{PLUGS} {content}");
    has(
        &of("model M parameter Integer n = 4; R.Sources.ConstantTorque t(tau_constant = 8); \
             R.Components.Inertia j[n](each J = 2); R.Components.Inertia no[3] if n > 4; equation \
             connect(t.flange, j[1].flange_a); connect(j[1:n - 1].flange_b, j[2:end].flange_a); \
             connect(no.flange_a, j[2:4].flange_b); connect(j[1:0].flange_a, j[3:2].flange_b); \
             end M;"),
        &[("j[1].a", 1.0), ("j[4].a", 1.0)],
    );
    has(
        &of(
            "model Part parameter Boolean has = true; Single f if has; R.Components.Inertia j(J = 1); \
             equation connect(f, j.flange_a); end Part; model M Part p[3](has = {true, false, true}); \
             R.Sources.ConstantTorque t[3](tau_constant = {1, 2, 3}); R.Components.Inertia k[3](each J = \
             1); equation connect(p.f, t.flange); connect(k.flange_a, t.flange); end M;",
        ),
        &[("p[1].j.a", 0.5), ("p[2].j.a", 0.0), ("k[2].a", 2.0), ("p[3].j.a", 1.5)],
    );
}

#[test]
fn what_is_not_connected_in_pairs_is_refused() {
    let of = |connection: &str| {
        format!(
            "{PLUGS} connector Flat R.Interfaces.Flange_a a; end Flat; model M Wheels x[3]; Motor y; \
             Flat flat; Bus bus; Real r = 1; R.Components.Inertia j[2, 3](each J = 1); \
             R.Components.Inertia i[3, 2](each J = 1); Single s; Deep deep; Gain g; equation \
             connect({connection}); end M;"
        )
    };
    let cases = [
        ("x.p, y.p", "6 connectors and 2 connectors do not fit"),
        ("x[1].p, flat", "only one side has the connector b"),
        ("x[1].p, s", "only one side has the connector"),
        ("x[1:2].p.a, x[1:3].p.b", "2 connectors and 3 connectors do not fit"),
        ("x[1:0].p.a, x[1:3].p.b", "0 connectors and 3 connectors do not fit"),
        ("j.flange_a, i.flange_a", "the sides have different sizes"),
        ("x[1].p.c, s", "has no element c"),
        ("x[1].p.a[1], s", "is no array"),
        ("x[1, 1].p.a, s", "is no array"),
        ("x[4].p.a, s", "the subscript 4 is not from 1 to 3"),
        ("deep.flanges.a[3], s", "the subscript 3 is not from 1 to 2"),
        ("deep.flanges.a, s", "2 connectors and 1 connectors do not fit"),
        ("y, s", "a component, not a connector"),
        ("r, g.u", "r is a variable, not a connector"),
        ("bus, x[1].p", "1 connectors and 2 connectors do not fit"),
        ("bus, s", "a bus can be connected as a whole with a bus only"),
        ("bus.x[:], g.u", "a new member of a bus has no size"),
    ];
    for (connection, sentence) in cases {
        refused(&[(&of(connection), sentence)]);
    }
}

#[test]
fn connectors_of_different_kinds_are_not_connected() {
    refused(&[
        (
            "connector Truth = input Boolean; block B Truth u; output Boolean y = not u; end B; \
             model M Modelica.Blocks.Sources.Constant three(k = 3); B b; \
             equation connect(three.y, b.u); end M;",
            "three.y is of the type Real, but b.u of the type Boolean",
        ),
        (
            "connector Pin Real v; flow Real i; end Pin; model Part Pin p; end Part; \
             model M Part part; Modelica.Blocks.Interfaces.RealInput u; \
             equation connect(part.p, u); end M;",
            "part.p is of i, v, but u of the type Real",
        ),
    ]);
}

#[test]
fn an_operand_that_does_not_decide_has_no_need_of_a_value() {
    has(
        "model M
           parameter Real a[:] = fill(1.0, 0); parameter Real p = 0; parameter Integer n = 0;
           parameter Boolean has = size(a, 1) > 0 and a[1] > 2;
           parameter Boolean none = size(a, 1) == 0 or a[1] > 2;
           parameter Boolean by_real = p > 1 and ({1, 2})[if p > 1 then 1 else 3] > 0;
           Real x = if has or not none then 1 else 2;
           Real y = if size(a, 1) > 0 and a[1] > time then 1 else 3;
           Real z; Real w = if n > 0 and mod(5, n) == 0 or by_real then 1 else 4;
         equation
           if size(a, 1) > 0 and a[1] > time then z = 1; else z = 5; end if;
         end M;",
        &[("x", 2.0), ("y", 3.0), ("w", 4.0), ("z", 5.0)],
    );
    refused(&[(
        "model M parameter Real a[0]; Real y = if size(a, 1) == 0 and a[1] > 2 then 1 else 2; end M;",
        "the subscript 1 is not from 1 to 0",
    )]);
}

#[test]
fn a_choice_between_expressions_of_parameters_stays_a_parameter() {
    let mut model = {
        let content = "model M parameter Real k = 1; parameter Real c = if k > 2 then 10 * k else k / 2; \
                       parameter Real v[2] = if k > 2 then {1, k} else {k, 2}; Real x = c + v[2]; end M;";
        let model = model(content).unwrap();
        coupler::simulation(move |m: &mut Assembly| drop(model.add_to(m).unwrap())).unwrap()
    };
    model.set("k", 3.0).unwrap();
    model.start(None).unwrap();
    assert_eq!(model.read("x").unwrap(), 33.0);
}

#[test]
fn iterators_make_arrays_and_reductions() {
    has(
        "model M
           type Color = enumeration(red, green, blue);
           parameter Real a[3, 2] = {i * 10 + j for i in 1:2, j in 1:3};
           parameter Real b[:, :] = {{i - j for i in 1:2} for j in 1:3};
           parameter Real c[:, :] = array(i - j for i in 1:2, j in 1:3);
           parameter Integer triangle = sum(i for i in 1:j, j in 1:4);
           parameter Real vectors[2] = sum({1, i} for i in 1:3);
           parameter Real few = product(i + j for i in 1:2, j in 1:2);
           parameter Real least = min(abs(i - 2.5) for i in {1, 4, 2});
           parameter Real all = sum({{1, i} for i in 1:3});
           parameter Integer most = max(i * j for i in 1:3, j in {-1, 2});
           parameter Integer colors[Color] = {Integer(c) for c in Color};
           parameter Integer truths = sum(if t then 5 else 1 for t in Boolean);
           parameter Integer empty = sum(i for i in 1:0) + product(i for i in 3:2);
           parameter Integer down[:] = {i for i in 5:-2:0};
           parameter Real steps[:] = 1:-0.25:0;
           Real x[8] = {a[3, 2], b[3, 1] - c[3, 1], triangle, vectors[2], few, least, most, empty};
           Real y[6] = {colors[Color.blue], truths, down[end], size(down, 1), steps[end - 1], all};
         end M;",
        &[
            ("x[1]", 23.0),
            ("x[2]", 0.0),
            ("x[3]", 20.0),
            ("x[4]", 6.0),
            ("x[5]", 2.0 * 3.0 * 3.0 * 4.0),
            ("x[6]", 0.5),
            ("x[7]", 6.0),
            ("x[8]", 1.0),
            ("y[1]", 3.0),
            ("y[2]", 6.0),
            ("y[3]", 1.0),
            ("y[4]", 3.0),
            ("y[5]", 0.25),
            ("y[6]", 9.0),
        ],
    );
    let of = |value: &str| format!("model M parameter Real p = {value}; Real x = p; end M;");
    refused(&[
        (&of("sum({j for i in 1:j, j in 1:3})"), "different sizes: [1] and [2]"),
        (&of("product({1, i} for i in 1:3)"), "product with iterators is defined for scalars only"),
        (&of("min(i for i in 1:0)"), "an array without elements"),
        (&of("sum({i for i in 1:2000, j in 1:2000})"), "an array of more than 1000000 elements"),
        (&of("size(outerProduct(1:2000, 1:2000), 1)"), "is too large"),
    ]);
}

/// Functions of one's own.
const FUNCTIONS: &str = "
    package Constants constant Real small = 0.5; constant Integer three = 3; constant Real list[2] = {7, 8};
      function half input Real u; output Real y = u * small; algorithm end half; end Constants;
    function sine input Real u; input Real factor = 2; output Real y; protected Real twice = 2 * u;
      constant Integer n = 3; algorithm y := factor * twice + n; end sine;
    function sample input Integer n; output Integer y; algorithm y := n + 100; end sample;
    function split input Real u[:]; output Real first; output Real others[size(u, 1) - 1];
      output Integer n = size(u, 1); algorithm first := u[1]; others := u[2:end]; end split;
    function careful input Real u; output Real y; algorithm
      assert(u < 10, \"u is \" + String(u), AssertionLevel.warning); assert(u < 20, \"too large\"); y := u; end careful;
    function twice input Pair f; input Real u; output Real y; algorithm y := f(f(u)); end twice;
    partial function Pair input Real u; output Real y; end Pair;
    function add extends Pair; input Real by = 1; algorithm y := u + by; end add;
    function wrong output Real y[2]; algorithm y := {1, 2, 3}; end wrong;
";

#[test]
fn functions_take_arguments_as_the_language_says() {
    has(
        &format!(
            "{FUNCTIONS} model M import P.Constants.*; import P.sine; import abs = P.add;
               Real a = sine(1); Real b = sine(factor = 5, u = 1); Real c = sample(three);
               Real d[2] = list * small; Real e[3] = sine({{1, 2, 3}}, 1); Real f[2, 2] = half([1, 2; 3, 4]);
               Real g[2] = sine({{1, 2}}, {{0, 1}}); Real h = twice(function add(by = 4), 1);
               Real first; Real others[2]; Integer n; Real k = abs(5);
               Real l[2] = atan2({{0, 0}}, {{1, 2}}); parameter Integer m[2] = mod({{5, 7}}, 3);
             equation (first, others, n) = split({{4, 5, 6}}); end M;"
        ),
        &[
            ("a", 7.0),
            ("b", 13.0),
            ("c", 103.0),
            ("d[2]", 4.0),
            ("e[3]", 9.0),
            ("f[2,1]", 1.5),
            ("g[1]", 3.0),
            ("g[2]", 7.0),
            ("h", 9.0),
            ("first", 4.0),
            ("others[2]", 6.0),
            ("n", 3.0),
            ("k", 6.0),
            ("l[2]", 0.0),
        ],
    );
    let of =
        |value: &str| format!("{FUNCTIONS} model M parameter Real p = {value}; Real x = p; end M;");
    let told = notes(&of("careful(15)"));
    assert!(told.iter().any(|note| note.ends_with("u is 15")), "{told:?}");
    refused(&[
        (&of("careful(25)"), "too large"),
        (&of("sum(sine({1, 2}, {1, 2, 3}))"), "arrays of 2 and 3 elements do not fit"),
        (&of("sample(1.5)"), "n of P.sample is an Integer, not a Real"),
        (&of("sine(\"a\")"), "u of P.sine is a Real, not the String"),
        (&of("sine()"), "the input u of P.sine is missing"),
        (&of("sine(1, 2, 3)"), "P.sine has fewer inputs"),
        (&of("sine(1, by = 3)"), "P.sine has no input by"),
        (&of("split(1)"), "u of P.split has 1 dimensions"),
        (&of("sum(wrong())"), "y of P.wrong has a size of 2"),
    ]);
    let several = "function f output Real a = 1; output Real b = 2; algorithm end f; ";
    refused(&[(
        &format!("{several} model M Real a; Real b; Real c; equation (a, b, c) = f(); end M;"),
        "the function has 2 results, not 3",
    )]);
}

#[test]
fn assertions_on_parameters_are_checked_at_the_start() {
    let of = |level: &str| {
        format!(
            "model M parameter Real p = 1; parameter Integer n = 2; Real x = p; equation \
                 assert(p > 0, \"p must be positive\"{level}); assert(n > 1, \"n\"); end M;"
        )
    };
    let started = |level: &str, p: f64| {
        let model = model(&of(level)).unwrap();
        let text = move |m: &mut Assembly| drop(model.add_to(m).unwrap());
        let mut simulation = coupler::simulation(text).unwrap();
        simulation.set("p", p).unwrap();
        simulation.start(None).map_err(|error| error.to_string())
    };
    started("", 2.0).unwrap();
    started(", AssertionLevel.warning", -2.0).unwrap();
    let refusal = started("", -2.0).unwrap_err();
    assert!(refusal.contains("p must be positive"), "{refusal}");
    refused(&[(&of("").replace("n = 2", "n = 0"), "n")]);
}

#[test]
fn an_equation_at_the_end_of_a_long_chain_determines_its_beginning() {
    has(
        "model M Real x[1500]; equation for i in 1:1499 loop x[i] - x[i + 1] = 1; end for; x[1] = 7; \
         end M;",
        &[("x[1500]", 7.0 - 1499.0)],
    );
}

/// A base with a parameter, and a class that may stand for it.
const BASES: &str = "
    model Base parameter Real k = 1; Real y = k; end Base;
    model Other extends Base(k = 2); parameter Real d = 3; Real z = d; end Other;
";

#[test]
fn a_short_class_may_have_final_modifiers() {
    has(
        "model M model Heavy = Modelica.Mechanics.Rotational.Components.Inertia(final J = 3); \
         Heavy a(w(start = 2, fixed = true), phi(fixed = true)); end M;",
        &[("a.J", 3.0), ("a.w", 2.0)],
    );
}

#[test]
fn a_gain_may_have_a_unit() {
    let of = "model M Modelica.Blocks.Interfaces.RealInput u; \
              Modelica.Blocks.Math.Gain g(k(unit = \"V/A\") = 2); equation connect(u, g.u); end M;";
    assert_eq!(notes(of)[0], "the unit of g.k has no influence");
}

#[test]
fn modifications_of_short_classes_belong_to_the_instance_around_them() {
    let of = |content: &str| format!("{BASES} {content}");
    has(
        &of("model A parameter Real n = 1; model B = Base(k = n); B b; end A; \
             model C parameter Real n = 30; replaceable model B = Base; B b; end C; \
             model E extends A; C c(redeclare model B = Base(k = n)); end E; \
             model M A a(n = 5); A c[2](n = {6, 7}); parameter Real n = 8; \
             C d(redeclare model B = Base(k = n)); E e(n = 9); end M;"),
        &[("a.b.y", 5.0), ("c[2].b.y", 7.0), ("d.b.y", 8.0), ("e.b.y", 9.0), ("e.c.b.y", 9.0)],
    );
    has(
        &of(
            "model Three = Base[3](k = {1, 2, 3}); model Six = Three[2](k = {{1, 2, 3}, {4, 5, 6}}); \
             model M Three a; Three b(k = {4, 5, 6}); Three c[2]; \
             Three d[2](k = {{1, 2, 3}, {7, 8, 9}}); Six e; end M;",
        ),
        &[
            ("a[2].y", 2.0),
            ("b[3].y", 6.0),
            ("c[2,3].y", 3.0),
            ("d[2,3].y", 9.0),
            ("e[2,1].y", 4.0),
        ],
    );
    refused(&[
        (&of("model Wrong = Base(q = 3); model M Wrong w; end M;"), "P.Wrong has no element q"),
        ("model M type T = Real(foo = 1); T x = 1; end M;", "a variable has no attribute foo"),
        (
            "model M parameter Real a = 1; model N Real y = a; end N; N n; end M;",
            "a is no constant of P.M, so it has no value here",
        ),
        (
            "model M parameter Real k = 2; function f output Real y = k; algorithm end f; Real y = f(); \
             end M;",
            "k is no constant of P.M",
        ),
    ]);
}

#[test]
fn types_enclosing_components_and_texts() {
    has(
        "type V3 = Real[3](each unit = \"m\", start = {1, 2, 3}); type Matrix = V3[2];
         type Angle = Real(unit = \"rad\", displayUnit = \"deg\"); type Small = Angle(start = 0.5);
         type Tiny extends Small(nominal = 0.1); end Tiny;
         model S parameter Real k; Real y = k; end S;
         model Deep outer Real level; outer S s; outer parameter Real p; Real y = level + s.y + p; end Deep;
         model Sub inner S s(k = 5); Deep d; end Sub;
         model M
           V3 x(each fixed = true); Matrix m(each start = 2, each fixed = true); Tiny t(fixed = true);
           inner Real level = 100; inner S s(k = 2); inner parameter Real p = 1000; Deep d; Sub sub;
           parameter Integer n = 2; parameter String text = \"a\" + String(n) + String(true) + String(1.5);
           parameter Real v[:] = {1, 2, 3, 4}; Real z[:] = v[end:-2:1]; Real none[0];
           Real q = sum(none) + size(none, 1) + v[end - 1];
         equation
           der(x) = zeros(3); der(m) = zeros(2, 3); der(t) = 0; assert(text == \"a2true1.5\", text);
         end M;",
        &[
            ("x[2]", 2.0),
            ("m[2,3]", 2.0),
            ("t", 0.5),
            ("d.y", 1102.0),
            ("sub.d.y", 1105.0),
            ("z[2]", 2.0),
            ("q", 3.0),
        ],
    );
}

#[test]
fn parameters_that_follow_from_others_are_calculated() {
    let content = "
        model A parameter Real c = 1; protected parameter Real d[2] = {c, 2 * c}; Real y = sum(d); end A;
        model M
          parameter Modelica.Units.SI.Inertia J = 0.5; parameter Integer n = 3; parameter Boolean b = true;
          final parameter Modelica.Units.SI.Inertia J2 = 2 * J; parameter Real k = J2 * n; A a(c = k);
          Modelica.Mechanics.Rotational.Components.Inertia j(J = J2, w(start = 1, fixed = true));
          Real x = if b then k else 0;
        end M;";
    let text = model(content).unwrap();
    let mut simulation =
        coupler::simulation(move |m: &mut Assembly| drop(text.add_to(m).unwrap())).unwrap();
    simulation.set("J", 2.0).unwrap();
    simulation.start(None).unwrap();
    for (name, value) in [("J2", 4.0), ("k", 12.0), ("a.c", 12.0), ("a.d[2]", 24.0), ("x", 12.0)] {
        assert_eq!(simulation.read(name).unwrap(), value, "{name}");
    }
    assert!(simulation.set("k", 1.0).is_err());
    let told = notes(content);
    for name in ["n is a constant: it is an Integer", "b is a constant: it is a Boolean"] {
        assert!(told.iter().any(|note| note.starts_with(name)), "{told:?}");
    }
}

#[test]
fn what_would_be_ignored_is_refused() {
    refused(&[
        (
            "model B parameter Real k = 1; Real y = k; end B; model M B b(k = 3); B c = b; end M;",
            "c is a component: it has no value",
        ),
        (
            "model B parameter Real k = 1; Real y = k; end B; model M extends B; parameter Real k = 2; \
             end M;",
            "k is declared in P.B and, in another way, in P.M",
        ),
    ]);
    has(
        "model A parameter Real k = 1; end A; model B parameter Real k = 1 \"k\"; end B; \
         model M extends A; extends B; Real y = k; end M;",
        &[("y", 1.0)],
    );
    let text = model("model M parameter Real p(min = 0, max = 2) = 1; Real y = p; end M;").unwrap();
    let mut simulation =
        coupler::simulation(move |m: &mut Assembly| drop(text.add_to(m).unwrap())).unwrap();
    simulation.set("p", 2.0).unwrap();
    assert!(simulation.set("p", 3.0).is_err());
    refused(&[("model M parameter Real p(min = 0) = -1; Real y = p; end M;", "p = -1: must be")]);
}

#[test]
fn assertions_of_functions_hold_where_their_values_are_used() {
    let of = |value: &str| {
        format!(
            "function root input Real u; output Real y; algorithm assert(u >= 0, \"u is negative\"); \
             y := sqrt(max(u, 0)); end root; \
             model M parameter Real p = 1; input Real v(start = 4); Real x = {value}; end M;"
        )
    };
    let started = |value: &str, p: f64| {
        let model = model(&of(value)).unwrap();
        let text = move |m: &mut Assembly| drop(model.add_to(m).unwrap());
        let mut simulation = coupler::simulation(text).map_err(|error| error.to_string())?;
        if value.contains('p') {
            simulation.set("p", p).unwrap();
        }
        simulation.start(None).map_err(|error| error.to_string())?;
        Ok(simulation.read("x").unwrap())
    };
    assert_eq!(started("root(v)", 1.0), Ok(2.0));
    assert_eq!(started("if v > 5 then root(-v) else root(v)", 1.0), Ok(2.0));
    assert_eq!(started("if v > 5 and root(-v) > 1 then 1 else 3", 1.0), Ok(3.0));
    assert_eq!(started("p * root(p)", 4.0), Ok(8.0));
    for (value, p) in
        [("root(-v)", 1.0), ("if v > 3 then root(-v) else 1", 1.0), ("v * root(p)", -1.0)]
    {
        let refusal: Result<f64, String> = started(value, p);
        assert!(
            refusal.as_ref().is_err_and(|why| why.contains("u is negative")),
            "{value} {p}: {refusal:?}"
        );
    }
}
