//! Front ends make components by name: parameters, ports and connections, with the checks of model
//! texts in Rust.

use libraries::prelude::*;
use libraries::{LIBRARIES, class, classes_of};
use mechanics::assembly::{Class, NamedPorts};
use mechanics::declaration::{Settings, Value};
use std::collections::BTreeSet;

fn classes() -> impl Iterator<Item = &'static Class> {
    LIBRARIES.iter().flat_map(|library| library.classes())
}

#[test]
fn each_name_means_one_parameter() {
    for class in classes() {
        let parameters = class.declaration.parameters;
        let names: BTreeSet<&str> = parameters.iter().map(|p| p.name).collect();
        assert_eq!(names.len(), parameters.len(), "{}", class.path());
        for (i, p) in parameters.iter().enumerate() {
            let other = parameters.iter().position(|other| other.name == p.setter);
            assert!(other.is_none_or(|other| other == i), "{}: {}", class.path(), p.setter);
        }
    }
}

/// Groups of components, whose ports are those of their parts.
const GROUPS: [&str; 8] = [
    "GearConstraint",
    "Gearbox",
    "IdealTriac",
    "ChopperStepDown",
    "ChopperStepUp",
    "ChopperBuckBoost",
    "SinglePhase2Level",
    "HBridge",
];

#[test]
fn each_declared_port_and_variable_is_found_by_its_name() {
    for class in classes() {
        let d = class.declaration;
        let settings: &[(&str, f64)] =
            if d.name == "CollisionPool" { &[("spheres", 3.0)] } else { &[] };
        let mut m = Assembly::new();
        let settings = settings.iter().copied();
        let ports = m.add_by_name(class, "c", settings).expect("there is nothing to refuse");
        let entries = d.ports.iter().map(|p| (p.name, p.kind));
        for (name, kind) in entries.chain(d.variables.iter().map(|v| (v.name, v.kind))) {
            let (element, kind) = match kind {
                "[Boolean]" => ("[2]", "Quantity"),
                vector if vector.starts_with('[') => {
                    let element = vector.trim_matches(['[', ']']);
                    ("[2]", element.split_once(';').map_or(element, |(kind, _)| kind))
                }
                "Frames" => ("[2]", "Frame"),
                "Vector" | "Array" | "Quaternion" => ("[2]", "Quantity"),
                "Matrix" => ("[3,2]", "Quantity"),
                "Real" | "Integer" | "Boolean" => ("", "Quantity"),
                kind => ("", kind),
            };
            let name = format!("{name}{element}");
            let found = ports.named(&name).into_iter().find(|port| port.kind() == kind);
            let place = format!("{}: {name} is no {kind}", class.path());
            let found = found.unwrap_or_else(|| panic!("{place}"));
            let is_part = GROUPS.contains(&d.name);
            assert!(is_part || found.id().port == name, "{place}");
        }
        assert!(ports.port("no_such_port").is_none(), "{}", class.path());
    }
}

#[test]
fn ports_of_the_parts_of_a_group_have_the_name_of_the_part() {
    let mut m = Assembly::new();
    let mut add = |path: &str, settings: &[(&str, f64)]| -> Box<dyn NamedPorts> {
        let class = class(path).expect("it is in a library");
        m.add_by_name(class, "c", settings.iter().copied()).expect("its parameters are sound")
    };
    let gearbox = add("rotational::Gearbox", &[("ratio", 2.0), ("elastoBacklash.c", 1e3)]);
    let inner = gearbox.port("lossyGear.lossPower").expect("it is a variable of a part");
    let own = gearbox.port("lossPower").expect("it is a variable of the group");
    assert_ne!(inner.id(), own.id());
    assert_eq!(inner.id().port, own.id().port);
    let pool = add("impulses::CollisionPool", &[("spheres", 3.0)]);
    assert!(pool.port("contact[1,3].frame_b").is_some());
    assert!(pool.port("frames[3]").is_some());
    for wrong in ["frames[4]", "contact[3,1].frame_b", "contact[1,2]", "contact[1,2]frame_b"] {
        assert!(pool.port(wrong).is_none(), "{wrong}");
    }
}

/// What is said about a component with one parameter.
fn refusal(path: &str, parameter: &str, value: Value) -> String {
    let class = class(path).expect("it is in a library");
    let refused = Assembly::new().add_by_name(class, "wheel", [(parameter, value)]);
    refused.expect_err("a mistake").to_string()
}

#[test]
fn a_value_of_another_kind_is_refused_with_what_is_needed() {
    let three = || Value::from([1.0, 0.0, 0.0]);
    for (path, name, value, sentence) in [
        (
            "multibody::Revolute",
            "n",
            Value::from("x"),
            "wheel.n: the text `x` is not a value of the kind `Axis`: a list of 3 values is needed",
        ),
        (
            "rotational::Inertia",
            "J",
            Value::from(true),
            "wheel.J: `true` is not a value of the kind `Real`: a number or an expression of \
             parameters is needed",
        ),
        (
            "rotational::Inertia",
            "phi",
            Value::from(1.0),
            "wheel.phi: the number 1 is not a value of the kind `Start`: a start value is needed: \
             fixed, a guess, or free",
        ),
        (
            "rotational::Inertia",
            "states",
            Value::from("always"),
            "wheel.states: the text `always` is not a value of the kind `StateSelect`: is it \
             `Always`?",
        ),
        (
            "multibody::World",
            "gravityType",
            Value::from("Strong"),
            "wheel.gravityType: the text `Strong` is not a value of the kind `GravityType`: its \
             values are `None`, `Uniform`, `Point`",
        ),
        (
            "multibody::World",
            "gravityField",
            three(),
            "wheel.gravityField: a list of 3 values is not a value of the kind `GravityField`: a \
             function of the position is needed",
        ),
        (
            "multibody::FixedTranslation",
            "r",
            Value::List(vec![1.0.into(), "y".into(), 0.0.into()]),
            "wheel.r: a list of 3 values is not a value of the kind `[Real; 3]`: element 2 is the \
             text `y`: a number or an expression of parameters is needed",
        ),
        (
            "signals::CriticalDamping",
            "n",
            Value::from(1.5),
            "wheel.n: the number 1.5 is not a value of the kind `Integer`: a whole number is needed",
        ),
        (
            "signals::CombiTimeTable",
            "table",
            Value::from(vec![vec![0.0, 1.0], vec![1.0]]),
            "wheel.table: a list of 2 values is not a value of the kind `[[Real]]`: rows of the same \
             length are needed, but row 2 has 1 numbers, and row 1 has 2",
        ),
    ] {
        assert_eq!(refusal(path, name, value), sentence);
    }
    let mut m = Assembly::new();
    let order = m.parameter("order", 2, "1", "Order");
    let sentence = refusal("signals::CriticalDamping", "n", order.into());
    assert!(
        sentence.ends_with("because it determines which equations the model has"),
        "{sentence}"
    );
}

#[test]
fn a_parameter_is_given_once_by_either_of_its_names() {
    let gearbox = class("rotational::Gearbox").expect("it is in a library");
    let settings = [("ratio", 2.0), ("lossyGear.ratio", 3.0)];
    let refused = Assembly::new().add_by_name(gearbox, "gear", settings);
    let sentence = refused.expect_err("a mistake").to_string();
    assert_eq!(sentence, "gear.lossyGear.ratio: it is given twice");
}

#[test]
fn a_number_for_a_table_is_its_only_row() {
    let mut brake = libraries::rotational::Brake::new();
    brake.set("brake", "mu_pos", 0.3.into()).expect("it is a table");
    let given = brake.given_values();
    let [(parameter, Some(rows))] = given.as_slice() else { panic!("one value is given") };
    let rows = rows.clone().list(|row| row.array(Value::number));
    assert_eq!((parameter.name, rows), ("mu_pos", Ok(vec![[0.0, 0.3]])));
}

#[test]
fn unknown_names_are_refused_with_similar_ones() {
    assert_eq!(
        refusal("rotational::Inertia", "j", 1.0.into()),
        "wheel: Inertia has no parameter `j`; is it `J`?"
    );
    assert_eq!(
        refusal("rotational::Inertia", "mass", 1.0.into()),
        "wheel: Inertia has no parameter `mass`; its parameters are J, phi, w, a, states"
    );
    for (path, sentence) in [
        (
            "rotational::Mass",
            "no library has a component `rotational::Mass`; is it `translational::Mass`?",
        ),
        (
            "rotational::Inerta",
            "no library has a component `rotational::Inerta`; is it `rotational::Inertia`?",
        ),
        (
            "fluid::Pipe",
            "no library has a component `fluid::Pipe`; the libraries are rotational, \
             translational, multibody, impulses, thermal, signals, electrical, machines, batteries, power_converters, blocks, sampled",
        ),
    ] {
        assert_eq!(class(path).err().map(|error| error.to_string()).as_deref(), Some(sentence));
    }
}

#[test]
fn ports_of_different_kinds_are_not_connected() {
    let mut m = Assembly::new();
    let none: [(&str, Value); 0] = [];
    let wheel = class("rotational::Inertia").expect("it is in a library");
    let wheel = m.add_by_name(wheel, "wheel", [("J", 1.0)]).expect("it is sound");
    let mass = class("translational::Mass").expect("it is in a library");
    let mass = m.add_by_name(mass, "mass", none).expect("it is sound");
    let [a, b] = [wheel.port("flange_b"), mass.port("flange_a")].map(|port| port.expect("a port"));
    let refused = m.connect_by_name(a, b).expect_err("they have different kinds");
    assert_eq!(
        refused.to_string(),
        "wheel.flange_b and mass.flange_a: a port of the kind `Flange` cannot be connected with one \
         of the kind `TranslationalFlange`; `IdealGearR2T` connects rotation with translation"
    );
}

#[test]
fn a_class_of_modelica_has_at_least_one_component() {
    let path = |modelica: &str| -> Vec<String> {
        classes_of(modelica).into_iter().map(Class::path).collect()
    };
    let inertia = "Modelica.Mechanics.Rotational.Components.Inertia";
    assert_eq!(path(inertia), ["rotational::Inertia"]);
    assert!(path("").is_empty());
    assert!(path("Modelica.Electrical.Analog.Lines.OLine").is_empty());
}
