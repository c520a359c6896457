//! Small models with each component of circuits, machines, batteries and converters.

use super::list::{List, source_of};
use coupler::assembly::{AnyPort, Class};
use coupler::declaration::{Parameter, Value};
use coupler::electrical::{ConstantVoltage, Ground, Resistor};
use coupler::port::Pin;
use coupler::prelude::*;
use coupler::{rotational, translational};

/// Where the resistor at a pin leads: to the source, or to the ground.
fn pole(pin: &str, number: usize) -> usize {
    match pin {
        "VMax" | "s_p" | "p_supply" => 0,
        "VMin" | "s_n" | "m_supply" => 1,
        _ => number % 2,
    }
}

/// Connects a port with what it needs, whose names contain the numbers of port and element.
fn connect(
    m: &mut Assembly,
    own: AnyPort,
    ([port, element], name, unit): ([usize; 2], &str, &str),
    end: Pin,
) -> Result<(), coupler::Error> {
    match own {
        AnyPort::Pin(pin) => {
            let resistance = 1.0 + port as f64 + 0.3 * element as f64;
            let resistor = Resistor::new().R(resistance);
            let resistor = m.add(format!("r_{port}_{element}"), resistor);
            m.connect(pin, resistor.p);
            m.connect(resistor.n, end);
        }
        AnyPort::Flange(flange) if name == "flange" => {
            let rotor = rotational::Inertia::new().J(1).phi(fixed(0)).w(fixed(0));
            let rotor = m.add("rotor", rotor);
            m.connect(flange, rotor.flange_a);
        }
        AnyPort::TranslationalFlange(flange) if name == "flange" => {
            let mass = translational::Mass::new().m(1).s(fixed(0)).v(fixed(0));
            let mass = m.add("mass", mass);
            m.connect(flange, mass.flange_a);
        }
        AnyPort::Input(_) | AnyPort::BooleanInput(_) | AnyPort::IntegerInput(_) => {
            let input = source_of(m, &format!("input_{port}_{element}"), (own.kind(), unit));
            m.connect_by_name(AnyPort::Quantity(input), own)?;
        }
        _ => {}
    }
    Ok(())
}

/// A component of a circuit. Each pin leads through a resistor to a source or to the ground in
/// turn. Flanges move inertias, and inputs are inputs of the FMU.
fn circuit(m: &mut Assembly, class: &Class) -> Result<(), coupler::Error> {
    let declaration = class.declaration;
    let required = declaration.parameters.iter();
    let required = required.filter(|p| p.default == coupler::declaration::Default::Required);
    let value = |p: &Parameter| match (p.name, p.kind) {
        (_, "[Real]") => Value::List(vec![Value::from(0.5), Value::from(0.25)]),
        // The coupling inductance of a transformer is less than the others.
        ("M", _) => Value::from(1.0),
        ("cellData.Qnom", _) => Value::from(1e5),
        _ => Value::from(2.0),
    };
    let mut values: Vec<_> = required.map(|p| (p.name, value(p))).collect();
    if declaration.parameters.iter().any(|p| p.name == "limIntegrator.y") {
        values.push(("limIntegrator.y", Value::Start(fixed(0.5))));
    }
    let part = m.add_by_name(class, "part", values)?;
    let source = m.add("source", ConstantVoltage::new().V(10));
    let ground = m.add("ground", Ground::new());
    m.connect(source.n, ground.p);
    let ends = [source.p, ground.p];
    for (k, port) in declaration.ports.iter().enumerate() {
        let elements = match port.kind.strip_prefix('[') {
            Some(_) => [1, 2, 3].map(|element| format!("{}[{element}]", port.name)).to_vec(),
            None => vec![port.name.to_owned()],
        };
        for (element, name) in elements.iter().enumerate() {
            let own = part.port(name).expect("it is declared");
            connect(m, own, ([k, element], name, port.unit), ends[pole(name, k)])?;
        }
    }
    // An amplifier has a feedback from its output to its negative input.
    let inputs = [("in_n", "out"), ("n1", "p2")];
    let is_amplifier = declaration.name.contains("OpAmp");
    for (input, output) in inputs.into_iter().filter(|_| is_amplifier) {
        if let (Some(input), Some(output)) = (part.port(input), part.port(output)) {
            let back = m.add("back", Resistor::new().R(5));
            m.connect_by_name(input, AnyPort::Pin(back.p))?;
            m.connect_by_name(output, AnyPort::Pin(back.n))?;
        }
    }
    Ok(())
}

/// The components of circuits, machines, batteries and converters.
pub(super) fn components(list: &mut List) {
    let names = ["electrical", "machines", "batteries", "power_converters"];
    let libraries = coupler::libraries::LIBRARIES.iter();
    for library in libraries.filter(|library| names.contains(&library.name)) {
        for class in library.components {
            list.add(class.path(), |m| circuit(m, class).expect("its pins are connected"));
        }
    }
}
