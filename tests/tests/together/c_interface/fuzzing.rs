//! A fuzzing importer makes random calls with NULL and texts of any kind, after which fmi2Reset
//! works.

use std::fmt::Write;

use coupler_tests::harness::{Instantiation, bits, quote};
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::Base;
use random::Random;

/// A possible or impossible value of a Real variable.
fn real(random: &mut Random) -> f64 {
    let nasty = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        5e-324,
        -1e-310,
        1e300,
        -1e300,
        f64::MAX,
        -0.0,
        -1.0,
    ];
    match random.below(3) {
        0 => random.of(&nasty),
        _ => random.below(2001) as f64 / 500.0 - 2.0,
    }
}

/// A time or the length of a step, in s.
fn time(random: &mut Random) -> f64 {
    let nasty = [f64::NAN, f64::INFINITY, -0.01, 0.0, 5e-324, 1e-12, -1e300];
    match random.below(4) {
        0 => random.of(&nasty),
        _ => random.below(50) as f64 * 1e-3,
    }
}

/// An importer that calls one instance at random.
struct Fuzzer<'a> {
    instance: &'a Instance<'a>,
    random: Random,
    /// The file for serialised states.
    file: &'a std::path::Path,
    /// Communication point or time, in s.
    t: f64,
}

impl Fuzzer<'_> {
    fn reference(&mut self, base: Base) -> u32 {
        let variables = &self.instance.fmu.description.variables;
        let of_base: Vec<u32> = variables
            .iter()
            .filter(|v| v.base.name_space() == base)
            .map(|v| v.value_reference)
            .collect();
        match self.random.below(10) {
            0 => self.random.of(&[0, 1, 77, 100_000, u32::MAX]),
            _ if of_base.is_empty() => 0,
            _ => self.random.of(&of_base),
        }
    }

    /// Some value references, as the harness reads them, and their number.
    fn references(&mut self, base: Base) -> (usize, String) {
        let count = self.random.below(4);
        let mut text = count.to_string();
        (0..count).for_each(|_| {
            let _ = write!(text, " {}", self.reference(base));
        });
        (count, text)
    }

    fn reals(&mut self, count: usize) -> String {
        (0..count).map(|_| format!(" {}", bits(real(&mut self.random)))).collect()
    }

    /// The length of a vector, which is mostly the right one.
    fn length(&mut self, right: usize) -> usize {
        if self.random.below(5) == 0 { self.random.below(right + 3) } else { right }
    }

    /// Makes one random call and returns its status.
    fn call(&mut self) -> Status {
        let plain = [
            "enter_initialization",
            "exit_initialization",
            "enter_event",
            "enter_continuous",
            "new_discrete_states",
            "completed",
            "terminate",
            "reset",
            "cancel",
            "status",
        ];
        let slot = self.random.below(3);
        let (nx, nz) = {
            let fmu = self.instance.fmu;
            (fmu.states().len(), fmu.description.number_of_event_indicators)
        };
        let (command, arguments) = match self.random.below(24) {
            0..=5 => (self.random.of(&plain), String::new()),
            6 => {
                let flags = [self.random.below(2), self.random.below(2)];
                let [tolerance, start, stop] = [(); 3].map(|()| bits(time(&mut self.random)));
                ("setup", format!("{} {tolerance} {start} {} {stop}", flags[0], flags[1]))
            }
            7 => ("get_real", self.references(Base::Real).1),
            8 => ("get_integer", self.references(Base::Integer).1),
            9 => ("get_boolean", self.references(Base::Boolean).1),
            10 => ("get_string", self.references(Base::String).1),
            kind @ 11..=15 => self.setter(kind),
            16 => (self.random.of(&["get_state", "set_state", "free_state"]), slot.to_string()),
            17 => return self.bytes(slot),
            18 => {
                let (_, unknowns) = self.references(Base::Real);
                let (count, knowns) = self.references(Base::Real);
                ("directional", format!("{unknowns} {knowns}{}", self.reals(count)))
            }
            19 => ("set_time", bits(self.t + time(&mut self.random))),
            20 => {
                let count = self.length(nx);
                ("set_states", format!("{count}{}", self.reals(count)))
            }
            21 => {
                let of_states = ["get_derivatives", "get_states", "get_nominals"];
                match self.random.below(4) {
                    0 => ("get_indicators", self.length(nz).to_string()),
                    i => (of_states[i - 1], self.length(nx).to_string()),
                }
            }
            22 => {
                let (count, references) = self.references(Base::Real);
                let orders = (0..count).map(|_| format!(" {}", self.random.below(8) as i32 - 1));
                let orders: String = orders.collect();
                match self.random.below(2) {
                    0 => ("get_output_derivatives", references + &orders),
                    _ => ("set_input_derivatives", references + &orders + &self.reals(count)),
                }
            }
            _ => return self.step(),
        };
        let status = self.instance.call(command, &arguments).status();
        if command == "reset" {
            self.t = 0.0;
        }
        status
    }

    /// A call that sets variables of one kind, with its arguments.
    fn setter(&mut self, kind: usize) -> (&'static str, String) {
        match kind {
            11 | 12 => {
                let (count, references) = self.references(Base::Real);
                ("set_real", references + &self.reals(count))
            }
            13 => {
                let (count, references) = self.references(Base::Integer);
                let values = (0..count).map(|_| format!(" {}", self.random.below(7) as i32 - 2));
                ("set_integer", references + &values.collect::<String>())
            }
            14 => {
                let (count, references) = self.references(Base::Boolean);
                let values = (0..count).map(|_| format!(" {}", self.random.below(4) as i32 - 1));
                ("set_boolean", references + &values.collect::<String>())
            }
            _ => {
                let texts = ["-", "=", "=%25s%25n", "=%ff%fe", "=\u{e4}"];
                ("set_string", format!("1 0 {}", self.random.of(&texts)))
            }
        }
    }

    /// A step from the present time, or from another one.
    fn step(&mut self) -> Status {
        let (t, h) = (self.t, time(&mut self.random));
        let t = if self.random.below(8) == 0 { time(&mut self.random) } else { t };
        let status = self.instance.call("step", &format!("{} {}", bits(t), bits(h))).status();
        self.t += if status == Status::Ok { h } else { 0.0 };
        status
    }

    /// Writes a state to a file, in which a byte may be changed, and reads it again.
    fn bytes(&mut self, slot: usize) -> Status {
        let arguments = format!("{slot} {}", quote(self.file.to_str()));
        let status = self.instance.call("serialize", &arguments).status();
        if status != Status::Ok {
            return status;
        }
        if self.random.below(2) == 0 {
            let mut bytes = std::fs::read(self.file).expect("the state was written");
            let at = self.random.below(bytes.len());
            bytes[at] ^= 1 << self.random.below(8);
            std::fs::write(self.file, bytes).expect("it is written");
        }
        self.instance.call("deserialize", &arguments).status()
    }
}

/// A short simulation with all values at every point.
fn plain_run(instance: &Instance, fmu_type: FmuType) -> Vec<Vec<u64>> {
    instance.start(None, instance.fmu.starts());
    let mut seen = vec![instance.everything()];
    match fmu_type {
        FmuType::CoSimulation => {
            for i in 0..3 {
                instance.step(f64::from(i) * 0.01, 0.01);
                seen.push(instance.everything());
            }
        }
        FmuType::ModelExchange => {
            instance.iterate_events();
            instance.then("enter_continuous").set_time(1e-3);
            seen.push(instance.everything());
        }
    }
    seen
}

// FMI: A006, A048, A049, A065
#[test]
fn random_calls_are_survived_and_a_reset_gives_the_bits_of_a_new_instance() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("state");
    for fmu in Fmu::all() {
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let harness = Harness::new(&fmu);
            let fresh = harness.instantiate(&fmu, fmu_type);
            let expected = plain_run(&fresh, fmu_type);
            for seed in 0..8 {
                let instance = harness.instantiate(&fmu, fmu_type);
                let random = Random(seed + 1000 * fmu_type as u64);
                let mut fuzzer = Fuzzer { instance: &instance, random, file: &file, t: 0.0 };
                if seed % 4 > 0 {
                    instance.start(None, &[]);
                }
                for _ in 0..50 {
                    let status = fuzzer.call();
                    let what =
                        || format!("{} {fmu_type:?} {seed}: {:?}", fmu.name(), harness.log());
                    assert!(!matches!(status, Status::Fatal | Status::Pending), "{}", what());
                    if status == Status::Error && fuzzer.random.below(2) == 0 {
                        instance.then("reset");
                        fuzzer.t = 0.0;
                        if fuzzer.random.below(4) > 0 {
                            instance.start(None, &[]);
                        }
                    }
                }
                instance.then("reset");
                let repeated = plain_run(&instance, fmu_type);
                assert!(repeated == expected, "{} {fmu_type:?} {seed}", fmu.name());
                instance.free();
            }
            let untouched = plain_run(fresh.then("reset"), fmu_type);
            assert!(untouched == expected, "{} {fmu_type:?}: another instance", fmu.name());
        }
    }
}

// FMI: A065, B030
#[test]
fn null_instances_and_null_pointers_are_refused_in_every_state() {
    for fmu in Fmu::all() {
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let harness = Harness::new(&fmu);
            let all_refused = |name: &str| {
                let answer = harness.call(&format!("without_pointers {name}"));
                let (made, refused) = (answer.integer(0), answer.integer(1));
                assert!(
                    made > 30 && made == refused,
                    "{} {fmu_type:?}: {refused} of {made}",
                    fmu.name()
                );
            };
            all_refused("-");
            let instance = harness.instantiate(&fmu, fmu_type);
            let expected = plain_run(&instance, fmu_type);
            for state in 0..4 {
                instance.then("reset").setup(None, 0.0, None);
                if state > 0 {
                    instance.then("enter_initialization");
                }
                if state > 1 {
                    instance.then("exit_initialization");
                }
                if state > 2 {
                    instance.then("terminate");
                }
                all_refused("0");
                assert!(plain_run(instance.then("reset"), fmu_type) == expected, "{}", fmu.name());
            }
        }
    }
}

// FMI: A012, A013, A014, A017, A018, A033, A034
#[test]
fn texts_of_any_length_and_encoding_are_survived() {
    for (i, fmu) in Fmu::all().into_iter().enumerate() {
        let harness = Harness::new(&fmu);
        // One FMU gets a text of a megabyte; others get shorter ones, because the text must be
        // encoded for the harness.
        let long = "x".repeat(if i == 0 { 1_000_000 } else { 2_000 });
        let percent = "%s%n%*d#%".repeat(100);
        for text in [long.as_str(), &percent, "\u{1f600}\u{202e}", "\u{1}\u{7f}"] {
            let good = Instantiation { logging: true, ..Instantiation::of(&fmu) };
            for with in [
                Instantiation { guid: Some(text), ..good.clone() },
                Instantiation { uri: Some(text), name: Some(" "), ..good.clone() },
            ] {
                assert!(harness.try_instantiate(&fmu, &with).is_none(), "{}", fmu.name());
                let log = harness.log();
                assert_eq!(log.len(), 1, "{}: {log:?}", fmu.name());
            }
            let with = Instantiation { name: Some(text), ..good };
            let instance = harness.try_instantiate(&fmu, &with).expect("any name is a name");
            let category = format!("1 1 {}", quote(Some(text)));
            assert_eq!(instance.call("debug_logging", &category).status(), Status::Error);
            let log = harness.log();
            assert!(log.iter().all(|m| m.name_is_right), "{}", fmu.name());
            instance.then("reset").start(None, &[]).then("terminate");
            instance.free();
            harness.log();
        }
        // Bytes that are not UTF-8.
        let guid = quote(Some(&fmu.description.guid));
        let uri = quote(Some(fmu.resources()));
        let make = |name: &str, guid: &str| {
            harness.call(&format!("instantiate 99 1 {name} {guid} {uri} 2 0 1")).status()
        };
        assert_eq!(make("=a", "=%ff%c3"), Status::Warning, "refused");
        assert_eq!(make("=%ff%c3%28", &guid), Status::Ok);
        assert_eq!(harness.call("debug_logging 99 1 1 =%ff").status(), Status::Error);
        assert!(harness.log().iter().all(|m| m.name_is_right), "{}", fmu.name());
        harness.call("free 99");
    }
}

// FMI: A028, A065
#[test]
fn a_component_that_was_freed_or_never_was_one_is_refused() {
    for fmu in Fmu::all() {
        let harness = Harness::new(&fmu);
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let other = harness.instantiate(&fmu, fmu_type);
            other.start(None, fmu.starts());
            let before = other.everything();
            let freed = harness.instantiate(&fmu, fmu_type);
            let number = freed.number();
            freed.free();
            // The freed instance, an address inside it, and two distant ones.
            for component in ["", "+4", "+1000000", "-1000000"].map(|by| format!("{number}{by}")) {
                for call in ["free", "reset", "get_real", "terminate", "step"] {
                    let status = harness.call(&format!("{call} {component} 0 0")).status();
                    let expected = if call == "free" { Status::Ok } else { Status::Error };
                    assert_eq!(status, expected, "{} {call} {component}", fmu.name());
                }
            }
            assert!(other.everything() == before, "{}: another instance", fmu.name());
            other.free();
        }
    }
}
