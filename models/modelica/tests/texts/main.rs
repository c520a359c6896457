//! Models in Modelica and the same models in Rust have the same results, bit for bit, without a
//! text of the Modelica Standard Library.

mod classes;
mod components;
mod sentences;

use coupler::Assembly;
use coupler::prelude::*;
use coupler::rotational::{ConstantTorque, Inertia, SpringDamper};
use modelica::library::Library;
use modelica::model::Model as Text;
use std::rc::Rc;

/// The model of the last class of a text.
fn text(text: &str) -> Text {
    let mut library = Library::new(Vec::new());
    let classes = library.open_text("Test.mo", text);
    let classes = classes.unwrap_or_else(|complaints| panic!("{}", complaints[0].describe()));
    let class = Rc::clone(classes.last().expect("there is a class"));
    Text::new(library, &class)
}

/// A simulation of the model of a text.
fn simulation_of(of: &str) -> Simulation {
    let model = text(of);
    let started = coupler::simulation(move |m: &mut Assembly| {
        if let Err(complaints) = model.add_to(m) {
            let sentences: Vec<String> = complaints.iter().map(|c| c.describe()).collect();
            panic!("{}", sentences.join("\n"));
        }
    });
    started.unwrap_or_else(|error| panic!("{error}"))
}

/// What is wrong with a text.
fn refusals(of: &str) -> Vec<String> {
    let mut library = Library::new(Vec::new());
    let classes = match library.open_text("Test.mo", of) {
        Ok(classes) => classes,
        Err(complaints) => return complaints.iter().map(|c| c.describe()).collect(),
    };
    let class = Rc::clone(classes.last().expect("there is a class"));
    let model = Text::new(library, &class);
    let complaints = model.add_to(&mut Assembly::new()).expect_err(of);
    complaints.iter().map(|complaint| complaint.describe()).collect()
}

/// Compares the values of variables at some instants.
fn same(of: &str, rust: fn(&mut Assembly), variables: &[&str]) {
    let mut ours = simulation_of(of);
    let mut theirs = coupler::simulation(rust).unwrap_or_else(|error| panic!("{error}"));
    ours.start(None).unwrap();
    theirs.start(None).unwrap();
    for k in 0..=4 {
        if k > 0 {
            ours.run_to(f64::from(k) * 0.25).unwrap();
            theirs.run_to(f64::from(k) * 0.25).unwrap();
        }
        for variable in variables {
            let [a, b] = [&mut ours, &mut theirs].map(|s| s.read(variable).unwrap());
            assert!(a.to_bits() == b.to_bits(), "{variable}: {a} and {b}");
        }
    }
    let moved = ours.read(variables[0]).unwrap();
    assert!(moved != 0.0, "{} does not move", variables[0]);
}

fn two_inertias(m: &mut Assembly) {
    let torque = m.add("torque", ConstantTorque::new().tau_constant(2));
    let a = m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
    let spring = m.add("spring", SpringDamper::new().c(100).d(0.5));
    let b = m.add("b", Inertia::new().J(2).phi(fixed(0)).w(fixed(0)));
    m.connect(torque.flange, a.flange_a);
    m.connect(a.flange_b, spring.flange_a);
    m.connect(spring.flange_b, b.flange_a);
}

fn turning_inertia(m: &mut Assembly) {
    m.add("a", Inertia::new().J(0.5).phi(fixed(0)).w(fixed(1)));
}
