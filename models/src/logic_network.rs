//! Boolean and Integer signals: pulses, gates, edges, a delay, a counter, and a flip-flop.
//!
//! All events are time events, several of them at the same instant.

use coupler::blocks::*;
use coupler::prelude::*;

/// The model.
pub fn model(m: &mut Assembly) {
    add! { m,
        short "booleanPulse1": BooleanPulse::new().width(20).period(1),
        long "booleanPulse2": BooleanPulse::new().width(80).period(1),
        step "booleanStep": BooleanStep::new().start_time(1.5),
        table "booleanTable": BooleanTable::new().table([2.0, 4.0, 6.0, 6.5, 7.0, 9.0]),
        all "and1": And::new(),
        any "or1": Or::new(),
        odd "xor1": Xor::new(),
        not_all "nand1": Nand::new(),
        rising: Edge::new(),
        falling: FallingEdge::new(),
        changing: Change::new(),
    }
    add! { m,
        delay "onDelay": OnDelay::new().delay_time(1),
        two "integerConstant": IntegerConstant::new().k(2),
        counter "triggeredAdd": TriggeredAdd::new(),
        set: SampleTrigger::new().period(0.5),
        reset: SampleTrigger::new().period(0.5).start_time(0.3),
        flip_flop "rSFlipFlop": RSFlipFlop::new(),
        level: BooleanToReal::new(),
        duration: Integrator::new(),
    }

    for (k, signal) in [short.y, step.y, long.y].into_iter().enumerate() {
        m.connect(signal, all.u.element(k + 1));
    }
    for (gate, first) in [(any.u, all.y), (odd.u, any.y), (not_all.u, odd.y)] {
        m.connect(first, gate.element(1));
        m.connect(long.y, gate.element(2));
    }
    m.connect(long.y, rising.u);
    m.connect(long.y, falling.u);
    m.connect(long.y, changing.u);
    m.connect(table.y, delay.u);
    m.connect(two.y, counter.u);
    m.connect(changing.y, counter.trigger);
    m.chain((odd.y, level, duration));
    m.connect(set.y, flip_flop.S);
    m.connect(reset.y, flip_flop.R);

    m.outputs([all.y, any.y, odd.y, not_all.y, delay.y, counter.y]);
    m.output("q", flip_flop.Q);
    m.output("time_odd", duration.y);
    m.stop_time(10);
    m.step_size(0.01);
}
