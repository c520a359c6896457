//! Second derivatives in equations.

use super::{close, refusal, run};

#[test]
fn accelerations_of_components_are_second_derivatives_of_their_positions() {
    let mut m = run(
        "model M
          import Modelica.Mechanics.Rotational.*;
          Components.Inertia j[2](J = {2, 4}, each phi(fixed = true), each w(fixed = true));
          Sources.ConstantTorque torque[2](each tau_constant = 2);
          Real q[2]; Real qd[2]; Real qdd[2]; Real sum = der(der(j[1].phi + j[2].phi));
          Real square = j[1].phi ^ 2; Real rate = der(square); Real second = der(rate);
        equation
          q = {j[1].phi, j[2].phi};
          qd = der(q);
          qdd = der(qd);
          connect(torque.flange, j.flange_a);
        end M;",
        2.0,
    );
    // After 2 s, phi = 2, w = 2 and a = 1 for the first inertia, and half of it for the second.
    for (name, value) in [
        ("q[1]", 2.0),
        ("qd[1]", 2.0),
        ("qdd[1]", 1.0),
        ("qdd[2]", 0.5),
        ("sum", 1.5),
        ("second", 2.0 * (2.0 * 2.0 + 2.0 * 1.0)),
    ] {
        close(&mut m, name, value);
    }
}

#[test]
fn second_derivatives_of_states_of_ones_own_follow_from_their_equations() {
    let mut m = run(
        "model M
          Real x(start = 1, fixed = true); Real v = der(x); Real a = der(v);
          Real twice = der(der(x));
        equation
          der(x) = -3 * x + time;
        end M;",
        0.5,
    );
    let x = m.read("x").unwrap();
    let a = -3.0 * (-3.0 * x + 0.5) + 1.0;
    close(&mut m, "a", a);
    close(&mut m, "twice", a);
}

#[test]
fn second_derivatives_that_are_not_known_are_refused_by_name() {
    let j = "Modelica.Mechanics.Rotational.Components.Inertia j(J = 2)";
    let of = |value: &str| refusal(&format!("model M {j}; Real y = {value}; end M;"));
    assert_eq!(of("der(der(j.a))"), "the second derivative of j.a is not known");
    assert_eq!(of("der(der(j.w))"), "the second derivative of j.w is not known");
    let own = "model M Real x(start = 1, fixed = true); equation der(x) = time; \
               assert(der(der(x)) > 0, \"positive\"); end M;";
    assert_eq!(refusal(own), "a second derivative; a variable that is the first one helps");
    let third = "a third derivative; a variable that is the second one helps";
    assert_eq!(of("der(der(der(j.phi)))"), third);
}
