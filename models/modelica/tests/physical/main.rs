//! Physical components of one's own: their equations give the flows of connectors.

mod circuit_starts;
mod circuits;
mod flanges;
mod frames;
mod ideal_switches;
mod initial_rest;

use coupler::Assembly;
use coupler::prelude::*;
use modelica::library::Library;
use modelica::model::Model as Text;
use std::rc::Rc;

/// Names that the texts use.
const HEAD: &str = "
    package P
      import Modelica.Mechanics.Rotational.{Components, Sources};
      import Modelica.Mechanics.Rotational.Interfaces.{Flange_a, Flange_b};
      import T = Modelica.Mechanics.Translational;
      import H = Modelica.Thermal.HeatTransfer;
      import E = Modelica.Electrical.Analog;
      import SI = Modelica.Units.SI;
      partial model Two
        Flange_a flange_a; Flange_b flange_b;
      end Two;
      partial model Compliant
        extends Two;
        SI.Angle phi_rel(start = 0); SI.Torque tau;
      equation
        phi_rel = flange_b.phi - flange_a.phi;
        flange_b.tau = tau;
        flange_a.tau = -tau;
      end Compliant;";

/// The last class of a package.
fn text(of: &str) -> Text {
    let mut library = Library::new(Library::folders_of_environment());
    let whole = format!("{HEAD}{of} end P;");
    let classes = library.open_text("Test.mo", &whole);
    let classes = classes.unwrap_or_else(|complaints| panic!("{}", complaints[0].describe()));
    let package = Rc::clone(classes.last().expect("there is a class"));
    let models = library.children(&package).expect("they are read");
    let class = Rc::clone(models.last().expect("there is a model"));
    Text::new(library, &class)
}

fn start(of: &str) -> Simulation {
    let model = text(of);
    let made = coupler::simulation(move |m: &mut Assembly| {
        if let Err(complaints) = model.add_to(m) {
            let sentences: Vec<String> = complaints.iter().map(|c| c.describe()).collect();
            panic!("{}", sentences.join("\n"));
        }
    });
    let mut made = made.unwrap_or_else(|error| panic!("{error}"));
    made.start(None).unwrap_or_else(|error| panic!("{error}"));
    made
}

/// The first sentence about a text that is refused.
fn refusal(of: &str) -> String {
    match text(of).add_to(&mut Assembly::new()) {
        Ok(_) => panic!("{of} is accepted"),
        Err(complaints) => complaints[0].sentence.clone(),
    }
}

fn close(of: &mut Simulation, name: &str, wanted: f64, tolerance: f64) {
    let value = of.read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!((value - wanted).abs() <= tolerance, "{name} = {value}, wanted {wanted}");
}

/// Two models have the same values, but for rounding.
fn same(own: &str, library: &str, variables: &[&str]) {
    let (mut own, mut theirs) = (start(own), start(library));
    for k in 0..=8 {
        if k > 0 {
            own.run_to(0.125 * f64::from(k)).unwrap();
            theirs.run_to(0.125 * f64::from(k)).unwrap();
        }
        for name in variables {
            let value = theirs.read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            close(&mut own, name, value, 1e-12 * (1.0 + value.abs()));
        }
    }
}

/// Whether the texts of the standard library are there.
fn has_library() -> bool {
    let is_there = std::env::var_os("MODELICAPATH").is_some();
    if !is_there {
        println!("skipped: MODELICAPATH is not set");
    }
    is_there
}
