//! Blocks of Boolean signals: their truth tables, edges, loops with a delay, and types of signals.

use crate::common::{refusal, settle, start, value};
use fmu_runtime::Simulation;
use libraries::blocks::*;
use libraries::prelude::*;
use mechanics::assembly::{AnyPort, BooleanInput};

/// A block `s` of a library whose inputs `u1`, `u2`, .. are those of the FMU, which are false.
fn gate(block: &str, inputs: &[&str]) -> Simulation {
    start(|m| {
        let class = libraries::class(&format!("blocks::{block}")).unwrap();
        let ports = m.add_by_name(class, "s", [] as [(&str, f64); 0]).unwrap();
        for (k, name) in inputs.iter().enumerate() {
            let source = m.add(format!("u{}", k + 1), ExternalBoolean::new().start(false));
            m.connect_by_name(AnyPort::Quantity(source.y), ports.port(name).unwrap()).unwrap();
        }
    })
}

/// The value of `s.y` for values of the inputs.
fn at(model: &mut Simulation, u: &[bool]) -> bool {
    for (k, u) in u.iter().enumerate() {
        model.set(&format!("u{}", k + 1), f64::from(*u)).unwrap();
    }
    settle(model);
    value(model, "s.y") == 1.0
}

#[test]
fn gates_have_their_truth_tables() {
    let two = [[false, false], [false, true], [true, false], [true, true]];
    let tables = [
        ("And", [false, false, false, true]),
        ("Or", [false, true, true, true]),
        ("Xor", [false, true, true, false]),
        ("Nand", [true, true, true, false]),
        ("Nor", [true, false, false, false]),
    ];
    for (name, expected) in tables {
        let mut of_two = gate(&format!("Logical{name}"), &["u1", "u2"]);
        let mut of_any = gate(name, &["u[1]", "u[2]"]);
        assert_eq!(two.map(|u| at(&mut of_two, &u)), expected, "Logical{name}");
        assert_eq!(two.map(|u| at(&mut of_any, &u)), expected, "{name}");
    }
    let mut not = gate("Not", &["u"]);
    assert_eq!([false, true].map(|u| at(&mut not, &[u])), [true, false]);
}

#[test]
fn gates_of_many_signals_count_the_true_ones() {
    let names = ["u[1]", "u[2]", "u[3]", "u[4]"];
    // For each number of true signals among four.
    let gates = [
        ("And", [false, false, false, false, true]),
        ("Or", [false, true, true, true, true]),
        ("Xor", [false, true, false, false, false]),
        ("Nand", [true, true, true, true, false]),
        ("Nor", [true, false, false, false, false]),
    ];
    for (name, expected) in gates {
        let mut model = gate(name, &names);
        for bits in 0..16_u32 {
            let u: Vec<bool> = (0..4).map(|k| bits >> k & 1 == 1).collect();
            let count = bits.count_ones() as usize;
            assert_eq!(at(&mut model, &u), expected[count], "{name} of {u:?}");
        }
    }
}

#[test]
fn an_edge_lasts_for_one_event_iteration() {
    // The output itself is false again after the event; what it has set stays.
    let seen = |edge: fn(&mut Assembly) -> (BooleanInput, Quantity)| {
        let mut model = start(|m| {
            let source = m.add("u1", ExternalBoolean::new().start(false));
            let (u, y) = edge(m);
            let (hold, delay) = (m.add("hold", LogicalOr::new()), m.add("s", Pre::new()));
            m.connect(source.y, u);
            m.connect(y, hold.u1);
            m.connect(delay.y, hold.u2);
            m.connect(hold.y, delay.u);
        });
        let mut at = |u: bool| {
            let held = at(&mut model, &[u]);
            assert_eq!(value(&mut model, "edge.y"), 0.0);
            held
        };
        [at(false), at(true), at(false)]
    };
    let edge = |m: &mut Assembly| {
        let edge = m.add("edge", Edge::new());
        (edge.u, edge.y)
    };
    let falling = |m: &mut Assembly| {
        let edge = m.add("edge", FallingEdge::new());
        (edge.u, edge.y)
    };
    let change = |m: &mut Assembly| {
        let edge = m.add("edge", Change::new());
        (edge.u, edge.y)
    };
    assert_eq!(seen(edge), [false, true, true]);
    assert_eq!(seen(falling), [false, false, true]);
    assert_eq!(seen(change), [false, true, true]);
}

#[test]
fn signals_lead_to_inputs_of_their_type_only() {
    let sentence = refusal(|m| {
        let source = m.add("greater", GreaterThreshold::new());
        let one = m.add("one", Constant::new().k(1));
        let gain = m.add("gain", Gain::new().k(2));
        m.connect(one.y, source.u);
        m.connect(source.y, gain.u);
    });
    assert_eq!(
        sentence,
        "gain.u takes a signal of type Real, but greater.y is of type Boolean; the block \
         BooleanToReal converts it"
    );
    let sentence = refusal(|m| {
        let one = m.add("one", Constant::new().k(1));
        let not = m.add("not", Not::new());
        m.connect(one.y, not.u);
    });
    assert!(
        sentence.starts_with("not.u takes a signal of type Boolean, but one.y is"),
        "{sentence}"
    );
}

#[test]
fn a_vector_of_inputs_has_no_gap() {
    let sentence = refusal(|m| {
        let source = m.add("u", ExternalBoolean::new().start(true));
        let all = m.add("all", And::new());
        m.connect(source.y, all.u.element(1));
        m.connect(source.y, all.u.element(3));
    });
    assert_eq!(sentence, "all.u[2]: the input is not connected");
}
