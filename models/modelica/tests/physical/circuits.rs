//! Components with pins whose texts are read.

use super::{close, has_library, refusal, start, text};
use std::f64::consts::TAU;

/// A source of `voltage`, a resistor of `resistance`, and a part in one loop.
fn in_loop(class: &str, voltage: &str, resistance: &str, part: &str) -> String {
    format!(
        "model Source
           extends E.Interfaces.OnePort;
         equation
           v = {voltage};
         end Source;
         {class}
         model M
           Source source; E.Basic.Resistor r(R = {resistance}); {part} E.Basic.Ground ground;
         equation
           connect(source.p, r.p); connect(r.n, part.p); connect(part.n, source.n);
           connect(source.n, ground.p);
         end M;"
    )
}

/// Two models have the same values, but for rounding.
fn agree(own: &str, other: &str, variables: &[&str]) {
    agree_within(own, other, variables, 1e-9);
}

/// The same, but for this error.
fn agree_within(own: &str, other: &str, variables: &[&str], tolerance: f64) {
    let (mut own, mut other) = (start(own), start(other));
    for k in 0..=16 {
        let t = 0.0625 * f64::from(k);
        if k > 0 {
            own.run_to(t).unwrap();
            other.run_to(t).unwrap();
        }
        for name in variables {
            let value = other.read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let found = own.read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let error = (found - value).abs();
            assert!(error <= tolerance * (1.0 + value.abs()), "{name} = {found}, {value} at {t}");
        }
    }
}

#[test]
fn a_diode_is_the_same_with_its_current_and_with_its_voltage_as_a_function() {
    let diode = |law: &str| {
        let class = format!(
            "model Diode
               extends E.Interfaces.OnePort; parameter Real Is = 1e-6; parameter Real Vt = 0.04;
             equation
               {law};
             end Diode;"
        );
        in_loop(&class, "2 * sin(6 * time)", "100", "Diode part;")
    };
    let (current, voltage) =
        (diode("i = Is * (exp(v / Vt) - 1)"), diode("v = Vt * log(1 + i / Is)"));
    let mut diode = start(&current);
    diode.run_to(0.2).unwrap();
    let (v, i) = (diode.read("part.v").unwrap(), diode.read("part.i").unwrap());
    assert!((1e-6 * ((v / 0.04).exp() - 1.0) - i).abs() < 1e-12 && i > 0.01, "{v} V, {i} A");
    close(&mut diode, "source.v", v + 100.0 * i, 1e-9);
    let mut other = start(&voltage);
    other.run_to(0.2).unwrap();
    close(&mut other, "part.i", i, 1e-9);
}

#[test]
fn pins_of_a_component_have_its_currents_if_its_text_names_potentials_only() {
    // The part is two resistors in parallel, which its text connects with its pins.
    let class = "model Own
           E.Interfaces.PositivePin p; E.Interfaces.NegativePin n;
           E.Basic.Resistor a(R = 3); E.Basic.Resistor b(R = 6);
           Real v = p.v - n.v;
         equation
           connect(p, a.p); connect(a.n, n); connect(p, b.p); connect(b.n, n);
         end Own;";
    let mut m = start(&in_loop(class, "10 * time", "3", "Own part;"));
    m.run_to(1.0).unwrap();
    for (name, value) in [("part.p.i", 2.0), ("part.n.i", -2.0), ("part.p.v", 4.0), ("part.v", 4.0)]
    {
        close(&mut m, name, value, 1e-12);
    }
}

#[test]
fn a_varistor_is_a_root_of_a_cubic_equation() {
    let class = "model Varistor
           extends E.Interfaces.OnePort; parameter Real k = 2;
         equation
           i = k * v ^ 3;
         end Varistor;";
    let mut m = start(&in_loop(class, "3 * time", "0.25", "Varistor part;"));
    m.run_to(1.0).unwrap();
    let v = m.read("part.v").unwrap();
    assert!((v + 0.25 * 2.0 * v.powi(3) - 3.0).abs() < 1e-9, "{v}");
    close(&mut m, "r.i", 2.0 * v.powi(3), 1e-9);
}

#[test]
fn the_charge_of_a_memristor_follows_from_its_flux() {
    let class = "model Memristor
           extends E.Interfaces.OnePort; parameter Real R = 2; parameter Real k = 3;
           Real q(start = 0, fixed = true);
         equation
           der(q) = i;
           v = (R + k * q) * i;
         end Memristor;";
    let mut m = start(&in_loop(class, "5 * sin(4 * time)", "0.5", "Memristor part;"));
    for k in 1..=4 {
        let t = 0.25 * f64::from(k);
        m.run_to(t).unwrap();
        // The flux is (R + r) q + k q^2 / 2.
        let flux = 5.0 / 4.0 * (1.0 - (4.0 * t).cos());
        let q = (-2.5 + (2.5_f64.powi(2) + 6.0 * flux).sqrt()) / 3.0;
        close(&mut m, "part.q", q, 1e-5);
    }
}

#[test]
fn a_relay_with_hysteresis_makes_an_oscillator_of_known_period() {
    let class = "model Relay
           extends E.Interfaces.OnePort; Boolean on(start = false);
           parameter Real high = 2; parameter Real low = 1;
         equation
           on = v > high or pre(on) and v > low;
           v = if on then 0.001 * i else 1e9 * i;
         end Relay;
         model Cell
           E.Interfaces.PositivePin p; E.Interfaces.NegativePin n;
           E.Basic.Capacitor c(C = 0.01, v(start = 0, fixed = true)); E.Basic.Resistor r(R = 1);
           Relay relay;
         equation
           connect(p, c.p); connect(c.n, n); connect(p, r.p); connect(r.n, relay.p);
           connect(relay.n, n);
         end Cell;";
    // The relay measures the voltage behind the resistor. While the relay is open, that is the
    // voltage of the capacitor. When the relay closes, the voltage falls to zero at once, so that
    // the relay opens at the next event.
    let refused = in_loop(class, "3", "10", "Cell part;");
    let mut m = start(&refused);
    m.run_to(0.1 * 3.0_f64.ln() - 1e-3).unwrap();
    close(&mut m, "part.relay.on", 0.0, 0.0);
    let sensed = class
        .replace("on = v >", "on = sensed > ")
        .replace("pre(on) and v", "pre(on) and sensed")
        .replace("Boolean on", "input Real sensed; Boolean on")
        .replace("Relay relay;", "Relay relay(sensed = c.v);");
    let mut m = start(&in_loop(&sensed, "3", "10", "Cell part;"));
    // Charge from 1 V to 2 V by 3 V over 10 Ohm, then discharge towards 3/11 V by 10/11 Ohm.
    let (rise, v_end, tau) = (0.1 * 2.0_f64.ln(), 3.0 * 1.001 / 11.001, 0.01 * 10.01 / 11.001);
    let fall = tau * ((2.0 - v_end) / (1.0_f64 - v_end)).ln();
    let first = 0.1 * 3.0_f64.ln();
    let k = 5.0;
    let at = |phase: f64| first + k * (rise + fall) + phase;
    m.run_to(at(-2e-4)).unwrap();
    close(&mut m, "part.relay.on", 0.0, 0.0);
    m.run_to(at(2e-4)).unwrap();
    close(&mut m, "part.relay.on", 1.0, 0.0);
    m.run_to(at(fall - 1e-4)).unwrap();
    close(&mut m, "part.relay.on", 1.0, 0.0);
    m.run_to(at(fall + 2e-4)).unwrap();
    close(&mut m, "part.relay.on", 0.0, 0.0);
}

#[test]
fn an_open_piezo_element_is_stiffer_than_a_shorted_one() {
    let model = |load: &str, first: &str| {
        format!(
            "model Piezo
               extends E.Interfaces.OnePort{first};
               T.Interfaces.Flange_b flange;
               parameter Real c = 400; parameter Real d = 0.3; parameter Real C = 1e-3;
             equation
               i = C * der(v) + d * der(flange.s);
               flange.f = c * flange.s - d * v;
             end Piezo;
             model M
               Piezo piezo; E.Basic.Ground ground; E.Basic.Resistor load(R = {load});
               T.Components.Mass mass(m = 2, s(start = 0.1, fixed = true), v(fixed = true));
             equation
               connect(piezo.flange, mass.flange_a); connect(piezo.n, ground.p);
               connect(load.p, piezo.p); connect(load.n, ground.p);
             end M;"
        )
    };
    // The voltage at the start is that of a length zero without charge.
    let open = model("1e12", "(v(start = -30, fixed = true))");
    let shorted = model("0", "");
    for (model, stiffness) in [(open, 400.0 + 0.3 * 0.3 / 1e-3), (shorted, 400.0)] {
        let mut m = start(&model);
        m.run_to(0.3).unwrap();
        let w = (stiffness / 2.0_f64).sqrt();
        close(&mut m, "mass.s", 0.1 * (0.3 * w).cos(), 1e-5);
    }
}

#[test]
fn capacitors_of_ones_own_in_a_loop_share_one_state() {
    let class = "model Capacitor
           extends E.Interfaces.OnePort; parameter Real C;
         equation
           i = C * der(v);
         end Capacitor;
         model Three
           E.Interfaces.PositivePin p; E.Interfaces.NegativePin n;
           Capacitor a(C = 0.1, v(start = 1, fixed = true)); Capacitor b(C = 0.3); Capacitor c(C = 0.6);
         equation
           connect(p, a.p); connect(a.n, n); connect(p, b.p); connect(b.n, c.p); connect(c.n, n);
         end Three;";
    let mut m = start(&in_loop(class, "0", "2", "Three part;"));
    m.run_to(0.5).unwrap();
    // 0.1 F in parallel with 0.3 F and 0.6 F in series.
    close(&mut m, "part.a.v", (-0.5_f64 / (2.0 * 0.3)).exp(), 1e-5);
    let (b, c) = (m.read("part.b.i").unwrap(), m.read("part.c.i").unwrap());
    assert!((b - c).abs() < 1e-12);
}

#[test]
fn currents_through_the_pins_of_an_assembly_are_variables() {
    let class = "model Pair
           E.Interfaces.PositivePin p; E.Interfaces.NegativePin n;
           output Real total = p.i; output Real voltage = p.v - n.v;
           E.Basic.Resistor a(R = 3); E.Basic.Resistor b(R = 6);
         equation
           connect(p, a.p); connect(p, b.p); connect(a.n, n); connect(b.n, n);
         end Pair;";
    let mut m = start(&in_loop(class, "8", "2", "Pair part;"));
    close(&mut m, "part.total", 2.0, 1e-12);
    close(&mut m, "part.voltage", 4.0, 1e-12);
    close(&mut m, "part.p.i", 2.0, 1e-12);
    close(&mut m, "part.b.i", 4.0 / 6.0, 1e-12);
}

#[test]
fn derivatives_of_potentials_and_currents_themselves() {
    let of = |class: &str| {
        let class = format!(
            "model Part
               E.Interfaces.PositivePin p; E.Interfaces.NegativePin n;
             equation
               {class}
               p.i + n.i = 0;
             end Part;"
        );
        in_loop(&class, "2", "4", "Part part;")
    };
    let mut m = start(&of("p.i = 0.05 * (der(p.v) - der(n.v));"));
    m.run_to(0.3).unwrap();
    close(&mut m, "part.p.v", 2.0 * (1.0 - (-0.3_f64 / 0.2).exp()), 1e-5);
    let mut m = start(&of("p.v - n.v = 0.8 * der(p.i);"));
    m.run_to(0.3).unwrap();
    close(&mut m, "part.p.i", 0.5 * (1.0 - (-0.3_f64 / 0.2).exp()), 1e-5);
}

#[test]
fn a_parameter_that_is_zero_removes_a_resistance() {
    let text =
        in_loop("", "6", "2", "parameter Real zero = 0; E.Basic.Resistor part(R = 2 * zero);");
    let mut m = start(&text);
    close(&mut m, "part.i", 3.0, 1e-12);
    assert!(m.set("zero", 1.0).is_err());
    let text = text.replace("zero = 0", "zero = 2");
    let mut m = start(&text);
    close(&mut m, "part.i", 1.0, 1e-12);
}

#[test]
fn a_voltage_is_no_state_where_parameters_that_are_zero_remove_its_capacitance() {
    // A junction whose capacitance depends on its voltage, and follows from two parameters.
    let class = "
      model Junction
        extends E.Interfaces.OnePort;
        parameter Real Is = 1e-9;
        parameter SI.Time tau = 0;
        parameter SI.Capacitance Cj = 0;
        Real q, C;
      equation
        i = Is * (exp(v / 0.025) - 1) + C * der(v);
        C = tau * Is / 0.025 * exp(v / 0.025) + q;
        q = Cj / (1 + v^2);
      end Junction;";
    let model = |part: &str| {
        start(&format!(
            "{class}
            model M
              E.Sources.SineVoltage source(V = 0.5, f = 1);
              E.Basic.Resistor r(R = 10);
              E.Basic.Ground ground;
              {part}
            equation
              connect(source.p, r.p);
              connect(r.n, d.p);
              connect(d.n, ground.p);
              connect(source.n, ground.p);
            end M;"
        ))
    };
    let mut without = model("Junction d;");
    // Small ones make the equations stiff, and change little.
    let mut with = model("Junction d(Cj = 1e-9, tau = 1e-9, v(start = 0, fixed = true));");
    for t in [0.1, 0.3, 0.6] {
        for model in [&mut without, &mut with] {
            model.run_to(t).unwrap();
        }
        let [a, b] = [&mut without, &mut with].map(|model| model.read("d.v").unwrap());
        assert!((a - b).abs() < 1e-6, "{a} V and {b} V at {t} s");
        let current = 1e-9 * ((a / 0.025).exp() - 1.0);
        let voltage = 0.5 * (std::f64::consts::TAU * t).sin();
        assert!((voltage - a - 10.0 * current).abs() < 1e-9);
    }
}

#[test]
fn parameters_that_are_zero_remain_where_no_state_depends_on_them() {
    // Another equation determines the derivative, or another parameter makes the factor zero.
    let mut m = start(
        "model M
           parameter Real d = 0, alpha = 0, C = 0;
           Real x(start = 1, fixed = true), v(start = 0, fixed = true), y;
         equation
           der(x) = v;
           der(v) = -x - d * der(x);
           C * (1 + alpha * y) * der(y) = x - y;
         end M;",
    );
    m.set("d", 2.0).unwrap();
    m.set("alpha", 0.5).unwrap();
    assert!(m.set("C", 1.0).is_err());
    m.run_to(2.0).unwrap();
    // The limit of aperiodic motion.
    close(&mut m, "x", 3.0 * (-2.0_f64).exp(), 1e-5);
    close(&mut m, "y", 3.0 * (-2.0_f64).exp(), 1e-5);
}

#[test]
fn a_condition_on_a_derivative_keeps_it() {
    let mut m = start(
        "model M
           constant Real k = 0;
           Real x(start = 0, fixed = true), y, C;
         equation
           C = k / (1 + x^2);
           der(x) = 1;
           y = noEvent(if der(x) > 0 then 1 else -1) + C * der(x);
         end M;",
    );
    m.run_to(1.0).unwrap();
    close(&mut m, "y", 1.0, 1e-12);
    close(&mut m, "x", 1.0, 1e-9);
}

#[test]
fn three_phases_in_plugs() {
    let text = "connector Plug parameter Integer m = 3; E.Interfaces.Pin pin[m]; end Plug;
         model Sources
           Plug plug; E.Interfaces.NegativePin n; parameter Real V = 10;
         equation
           for k in 1:3 loop plug.pin[k].v - n.v = V * sin(6 * time + 2 * k * Modelica.Constants.pi / 3); end for;
           n.i + sum(plug.pin.i) = 0;
         end Sources;
         model Loads
           Plug plug; Real v[3] = plug.pin.v; parameter Real R = 5; E.Interfaces.Pin star;
         equation
           plug.pin.v - fill(star.v, 3) = R * plug.pin.i;
           star.i + sum(plug.pin.i) = 0;
         end Loads;
         model Through
           Plug a; Plug b; Real total[3] = a.pin.i;
           E.Basic.Resistor r[3](each R = 1);
         equation
           connect(a.pin, r.p); connect(r.n, b.pin);
         end Through;
         model M
           Sources s; Through t; Loads l; E.Basic.Ground g; E.Basic.Resistor open(R = 1e9);
         equation
           connect(s.plug, t.a); connect(t.b, l.plug); connect(s.n, g.p);
           connect(l.star, open.p); connect(open.n, g.p);
         end M;";
    let mut m = start(text);
    m.run_to(0.7).unwrap();
    for k in 1..=3 {
        let current = 10.0 / 6.0 * (4.2 + f64::from(k) * TAU / 3.0).sin();
        close(&mut m, &format!("l.plug.pin[{k}].i"), current, 1e-9);
        close(&mut m, &format!("t.total[{k}]"), current, 1e-9);
        close(&mut m, &format!("l.v[{k}]"), 5.0 * current, 1e-7);
    }
}

#[test]
fn too_few_and_too_many_equations_are_named() {
    let sentence = |law: &str| {
        let class =
            format!("model Own extends E.Interfaces.OnePort; Real x; equation {law} end Own;");
        refusal(&in_loop(&class, "2", "4", "Own part;"))
    };
    let few = sentence("v = x * i;");
    assert!(few.starts_with("part has 3 equations for 4 unknown"), "{few}");
    let many = sentence("v = x * i; x = 3; v = 7;");
    assert!(many.starts_with("part has 2 equations for 1 unknown"), "{many}");
}

#[test]
fn a_class_whose_text_is_refused_is_named_where_it_is_used() {
    if !has_library() {
        return;
    }
    let part = "Modelica.Electrical.QuasiStatic.SinglePhase.Basic.Resistor";
    let model = format!("model M {part} line(R_ref = 50); end M;");
    let complaints = text(&model).add_to(&mut coupler::Assembly::new()).unwrap_err();
    let start = format!("line: {part} is not supported:");
    let named = complaints.iter().find(|complaint| complaint.sentence.starts_with(&start));
    let place = named.and_then(|complaint| complaint.span.as_ref()).expect("it is named");
    assert_eq!(place.text(), "line");
}

/// A part between a source and a resistor: its class, and its modifiers.
const ONE_PORTS: [(&str, &str); 9] = [
    ("E.Basic.Resistor", "R = 2, alpha = 1e-3, T_ref = 300, T = 320"),
    ("E.Basic.Conductor", "G = 2, alpha = 1e-3, T_ref = 300, T = 320"),
    ("E.Basic.Capacitor", "C = 0.1, v(start = 0.5, fixed = true)"),
    ("E.Basic.Inductor", "L = 0.1, i(start = 0.5, fixed = true)"),
    ("E.Ideal.IdealDiode", "Vknee = 0.4"),
    ("E.Semiconductors.Diode", "Ids = 1e-5"),
    ("E.Semiconductors.Diode2", ""),
    ("E.Sources.SineVoltage", "V = 2, f = 3"),
    ("E.Sensors.CurrentSensor", ""),
];

/// A part with the pins `p1`, `n1`, `p2` and `n2`.
const TWO_PORTS: [(&str, &str); 7] = [
    ("E.Basic.Transformer", "L1 = 1, L2 = 0.5, M = 0.3"),
    ("E.Ideal.IdealTransformer", "n = 3"),
    ("E.Basic.Gyrator", "G1 = 0.5, G2 = 0.25"),
    ("E.Basic.VCV", "gain = 3"),
    ("E.Basic.VCC", "transConductance = 3"),
    ("E.Basic.CCV", "transResistance = 3"),
    ("E.Basic.CCC", "gain = 3"),
];

/// The same circuit with a class of ours, and with its text.
fn declared_and_read(circuit: &str, (class, modifiers): (&str, &str)) -> [String; 2] {
    let leaf = circuit.replace("PART", &format!("{class} part({modifiers})"));
    let own = format!("model Own extends {class}; Real more = 1; end Own;");
    [leaf, own + &circuit.replace("PART", &format!("Own part({modifiers})"))]
}

#[test]
fn declared_classes_are_what_their_texts_say() {
    if !has_library() {
        return;
    }
    let circuit = in_loop("", "3 * sin(10 * time)", "0.5", "PART;");
    for part in ONE_PORTS {
        let [leaf, text] = declared_and_read(&circuit, part);
        agree(&text, &leaf, &["part.i", "part.p.i", "part.n.v", "r.v"]);
    }
    let circuit = "model M
           E.Sources.SineVoltage source(V = 3, f = 2); E.Basic.Resistor r(R = 2); PART;
           E.Basic.Resistor load(R = 5); E.Basic.Ground g1; E.Basic.Ground g2;
         equation
           connect(source.p, r.p); connect(r.n, part.p1); connect(part.n1, g1.p);
           connect(source.n, g1.p); connect(part.p2, load.p); connect(load.n, part.n2);
           connect(part.n2, g2.p);
         end M;";
    for part in TWO_PORTS {
        let [leaf, text] = declared_and_read(circuit, part);
        agree(&text, &leaf, &["part.v1", "part.i1", "part.v2", "part.i2", "load.i", "part.p2.i"]);
    }
}

#[test]
fn converters_between_circuits_and_mechanics_are_what_their_texts_say() {
    if !has_library() {
        return;
    }
    let motor = "model M
           E.Sources.ConstantVoltage source(V = 3); E.Basic.Resistor r(R = 2); PART;
           Components.Inertia load(J = 0.4, phi(fixed = true), w(start = 1, fixed = true));
           E.Basic.Ground g;
         equation
           connect(source.p, r.p); connect(r.n, part.p); connect(part.n, source.n);
           connect(source.n, g.p); connect(part.flange, load.flange_a);
         end M;";
    let [leaf, text] = declared_and_read(motor, ("E.Basic.RotationalEMF", "k = 0.7"));
    agree(&text, &leaf, &["part.v", "part.i", "load.w", "load.a", "part.flange.tau"]);
}

#[test]
fn losses_heat_what_is_connected_with_the_heat_port() {
    if !has_library() {
        return;
    }
    let heated = in_loop(
        "",
        "3",
        "0.5",
        "PART; H.Components.HeatCapacitor c(C = 2, T(start = 300, fixed = true));",
    );
    let heated = heated
        .replace("connect(source.n, g", "connect(part.heatPort, c.port); connect(source.n, g");
    let part = ("E.Basic.Resistor", "R = 2, alpha = 1e-2, useHeatPort = true");
    let [leaf, text] = declared_and_read(&heated, part);
    agree(&text, &leaf, &["part.i", "c.T", "part.LossPower", "part.R_actual"]);
}

#[test]
fn three_phases_of_the_library_are_as_many_circuits() {
    if !has_library() {
        return;
    }
    let mut m = start(
        "model M
           import P = Modelica.Electrical.Polyphase;
           P.Sources.SineVoltage source(V = fill(10, 3), f = fill(2, 3));
           P.Basic.Resistor r(R = {1, 1, 1}); P.Basic.Inductor l(L = fill(0.1, 3));
           P.Basic.Star star; P.Basic.Star other; E.Basic.Ground g;
         equation
           connect(source.plug_p, r.plug_p); connect(r.plug_n, l.plug_p);
           connect(l.plug_n, other.plug_p); connect(source.plug_n, star.plug_p);
           connect(star.pin_n, g.p);
         end M;",
    );
    m.run_to(0.8).unwrap();
    // The currents of the phases have the sum zero at each instant.
    let currents = [1, 2, 3].map(|k| m.read(&format!("l.i[{k}]")).unwrap());
    assert!(currents.iter().sum::<f64>().abs() < 1e-9, "{currents:?}");
    let (w, tau) = (4.0 * std::f64::consts::PI, 0.1_f64);
    for (k, current) in currents.into_iter().enumerate() {
        // Of the first order: a steady oscillation and what decays of the start without current.
        let phase = -(k as f64) * TAU / 3.0;
        let (size, lag) = (10.0 / (1.0 + (w * tau).powi(2)).sqrt(), (w * tau).atan());
        let steady = |t: f64| size * (w * t + phase - lag).sin();
        let wanted = steady(0.8) - steady(0.0) * (-0.8_f64 / tau).exp();
        assert!((current - wanted).abs() < 1e-4, "{current} {wanted}");
    }
}

#[test]
fn a_detailed_amplifier_is_that_of_its_text() {
    if !has_library() {
        return;
    }
    let follower = "model M
           E.Sources.SineVoltage source(V = 20, f = 2); E.Sources.SupplyVoltage supply;
           E.Basic.Resistor back(R = 1e4); E.Basic.Resistor load(R = 1e3); PART; E.Basic.Ground g;
         equation
           connect(source.p, part.p); connect(part.outp, back.p); connect(back.n, part.m);
           connect(part.outp, load.p); connect(supply.pin_p, part.p_supply);
           connect(supply.pin_n, part.m_supply); connect(supply.ground, g.p);
           connect(source.n, g.p); connect(load.n, g.p);
         end M;";
    let [leaf, text] = declared_and_read(follower, ("E.Basic.OpAmpDetailed", "fp1 = 5"));
    agree_within(&text, &leaf, &["part.v_out", "part.q_fp1", "part.i_out", "part.p.i"], 1e-6);
}

#[test]
fn a_voltage_of_a_capacitor_is_set_at_an_event() {
    // The time constant is 1 s in both circuits.
    let alone = ("r(R = 1000)", "", "", "c.v");
    let beside = ("r(R = 250)", "C d(C = 3e-3);", "connect(d.p, c.p); connect(d.n, c.n);", "d.v");
    for (resistor, part, connections, voltage) in [alone, beside] {
        let mut m = start(&format!(
            "model C = E.Basic.Capacitor;
             model M
               E.Sources.ConstantVoltage source(V = 10); E.Basic.Resistor {resistor};
               C c(C = 1e-3, v(start = 0, fixed = true)); {part} E.Basic.Ground g;
             equation
               connect(source.p, r.p); connect(r.n, c.p); connect(c.n, g.p);
               connect(source.n, g.p); {connections}
               when c.v > 5 and time < 1 then reinit({voltage}, 1); end when;
             end M;"
        ));
        // It reaches 5 V at ln 2, and begins again with 1 V.
        m.run_to(1.5).unwrap();
        let wanted = 10.0 - 9.0 * (2.0_f64.ln() - 1.5).exp();
        close(&mut m, "c.v", wanted, 1e-5);
        close(&mut m, voltage, wanted, 1e-5);
    }
}
