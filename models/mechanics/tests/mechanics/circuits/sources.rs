//! Sources over time are sources whose signal a block gives.

use super::{near, ring};
use crate::common::{run_to, start, value};
use libraries::blocks::{
    CosineVariableFrequencyAndAmplitude, Exponentials, SawTooth, SineVariableFrequencyAndAmplitude,
    TimeTable,
};
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::Quantity;
use mechanics::add;
use mechanics::port::Pin;

/// Compares a source of voltage and one of current with blocks: the voltage of a resistor of 2 Ohm
/// at the one, and its current at the other, are the signals of the blocks.
fn agree(
    voltage: fn(&mut Assembly) -> [Pin; 2],
    current: fn(&mut Assembly) -> [Pin; 2],
    block: fn(&mut Assembly) -> Quantity,
) {
    let r = || Resistor::new().R(2);
    let circuit = |of: fn(&mut Assembly) -> [Pin; 2]| {
        start(move |m| {
            let [p, n] = of(m);
            let r = m.add("r", r());
            ring(m, [[n, p], [r.p, r.n]]);
        })
    };
    let (mut of_voltage, mut of_current) = (circuit(voltage), circuit(current));
    let mut signal = start(move |m| {
        let y = block(m);
        m.output("y", y);
    });
    for k in 0..40 {
        let t = 0.013 + 0.1 * f64::from(k);
        run_to(&mut signal, t);
        let y = value(&mut signal, "y");
        run_to(&mut of_voltage, t);
        near(value(&mut of_voltage, "source.v"), y, 1e-9);
        near(value(&mut of_voltage, "r.i"), y / 2.0, 1e-9);
        run_to(&mut of_current, t);
        near(value(&mut of_current, "source.i"), y, 1e-9);
        near(value(&mut of_current, "r.v"), -2.0 * y, 1e-9);
    }
}

/// A test that sources of voltage and of current give the signal of a block.
macro_rules! agree {
    ($($name:ident: $Voltage:ident($v:ident), $Current:ident($i:ident), $Block:ident($a:ident),
        $($setting:ident $value:expr),*;)*) => {
        $(
            #[test]
            fn $name() {
                agree(
                    |m| {
                        let source = $Voltage::new().$v(3)$(.$setting($value))*.offset(0.5);
                        let source = m.add("source", source);
                        [source.p, source.n]
                    },
                    |m| {
                        let source = $Current::new().$i(3)$(.$setting($value))*.offset(0.5);
                        let source = m.add("source", source);
                        [source.p, source.n]
                    },
                    |m| {
                        let block = $Block::new().$a(3)$(.$setting($value))*.offset(0.5);
                        m.add("block", block).y
                    },
                );
            }
        )*
    };
}

agree! {
    steps_are_those_of_the_block:
        StepVoltage(V), StepCurrent(I), Step(height), start_time 0.7;
    ramps_are_those_of_the_block:
        RampVoltage(V), RampCurrent(I), Ramp(height), duration 1.5, start_time 0.7;
    sines_are_those_of_the_block:
        SineVoltage(V), SineCurrent(I), Sine(amplitude), f 0.8, phase 0.4, start_time 0.7;
    cosines_are_those_of_the_block:
        CosineVoltage(V), CosineCurrent(I), Cosine(amplitude), f 0.8, phase 0.4, start_time 0.7;
    damped_sines_are_those_of_the_block:
        ExpSineVoltage(V), ExpSineCurrent(I), ExpSine(amplitude), f 0.8, phase 0.4, damping 0.6,
        start_time 0.7;
    exponentials_are_those_of_the_block:
        ExponentialsVoltage(v_max), ExponentialsCurrent(i_max), Exponentials(out_max),
        rise_time 1, rise_time_const 0.3, fall_time_const 0.5, start_time 0.7;
    pulses_are_those_of_the_block:
        PulseVoltage(V), PulseCurrent(I), Pulse(amplitude), width 30, period 0.9, start_time 0.7;
    saw_teeth_are_those_of_the_block:
        SawToothVoltage(V), SawToothCurrent(I), SawTooth(amplitude), period 0.9, start_time 0.7;
    trapezoids_are_those_of_the_block:
        TrapezoidVoltage(V), TrapezoidCurrent(I), Trapezoid(amplitude), rising 0.2, width 0.3,
        falling 0.25, period 0.9, nperiod 3, start_time 0.7;
}

/// Rows with a jump.
const ROWS: [[f64; 2]; 4] = [[0.0, 1.0], [1.0, 3.0], [1.0, -2.0], [2.5, 0.5]];

#[test]
fn tables_are_those_of_the_block() {
    agree(
        |m| {
            let source = m.add("source", TableVoltage::new().table(ROWS).start_time(0.7));
            [source.p, source.n]
        },
        |m| {
            let source = m.add("source", TableCurrent::new().table(ROWS).start_time(0.7));
            [source.p, source.n]
        },
        |m| m.add("block", TimeTable::new().table(ROWS).start_time(0.7)).y,
    );
}

/// A frequency and an amplitude that change.
fn modulation(m: &mut Assembly) -> [Quantity; 2] {
    add! { m,
        frequency: Ramp::new().height(2).duration(3).offset(0.5),
        amplitude: Sine::new().amplitude(1).f(0.3).offset(4),
    }
    [frequency.y, amplitude.y]
}

/// A test that sources with variable frequency and amplitude give the signal of a block.
macro_rules! modulated {
    ($($name:ident: $Voltage:ident, $Current:ident, $Block:ident;)*) => {
        $(
            #[test]
            fn $name() {
                agree(
                    |m| {
                        let [f, amplitude] = modulation(m);
                        let source = m.add("source", $Voltage::new().offset(0.5));
                        m.connect(f, source.f);
                        m.connect(amplitude, source.V);
                        [source.p, source.n]
                    },
                    |m| {
                        let [f, amplitude] = modulation(m);
                        let source = m.add("source", $Current::new().offset(0.5));
                        m.connect(f, source.f);
                        m.connect(amplitude, source.I);
                        [source.p, source.n]
                    },
                    |m| {
                        let [f, amplitude] = modulation(m);
                        let block = m.add("block", $Block::new().offset(0.5));
                        m.connect(f, block.f);
                        m.connect(amplitude, block.amplitude);
                        block.y
                    },
                );
            }
        )*
    };
}

modulated! {
    modulated_sines_are_those_of_the_block:
        SineVoltageVariableFrequencyAndAmplitude, SineCurrentVariableFrequencyAndAmplitude,
        SineVariableFrequencyAndAmplitude;
    modulated_cosines_are_those_of_the_block:
        CosineVoltageVariableFrequencyAndAmplitude, CosineCurrentVariableFrequencyAndAmplitude,
        CosineVariableFrequencyAndAmplitude;
}

#[test]
fn a_supply_has_two_voltages_to_its_ground() {
    let mut model = start(|m| {
        add! { m,
            supply: SupplyVoltage::new().Vps(12).Vns(-5),
            r: Resistor::new().R(1e3),
            ground: Ground::new(),
        }
        m.connect(supply.ground, ground.p);
        m.connect(supply.pin_p, r.p);
        m.connect(supply.pin_n, r.n);
    });
    near(value(&mut model, "supply.pin_p.v"), 12.0, 0.0);
    near(value(&mut model, "supply.pin_n.v"), -5.0, 0.0);
    near(value(&mut model, "r.i"), 0.017, 1e-15);
    near(value(&mut model, "supply.pin_p.i"), -0.017, 1e-15);
    near(value(&mut model, "supply.pin_n.i"), 0.017, 1e-15);
}
