//! Blocks whose output depends on when a Boolean signal changed.

use super::interfaces::{boolean_block, edges};
use crate::signals::interfaces::from_instant;
use equations::{Bool, select, select_bool};
use mechanics::declaration::prelude::*;
use mechanics::statements::laws::signal_view::SignalView;
use std::cell::OnceCell;
use std::rc::Rc;

component! {
    /// Time since a signal became true.
    ///
    /// # Equations
    /// `y` is the time in s since `u` became true, and 0 while `u` is false. If `u` is true from
    /// the start, `y = time`.
    pub struct Timer = "Modelica.Blocks.Logical.Timer" {}
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Signal
        y: Real,
        /// When the input became true
        entry_time "entryTime": Real["s"],
    }
}

impl Component for Timer {
    fn contribute(_: TimerParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        c.output("y", move |e| {
            let u = e.read_truth(u)?;
            let [rises, _] = edges(e, u);
            let name = e.full("entryTime");
            let last = e.model().memory(&name, 0.0);
            let entry_time = select(rises, e.time(), last.pre());
            e.model().update(last, entry_time);
            e.variable("entryTime", last.pre());
            Ok(select(u, e.time() - entry_time, 0.0))
        });
        Ok(())
    }
}

/// Whether a delay is over. It begins if the first truth value is true, and is over at the start or
/// if the second one is true.
fn is_over(e: &mut SignalView<'_>, [begins, cancels]: [Bool; 2], delay: Ex) -> Bool {
    let name = e.full("tSwitch");
    let last = e.model().memory(&name, 0.0);
    let over = from_instant(e, "endOfDelay", last.pre() + delay);
    let (cancels, time) = (cancels | e.model().initial(), e.time());
    let long_ago = time - 2.0 * delay;
    let begin = select(cancels, long_ago, select(begins, time, last.pre()));
    e.model().update(last, begin);
    cancels | select_bool(begins, delay.le(0.0), over)
}

component! {
    /// Signals that follow the changes of another signal later.
    ///
    /// # Equations
    /// `y1` becomes true with `u`, and false when `u` has been false for `delayTime`. `y2` becomes
    /// true when `u` has been true for `delayTime`, and false with `u`. At the start, both are `u`.
    ///
    /// # Events
    /// A time event at the end of the delay.
    pub struct LogicalDelay = "Modelica.Blocks.Logical.LogicalDelay" {
        /// Delay
        delay_time "delayTime": Real["s", >= 0] = 0,
    }
    ports {
        /// Input signal
        u: BooleanInput,
    }
    variables {
        /// Signal that becomes false later
        y1: Boolean,
        /// Signal that becomes true later
        y2: Boolean,
    }
}

impl Component for LogicalDelay {
    fn contribute(p: LogicalDelayParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        let over = Rc::new(OnceCell::new());
        let read = move |e: &mut SignalView<'_>| -> Result<[Bool; 2], Error> {
            let u = e.read_truth(u)?;
            let over = over.get_or_init(|| {
                let [rises, falls] = edges(e, u);
                is_over(e, [rises | falls, Bool::constant(false)], p.delay_time)
            });
            Ok([u, *over])
        };
        let of_y2 = read.clone();
        c.boolean_output("y1", move |e| read(e).map(|[u, over]| u | !over));
        c.boolean_output("y2", move |e| of_y2(e).map(|[u, over]| u & over));
        Ok(())
    }
}

component! {
    /// Signal that becomes true later than another signal, and false with it.
    ///
    /// # Equations
    /// `y` is true if `u` has been true for `delayTime`, or since the start.
    ///
    /// # Events
    /// A time event at the end of the delay.
    pub struct OnDelay = "Modelica.Blocks.MathBoolean.OnDelay" {
        /// Delay
        delay_time "delayTime": Real["s", >= 0],
        ..boolean_block,
    }
}

impl Component for OnDelay {
    fn contribute(p: OnDelayParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let u = c.boolean_input("u")?;
        c.boolean_output("y", move |e| {
            let u = e.read_truth(u)?;
            let edges = edges(e, u);
            Ok(u & is_over(e, edges, p.delay_time))
        });
        Ok(())
    }
}

component! {
    /// Ramps between two values, one for each value of a Boolean signal.
    ///
    /// # Equations
    /// When `u` becomes true, `y` begins to rise towards `offset + amplitude` with the slope
    /// `amplitude / rising`; when `u` becomes false, `y` begins to fall towards `offset` with the
    /// slope `amplitude / falling`. A ramp begins at the present value of `y`, also if the last
    /// ramp has not ended. `y` jumps if the duration is 0, and has no ramp at the start.
    ///
    /// # Events
    /// A time event at the end of each ramp.
    pub struct TriggeredTrapezoid = "Modelica.Blocks.Logical.TriggeredTrapezoid" {
        /// Amplitude of the trapezoid
        amplitude: Real = 1,
        /// Duration of a full rise
        rising: Real["s", >= 0] = 0,
        /// Duration of a full fall
        falling: Real["s", >= 0] = rising,
        /// Offset of the signal
        offset: Real = 0,
    }
    ports {
        /// Whether the signal rises
        u: BooleanInput,
    }
    variables {
        /// Signal
        y: Real,
        /// Where the last ramp ends
        end_value "endValue": Real,
        /// Slope of the last ramp
        rate: Real,
        /// When the last ramp ends
        end "T": Real["s"],
    }
}

impl Component for TriggeredTrapezoid {
    fn contribute(p: TriggeredTrapezoidParameters, c: &mut Contribution<'_>) -> Result<(), Error> {
        let TriggeredTrapezoidParameters { amplitude, rising, falling, offset } = p;
        let u = c.boolean_input("u")?;
        c.output("y", move |e| {
            let u = e.read_truth(u)?;
            let [rises, falls] = edges(e, u);
            let initial = e.model().initial();
            let begins = initial | rises | falls;
            // The last value, the slope and the end of the ramp that was begun last.
            const NAMES: [&str; 3] = ["endValue", "rate", "T"];
            let memories = NAMES.map(|local| {
                let name = e.full(local);
                e.model().memory(&name, 0.0)
            });
            let [end_value, rate, end] = memories.map(|memory| memory.pre());
            let is_over = from_instant(e, "endOfRamp", end);
            let time = e.time();
            let on_ramp = select(is_over, end_value, end_value - (end - time) * rate);

            let duration = select(u, rising, falling);
            let at_once = initial | duration.le(0.0) | !amplitude.is_true();
            let next_value = offset + select(u, amplitude, 0.0);
            let next_rate = select(u, amplitude, -amplitude) / duration;
            let next_rate = select(duration.gt(0.0), next_rate, 0.0);
            let next_end = time + select(at_once, 0.0, (next_value - on_ramp) / next_rate);
            let next = [next_value, next_rate, next_end];
            for ((memory, next), local) in memories.into_iter().zip(next).zip(NAMES) {
                e.model().update(memory, select(begins, next, memory.pre()));
                e.variable(local, memory.pre());
            }
            Ok(select(begins & at_once, next_value, on_ramp))
        });
        Ok(())
    }
}
