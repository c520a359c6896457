//! A damaged tape file is either refused with a message, or played without a panic and in limited
//! memory, however wrong its numbers are.
//!
//! `COUPLER_SEEDS=100..200` damages other places than the default ones; `COUPLER_REASONS=1` prints
//! why files are refused.
#![allow(unsafe_code, reason = "it counts the memory in use")]

#[path = "../../tests/runtime/importer.rs"]
#[allow(dead_code, reason = "it is an importer for other tests too")]
mod importer;
#[path = "player/models.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod models;

use fmu_runtime::equations::{Equations, LoadedModel, ModelLoader, RunnableModel};
use fmu_runtime::fmi2::*;
use fmu_runtime::kernels::Dual;
use fmu_runtime::system::{Env, Failure, FailureKind, Info, Solved, Stage, Subject, Update};
use importer::Fmu;
use postcard::ser_flavors::Flavor;
use program::{Call, Causality, Function, Points, Program, Source, Span, checksum};
use random::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::CStr;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes before the content: magic line and version, checksum, length.
const HEAD: usize = 65;

/// Maximum time for anything that is done with a damaged file.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Maximum memory in bytes that may be in use for one damaged file.
const MAX_MEMORY: isize = 1 << 29;

/// Number of evaluations of one instance after which every evaluation fails. Otherwise wrong
/// numbers could lead to a million steps, the maximum that the run time allows.
const EVALUATIONS: usize = 3000;

/// The seeds in the environment variable `COUPLER_SEEDS`, such as `100..200`, or else the default
/// ones.
fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("COUPLER_SEEDS") else { return 0..10 };
    let number = |text: &str| text.parse().expect("COUPLER_SEEDS is like 100..200");
    let (first, end) = text.split_once("..").expect("COUPLER_SEEDS is like 100..200");
    number(first)..number(end)
}

/// Programs whose files are damaged.
fn programs() -> Vec<Program> {
    vec![
        models::clutches(),
        models::fourbar(),
        models::cradle(),
        models::ball(),
        models::gear(),
        models::bench(),
        models::unusual(),
    ]
}

thread_local! {
    /// Bytes in use by this thread, and their maximum since it was last reset.
    static USED: Cell<isize> = const { Cell::new(0) };
    static MAX_USED: Cell<isize> = const { Cell::new(0) };
    /// The program of which instances are made.
    static PLAYED: RefCell<Option<Arc<Program>>> = const { RefCell::new(None) };
    static PANICS: Cell<usize> = const { Cell::new(0) };
}

struct CountingAllocator;

fn count(bytes: isize) {
    let used = USED.get() + bytes;
    USED.set(used);
    MAX_USED.set(MAX_USED.get().max(used));
}

// SAFETY: the system's allocator, counted.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// A library that plays the present program.
struct Played;

impl ModelLoader for Played {
    fn model(_: Option<&CStr>) -> Result<LoadedModel, String> {
        let program = PLAYED.with(|played| played.borrow().clone()).ok_or("nothing is played")?;
        let model: &'static dyn RunnableModel = Box::leak(Box::new(Tiring(program)));
        Ok(LoadedModel { model, place: "a.tape".to_owned() })
    }
}

/// A model whose evaluations fail after a certain number of them.
struct Tiring(Arc<Program>);

struct Tired {
    equations: Box<dyn Equations>,
    left: usize,
}

impl Tired {
    fn next(&mut self) -> Result<&mut dyn Equations, Failure> {
        let Some(left) = self.left.checked_sub(1) else {
            return Err(Failure { block: 0, kind: FailureKind::Singular, residual: 0.0 });
        };
        self.left = left;
        Ok(&mut *self.equations)
    }
}

impl RunnableModel for Tiring {
    fn info(&self) -> &'static Info {
        self.0.info
    }
    fn equations(&self) -> Box<dyn Equations> {
        Box::new(Tired { equations: self.0.equations(), left: EVALUATIONS })
    }
}

impl Equations for Tired {
    fn assertions(&mut self, e: &mut Env<'_, f64>, hold: &mut [bool]) -> Solved {
        self.next()?.assertions(e, hold)
    }
    fn requirements(&mut self, subject: Subject, e: &mut Env<'_, f64>, met: &mut [bool]) -> Solved {
        self.next()?.requirements(subject, e, met)
    }
    fn modes_at_start(&self) -> bool {
        self.equations.modes_at_start()
    }
    fn first_modes(&mut self, e: &mut Env<'_, f64>, truths: &mut [bool]) -> Solved {
        self.next()?.first_modes(e, truths)
    }
    fn initial(&mut self, e: &mut Env<'_, f64>) -> Solved {
        self.next()?.initial(e)
    }
    fn advance(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        self.next()?.advance(stages, e)
    }
    fn report(&mut self, stages: &[Stage], e: &mut Env<'_, f64>) -> Solved {
        self.next()?.report(stages, e)
    }
    fn relations(&mut self, stages: &[Stage], e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.next()?.relations(stages, e, d)
    }
    fn indicators(&mut self, e: &mut Env<'_, f64>, d: &mut [f64]) -> Solved {
        self.next()?.indicators(e, d)
    }
    fn unknowns(&mut self, e: &mut Env<'_, f64>) -> Solved {
        self.next()?.unknowns(e)
    }
    fn event(&mut self, e: &mut Env<'_, f64>, next: &mut Update<'_>) -> Solved {
        self.next()?.event(e, next)
    }
    fn initial_tangent(&mut self, e: &mut Env<'_, Dual>) -> Solved {
        self.next()?.initial_tangent(e)
    }
    fn advance_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        self.next()?.advance_tangent(stages, e)
    }
    fn report_tangent(&mut self, stages: &[Stage], e: &mut Env<'_, Dual>) -> Solved {
        self.next()?.report_tangent(stages, e)
    }
}

/// The results of reading and playing damaged files.
#[derive(Debug, Default)]
struct Outcomes {
    refused: BTreeMap<String, usize>,
    played: usize,
    started: usize,
    longest: Duration,
    /// The most memory that one of them used, in bytes.
    largest: isize,
}

impl Outcomes {
    /// Reads a content, and plays it if it is accepted.
    fn look(&mut self, bytes: &[u8], what: &dyn Fn() -> String) {
        let begin = Instant::now();
        let before = PANICS.with(Cell::get);
        let used = USED.get();
        MAX_USED.set(used);
        match Program::from_bytes(bytes) {
            Err(refused) => {
                let text = refused.to_string();
                assert!(!text.is_empty() && !text.contains('\n'));
                let kind: String = text.chars().filter(|c| !c.is_ascii_digit()).collect();
                *self.refused.entry(kind).or_default() += 1;
            }
            Ok(program) => self.play(program, what),
        }
        let took = begin.elapsed();
        assert_eq!(PANICS.with(Cell::get), before, "{}: it panics", what());
        assert!(took < MAX_TIME, "{}: {took:?}", what());
        if took > Duration::from_secs(1) {
            eprintln!("{}: {took:?}", what());
        }
        self.longest = self.longest.max(took);
        let bytes = MAX_USED.get() - used;
        assert!(bytes < MAX_MEMORY, "{}: {bytes} bytes", what());
        self.largest = self.largest.max(bytes);
    }

    fn print(&self) {
        let count: usize = self.refused.values().sum();
        let kinds = self.refused.len();
        let Outcomes { played, started, longest, largest, .. } = self;
        eprintln!("{count} refused for {kinds} reasons, {played} played, {started} to their end");
        eprintln!("the longest took {longest:?}, the largest {largest} bytes");
        if std::env::var_os("COUPLER_REASONS").is_some() {
            eprintln!("{:#?}", self.refused);
        }
    }

    fn play(&mut self, program: Program, what: &dyn Fn() -> String) {
        let program = Arc::new(program);
        PLAYED.with(|played| *played.borrow_mut() = Some(Arc::clone(&program)));
        self.played += 1;
        for fmu_type in [fmi2CoSimulation, fmi2ModelExchange] {
            let uri = format!("file://{}", models::BENCH);
            let uri = std::ffi::CString::new(uri).expect("no NUL");
            let guid = Some(program.info.guid);
            let fmu = Fmu::instantiate::<Played>(Some(c"a"), fmu_type, guid, Some(&uri), false);
            if fmu.c.is_null() {
                // Tables in files may be missing or have another shape.
                assert!(!fmu.last_text().is_empty(), "{}: no reason", what());
                continue;
            }
            self.started += usize::from(run(&fmu, fmu_type, &program).is_some());
            assert!(
                fmu.messages().iter().all(|message| message.status != fmi2Fatal),
                "{}: {:?}",
                what(),
                fmu.last_text()
            );
        }
    }
}

/// A short simulation that uses every function; `None` if it ends early.
fn run(fmu: &Fmu, fmu_type: fmi2Type, program: &Program) -> Option<()> {
    let info = program.info;
    let n = info.states.len();
    let ok = |status: fmi2Status| (status <= fmi2Warning).then_some(());
    ok(fmu.setup(0.0, None))?;
    ok(fmu.enter_initialization_mode())?;
    read(fmu, program);
    ok(fmu.exit_initialization_mode())?;
    if fmu_type == fmi2CoSimulation {
        let mut t = 0.0;
        for h in [1e-6, 1e-3, 0.0, 2e-3] {
            ok(fmu.step(t, h))?;
            t += h;
        }
    } else {
        while fmu.new_discrete_states().1.newDiscreteStatesNeeded == fmi2True {}
        ok(fmu.enter_continuous_time_mode())?;
        let (_, mut x) = fmu.states(n);
        for k in 1..=3 {
            let (status, dx) = fmu.derivatives(n);
            ok(status)?;
            x.iter_mut().zip(dx).for_each(|(x, dx)| *x += 1e-3 * dx);
            ok(fmu.set_time(1e-3 * f64::from(k)))?;
            ok(fmu.set_states(&x))?;
            ok(fmu.completed_integrator_step().0)?;
            fmu.indicators(info.relations.len());
            fmu.nominals(n);
        }
        ok(fmu.enter_event_mode())?;
        fmu.new_discrete_states();
    }
    read(fmu, program);
    let mut state = fmu.get_state();
    let (_, size) = fmu.serialized_size(state);
    let (_, bytes) = fmu.serialize(state, size);
    ok(fmu.set_state(state))?;
    ok(fmu.free_state(&mut state))?;
    let (status, mut copy) = fmu.deserialize(&bytes);
    ok(status)?;
    ok(fmu.free_state(&mut copy))
}

/// Reads all variables and differentiates all outputs.
fn read(fmu: &Fmu, program: &Program) {
    let info = program.info;
    for i in 0..info.reals.len() as u32 {
        fmu.get_real(i);
    }
    for i in 0..info.integers.len() as u32 {
        fmu.get_integer(i);
    }
    for i in 0..info.booleans.len() as u32 {
        fmu.get_boolean(i);
    }
    let all = || info.reals.iter().zip(0..);
    let outputs = all().filter(|(v, _)| v.causality == Causality::Output).map(|(_, i)| i);
    let states = all().filter(|(v, _)| matches!(v.source, Source::State(_))).map(|(_, i)| i);
    let (outputs, states): (Vec<u32>, Vec<u32>) = (outputs.collect(), states.collect());
    fmu.directional(&outputs, &states, &vec![1.0; states.len()]);
}

/// Counts panics, which the C interface catches.
fn watch() {
    std::panic::set_hook(Box::new(|info| {
        PANICS.with(|panics| panics.set(panics.get() + 1));
        eprintln!("{info}");
    }));
}

/// A file with another content and its checksum.
fn with_content(content: &[u8]) -> Vec<u8> {
    let mut bytes = b"Tape of an FMU model\n\x01\0\0\0".to_vec();
    bytes.extend(checksum(content));
    bytes.extend((content.len() as u64).to_le_bytes());
    bytes.extend(content);
    bytes
}

/// Records where the numbers of a content are.
#[derive(Default)]
struct Numbers {
    bytes: Vec<u8>,
    places: Vec<(usize, usize)>,
}

impl Flavor for &mut Numbers {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.places.push((self.bytes.len(), 1));
        self.bytes.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.places.push((self.bytes.len(), bytes.len()));
        self.bytes.extend(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

fn numbers(program: &Program) -> Numbers {
    let mut numbers = Numbers::default();
    let content = (program.modes_at_start, &program.tape, program.info);
    postcard::serialize_with_flavor(&content, &mut numbers).expect("it can be written");
    assert_eq!(numbers.bytes, program.to_bytes()[HEAD..]);
    numbers
}

/// Substitutes for a number, or for a text of the same length.
fn substitutes(old: &[u8], random: &mut Random) -> Vec<Vec<u8>> {
    let float = |x: f64| x.to_le_bytes().to_vec();
    if old.len() == 8 {
        let some = [0.0, -1.0, 1e300, f64::NAN, f64::INFINITY, 5e-324, 1.0 + 1e-9];
        return some.into_iter().map(float).collect();
    }
    let whole = |n: u64| postcard::to_allocvec(&n).expect("a number");
    let Ok(n) = postcard::from_bytes::<u64>(old) else { return Vec::new() };
    let some = [0, n.wrapping_sub(1), n + 1, random.bits() % (2 * n + 8), u64::from(u32::MAX)];
    let mut all: Vec<Vec<u8>> = some.into_iter().map(whole).collect();
    all.push(whole(u64::MAX));
    all.push(whole(random.bits()));
    all.retain(|new| new != old);
    all
}

#[test]
fn every_flipped_bit_and_every_missing_byte_is_detected() {
    watch();
    for program in programs() {
        let bytes = program.to_bytes();
        let mut random = Random(7);
        for k in 0..400 {
            let mut other = bytes.clone();
            // All bytes of the head, and some of the rest.
            let at = if k < HEAD { k } else { random.below(bytes.len()) };
            other[at] ^= 1 << random.below(8);
            assert!(Program::from_bytes(&other).is_err(), "{} byte {at}", program.info.name);
            let end = random.below(bytes.len());
            assert!(Program::from_bytes(&bytes[..end]).is_err(), "{} to {end}", program.info.name);
        }
    }
}

#[test]
fn content_that_ends_early_or_is_noise_is_refused() {
    watch();
    let mut outcomes = Outcomes::default();
    for program in programs() {
        let content = program.to_bytes()[HEAD..].to_vec();
        let mut random = Random(11);
        for k in 0..60 {
            let mut other = content[..random.below(content.len())].to_vec();
            outcomes.look(&with_content(&other), &|| format!("{} cut {k}", program.info.name));
            other = content.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(other.len());
                other[at] ^= 1 << random.below(8);
            }
            outcomes.look(&with_content(&other), &|| format!("{} bits {k}", program.info.name));
        }
    }
    outcomes.print();
}

#[test]
fn a_tape_with_any_wrong_number_is_refused_or_played() {
    watch();
    let mut outcomes = Outcomes::default();
    let programs = programs();
    for seed in seeds() {
        for program in &programs {
            let Numbers { bytes, places } = numbers(program);
            let mut random = Random(seed);
            let stride = places.len() / 20 + 1;
            let first = random.below(stride);
            for &(at, len) in places.iter().skip(first).step_by(stride) {
                for new in substitutes(&bytes[at..at + len], &mut random) {
                    let other = [&bytes[..at], &new, &bytes[at + len..]].concat();
                    let name = program.info.name;
                    let what = || format!("{name} seed {seed} byte {at}: {new:?}");
                    outcomes.look(&with_content(&other), &what);
                }
            }
        }
    }
    outcomes.print();
}

/// Changes parts of a tape in ways that respect its format.
fn disorder(program: &mut Program, random: &mut Random) {
    let tape = &mut program.tape;
    for _ in 0..=random.below(3) {
        let n = tape.code.len();
        let (i, j) = (random.below(n), random.below(n));
        match random.below(9) {
            0 => tape.code.swap(i, j),
            1 => tape.code[i] = tape.code[j],
            2 if !tape.calls.is_empty() => {
                let m = tape.calls.len();
                let (i, j) = (random.below(m), random.below(m));
                tape.calls.swap(i, j);
            }
            3 if !tape.lists.is_empty() => {
                let (i, j) = (random.below(tape.lists.len()), random.below(tape.lists.len()));
                tape.lists.swap(i, j);
            }
            4 => {
                let all: Vec<Function> = Function::all().collect();
                let m = all.len();
                tape.functions.swap(random.below(m), random.below(m));
            }
            5 => {
                let m = tape.functions.len();
                let Span { first, len } = tape.functions[random.below(m)];
                let cut = random.below(len as usize + 1) as u32;
                tape.functions[random.below(m)] = Span { first, len: cut };
            }
            6 if !tape.constants.is_empty() => {
                let m = tape.constants.len();
                tape.constants[random.below(m)] = f64::from_bits(random.bits() << 11);
            }
            7 if !tape.bodies.is_empty() => {
                let m = tape.bodies.len();
                let (i, j) = (random.below(m), random.below(m));
                tape.bodies.swap(i, j);
            }
            _ => tape.registers += random.below(3) as u32,
        }
    }
}

#[test]
fn a_tape_in_disorder_is_refused_or_played() {
    watch();
    let mut outcomes = Outcomes::default();
    let programs = programs();
    for seed in seeds() {
        for program in &programs {
            let mut random = Random(seed);
            for k in 0..30 {
                let mut other = program.clone();
                disorder(&mut other, &mut random);
                let what = || format!("{} seed {seed} disorder {k}", program.info.name);
                outcomes.look(&other.to_bytes(), &what);
            }
        }
    }
    outcomes.print();
}

/// An instance has memory for every call of its tape.
#[test]
fn calls_that_no_instruction_makes_are_refused() {
    watch();
    let mut outcomes = Outcomes::default();
    let span = |len| Span { first: 0, len };
    let (nothing, many, all) = (span(0), span(1 << 20), span(u32::MAX));
    for program in programs() {
        let name = program.info.name;
        for call in [
            Call::Impulses { w: nothing, v: many, contacts: nothing },
            Call::Impulses { w: all, v: all, contacts: all },
            Call::Block { block: 0, body: 0, guesses: all, sign: 0, captures: nothing },
            Call::NullSpace { rows: 1, columns: u32::MAX, matrix: all },
            Call::Value(Points::Registers(all, all), 0),
            Call::Slope(Points::Registers(all, span(1)), 0),
        ] {
            let mut other = program.clone();
            other.tape.calls.push(call);
            outcomes.look(&other.to_bytes(), &|| format!("{name} with {call:?}"));
        }
    }
    let reasons: Vec<&String> = outcomes.refused.keys().collect();
    assert_eq!(reasons, ["no instruction makes call "]);
    assert_eq!(outcomes.played, 0);
}
