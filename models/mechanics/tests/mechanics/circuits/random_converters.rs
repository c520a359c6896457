//! Random converters of transistors and diodes: they never stop, and energy is conserved.

use crate::common::cores::on_all_cores;
use crate::common::{Random, program, seeds, simulation_of, value};
use fmu_runtime::Simulation;
use libraries::blocks::{BooleanPulse, MultiSum, Not};
use libraries::electrical::*;
use libraries::prelude::*;
use mechanics::add;
use mechanics::port::Pin;

/// Resistance, conductance and threshold of transistors and diodes.
type Valve = [f64; 3];

/// What is connected with the converter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Load {
    /// Coils and resistors in a star, or between two legs.
    Coils,
    /// The same with voltages in series, whose amplitude and offset are given.
    Voltages([f64; 2]),
    /// A coil, and a capacitor beside the resistor.
    Filter,
}

/// What feeds the converter.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Supply {
    /// A voltage.
    Voltage,
    /// A voltage behind a coil and a resistor, beside a capacitor.
    Link,
    /// Nothing but a capacitor and a resistor, which the load charges.
    Capacitor,
}

/// When the transistors of a leg conduct.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Gates {
    /// One of the valves, for this part of each period from the beginning.
    Complementary(f64),
    /// The upper valve for the first part of the period, the lower valve for the second part, and
    /// no valve for the two pauses between both parts.
    DeadTime(f64, f64),
    /// The upper one only.
    Upper(f64),
    /// The lower one only.
    Lower(f64),
    /// None.
    Never,
}

#[derive(Clone, Debug)]
struct Converter {
    transistor: Valve,
    diode: Valve,
    legs: Vec<Gates>,
    supply: Supply,
    load: Load,
    period: f64,
    /// Inductance and resistance of each branch of the load.
    coil: [f64; 2],
    /// Frequency of voltages of the load.
    frequency: f64,
    /// The voltage of the supply.
    voltage: f64,
}

impl Converter {
    fn random(seed: u64) -> Converter {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 77);
        let valve = random.of(&[[1e-5, 1e-5], [0.0, 0.0], [0.0, 1e-5], [1e-5, 0.0], [1e-3, 1e-3]]);
        let knees = random.of(&[[0.0, 0.0], [0.0, 0.7], [0.5, 0.7]]);
        let count = 1 + random.below(3);
        let supply =
            random.of(&[Supply::Voltage, Supply::Voltage, Supply::Link, Supply::Capacitor]);
        let passive = supply == Supply::Capacitor;
        let kind = if passive { 4 } else { random.below(5) };
        let legs = (0..count).map(|leg| {
            let duty = random.between(0.1, 0.9);
            match kind {
                0 | 1 => Gates::Complementary(duty),
                2 => Gates::DeadTime(duty, random.between(0.01, 0.05)),
                3 if leg == 0 => Gates::Upper(duty),
                3 => Gates::Lower(duty),
                _ => Gates::Never,
            }
        });
        let legs: Vec<Gates> = legs.collect();
        let load = match random.below(3) {
            _ if kind == 4 || passive => {
                Load::Voltages([random.size(5.0, 50.0), random.between(-10.0, 10.0)])
            }
            0 => Load::Coils,
            1 => Load::Voltages([random.between(0.0, 30.0), random.between(-10.0, 10.0)]),
            _ => Load::Filter,
        };
        Converter {
            transistor: [valve[0], valve[1], knees[0]],
            diode: [valve[0], valve[1], knees[1]],
            legs,
            supply,
            load,
            period: random.size(1e-4, 2e-3),
            coil: [random.size(1e-3, 1e-2), random.size(0.5, 20.0)],
            frequency: random.size(20.0, 100.0),
            voltage: random.size(10.0, 100.0),
        }
    }

    /// Adds the converter, and a meter of the energy that everything takes which stores none.
    fn add(&self, m: &mut Assembly) {
        let mut meters = Meters::default();
        let [rail, neutral] = self.supply(m, &mut meters);
        let ground = m.add("ground", Ground::new());
        m.connect(ground.p, neutral);
        let mut ends: Vec<Pin> = Vec::new();
        for leg in 0..self.legs.len() {
            let ac = self.leg(m, leg, [rail, neutral], &mut meters);
            match leg {
                // Two legs have one branch of the load between them.
                1 if self.legs.len() == 2 => m.connect(ends[0], ac),
                _ => ends.push(self.branch(m, leg, ac, &mut meters)),
            }
        }
        match ends[..] {
            [end] if self.legs.len() == 1 => m.connect(end, neutral),
            [end, ref others @ ..] => others.iter().for_each(|other| m.connect(end, *other)),
            [] => {}
        }
        for (name, powers) in [("losses", meters.losses), ("sources", meters.sources)] {
            let sum = m.add(format!("{name}_sum"), MultiSum::new());
            for (k, power) in powers.into_iter().enumerate() {
                m.connect(power, sum.u.element(k + 1));
            }
            let meter = m.add(name, Integrator::new());
            m.connect(sum.y, meter.u);
        }
    }

    fn supply(&self, m: &mut Assembly, meters: &mut Meters) -> [Pin; 2] {
        let buffer = Capacitor::new().C(1e-3).v(guess(self.voltage));
        if self.supply == Supply::Capacitor {
            add! { m, buffer: buffer, burden: Resistor::new().R(50) }
            m.connect(buffer.p, burden.p);
            m.connect(buffer.n, burden.n);
            meters.losses.push(burden.loss_power);
            return [buffer.p, buffer.n];
        }
        let source = m.add("source", ConstantVoltage::new().V(self.voltage));
        meters.source(m, "source", source.v, source.i);
        if self.supply == Supply::Voltage {
            return [source.p, source.n];
        }
        add! { m,
            line: Inductor::new().L(1e-4).i(fixed(0)),
            wire: Resistor::new().R(0.2),
            buffer: buffer,
        }
        m.connect(source.p, line.p);
        m.connect(line.n, wire.p);
        m.connect(wire.n, buffer.p);
        m.connect(source.n, buffer.n);
        meters.losses.push(wire.loss_power);
        [buffer.p, buffer.n]
    }

    /// A leg between two pins of the supply; returns the pin in the middle.
    fn leg(&self, m: &mut Assembly, leg: usize, rails: [Pin; 2], meters: &mut Meters) -> Pin {
        let gates = self.gates(m, leg);
        let mut ac: Option<Pin> = None;
        for (side, gate) in ["upper", "lower"].into_iter().zip(gates) {
            let [ron, goff, knee] = self.transistor;
            let transistor = IdealGTOThyristor::new().Ron(ron).Goff(goff).Vknee(knee);
            let transistor = m.add(format!("{side}{leg}"), transistor);
            let [ron, goff, knee] = self.diode;
            let diode = IdealDiode::new().Ron(ron).Goff(goff).Vknee(knee);
            let diode = m.add(format!("{side}_diode{leg}"), diode);
            m.connect(gate, transistor.fire);
            m.connect(transistor.p, diode.n);
            m.connect(transistor.n, diode.p);
            meters.losses.extend([transistor.loss_power, diode.loss_power]);
            match ac {
                None => {
                    m.connect(rails[0], transistor.p);
                    ac = Some(transistor.n);
                }
                Some(ac) => {
                    m.connect(ac, transistor.p);
                    m.connect(transistor.n, rails[1]);
                }
            }
        }
        ac.expect("a leg has two sides")
    }

    /// The signals of the upper and of the lower transistor.
    fn gates(&self, m: &mut Assembly, leg: usize) -> [Quantity; 2] {
        let mut pulse = |name: &str, begin: f64, width: f64| {
            let pulse = BooleanPulse::new().period(self.period).width(100.0 * width);
            m.add(format!("{name}{leg}"), pulse.start_time(begin * self.period)).y
        };
        match self.legs[leg] {
            Gates::Complementary(duty) => {
                let upper = pulse("pulse", 0.0, duty);
                let other = m.add(format!("other{leg}"), Not::new());
                m.connect(upper, other.u);
                [upper, other.y]
            }
            Gates::DeadTime(duty, dead) => [
                pulse("upper_pulse", 0.0, duty - dead),
                pulse("lower_pulse", duty, 1.0 - duty - dead),
            ],
            Gates::Upper(duty) => [pulse("upper_pulse", 0.0, duty), pulse("no_pulse", 0.0, 0.0)],
            Gates::Lower(duty) => [pulse("no_pulse", 0.0, 0.0), pulse("lower_pulse", 0.0, duty)],
            Gates::Never => [pulse("no_pulse", 0.0, 0.0), pulse("none_either", 0.0, 0.0)],
        }
    }

    /// A branch of the load, which begins at a pin; returns its other end.
    fn branch(&self, m: &mut Assembly, k: usize, begin: Pin, meters: &mut Meters) -> Pin {
        let [l, r] = self.coil;
        let coil = m.add(format!("coil{k}"), Inductor::new().L(l).i(guess(0)));
        let resistor = m.add(format!("resistor{k}"), Resistor::new().R(r));
        m.connect(begin, coil.p);
        m.connect(coil.n, resistor.p);
        meters.losses.push(resistor.loss_power);
        match self.load {
            Load::Coils => resistor.n,
            Load::Filter => {
                let filter = m.add(format!("filter{k}"), Capacitor::new().C(1e-4).v(guess(0)));
                m.connect(coil.n, filter.p);
                m.connect(filter.n, resistor.n);
                resistor.n
            }
            Load::Voltages([amplitude, offset]) => {
                let phase = -2.0 * std::f64::consts::PI / 3.0 * k as f64;
                let sine = Sine::new().amplitude(amplitude).f(self.frequency).phase(phase);
                let sine = m.add(format!("sine{k}"), sine.offset(offset));
                let name = format!("voltage{k}");
                let source = m.add(name.clone(), SignalVoltage::new());
                m.connect(sine.y, source.v);
                m.connect(resistor.n, source.p);
                meters.source(m, &name, sine.y, source.i);
                source.n
            }
        }
    }

    /// The energy that is stored.
    fn stored(&self, model: &mut Simulation) -> f64 {
        let mut stored = 0.0;
        let mut add = |name: &str, variable: &str, size: f64| {
            stored += 0.5 * size * value(model, &format!("{name}.{variable}")).powi(2);
        };
        if self.supply != Supply::Voltage {
            add("buffer", "v", 1e-3);
        }
        if self.supply == Supply::Link {
            add("line", "i", 1e-4);
        }
        let branches = if self.legs.len() == 3 { 3 } else { 1 };
        for k in 0..branches {
            add(&format!("coil{k}"), "i", self.coil[0]);
            if self.load == Load::Filter {
                add(&format!("filter{k}"), "v", 1e-4);
            }
        }
        stored
    }

    /// The largest error of the balance of energy, relative to the energies in it.
    fn error(&self) -> Result<f64, String> {
        let mut model = simulation_of(&program(|m| self.add(m))?);
        model.start(Some(1e-9)).map_err(|why| format!("start: {why}"))?;
        let before = self.stored(&mut model);
        let (mut worst, mut scale) = (0.0_f64, before);
        for k in 1..=8 {
            model.run_to(4e-3 * f64::from(k)).map_err(|why| why.to_string())?;
            let [losses, sources] = ["losses.y", "sources.y"].map(|name| value(&mut model, name));
            let stored = self.stored(&mut model);
            scale = scale.max(stored).max(losses.abs()).max(sources.abs());
            let error = (stored + losses + sources - before).abs();
            if !error.is_finite() {
                return Err(format!("the balance of energy is {error} J"));
            }
            worst = worst.max(error);
        }
        Ok(worst / scale.max(1e-9))
    }
}

/// The powers that are taken.
#[derive(Default)]
struct Meters {
    losses: Vec<Quantity>,
    sources: Vec<Quantity>,
}

impl Meters {
    /// The power that a source takes.
    fn source(&mut self, m: &mut Assembly, name: &str, v: Quantity, i: Quantity) {
        let product = m.add(format!("{name}_power"), Product::new());
        m.connect(v, product.u1);
        m.connect(i, product.u2);
        self.sources.push(product.y);
    }
}

#[test]
fn random_converters_run_and_conserve_energy() {
    let all = seeds(&(0..40).collect::<Vec<_>>());
    let complaints = on_all_cores(&all, |seed| {
        let converter = Converter::random(seed);
        match converter.error() {
            Ok(error) if error < 1e-6 => None,
            Ok(error) => Some(format!("{seed}: error of energy {error:e}, {converter:?}\n")),
            Err(why) => Some(format!("{seed}: {why}, {converter:?}\n")),
        }
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{} complaints\n{}", complaints.len(), complaints.concat());
}
