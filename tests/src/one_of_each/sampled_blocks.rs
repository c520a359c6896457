//! Small models of sampled blocks that need a clock, and of blocks that need code in Rust.

use super::list::{List, external, used};
use coupler::assembly::{AnyPort, Class};
use coupler::controller::ControllerCode;
use coupler::declaration::Declaration;
use coupler::prelude::*;
use coupler::statements::laws::signal_view::SignalView;
use coupler::{blocks, controller_code, sampled};

/// Whether a block needs code in Rust.
pub fn needs_code(declaration: &Declaration) -> bool {
    declaration.parameters.iter().any(|parameter| parameter.kind.ends_with("Law"))
}

/// Blocks that need code in Rust.
pub fn add_code(list: &mut List) {
    list.add("blocks::RealExpression", |m| {
        let input = external(m, "input", "1");
        let law = move |e: &mut SignalView<'_>| Ok(e.value(input)?.square() + e.time());
        let part = m.add("part", blocks::RealExpression::of(law));
        used(m, part.y);
    });
    list.add("blocks::IntegerExpression", |m| {
        let input = external(m, "input", "1");
        let law = move |e: &mut SignalView<'_>| {
            let residual = e.value(input)? - 0.5;
            let above = e.relation("above", residual).done();
            Ok(select(above, 7.0, -2.0))
        };
        let part = m.add("part", blocks::IntegerExpression::of(law));
        m.output("result", part.y);
    });
    list.add("blocks::BooleanExpression", |m| {
        let input = external(m, "input", "1");
        let law = move |e: &mut SignalView<'_>| {
            let residual = e.value(input)? - 0.5;
            Ok(e.relation("above", residual).done())
        };
        let part = m.add("part", blocks::BooleanExpression::of(law));
        m.output("result", part.y);
    });
    list.add("sampled::OpaqueController", |m| {
        let controller = sampled::OpaqueController::new().controller(CompiledSum { total: 0.0 });
        let part = m.add("part", controller.sample_period(0.1));
        let input = external(m, "input", "1");
        m.connect(input, part.u.element(1));
        used(m, part.y.element(1));
    });
    list.add("sampled::TracedController", |m| {
        let controller = sampled::TracedController::new().controller(Sum { total: Ex::from(0.0) });
        let part = m.add("part", controller.sample_period(0.1));
        let input = external(m, "input", "1");
        m.connect(input, part.u.element(1));
        used(m, part.y.element(1));
    });
}

/// A block with a clock. Its input is sampled, and so is what it holds.
pub fn clocked(m: &mut Assembly, class: &Class) -> Result<(), coupler::Error> {
    let declaration = class.declaration;
    let required = declaration.parameters.iter();
    let required = required.filter(|p| p.default == coupler::declaration::Default::Required);
    let part = m.add_by_name(class, "part", required.map(|p| (p.name, 2.0)))?;
    let clock = m.add("clock", sampled::PeriodicRealClock::new().period(0.1));
    let sample = m.add("sample", sampled::SampleClocked::new());
    let (input, tick) = (external(m, "input", "1"), AnyPort::Quantity(clock.y));
    m.connect(input, sample.u);
    m.connect(clock.y, sample.clock);
    let samples = ["Sample", "SampleClocked", "SampleWithADeffects"].contains(&declaration.name);
    for port in declaration.ports {
        let own = part.port(port.name).expect("it is declared");
        let source = if samples { input } else { sample.y };
        let is_clock = port.kind == "BooleanInput";
        m.connect_by_name(if is_clock { tick } else { AnyPort::Quantity(source) }, own)?;
    }
    let y = part.port("y").expect("it is declared");
    if class.declaration.class.starts_with("Modelica.Clocked.ClockSignals.") {
        let other = m.add("other", sampled::SampleClocked::new());
        m.connect(input, other.u);
        return m.connect_by_name(y, AnyPort::BooleanInput(other.clock));
    }
    let assign = m.add("assign", sampled::AssignClock::new());
    m.connect(clock.y, assign.clock);
    m.connect_by_name(y, AnyPort::Input(assign.u))
}

controller_code! {
    /// A controller that adds the values of its input.
    struct CompiledSum {
        total: f64,
    }

    impl ControllerCode<1, 1> for CompiledSum {
        fn step(&mut self, u: &[f64; 1]) -> [f64; 1] {
            self.total += u[0];
            [self.total]
        }
    }
}

/// The same with traced code.
#[derive(Clone, Debug)]
struct Sum<S> {
    total: S,
}

impl<S: sampled::RealNumber> sampled::Controller<S> for Sum<S> {
    const INPUTS: usize = 1;
    const OUTPUTS: usize = 1;

    fn states(&mut self) -> Vec<&mut S> {
        vec![&mut self.total]
    }

    fn step(&mut self, u: &[S], y: &mut [S]) {
        self.total = self.total + u[0];
        y[0] = self.total;
    }
}
