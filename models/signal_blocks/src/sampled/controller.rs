//! Controllers as code in Rust, which is run once, on expressions.

use super::opaque::wrong_inputs;
use super::periodic::{Held, Sampling, held_signal, sampling};
use super::real_number::RealNumber;
use equations::{Ex, depends_on, select, substitute};
use mechanics::assembly::element;
use mechanics::declaration::{plain_settings, prelude::*};
use mechanics::port::PortId;
use mechanics::statements::laws::signal_view::SignalView;
use std::fmt;
use std::rc::Rc;

/// A controller: what happens at a tick of its clock.
///
/// Fields of the type `S` are states, and parameters of the model. In a
/// model, `S` is [`Ex`]: [`Controller::step`] is called once, when the model is built, and the
/// expressions that result are part of the program of every FMU. In a test of the controller alone,
/// `S` is `f64`.
pub trait Controller<S: RealNumber>: Clone + fmt::Debug + 'static {
    /// The number of inputs.
    const INPUTS: usize;

    /// The number of outputs.
    const OUTPUTS: usize;

    /// The states, which keep their values from one step to the next. Their first values are the
    /// start values.
    fn states(&mut self) -> Vec<&mut S>;

    /// A step: new states and the outputs `y` from the states and the inputs `u`.
    fn step(&mut self, u: &[S], y: &mut [S]);
}

/// New states and outputs.
struct Traced {
    states: Vec<Ex>,
    outputs: Vec<Ex>,
}

/// A function of states and inputs.
type Step = dyn Fn(&[Ex], &[Ex]) -> Traced;

/// A controller whose step was not yet run.
#[derive(Clone)]
pub struct ControlLaw {
    inputs: usize,
    start: Vec<Ex>,
    text: String,
    step: Rc<Step>,
}

impl fmt::Debug for ControlLaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<C: Controller<Ex>> From<C> for ControlLaw {
    fn from(controller: C) -> ControlLaw {
        let start = controller.clone().states().into_iter().map(|x| *x).collect();
        let text = format!("{controller:?}");
        let step = move |states: &[Ex], u: &[Ex]| {
            let mut controller = controller.clone();
            controller.states().into_iter().zip(states).for_each(|(x, &before)| *x = before);
            let mut outputs = vec![Ex::zero(); C::OUTPUTS];
            controller.step(u, &mut outputs);
            Traced { states: controller.states().into_iter().map(|x| *x).collect(), outputs }
        };
        ControlLaw { inputs: C::INPUTS, start, text, step: Rc::new(step) }
    }
}

plain_settings! { ControlLaw }

component! {
    /// Controller as code in Rust.
    ///
    /// # Equations
    /// At each tick, the function [`Controller::step`] of the controller computes the outputs `y`
    /// and the next states `x` from the inputs and the states. `y = 0` before the first tick.
    ///
    /// # Events
    /// A time event at each tick.
    pub struct TracedController {
        /// The controller
        controller: ControlLaw,
        ..sampling: sampling,
    }
    ports {
        /// Input signals
        u: [Input],
    }
    variables {
        /// Output signals
        y?: Array,
        /// States
        x?: Array,
    }
}

/// The inputs of a controller, and the placeholders with which its step was run.
#[derive(Clone)]
struct Inputs {
    ports: Vec<PortId>,
    symbols: Vec<Ex>,
}

impl Inputs {
    /// A value with the inputs that it needs; others are not read.
    fn in_place(&self, e: &mut SignalView<'_>, value: Ex) -> Result<Ex, Error> {
        let mut by = Vec::new();
        for (&port, &symbol) in self.ports.iter().zip(&self.symbols) {
            if depends_on(&[value], symbol) {
                by.push((symbol, e.read(port)?));
            }
        }
        Ok(substitute(&[value], &by)[0])
    }
}

impl Component for TracedController {
    fn contribute(p: TracedControllerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let ControlLaw { inputs: needed, start, step, .. } = p.controller;
        let ports = c.connected_inputs("u", "Input")?;
        if ports.len() != needed {
            return Err(c.refuse("u", wrong_inputs(ports.len(), needed)));
        }
        let sampled = p.sampling.begin(c);
        let (tick, initial) = (sampled.tick, sampled.initial);
        let held: Vec<Held> = (1..=start.len()).map(|i| Held::new(c, element("x", i))).collect();
        let before: Vec<Ex> = held.iter().map(|x| x.pre()).collect();
        let symbols: Vec<Ex> = ports.iter().map(|_| Ex::symbol()).collect();
        let Traced { states, outputs } = step(&before, &symbols);
        // Parameters of the model are placeholders in its text.
        let parameters = c.model_parameters().to_vec();
        let [start, states, outputs] =
            [start, states, outputs].map(|values| substitute(&values, &parameters));
        let inputs = Inputs { ports, symbols };
        for (i, value) in (1..).zip(outputs) {
            let inputs = inputs.clone();
            held_signal(c, element("y", i), tick, move |e, _| inputs.in_place(e, value));
        }
        c.law(move |e| {
            for ((held, start), next) in held.into_iter().zip(start).zip(states) {
                let next = inputs.in_place(e, next)?;
                held.set(e, tick | initial, select(initial, start, next));
            }
            Ok(())
        });
        Ok(())
    }
}
