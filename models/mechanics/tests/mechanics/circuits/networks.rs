//! Random circuits as values: elements between nodes, which a test can reorder, reverse and rename.

use crate::common::Random;
use libraries::electrical::*;
use libraries::prelude::*;
use libraries::rotational::Inertia;
use mechanics::port::Pin;

/// What an element does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    Resistor(f64),
    /// Capacitance and the voltage at the start.
    Capacitor(f64, f64),
    /// Inductance and the current at the start.
    Inductor(f64, f64),
    /// Amplitude, frequency and offset of a voltage.
    Voltage([f64; 3]),
    /// Amplitude, frequency and offset of a current.
    Current([f64; 3]),
    /// Torque per current, and the inertia that it moves.
    Emf([f64; 2]),
    /// Resistance, conductance and knee.
    Diode([f64; 3]),
    /// Resistance, conductance and period of the pulse that closes the switch.
    Switch([f64; 3]),
    /// Inductances, the last one mutual, and currents at the start.
    Transformer([f64; 3], [f64; 2]),
    IdealTransformer(f64),
    Gyrator(f64),
    VoltageByVoltage(f64),
    CurrentByVoltage(f64),
    VoltageByCurrent(f64),
    CurrentByCurrent(f64),
}

impl Law {
    /// Whether it has two pairs of pins.
    pub fn has_two_ports(self) -> bool {
        use Law::*;
        matches!(
            self,
            Transformer(..)
                | IdealTransformer(_)
                | Gyrator(_)
                | VoltageByVoltage(_)
                | CurrentByVoltage(_)
                | VoltageByCurrent(_)
                | CurrentByCurrent(_)
        )
    }
}

/// An element between nodes.
#[derive(Clone, Debug)]
pub struct Element {
    pub name: String,
    pub law: Law,
    /// The nodes of its pins p and n, or p1, n1, p2 and n2.
    pub nodes: Vec<usize>,
}

impl Element {
    /// The suffixes of its pins.
    pub fn pins(&self) -> &'static [&'static str] {
        if self.nodes.len() == 2 { &["p", "n"] } else { &["p1", "n1", "p2", "n2"] }
    }
}

/// Elements between nodes, some of which are grounded.
#[derive(Clone, Debug)]
pub struct Network {
    pub nodes: usize,
    pub elements: Vec<Element>,
    pub grounds: Vec<usize>,
}

/// Which elements a random network has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of all kinds, with diodes and switches.
    Any,
    /// Of all kinds except controlled sources, so that diodes have modes that agree.
    Driven,
    /// Linear ones, without diodes and switches.
    Linear,
    /// Those that supply no energy.
    Passive,
    /// Those that supply no energy, with ideal switches.
    Ideal,
    /// Those with sources and ideal switches.
    IdealDriven,
    /// Resistors, capacitors, inductors and transformers.
    Reciprocal,
}

impl Network {
    /// A random network.
    pub fn random(seed: u64, kind: Kind) -> Network {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ kind as u64);
        let nodes = 2 + random.below(6);
        let count = nodes + random.below(nodes + 2);
        let mut elements = Vec::new();
        for k in 0..count {
            let law = law(&mut random, kind);
            let ports = if law.has_two_ports() { 2 } else { 1 };
            let mut pairs = Vec::new();
            for port in 0..ports {
                // The first elements are a tree, so that no node is alone.
                let tree = k + 1 < nodes && port == 0;
                let from = if tree { k + 1 } else { random.below(nodes) };
                let to = if tree { random.below(k + 1) } else { random.below(nodes - 1) };
                let to = if !tree && to >= from { to + 1 } else { to };
                pairs.push(if random.chance(0.5) { [from, to] } else { [to, from] });
            }
            elements.push(Element { name: format!("e{k}"), law, nodes: pairs.concat() });
        }
        Network { nodes, grounds: vec![0], elements }
    }

    /// The same circuit with other names, which are returned for the old ones in their order, and
    /// with the elements in another order. Elements with two pins whose law has no direction are
    /// reversed at random; the signs say which.
    pub fn rewritten(&self, random: &mut Random) -> (Network, Vec<(String, f64)>) {
        let mut other = self.clone();
        let mut names = Vec::new();
        for element in &mut other.elements {
            element.name = format!("x{}{}", 100 + random.below(900), element.name);
            let reversed = random.chance(0.5);
            let sign = if reversed { -1.0 } else { 1.0 };
            match &mut element.law {
                Law::Capacitor(_, start) | Law::Inductor(_, start) if reversed => *start *= -1.0,
                Law::Voltage([amplitude, _, offset]) | Law::Current([amplitude, _, offset])
                    if reversed =>
                {
                    *amplitude *= -1.0;
                    *offset *= -1.0;
                }
                Law::Emf([k, _]) if reversed => *k *= -1.0,
                Law::Resistor(_) | Law::Switch(_) if reversed => {}
                _ => {
                    names.push((element.name.clone(), 1.0));
                    continue;
                }
            }
            element.nodes.reverse();
            names.push((element.name.clone(), sign));
        }
        for k in (1..other.elements.len()).rev() {
            other.elements.swap(k, random.below(k + 1));
        }
        (other, names)
    }

    /// Adds it to an assembly; returns a pin of each node.
    pub fn add(&self, m: &mut Assembly) -> Vec<Pin> {
        let mut first: Vec<Option<Pin>> = vec![None; self.nodes];
        let mut join = |m: &mut Assembly, node: usize, pin: Pin| match first[node] {
            Some(first) => m.connect(first, pin),
            None => first[node] = Some(pin),
        };
        for Element { name, law, nodes } in &self.elements {
            for (&node, pin) in nodes.iter().zip(add_element(m, name, *law)) {
                join(m, node, pin);
            }
        }
        for (k, &node) in self.grounds.iter().enumerate() {
            let ground = m.add(format!("ground{k}"), Ground::new());
            join(m, node, ground.p);
        }
        first.into_iter().map(|pin| pin.expect("no node is alone")).collect()
    }
}

/// A random law.
fn law(random: &mut Random, kind: Kind) -> Law {
    let size = |random: &mut Random, typical: f64| typical * random.size(0.2, 5.0);
    let signal = |random: &mut Random| {
        [random.between(1.0, 5.0), random.between(0.2, 2.0), random.between(-2.0, 2.0)]
    };
    let is_ideal = matches!(kind, Kind::Ideal | Kind::IdealDriven);
    let choices: &[usize] = match kind {
        Kind::Any => &[0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 6, 6, 7, 7, 8, 9, 10, 11, 12, 13, 14],
        Kind::Driven => &[0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 6, 6, 7, 8, 9, 10],
        Kind::Linear => &[0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14],
        Kind::Passive => &[0, 0, 0, 1, 1, 2, 2, 5, 6, 6, 7, 8, 9, 10],
        Kind::Ideal => &[0, 0, 0, 1, 1, 2, 2, 6, 6, 7, 7, 8, 9],
        Kind::IdealDriven => &[0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 6, 6, 6, 7, 9],
        Kind::Reciprocal => &[0, 0, 1, 1, 2, 2, 8],
    };
    match random.of(choices) {
        0 => Law::Resistor(size(random, 2.0)),
        1 => Law::Capacitor(size(random, 0.1), random.number()),
        2 => Law::Inductor(size(random, 0.5), random.number()),
        3 => Law::Voltage(signal(random)),
        4 => Law::Current(signal(random)),
        5 => Law::Emf([random.sign() * size(random, 0.5), size(random, 0.1)]),
        6 if is_ideal => {
            let [ron, goff] = [random.of(&[0.0, 0.0, 0.1]), random.of(&[0.0, 0.0, 0.01])];
            Law::Diode([ron, goff, random.of(&[0.0, 0.0, 0.7])])
        }
        7 if is_ideal => {
            let [ron, goff] = [random.of(&[0.0, 0.0, 0.1]), random.of(&[0.0, 0.0, 0.01])];
            Law::Switch([ron, goff, random.between(0.05, 0.4)])
        }
        6 => {
            let [ron, goff] = [random.of(&[1e-5, 1e-3, 0.1]), random.of(&[1e-5, 1e-3, 0.01])];
            Law::Diode([ron, goff, random.of(&[0.0, 0.0, 0.7])])
        }
        7 => {
            let [ron, goff] = [random.of(&[1e-5, 1e-3, 0.1]), random.of(&[1e-5, 1e-3, 0.01])];
            Law::Switch([ron, goff, random.between(0.05, 0.4)])
        }
        8 => {
            let [l1, l2] = [size(random, 0.5), size(random, 0.5)];
            let m = random.number() * 0.95 * (l1 * l2).sqrt();
            Law::Transformer([l1, l2, m], [random.number(), random.number()])
        }
        9 => Law::IdealTransformer(random.sign() * size(random, 1.0)),
        10 => Law::Gyrator(size(random, 0.5)),
        11 => Law::VoltageByVoltage(random.number()),
        12 => Law::CurrentByVoltage(random.number()),
        13 => Law::VoltageByCurrent(random.number()),
        _ => Law::CurrentByCurrent(random.number()),
    }
}

/// Adds an element; returns its pins.
fn add_element(m: &mut Assembly, name: &str, law: Law) -> Vec<Pin> {
    macro_rules! one {
        ($part:expr) => {{
            let part = m.add(name, $part);
            vec![part.p, part.n]
        }};
    }
    macro_rules! two {
        ($part:expr) => {{
            let part = m.add(name, $part);
            vec![part.p1, part.n1, part.p2, part.n2]
        }};
    }
    let sine = |m: &mut Assembly, [amplitude, f, offset]: [f64; 3]| {
        let sine = Sine::new().amplitude(amplitude).f(f).offset(offset);
        m.add(format!("{name}_signal"), sine).y
    };
    match law {
        Law::Resistor(r) => one!(Resistor::new().R(r)),
        Law::Capacitor(c, v) => one!(Capacitor::new().C(c).v(guess(v))),
        Law::Inductor(l, i) => one!(Inductor::new().L(l).i(guess(i))),
        Law::Voltage(signal) => {
            let signal = sine(m, signal);
            let part = m.add(name, SignalVoltage::new());
            m.connect(signal, part.v);
            vec![part.p, part.n]
        }
        Law::Current(signal) => {
            let signal = sine(m, signal);
            let part = m.add(name, SignalCurrent::new());
            m.connect(signal, part.i);
            vec![part.p, part.n]
        }
        Law::Emf([k, j]) => {
            let rotor = Inertia::new().J(j).phi(fixed(0)).w(fixed(0.5));
            let rotor = m.add(format!("{name}_rotor"), rotor);
            let part = m.add(name, RotationalEMF::new().k(k));
            m.connect(part.flange, rotor.flange_a);
            vec![part.p, part.n]
        }
        Law::Diode([ron, goff, knee]) => {
            one!(IdealDiode::new().Ron(ron).Goff(goff).Vknee(knee))
        }
        Law::Switch([ron, goff, period]) => {
            let pulse = Pulse::new().amplitude(1).period(period).width(40);
            let pulse = m.add(format!("{name}_pulse"), pulse);
            let above = m.add(format!("{name}_above"), GreaterThreshold::new().threshold(0.5));
            m.connect(pulse.y, above.u);
            let part = m.add(name, IdealClosingSwitch::new().Ron(ron).Goff(goff));
            m.connect(above.y, part.control);
            vec![part.p, part.n]
        }
        Law::Transformer([l1, l2, mutual], [i1, i2]) => {
            let part = Transformer::new().L1(l1).L2(l2).M(mutual);
            two!(part.i1(guess(i1)).i2(guess(i2)))
        }
        Law::IdealTransformer(n) => two!(IdealTransformer::new().n(n)),
        Law::Gyrator(g) => two!(Gyrator::new().G1(g).G2(g)),
        Law::VoltageByVoltage(gain) => two!(VCV::new().gain(gain)),
        Law::CurrentByVoltage(g) => two!(VCC::new().trans_conductance(g)),
        Law::VoltageByCurrent(r) => two!(CCV::new().trans_resistance(r)),
        Law::CurrentByCurrent(gain) => two!(CCC::new().gain(gain)),
    }
}
