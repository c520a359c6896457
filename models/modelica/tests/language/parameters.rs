//! Parameters: also those that nothing uses are right, and all are within their limits.

use super::{has, not_started, notes, refused, simulation};

#[test]
fn unused_parameters_are_checked() {
    let part = "model A parameter Real p; parameter Integer n = 1; end A;
        record R parameter Real x = 1; end R;";
    let of = |text: &str| format!("{part} model M {text} Real y = time; end M;");
    refused(&[
        (&of("parameter Real p = nothing;"), "there is nothing with the name nothing"),
        (&of("parameter Real p = true;"), "p is a Real, not a Boolean"),
        (&of("parameter Integer p = 2.5;"), "p is an Integer, not a Real"),
        (&of("parameter Real p = 1 / 0;"), "a division by zero"),
        (
            &of("parameter Real q = 0; parameter Real p = 1 / q;"),
            "p = inf: must be a finite number",
        ),
        (&of("parameter Real p[2] = {1, 2, 3};"), "p has the sizes [2], its value [3]"),
        (&of("parameter Real p(unit = 5) = 1;"), "the attribute unit of p"),
        (&of("constant Real p = p;"), "p depends on itself"),
        (&of("protected parameter Real p = nothing; public"), "the name nothing"),
        (&of("A a(p = nothing);"), "the name nothing"),
        (&of("A a[2](p = {1, 2}, n = {1, 2.5});"), "a[2].n is an Integer, not a Real"),
        (&of("parameter R r(x = nothing);"), "the name nothing"),
    ]);
}

#[test]
fn unused_parameters_that_are_right_are_noted() {
    let text = "model A parameter Real p; parameter Real q = 1; end A;
        model M A a; parameter Real used = 2; parameter Real p = 2; parameter Real open;
          final parameter Real f = p; parameter Real c(fixed = false); parameter Real d = 2 * c;
          Real y = used;
        end M;";
    let note = "parameters without influence, which the FMU does not have: p, open, c, d";
    assert_eq!(notes(text), [note]);
    has(text, &[("y", 2.0)]);
    assert!(simulation(text).read("p").is_err());
}

#[test]
fn each_without_an_array_is_noted() {
    let of = |modifier: &str| {
        format!("model A parameter Real k; Real y = k; end A; model M A a{modifier}; end M;")
    };
    assert_eq!(notes(&of("(each k = 1)")), ["each has no influence: a.k is no array"]);
    assert!(notes(&of("[2](each k = 1)")).is_empty());
}

#[test]
fn values_of_all_parameters_are_within_their_limits() {
    let types = "type Mass = Real(unit = \"kg\", min = 0); type Count = Integer(min = 1, max = 4);
        model A parameter Mass m; end A;";
    let of = |text: &str| format!("{types} model M {text} end M;");
    let sentence = "m = -1 kg: must be positive or zero";
    refused(&[
        (&of("parameter Mass m = -1;"), sentence),
        (&of("parameter Real k = 1; parameter Mass m = -k; Real y = m;"), sentence),
        (&of("parameter Real k = 1; final parameter Mass m = -k; Real y = m;"), sentence),
        (&of("constant Mass m = -1; Real y = m;"), sentence),
        (&of("parameter Count n = 5; Real y = n;"), "n = 5: must be from 1 to 4"),
        (&of("parameter Mass m[2] = {1, -1}; Real y = sum(m);"), "m[2] = -1 kg"),
        (&of("parameter Real k = 1; A a(m = -k);"), "a.m = -1 kg: must be positive or zero"),
        (&of("parameter Real m(min = 2, max = 3) = 4; Real y = m;"), "m = 4: must be from 2 to 3"),
    ]);
}

#[test]
fn importers_meet_the_limits_of_calculated_parameters() {
    let text = "type Mass = Real(unit = \"kg\", min = 0); model M parameter Real k = 1;
        parameter Mass m = 3 - k; Real y = m; end M;";
    for (k, allowed) in [(2.0, true), (3.5, false)] {
        let mut simulation = not_started(text);
        simulation.set("k", k).unwrap_or_else(|error| panic!("{error}"));
        match simulation.start(None) {
            Ok(()) => assert!(allowed, "{k}"),
            Err(error) => {
                assert!(!allowed, "{error}");
                assert!(error.to_string().contains("m = -0.5 kg: must be positive or zero"));
            }
        }
    }
}
