//! Small models with each block.

use super::list::{List, external, source_of, used};
use super::sampled_blocks;
use coupler::Assembly;
use coupler::assembly::{AnyPort, Class};
use coupler::blocks::{BooleanToReal, IntegerToReal};
use coupler::declaration::Value;
use coupler::prelude::*;

/// Sources, whose signals are used.
pub(super) fn sources(list: &mut List) {
    macro_rules! sources {
        ($($Part:ident $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("signals::", stringify!($Part)), |m| {
                let part = m.add("part", $Part::new()$(.$set($value))*);
                used(m, part.y);
            });)*
        };
    }
    sources! {
        Cosine.f(2), ExpSine.f(2).damping(1), Constant.k(2), Step.height(2), Ramp.height(2).duration(1), Sine.amplitude(2).f(1),
        Pulse.amplitude(2).period(0.3), Trapezoid.amplitude(2).period(0.3).rising(0.1),
        ExternalInput.unit("rad/s2").start(0.3),
    }
    list.add("signals::KinematicPTP", |m| {
        let part = m.add("part", KinematicPTP::new().deltaq([1, 2]));
        used(m, part.y(1));
    });
    list.add("signals::ExternalBoolean", |m| {
        let part = m.add("part", ExternalBoolean::new().start(true));
        let number = m.add("number", BooleanToReal::new());
        m.connect(part.y, number.u);
        used(m, number.y);
    });
    list.add("signals::ExternalInteger", |m| {
        let part = m.add("part", ExternalInteger::new().start(2));
        let number = m.add("number", IntegerToReal::new());
        m.connect(part.y, number.u);
        used(m, number.y);
    });
    list.add("signals::CombiTimeTable", |m| {
        let part = CombiTimeTable::new().rows([[0.0, 1.0], [1.0, 2.0]]);
        let part = m.add("part", part.extrapolation(Extrapolation::Periodic));
        used(m, part.y(1));
    });
}

/// The blocks of `signals`.
pub(super) fn of_signals(list: &mut List) {
    macro_rules! blocks {
        ($($Part:ident($($input:ident),*) $(.$set:ident($value:expr))*),* $(,)?) => {
            $(list.add(concat!("signals::", stringify!($Part)), |m| {
                let part = m.add("part", $Part::new()$(.$set($value))*);
                $(let input = external(m, concat!("input_", stringify!($input)), "1");
                m.connect(input, part.$input);)*
                let sum = m.add("sum", Integrator::new().k(2));
                m.connect(part.y, sum.u);
            });)*
        };
    }
    blocks! {
        Gain(u).k(2), Add(u1, u2), Feedback(u1, u2), Product(u1, u2), Abs(u), Limiter(u).u_max(1),
        Add3(u1, u2, u3), Integrator(u).k(2), FirstOrder(u).k(2).T(0.1),
        PI(u).k(2).T(0.1), CriticalDamping(u).n(2).f(5),
    }
    macro_rules! comparisons {
        ($($Part:ident),*) => {
            $(list.add(concat!("signals::", stringify!($Part)), |m| {
                let part = m.add("part", $Part::new().threshold(1));
                let (input, number) = (external(m, "input", "1"), m.add("number", BooleanToReal::new()));
                m.connect(input, part.u);
                m.connect(part.y, number.u);
                used(m, number.y);
            });)*
        };
    }
    comparisons!(GreaterThreshold, GreaterEqualThreshold, LessThreshold, LessEqualThreshold);
    list.add("signals::Der", |m| {
        let sine = m.add("sine", Sine::new().amplitude(2).f(1));
        let (part, sum) = (m.add("part", Der::new()), m.add("sum", Integrator::new().k(2)));
        m.connect(sine.y, part.u);
        m.connect(part.y, sum.u);
    });
    let library = coupler::libraries::LIBRARIES.iter().find(|library| library.name == "signals");
    let classes = library.expect("it exists").components.iter();
    for class in classes.filter(|class| class.declaration.name.starts_with("CombiTable")) {
        list.add(class.path(), |m| block(m, class).expect("its inputs are connected"));
    }
}

/// The parameters of a block that it must have.
fn settings(block: &str) -> Vec<(&'static str, Value)> {
    let numbers: &[(&str, f64)] = match block {
        "Hysteresis" => &[("uLow", 0.5), ("uHigh", 0.8)],
        "OnOffController" => &[("bandwidth", 0.2)],
        "OnDelay" => &[("delayTime", 0.1)],
        "BooleanPulse" | "SampleTrigger" | "SawTooth" => &[("period", 0.3)],
        "IntegerConstant" => &[("k", 3.0)],
        "LimIntegrator" => &[("outMax", 1.0)],
        "SecondOrder" => &[("w", 3.0), ("D", 0.5)],
        "PID" => &[("Ti", 0.5), ("Td", 0.1)],
        "LimPID" | "SampledPID" => &[("yMax", 1.0)],
        "LowpassButterworth" => &[("f", 2.0)],
        "Filter" => &[("f_cut", 2.0)],
        "PadeDelay" | "FixedDelay" => &[("delayTime", 0.1)],
        "Sinc" => &[("f", 2.0)],
        "Exponentials" => &[("riseTime", 0.4)],
        "LogFrequencySweep" => &[("wMin", 1.0), ("wMax", 10.0), ("duration", 2.0)],
        "BooleanMultiSwitch" => return vec![("expr", [true, false].into())],
        "IntegerTable" | "TimeTable" => {
            return vec![("table", Value::of_list([[0.0, 1.0], [0.5, 3.0]]))];
        }
        "CombiTimeTable" | "CombiTable1D" => {
            return vec![("table", Value::of_list([[0.0, 1.0], [1.0, 2.0]]))];
        }
        "CombiTable1Dv" | "CombiTable2Ds" | "CombiTable2Dv" => {
            let rows = [[0.0, 1.0, 3.0], [1.0, 2.0, 5.0], [2.0, 3.0, 4.0]];
            return vec![("table", Value::of_list(rows))];
        }
        "DeadZone" => &[("uMax", 0.1)],
        "Mean" | "RectifiedMean" | "RootMeanSquare" | "TotalHarmonicDistortion" => &[("f", 5.0)],
        "Harmonic" => &[("f", 5.0), ("k", 1.0)],
        "SignalExtrema" => &[("Ts", 0.1)],
        "MultiSwitch" | "IntegerMultiSwitch" => return vec![("expr", [4.0, 6.0].into())],
        _ => &[],
    };
    numbers.iter().map(|&(name, number)| (name, number.into())).collect()
}

/// A block whose inputs are those of the FMU; vectors of inputs have two elements,
/// except for the one input of a [`StateSpace`](coupler::blocks::StateSpace) with its defaults.
fn block(m: &mut Assembly, class: &Class) -> Result<(), coupler::Error> {
    let declaration = class.declaration;
    let mut settings = settings(declaration.name);
    if declaration.parameters.iter().any(|parameter| parameter.name == "samplePeriod") {
        settings.push(("samplePeriod", 0.1.into()));
    }
    let part = m.add_by_name(class, "part", settings)?;
    for port in declaration.ports {
        let names = match port.kind.strip_prefix('[') {
            Some(_) if declaration.name == "StateSpace" => vec![format!("{}[1]", port.name)],
            Some(_) => vec![format!("{}[1]", port.name), format!("{}[2]", port.name)],
            None => vec![port.name.to_owned()],
        };
        for (number, name) in names.iter().enumerate() {
            let input = part.port(name).expect("it is declared");
            let name = format!("input_{}_{number}", port.name);
            let source = source_of(m, &name, (input.kind(), port.unit));
            m.connect_by_name(AnyPort::Quantity(source), input)?;
        }
    }
    Ok(())
}

/// The blocks of `blocks` and `sampled`.
pub(super) fn others(list: &mut List) {
    let libraries = coupler::libraries::LIBRARIES.iter();
    let libraries = libraries.filter(|library| ["blocks", "sampled"].contains(&library.name));
    for class in libraries.flat_map(|library| library.components) {
        if class.declaration.class.starts_with("Modelica.Clocked.") {
            list.add(class.path(), |m| {
                sampled_blocks::clocked(m, class).expect("its inputs are connected")
            });
        } else if !sampled_blocks::needs_code(class.declaration) {
            list.add(class.path(), |m| block(m, class).expect("its inputs are connected"));
        }
    }
    sampled_blocks::add_code(list);
}
