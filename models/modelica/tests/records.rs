//! Parameters in records can be set like other parameters.

use coupler::{Assembly, Simulation};
use modelica::library::Library;
use modelica::model::Model;
use std::rc::Rc;

/// A simulation of the last class of a text, with its notes.
fn simulation(text: &str) -> Simulation {
    let mut library = Library::new(Vec::new());
    let classes = library.open_text("Test.mo", text);
    let classes = classes.unwrap_or_else(|complaints| panic!("{}", complaints[0].describe()));
    let model = Model::new(library, &Rc::clone(classes.last().expect("there is a class")));
    let started = coupler::simulation(move |m: &mut Assembly| {
        if let Err(complaints) = model.add_to(m) {
            panic!("{}", complaints[0].describe());
        }
    });
    started.unwrap_or_else(|error| panic!("{error}"))
}

const WHEELS: &str = "
model Wheels
  import Modelica.Mechanics.Rotational.*;
  record Rim
    Real J = 1;
  end Rim;
  record Data
    parameter Real J = 2;
    Real k[2] = {1, 2};
    Rim rim(J = 7);
  end Data;
  model Wheel
    parameter Data data;
    Components.Inertia inertia(J = data.J + data.k[2], phi(fixed = true), w(fixed = true));
    Sources.ConstantTorque torque(tau_constant = 60);
  equation
    connect(torque.flange, inertia.flange_a);
  end Wheel;
  parameter Data given = Data(J = 3, k = {1, 3}, rim = Rim(4));
  parameter Data same = given;
  constant Data known(J = 8);
  final parameter Data last = Data(J = 9);
  Wheel a(data = given), b(data(J = 4)), c(data = Data(J = 8)), d(data(J = same.rim.J));
  Wheel e(data = known), f(data = last);
end Wheels;";

/// Values of parameters.
type Given<'g> = &'g [(&'g str, f64)];

/// The speed of a wheel at 1 s, which is the torque divided by the moment of inertia.
fn speed_of(wheel: &str, given: Given<'_>) -> f64 {
    let mut wheels = simulation(WHEELS);
    for (name, value) in given {
        wheels.set(name, *value).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    wheels.start(None).unwrap();
    wheels.run_to(1.0).unwrap();
    wheels.read(&format!("{wheel}.inertia.w")).unwrap()
}

#[test]
fn parameters_of_records_can_be_set_under_their_names() {
    let cases: [(&str, Given<'_>, f64); 11] = [
        ("a", &[], 6.0),
        ("a", &[("given.J", 9.0)], 12.0),
        ("a", &[("given.k[2]", 1.0)], 4.0),
        ("b", &[], 6.0),
        ("b", &[("b.data.J", 10.0), ("b.data.k[2]", 5.0)], 15.0),
        ("c", &[], 10.0),
        ("c", &[("c.data.J", 3.0)], 5.0),
        ("d", &[], 6.0),
        ("d", &[("given.rim.J", 18.0)], 20.0),
        ("e", &[], 10.0),
        ("f", &[], 11.0),
    ];
    for (wheel, given, inertia) in cases {
        let speed = speed_of(wheel, given);
        assert!((speed - 60.0 / inertia).abs() < 1e-9, "{wheel} {given:?}: {speed}");
    }
}

#[test]
fn records_take_variability_over_from_their_declaration() {
    let mut wheels = simulation(WHEELS);
    for name in ["known.J", "last.J", "same.J", "same.rim.J", "a.data.J"] {
        assert!(wheels.set(name, 1.0).is_err(), "{name}");
    }
    let mut wheels = simulation(WHEELS);
    wheels.set("given.rim.J", 5.0).unwrap();
    wheels.start(None).unwrap();
    assert_eq!(wheels.read("same.rim.J").unwrap(), 5.0);
    assert_eq!(wheels.read("a.data.J").unwrap(), 3.0);
}

/// A machine at a constant speed; `parameters` are those of its friction.
fn lost_in_friction(parameters: &str) -> f64 {
    let mut machine = simulation(&format!(
        "
model Drive
  record Loss
    parameter Real PRef = 50;
    parameter Real wRef = 100;
    parameter Real power_w = 2;
  end Loss;
  parameter Loss loss(PRef = 80);
  Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_PermanentMagnet m({parameters});
  Modelica.Electrical.Analog.Basic.Ground ground;
  Modelica.Mechanics.Rotational.Sources.ConstantSpeed speed(w_fixed = 200, phi(fixed = true));
equation
  connect(m.pin_ap, ground.p);
  connect(m.pin_an, ground.p);
  connect(speed.flange, m.flange);
end Drive;"
    ));
    machine.start(None).unwrap();
    machine.read("m.friction.lossPower").unwrap()
}

#[test]
fn components_of_ours_take_records_of_parameters() {
    for (parameters, lost) in [
        ("frictionParameters(PRef = 80, wRef = 100)", 80.0 * 8.0),
        ("frictionParameters(PRef = 80, wRef = 100, power_w = 1)", 80.0 * 4.0),
        ("frictionParameters = loss", 80.0 * 8.0),
        ("frictionParameters = Loss(power_w = 3)", 50.0 * 16.0),
        ("", 0.0),
    ] {
        let found = lost_in_friction(parameters);
        assert!((found - lost).abs() < 1e-9 * (1.0 + lost), "{parameters}: {found} W");
    }
}

#[test]
fn losses_that_a_record_sets_to_zero_do_not_exist() {
    // With losses in its core, a series machine has two currents that are states.
    for (loss, currents) in [(0, 1), (90, 2)] {
        let machine = simulation(&format!(
            "
model Drive
  record Loss
    parameter Real PRef = 0;
    parameter Real VRef = 90;
  end Loss;
  parameter Loss loss(PRef = {loss});
  Modelica.Electrical.Machines.BasicMachines.DCMachines.DC_SeriesExcited m(coreParameters = loss);
  Modelica.Electrical.Analog.Sources.ConstantVoltage source(V = 100);
  Modelica.Electrical.Analog.Basic.Ground ground;
equation
  connect(source.p, m.pin_ap);
  connect(m.pin_an, m.pin_ep);
  connect(m.pin_en, source.n);
  connect(source.n, ground.p);
end Drive;"
        ));
        // Angle and speed are states too.
        assert_eq!(machine.continuous_states().len(), currents + 2, "{loss} W");
    }
}

#[test]
#[should_panic(expected = "PReff")]
fn unknown_entries_of_records_are_refused() {
    lost_in_friction("frictionParameters(PReff = 80)");
}
