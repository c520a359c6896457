//! How the states of circuits begin: initial equations, start values of other variables, modes.

use super::{close, has_library, refusal, start};

/// A source of 12 V, a coil and two resistors in a loop, a capacitor beside one of them, and more.
fn smoothed(more: &str) -> String {
    format!(
        "model M
           E.Sources.ConstantVoltage source(V = 12); E.Basic.Inductor coil(L = 0.1);
           E.Basic.Resistor r(R = 4), load(R = 2); E.Basic.Capacitor c(C = 1e-3);
           E.Basic.Ground ground;
           {more}
           connect(source.p, coil.p); connect(coil.n, r.p); connect(r.n, load.p);
           connect(load.n, source.n); connect(c.p, load.p); connect(c.n, load.n);
           connect(source.n, ground.p);
         end M;"
    )
}

#[test]
fn derivatives_that_vanish_at_the_start_are_a_steady_state() {
    let mut m = start(&smoothed("initial equation der(c.v) = 0; 0 = der(coil.i); equation"));
    close(&mut m, "coil.i", 2.0, 1e-9);
    close(&mut m, "c.v", 4.0, 1e-9);
    let twice = refusal(&smoothed("initial equation der(c.v) = 0; c.v = 1; equation"));
    assert!(!twice.is_empty());
}

#[test]
fn a_variable_that_stands_for_the_voltage_of_a_capacitor_fixes_its_start() {
    let mut m = start(&smoothed("Real v(start = 3, fixed = true) = c.v; equation"));
    close(&mut m, "c.v", 3.0, 0.0);
    close(&mut m, "v", 3.0, 0.0);
    let mut free = start(&smoothed("Real v(start = 3) = c.v; equation"));
    close(&mut free, "c.v", 0.0, 0.0);
}

#[test]
fn the_mode_of_a_thyristor_before_the_start_is_that_of_the_text() {
    let thyristor = |of: &str| {
        format!(
            "model M
               E.Sources.ConstantVoltage source(V = 10); E.Basic.Resistor r(R = 5);
               E.Ideal.IdealThyristor thyristor{of}; E.Basic.Ground ground;
               Modelica.Blocks.Sources.BooleanConstant never(k = false);
             equation
               connect(source.p, thyristor.p); connect(thyristor.n, r.p); connect(r.n, source.n);
               connect(source.n, ground.p); connect(never.y, thyristor.fire);
             end M;"
        )
    };
    let mut blocking = start(&thyristor(""));
    close(&mut blocking, "r.i", 0.0, 2e-4);
    let mut conducting = start(&thyristor("(off(start = false, fixed = true))"));
    close(&mut conducting, "r.i", 2.0, 1e-4);
}

#[test]
fn thyristors_of_a_triac_have_modes_of_their_own_before_the_start() {
    if !has_library() {
        return;
    }
    let mut m = start(
        "model M
           E.Sources.ConstantVoltage source(V = 10); E.Basic.Resistor r(R = 5);
           E.Ideal.IdealTriac triac(idealThyristor1(off(start = false, fixed = true)),
             capacitor(v(start = 9.2, fixed = true))); E.Basic.Ground ground;
           Modelica.Blocks.Sources.BooleanConstant never(k = false);
         equation
           connect(source.p, triac.p); connect(triac.n, r.p); connect(r.n, source.n);
           connect(source.n, ground.p); connect(never.y, triac.fire1);
         end M;",
    );
    close(&mut m, "triac.capacitor.v", 9.2, 0.0);
    close(&mut m, "triac.idealThyristor1.off", 0.0, 0.0);
    close(&mut m, "triac.idealThyristor.off", 1.0, 0.0);
}
