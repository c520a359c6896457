//! Random drives: a motor with a converter of any kind, sampled and continuous controllers, and a
//! drive train with elasticity, friction and backlash.
//!
//! What the sources give is stored or lost, and the results do not depend on communication points.

use crate::common::cores::on_all_cores;
use crate::common::{energy, program_with, seeds, simulation_of, value};
use equations::{Ex, Expression, Model, Program};
use fmu_runtime::Simulation;
use libraries::blocks::{Hysteresis, LimPID, SimpleController};
use libraries::electrical::*;
use libraries::power_converters::AverageHBridge;
use libraries::prelude::*;
use libraries::rotational::*;
use libraries::sampled::{SampledPID, SignalPWM};
use libraries::thermal::{FixedTemperature, HeatCapacitor, ThermalConductor};
use mechanics::port::Pin;
use random::Random;

/// The number of systems.
const SYSTEMS: u64 = 200;

/// The end of each simulation in s, of which all steps are exact parts.
const END: f64 = 0.125;

/// Voltage of the supply in V.
const SUPPLY: f64 = 48.0;

/// How the voltage of a motor is made.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Converter {
    /// A source whose voltage is a signal.
    Amplifier,
    /// A bridge without switches.
    Averaged,
    /// A transistor and a diode: the voltage is not negative.
    Chopper,
    /// Four switches with diodes.
    Bridge,
    /// A transistor that keeps the current in a band.
    Band,
}

/// A drive under construction.
struct Drive<'a> {
    m: &'a mut Assembly,
    random: Random,
    /// Resistance of closed switches, and conductance of open ones.
    contacts: [f64; 2],
    /// Inductances and capacitances with the names of their currents or voltages.
    stores: Vec<(f64, String)>,
}

/// Adds the drive of a seed. Returns what stores electrical energy.
fn drive(m: &mut Assembly, seed: u64) -> Vec<(f64, String)> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9) + 1);
    random.bits();
    let contacts = random.of(&[[1e-3, 1e-5], [1e-3, 1e-5], [0.0, 0.0]]);
    let mut drive = Drive { m, random, contacts, stores: Vec::new() };
    drive.complete();
    drive.stores
}

impl Drive<'_> {
    fn complete(&mut self) {
        let converter = self.random.of(&[
            Converter::Amplifier,
            Converter::Averaged,
            Converter::Chopper,
            Converter::Bridge,
            Converter::Band,
        ]);
        let ground = self.m.add("ground", Ground::new());
        let sensor = self.m.add("current", CurrentSensor::new());
        let speed = self.m.add("speed", SpeedSensor::new());
        let rotor = self.motor([sensor.n, ground.p]);
        self.m.connect(rotor, speed.flange);
        self.train(rotor);
        let wanted = self.speed_controller(speed.w, converter);
        match converter {
            Converter::Band => {
                let band = Hysteresis::new().u_low(-0.5).u_high(0.5).pre_y_start(true);
                let error = self.m.add("error", Feedback::new());
                let band = self.m.add("band", band);
                self.m.connect(wanted, error.u1);
                self.m.connect(sensor.i, error.u2);
                self.m.connect(error.y, band.u);
                let transistor = self.chopper([sensor.p, ground.p]);
                self.m.connect(band.y, transistor);
            }
            _ => {
                let limit = if converter == Converter::Amplifier { SUPPLY } else { 1.0 };
                let low = if converter == Converter::Chopper { 0.0 } else { -limit };
                let control = self.current_controller(wanted, sensor.i, [low, limit]);
                self.convert(converter, control, [sensor.p, ground.p]);
            }
        }
    }

    /// A resistor, perhaps with a temperature of its own.
    fn resistor(&mut self, name: &str, r: f64) -> ResistorPorts {
        if !self.random.chance(0.3) {
            return self.m.add(name, Resistor::new().R(r));
        }
        let resistor = self.m.add(name, Resistor::new().R(r).T_ref(293.15).alpha(4e-3));
        let heat = HeatCapacitor::new().C(self.random.between(1.0, 20.0)).T(fixed(293.15));
        let heat = self.m.add(format!("{name}_heat"), heat);
        let cooling = self.m.add(format!("{name}_cooling"), ThermalConductor::new().G(0.5));
        let ambient = self.m.add(format!("{name}_ambient"), FixedTemperature::new().T(293.15));
        self.m.connect(resistor.heat_port, heat.port);
        self.m.chain((resistor.heat_port, cooling, ambient.port));
        resistor
    }

    /// A motor between two pins; returns its flange.
    fn motor(&mut self, [p, n]: [Pin; 2]) -> Flange {
        let r = self.random.between(0.2, 1.0);
        let ra = self.resistor("ra", r);
        let l = self.random.size(3e-4, 3e-3);
        let la = self.m.add("la", Inductor::new().L(l).i(fixed(0)));
        self.stores.push((l, "la.i".to_owned()));
        let emf = self.m.add("emf", RotationalEMF::new().k(self.random.between(0.05, 0.2)));
        self.m.chain((p, ra, la, emf, n));
        if self.random.chance(0.3) {
            let iron = self.m.add("iron", Resistor::new().R(self.random.size(50.0, 500.0)));
            self.m.chain((emf.p, iron, emf.n));
        }
        let j = self.random.size(1e-4, 1e-3);
        let rotor = self.m.add("rotor", Inertia::new().J(j).phi(fixed(0)).w(fixed(0)));
        self.m.connect(emf.flange, rotor.flange_a);
        rotor.flange_b
    }

    /// One to three elements with an inertia behind each.
    fn train(&mut self, mut flange: Flange) {
        for k in 0..=self.random.below(3) {
            let name = format!("element{k}");
            let next = match self.random.below(4) {
                0 => {
                    let c = self.random.size(20.0, 500.0);
                    let spring = SpringDamper::new().c(c).d(0.01);
                    let spring = self.m.add(name, spring.phi_rel(fixed(0)).w_rel(fixed(0)));
                    self.m.connect(flange, spring.flange_a);
                    spring.flange_b
                }
                1 => {
                    let c = self.random.size(20.0, 500.0);
                    let b = self.random.between(0.01, 0.1);
                    let play = ElastoBacklash::new().c(c).d(0.02).b(b);
                    let play = self.m.add(name, play.phi_rel(fixed(0)).w_rel(fixed(0)));
                    self.m.connect(flange, play.flange_a);
                    play.flange_b
                }
                2 => {
                    let ratio = self.random.sign() * self.random.between(0.5, 5.0);
                    let gear = self.m.add(name, IdealGear::new().ratio(ratio));
                    self.m.connect(flange, gear.flange_a);
                    gear.flange_b
                }
                _ => {
                    let tau = self.random.size(1e-3, 0.1);
                    let bearing = BearingFriction::new().tau_pos([[0.0, tau], [100.0, 2.0 * tau]]);
                    let bearing = self.m.add(name, bearing);
                    self.m.connect(flange, bearing.flange_a);
                    bearing.flange_b
                }
            };
            let j = self.random.size(1e-4, 1e-2);
            let load = self.m.add(format!("load{k}"), Inertia::new().J(j));
            self.m.connect(next, load.flange_a);
            flange = load.flange_b;
        }
    }

    /// The wanted current, from the speed.
    fn speed_controller(&mut self, speed: Quantity, converter: Converter) -> Quantity {
        let height = self.random.between(20.0, 100.0);
        let sign = if converter == Converter::Chopper || converter == Converter::Band {
            1.0
        } else {
            self.random.sign()
        };
        let wanted = self.m.add("wanted", Step::new().height(sign * height).start_time(0.01));
        let (k, most) = (self.random.size(0.03, 0.3), self.random.between(5.0, 20.0));
        let pi = SampledPID::new().controller_type(SimpleController::PI).k(k).Ti(0.1);
        let least = if converter == Converter::Band { 0.0 } else { -most };
        let pi = pi.y_max(most).y_min(least).sample_period(self.random.of(&[1e-3, 2e-3, 5e-3]));
        let pi = self.m.add("speed_controller", pi);
        self.m.connect(wanted.y, pi.u_s);
        self.m.connect(speed, pi.u_m);
        pi.y
    }

    /// The signal for the converter, from currents.
    fn current_controller(
        &mut self,
        wanted: Quantity,
        current: Quantity,
        [low, high]: [f64; 2],
    ) -> Quantity {
        let gain = high / SUPPLY;
        let (k, ti) = (gain * self.random.between(0.2, 1.5), self.random.size(1e-3, 1e-2));
        if self.random.chance(0.3) {
            let pi = LimPID::new().controller_type(SimpleController::PI).k(k).Ti(ti);
            let pi = self.m.add("current_controller", pi.y_max(high).y_min(low));
            self.m.connect(wanted, pi.u_s);
            self.m.connect(current, pi.u_m);
            return pi.y;
        }
        let period = self.random.of(&[1e-4, 2e-4, 5e-4]);
        let pi = SampledPID::new().controller_type(SimpleController::PI).k(k).Ti(ti);
        let pi = pi.y_max(high).y_min(low).sample_period(period);
        let pi = self.m.add("current_controller", pi);
        self.m.connect(wanted, pi.u_s);
        self.m.connect(current, pi.u_m);
        pi.y
    }

    /// The converter between a motor and a supply.
    fn convert(&mut self, converter: Converter, control: Quantity, [p, n]: [Pin; 2]) {
        if converter == Converter::Amplifier {
            let source = self.m.add("source", SignalVoltage::new());
            self.m.connect(control, source.v);
            self.m.connect(source.p, p);
            self.m.connect(source.n, n);
            return;
        }
        if converter == Converter::Chopper {
            let pwm = self.pwm(control);
            let transistor = self.chopper([p, n]);
            self.m.connect(pwm[0], transistor);
            return;
        }
        // The duty cycle is one half without voltage.
        let half = self.m.add("half", Constant::new().k(0.5));
        let duty = self.m.add("duty", Add::new().k1(0.5));
        self.m.connect(control, duty.u1);
        self.m.connect(half.y, duty.u2);
        let supply = self.m.add("source", ConstantVoltage::new().V(SUPPLY));
        if converter == Converter::Averaged {
            let bridge = self.m.add("bridge", AverageHBridge::new());
            self.m.connect(duty.y, bridge.d);
            self.m.connect(supply.p, bridge.dc_p);
            self.m.connect(supply.n, bridge.dc_n);
            self.m.connect(bridge.ac_p, p);
            self.m.connect(bridge.ac_n, n);
            self.float(supply.n);
            return;
        }
        let [fire, not_fire] = self.pwm(duty.y);
        let [ron, goff] = self.contacts;
        for (k, (middle, [upper, lower])) in
            [(p, [fire, not_fire]), (n, [not_fire, fire])].into_iter().enumerate()
        {
            for (name, ends, signal) in
                [("upper", [supply.p, middle], upper), ("lower", [middle, supply.n], lower)]
            {
                let switch = IdealClosingSwitch::new().Ron(ron).Goff(goff);
                let switch = self.m.add(format!("{name}_switch{k}"), switch);
                let diode = IdealDiode::new().Ron(ron).Goff(goff);
                let diode = self.m.add(format!("{name}_diode{k}"), diode);
                self.m.connect(signal, switch.control);
                self.m.chain((ends[0], switch, ends[1]));
                self.m.chain((ends[1], diode, ends[0]));
            }
        }
        self.float(supply.n);
    }

    /// A supply whose potential a large resistance determines.
    fn float(&mut self, pin: Pin) {
        let resistor = self.m.add("float", Resistor::new().R(1e5));
        let ground = self.m.add("earth", Ground::new());
        self.m.chain((pin, resistor, ground.p));
    }

    fn pwm(&mut self, duty: Quantity) -> [Quantity; 2] {
        let f = self.random.of(&[2e3, 5e3, 10e3]);
        let pwm = self.m.add("pwm", SignalPWM::new().f(f));
        self.m.connect(duty, pwm.duty_cycle);
        [pwm.fire, pwm.not_fire]
    }

    /// A transistor and a diode with a supply, perhaps with a filter; returns the gate.
    fn chopper(&mut self, [p, n]: [Pin; 2]) -> mechanics::port::BooleanInput {
        let supply = self.m.add("source", ConstantVoltage::new().V(SUPPLY));
        let [ron, goff] = self.contacts;
        let transistor = IdealGTOThyristor::new().Ron(ron).Goff(goff);
        let transistor = self.m.add("transistor", transistor);
        let diode = self.m.add("diode", IdealDiode::new().Ron(ron).Goff(goff).Vknee(0.5));
        if self.random.chance(0.5) {
            let line = self.m.add("line", Resistor::new().R(0.1));
            let c = self.random.size(1e-4, 1e-3);
            let filter = self.m.add("filter", Capacitor::new().C(c).v(fixed(SUPPLY)));
            self.stores.push((c, "filter.v".to_owned()));
            self.m.chain((supply.p, line, filter, supply.n));
            self.m.connect(line.n, transistor.p);
        } else {
            self.m.connect(supply.p, transistor.p);
        }
        self.m.connect(transistor.n, p);
        self.m.connect(diode.n, p);
        self.m.connect(diode.p, n);
        self.m.connect(supply.n, n);
        transistor.fire
    }
}

/// Adds the states `account.work` and `account.loss` in J: the work of the source, and what is
/// lost.
fn keep_account(model: &mut Model) {
    let of = |model: &Model, name: &str| match model.expression_of(name) {
        Some(Expression::Real(value)) => value,
        _ => panic!("{name}: no such variable"),
    };
    let is_loss = |name: &&str| name.ends_with(".LossPower") || name.ends_with(".lossPower");
    let losses: Vec<String> = model.names().filter(is_loss).map(str::to_owned).collect();
    let loss: Ex = losses.iter().map(|name| of(model, name)).sum();
    let work = -(of(model, "source.v") * of(model, "source.i"));
    for (name, power) in [("work", work), ("loss", loss), ("turnover", work.abs() + loss.abs())] {
        let state = model.state(&format!("account.{name}"), 0.0).unit("J").done();
        model.derivative(state, power);
    }
}

/// The drive of a seed with its account, and what stores electrical energy.
fn program(seed: u64, accounts: bool) -> (Program, Vec<(f64, String)>) {
    let mut stores = Vec::new();
    let text = |m: &mut Assembly| stores = drive(m, seed);
    let program = program_with(text, |model| {
        if accounts {
            keep_account(model);
        }
    });
    (program.unwrap_or_else(|why| panic!("seed {seed}: {why}")), stores)
}

fn stored(model: &mut Simulation, stores: &[(f64, String)]) -> f64 {
    let electrical: f64 =
        stores.iter().map(|(size, name)| 0.5 * size * value(model, name).powi(2)).sum();
    electrical + energy(model)
}

/// The seeds of all systems.
fn systems() -> Vec<u64> {
    seeds(&(0..SYSTEMS).collect::<Vec<_>>())
}

/// The part of the work that is missing in the balance of energy.
fn missing(seed: u64) -> f64 {
    let (program, stores) = program(seed, true);
    let mut model = simulation_of(&program);
    model.start(Some(1e-10)).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let before = stored(&mut model, &stores);
    let mut worst: f64 = 0.0;
    for k in 1..=5 {
        let t = END * f64::from(k) / 5.0;
        model.run_to(t).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let [work, loss, turnover] =
            ["work", "loss", "turnover"].map(|name| value(&mut model, &format!("account.{name}")));
        let missing = work - loss - (stored(&mut model, &stores) - before);
        let error = missing.abs() / (turnover + before).max(1e-3);
        worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
    }
    worst
}

#[test]
fn what_the_source_of_a_random_drive_gives_is_stored_or_lost() {
    let errors = on_all_cores(&systems(), |seed| (missing(seed), seed));
    let worst = errors.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).expect("a system");
    assert!(worst.0 <= 1e-6, "seed {}: {:e} of the work is missing", worst.1, worst.0);
}

/// The bits of all states and variables at the middle and at the end, with so many steps up to
/// each of them.
fn bits(program: &Program, seed: u64, parts: u32) -> Vec<u64> {
    let mut model = simulation_of(program);
    model.start(None).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let names: Vec<String> = model.names().map(str::to_owned).collect();
    let mut values = Vec::new();
    for k in 1..=2 * parts {
        let t = END * (f64::from(k) / f64::from(2 * parts));
        model.run_to(t).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        if k % parts == 0 {
            values.extend(model.continuous_states().iter().map(|x| x.to_bits()));
            let is_own = |name: &&String| !name.starts_with("solver.");
            let read = names.iter().filter(is_own).map(|name| value(&mut model, name));
            values.extend(read.map(f64::to_bits));
        }
    }
    values
}

#[test]
fn random_drives_do_not_depend_on_communication_points() {
    let differing = on_all_cores(&systems(), |seed| {
        let (program, _) = program(seed, false);
        let [one, two, five] = [1, 2, 5].map(|parts| bits(&program, seed, parts));
        (one != two || one != five).then_some(seed)
    });
    let differing: Vec<u64> = differing.into_iter().flatten().collect();
    assert!(differing.is_empty(), "seeds {differing:?}");
}
