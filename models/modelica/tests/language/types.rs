//! Types: whole numbers become real ones, and nothing else is converted.

use super::{has, notes, refused, simulation};

/// Two enumerations with different literals.
const ENUMERATIONS: &str = "
    type Gear = enumeration(low \"slow\", high, reverse);
    type Lamp = enumeration(off, on);
";

#[test]
fn variables_take_values_of_their_types_only() {
    refused(&[
        ("model M Integer k = 2.5 * time; end M;", "k is an Integer, not a Real"),
        ("model M Boolean b = time; end M;", "b is a Boolean, not a Real"),
        ("model M Real r = time > 1; end M;", "r is a Real, not a Boolean"),
        ("model M Integer k; equation k = 2.5 * time; end M;", "k is an Integer, not a Real"),
        ("model M Integer k; equation k = pre(k) / 2; end M;", "k is an Integer, not a Real"),
        (
            "model M Real r; equation r = time > 1; end M;",
            "r = time > 1: one side is a Real, the other one a Boolean",
        ),
        (
            "model M Integer k; equation k = if time > 1 then 1 else 0.5; end M;",
            "k is an Integer, not a Real",
        ),
        (
            "model M Integer k; equation if time > 1 then k = 1; else k = 0.5; end if; end M;",
            "k is an Integer, not a Real",
        ),
        (
            "model M Integer k; equation when time > 1 then k = pre(k) + 0.5; end when; end M;",
            "k is an Integer, not a Real",
        ),
        ("model M Integer k; algorithm k := 2 * time; end M;", "k is an Integer, not a Real"),
        (
            "model M Integer k[2]; algorithm k[1] := 1; k[2] := 0.5; end M;",
            "k[2] is an Integer, not a Real",
        ),
        (
            "function f input Integer n; output Real y; algorithm y := n; end f; \
             model M Real y = f(time); end M;",
            "n of P.f is an Integer, not a Real",
        ),
        (
            "function f input Real x; output Integer n; algorithm n := x; end f; \
             model M parameter Real y = f(0.5); Real z = y; end M;",
            "n is an Integer, not a Real",
        ),
        (
            "function f input Real x; input Integer n = 2.5; output Real y; algorithm y := x; \
             end f; model M Real y = f(time); end M;",
            "n of P.f is an Integer, not a Real",
        ),
        (
            "connector I = output Integer; connector R = input Real; block A I y; equation y = 1; \
             end A; block B R u; end B; model M A a; B b; equation connect(a.y, b.u); end M;",
            "but b.u of the type Real",
        ),
        (
            "model M Integer k(start = 1); equation der(k) = 1; end M;",
            "only a Real has a derivative",
        ),
        ("model M String s = \"a\"; end M;", "only parameters and constants can be Strings"),
    ]);
}

#[test]
fn operators_and_conditions_take_values_of_their_types_only() {
    refused(&[
        ("model M Boolean b = time > 1; Real y = b + 1; end M;", "a Boolean is no number"),
        ("model M Real y = \"a\" * 2; end M;", "the String \"a\" is no number"),
        ("model M Real y = +(time > 1); end M;", "a Boolean is no number"),
        ("model M Boolean b = time > 1 and 1; end M;", "the Integer 1 is not true or false"),
        (
            "model M Real y; equation if integer(time) then y = 1; else y = 2; end if; end M;",
            "an Integer is not true or false",
        ),
        ("model M Real y = if time > 1 then 1 else \"a\"; end M;", "of different types"),
        ("model M Real y[2] = {1, true}; end M;", "elements of an array with different types"),
        ("model M Boolean b = time > 1; Real y = if b > 1 then 1 else 0; end M;", "be compared"),
        ("model M Real y = time; equation assert(y < 1, 5); end M;", "not a String"),
        ("model M Real y[2, 3] = {{1, 2}, {3, 4}, {5, 6}}; end M;", "y has the sizes [2, 3]"),
        (
            "model M parameter Real a[:, 2] = [1, 2, 3; 4, 5, 6]; Real y = a[1, 1]; end M;",
            "a has the sizes [:, 2], its value [2, 3]",
        ),
        (
            "model M parameter Real a[:, size(a, 1)] = [1, 2, 3; 4, 5, 6]; Real y = a[1, 1]; end M;",
            "a has the sizes [:, 2], its value [2, 3]",
        ),
        ("model M Real z[2, :] = [time, 2; 3, time; 4, 5]; end M;", "z has the sizes [2, :]"),
        ("model M parameter Real v[:] = 3; Real y = v[1]; end M;", "v has the sizes [:]"),
        (
            "model M Real y[2, 3]; algorithm y := {{1, 2}, {3, 4}, {5, 6}} * time; end M;",
            "y gets a value of another size",
        ),
    ]);
}

#[test]
fn attributes_have_types() {
    refused(&[
        (
            "model M Real x(start = true); equation der(x) = 1; end M;",
            "the attribute start of x is a Real, not a Boolean",
        ),
        ("model M Real x(fixed = 1); equation der(x) = 1; end M;", "fixed of x is a Boolean"),
        ("model M Real x(unit = 1) = time; Real y = x; end M;", "unit of x is a String"),
        ("model M Real x(stateSelect = 1); equation der(x) = 1; end M;", "a value of StateSelect"),
        ("model M parameter Real p(min = \"a\") = 1; Real y = p; end M;", "the attribute min of p"),
    ]);
}

#[test]
fn whole_numbers_that_vary_stay_whole() {
    let mut m = simulation(
        "function twice input Integer n; output Integer y; algorithm y := 2 * n; end twice; \
         model M
           Integer k = integer(3 * time);
           Integer parity = mod(k, 2) * abs(k - 3);
           Integer least = min(k, 2) + twice(k);
           Integer chosen = if time > 0.5 then k else -7;
           Real half = k / 2;
           Integer count(start = 4, fixed = true);
         equation
           when time > 0.7 then count = pre(count) + div(k, 2) + 1; end when;
         end M;",
    );
    for (time, k, count) in [(0.45_f64, 1.0, 4.0), (0.9, 2.0, 4.0 + 1.0 + 1.0)] {
        m.run_to(time).unwrap_or_else(|error| panic!("{error}"));
        let chosen = if time > 0.5 { k } else { -7.0 };
        let values = [
            ("k", k),
            ("parity", (k % 2.0) * (k - 3.0_f64).abs()),
            ("least", k.min(2.0) + 2.0 * k),
            ("chosen", chosen),
            ("half", k / 2.0),
            ("count", count),
        ];
        for (name, value) in values {
            assert_eq!(m.read(name), Ok(value), "{name} at {time}");
        }
    }
}

#[test]
fn whole_numbers_that_follow_from_parameters_are_known() {
    let text = "parameter Real p = 2; parameter Integer n = if p > 1 then 3 else 4; \
        Real v[n] = fill(time + 1, n); Real w[if p > 1 then 2 else 1] = {7, 8}; \
        Real sum = sum(i for i in 1:(if p > 1 then 4 else 5));";
    let text = format!("model M {text} end M;");
    has(&text, &[("v[3]", 1.0), ("w[2]", 8.0), ("sum", 10.0)]);
    assert!(notes(&text).iter().any(|note| note.starts_with("p is a constant")), "{text}");
}

#[test]
fn values_of_enumerations_vary() {
    let text = format!(
        "{ENUMERATIONS} model M
           Gear gear = if time > 0.5 then Gear.reverse else Gear.low;
           Gear last(start = Gear.high, fixed = true);
           Gear first;
           output Integer number = Integer(gear);
           Real y;
         equation
           y = if gear == Gear.reverse then -1 elseif gear < Gear.high then 1 else 0;
           when gear == Gear.reverse then last = pre(gear); end when;
         algorithm
           first := Gear.high;
           if gear > Gear.high then first := gear; end if;
         end M;"
    );
    let mut m = simulation(&text);
    for (time, values) in [(0.25, [1.0, 2.0, 2.0, 1.0, 1.0]), (0.75, [3.0, 1.0, 3.0, 3.0, -1.0])] {
        m.run_to(time).unwrap_or_else(|error| panic!("{error}"));
        for (name, value) in ["gear", "last", "first", "number", "y"].iter().zip(values) {
            assert_eq!(m.read(name), Ok(value), "{name} at {time}");
        }
    }
}

#[test]
fn different_enumerations_do_not_mix() {
    let of = |text: &str| format!("{ENUMERATIONS} model M {text} end M;");
    refused(&[
        (
            &of("parameter Gear g = Gear.low; Real y = if g == Lamp.off then 1 else 2;"),
            "P.Gear.low and P.Lamp.off cannot be compared",
        ),
        (&of("parameter Gear g = Lamp.on; Real y = if g == Gear.low then 1 else 2;"), "P.Lamp.on"),
        (&of("Gear g; equation g = Lamp.on;"), "the other one P.Lamp.on"),
        (&of("Gear g = 2;"), "g is a value of P.Gear, not the Integer 2"),
        (&of("Gear g = Gear.low; Real y = if g == 1 then 1 else 2;"), "cannot be compared"),
        (&of("Gear g = Gear.low; Real y = g + 1;"), "a value of P.Gear is no number"),
        (&of("Gear g; Real y = time;"), "no equation determines g"),
        (&of("Gear g = if time > 1 then Gear.low else Lamp.on;"), "of different types"),
    ]);
    // Enumerations with the same literals are one type.
    let same = "type Speed = enumeration(low, high, reverse); model M Gear g = Speed.high; \
        Integer k = Integer(g); end M;";
    has(&format!("{ENUMERATIONS} {same}"), &[("k", 2.0)]);
}
