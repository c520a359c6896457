//! Tests of the pictures of circuits.

use super::*;

/// A diagram of components with names and types, whose pins are connected.
fn circuit(components: &[(&str, &str)], connections: &[(&str, &str)]) -> Diagram {
    let named = |(name, class): &(&str, &str)| ((*name).to_owned(), (*class).to_owned());
    let mut diagram = Diagram::of(components.iter().map(named));
    for (a, b) in connections {
        let ends = [a, b].map(|full| {
            let (component, pin) = full.split_once('.').expect("a component and a pin");
            let index = components.iter().position(|(name, _)| *name == component);
            (index.expect("a component"), pin, Kind::Pin)
        });
        diagram.connect(ends);
    }
    diagram
}

/// The centre of a symbol, and whether it stands upright.
fn place(diagram: &Diagram, name: &str) -> (f64, f64, bool) {
    let layout = diagram.layout();
    let index = layout.names.iter().position(|known| known == name).expect("a symbol");
    let [left, top, right, bottom] = layout.frames[index];
    ((left + right) / 2.0, (top + bottom) / 2.0, bottom - top > right - left)
}

/// A source, a switch to a coil, a diode to the ground, and a capacitor.
fn converter() -> Diagram {
    circuit(
        &[
            ("c", "Modelica.Electrical.Analog.Basic.Capacitor"),
            ("diode", "Modelica.Electrical.Analog.Ideal.IdealDiode"),
            ("ground", "Modelica.Electrical.Analog.Basic.Ground"),
            ("source", "Modelica.Electrical.Analog.Sources.ConstantVoltage"),
            ("coil", "Modelica.Electrical.Analog.Basic.Inductor"),
            ("switch", "Modelica.Electrical.Analog.Ideal.IdealGTOThyristor"),
        ],
        &[
            ("source.n", "ground.p"),
            ("diode.p", "ground.p"),
            ("c.n", "source.n"),
            ("c.p", "coil.n"),
            ("diode.n", "coil.p"),
            ("switch.n", "coil.p"),
            ("switch.p", "source.p"),
        ],
    )
}

#[test]
fn elements_to_the_ground_stand_below_those_in_series_from_the_source_to_the_load() {
    let diagram = converter();
    let of = |name| place(&diagram, name);
    let series = ["switch", "coil"].map(of);
    let standing = ["source", "diode", "c"].map(of);
    assert!(series.iter().all(|(_, y, upright)| !upright && *y == series[0].1));
    assert!(standing.iter().all(|(_, y, upright)| *upright && *y == standing[0].1));
    assert!(series[0].1 < standing[0].1 && standing[0].1 < of("ground").1);
    let order = ["source", "switch", "diode", "coil", "c"].map(|name| of(name).0);
    assert!(order.is_sorted(), "{order:?}");
    // The cathode is above.
    assert!(diagram.svg("").contains("rotate(90) scale(-1 1)"));
}

#[test]
fn the_order_of_components_and_connections_changes_no_place() {
    let diagram = converter();
    let mut turned = diagram.clone();
    turned.connections.reverse();
    turned.connections.iter_mut().for_each(|ends| ends.reverse());
    for name in ["source", "switch", "diode", "coil", "c", "ground"] {
        assert_eq!(place(&diagram, name), place(&turned, name), "{name}");
    }
}

/// Three phases at a bridge of six diodes with a capacitor, whose lower rail is the ground or not.
fn rectifier(grounded: bool) -> Diagram {
    let sine = "Modelica.Electrical.Analog.Sources.SineVoltage";
    let diode = "Modelica.Electrical.Analog.Ideal.IdealDiode";
    let mut components = vec![
        ("c", "Modelica.Electrical.Analog.Basic.Capacitor"),
        ("ground", "Modelica.Electrical.Analog.Basic.Ground"),
    ];
    components.extend(["v1", "v2", "v3"].map(|name| (name, sine)));
    components.extend(["a1", "a2", "a3", "b1", "b2", "b3"].map(|name| (name, diode)));
    let mut connections = vec![("c.n", "b1.p"), ("c.p", "a1.n")];
    connections.push(("ground.p", if grounded { "c.n" } else { "v1.n" }));
    connections.extend([("v1.n", "v2.n"), ("v2.n", "v3.n")]);
    connections.extend([("v1.p", "a1.p"), ("v2.p", "a2.p"), ("v3.p", "a3.p")]);
    connections.extend([("a1.p", "b1.n"), ("a2.p", "b2.n"), ("a3.p", "b3.n")]);
    connections.extend([("a1.n", "a2.n"), ("a2.n", "a3.n"), ("b1.p", "b2.p"), ("b2.p", "b3.p")]);
    circuit(&components, &connections)
}

#[test]
fn the_valves_of_a_bridge_stand_in_two_rows_one_below_the_other() {
    for grounded in [false, true] {
        let diagram = rectifier(grounded);
        let [upper, lower] =
            [["a1", "a2", "a3"], ["b1", "b2", "b3"]].map(|names| names.map(|n| place(&diagram, n)));
        for (a, b) in upper.iter().zip(&lower) {
            assert!(a.2 && b.2 && a.0 == b.0 && a.1 < b.1, "{upper:?} {lower:?}");
        }
        assert!(upper.iter().all(|a| a.1 == upper[0].1) && lower.iter().all(|b| b.1 == lower[0].1));
        // Each phase meets its half-bridge at one point, and three meet at either rail.
        assert!(diagram.svg("").matches(" dot\"").count() > 5);
    }
}

#[test]
fn a_current_is_measured_in_the_way_back() {
    let diagram = circuit(
        &[
            ("source", "SignalVoltage"),
            ("r", "Resistor"),
            ("emf", "RotationalEMF"),
            ("current", "CurrentSensor"),
            ("ground", "Modelica.Electrical.Analog.Basic.Ground"),
        ],
        &[
            ("source.p", "r.p"),
            ("r.n", "emf.p"),
            ("emf.n", "current.p"),
            ("current.n", "source.n"),
            ("source.n", "ground.p"),
        ],
    );
    let [source, r, emf, current] =
        ["source", "r", "emf", "current"].map(|name| place(&diagram, name));
    assert!(source.2 && emf.2 && !r.2 && !current.2);
    assert!(r.1 < emf.1 && emf.1 == source.1 && emf.1 < current.1);
    assert!(source.0 < current.0 && current.0 < emf.0);
}

#[test]
fn lines_have_the_colours_of_their_kinds() {
    let named = |(name, class): (&str, &str)| (name.to_owned(), class.to_owned());
    let components = [("a", "BooleanPulse"), ("b", "Not"), ("c", "IntegerStep"), ("d", "X")];
    let mut diagram = Diagram::of(components.map(named));
    diagram.connect([(0, "y", Kind::BooleanOutput), (1, "u", Kind::BooleanInput)]);
    diagram.connect([(2, "y", Kind::IntegerOutput), (3, "u", Kind::IntegerInput)]);
    let svg = diagram.svg("");
    assert!(svg.contains("polyline class=\"line boolean\""));
    assert!(svg.contains("polyline class=\"line integer\""));
    assert!(Diagram::read(&diagram.text().unwrap()).is_ok_and(|read| read == diagram));
}

#[test]
fn signals_into_a_vector_have_no_dots_in_common() {
    let named = |(name, class): (&str, &str)| (name.to_owned(), class.to_owned());
    let components = [("a", "Step"), ("b", "Step"), ("c", "Step"), ("sum", "MultiSum")];
    let mut diagram = Diagram::of(components.map(named));
    for k in 0..3 {
        diagram.connect([(k, "y", Kind::Output), (3, "u", Kind::Input)]);
    }
    assert!(!diagram.svg("").contains(" dot\""));
}
