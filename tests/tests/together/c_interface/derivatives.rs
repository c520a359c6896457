//! Tests that directional derivatives are exact, and that ModelStructure lists exactly the
//! dependencies.

use std::collections::BTreeSet;

use coupler_tests::harness::references_text;
use coupler_tests::{Fmu, FmuType, Harness, Instance, Status};
use fmu_builder::model_description::{Base, ScalarVariable, Unknown};

/// The fractions of the stop time at which derivatives are tested.
const PLACES: [f64; 5] = [0.0, 0.13, 0.37, 0.61, 0.94];

/// Values for inputs, which differ from place to place.
const INPUTS: [f64; 3] = [20.0, 0.02, 0.7];

/// Simulates to a place of the default experiment; the instance is then in Continuous-Time Mode or
/// between communication steps.
fn go_to(instance: &Instance, fmu_type: FmuType, place: f64) {
    let fmu = instance.fmu;
    let inputs = fmu.names(Base::Real, &["input"]);
    let values = INPUTS.into_iter().cycle().skip((place * 5000.0).round() as usize % 3);
    let starts: Vec<(&str, f64)> = inputs.into_iter().zip(values).collect();
    instance.then("reset").start(Some(1e-9), &starts);
    instance.go_to(fmu_type, place * fmu.stop_time());
}

/// A known of ModelStructure that can be changed: a state, an input, a parameter.
struct Known<'a> {
    index: usize,
    variable: &'a ScalarVariable,
    /// Its index in the vector of continuous states, in Continuous-Time Mode.
    state: Option<usize>,
    /// Parameters that change with it, and by how much relative to it.
    companions: Vec<(&'a ScalarVariable, f64)>,
}

/// Ends of names of parameters that change with another one, and by how much relative to it.
type Shares = &'static [(&'static str, f64)];

/// Parameters of planar loops, which are refused unless all parts of a loop lie in one plane: the
/// FMU, the end of a name, and the ends of the names of parameters that must change too. Otherwise
/// all remain at their start values.
const IN_ONE_PLANE: [(&str, &str, Shares); 11] = [
    ("Engine1a", "crank1.r[1]", &[("cylPosition.r[1]", 1.0)]),
    ("Engine1a", "mid.r[1]", &[("cylPosition.r[1]", 1.0)]),
    ("Engine1a", "cylPosition.r[1]", &[("mid.r[1]", 1.0)]),
    ("Engine1b", "crank1.r[1]", &[("cylPosition.r[1]", 1.0)]),
    ("Engine1b", "mid.r[1]", &[("cylPosition.r[1]", 1.0)]),
    ("Engine1b", "cylPosition.r[1]", &[("mid.r[1]", 1.0)]),
    ("EngineV6", ".crank1.r[1]", &[(".crank3.r[1]", -1.0), (".mid.r[1]", -1.0)]),
    ("EngineV6", ".crank3.r[1]", &[(".mounting.r[1]", 1.0)]),
    ("EngineV6", ".mid.r[1]", &[(".cylinderInclination.r[1]", 1.0)]),
    ("EngineV6", ".cylinderInclination.r[1]", &[(".mid.r[1]", 1.0)]),
    ("EngineV6", ".mounting.r[1]", &[(".crank3.r[1]", 1.0)]),
];

/// The parameters that change with a variable, and by how much relative to it.
fn companions<'a>(fmu: &'a Fmu, name: &str) -> Vec<(&'a ScalarVariable, f64)> {
    let of = |(model, end, with): &(&str, &str, Shares)| {
        let begin = name.strip_suffix(end).filter(|_| fmu.name() == *model)?;
        Some(with.iter().map(move |(end, share)| (fmu.variable(&format!("{begin}{end}")), *share)))
    };
    IN_ONE_PLANE.iter().find_map(of).into_iter().flatten().collect()
}

impl Known<'_> {
    fn set(&self, instance: &Instance, value: f64) -> bool {
        match self.state {
            Some(i) => {
                let mut x = instance.vector("get_states", instance.fmu.states().len());
                x[i] = value;
                instance.set_states(&x);
                true
            }
            None => {
                let start = |v: &ScalarVariable| v.start_number().expect("a start value");
                let with = self.companions.iter().map(|&(companion, share)| {
                    (companion, start(companion) + share * (value - start(self.variable)))
                });
                [(self.variable, value)]
                    .into_iter()
                    .chain(with)
                    .all(|(v, value)| instance.try_set(&v.name, value) == Status::Ok)
            }
        }
    }

    /// The references and the seeds of a change of it and of its companions.
    fn direction(&self) -> (Vec<u32>, Vec<f64>) {
        let all = [(self.variable, 1.0)].into_iter().chain(self.companions.iter().copied());
        all.map(|(v, share)| (v.value_reference, share)).unzip()
    }
}

/// The Real knowns in the list of an unknown, or all Real variables that could be in such a list.
fn knowns(
    fmu: &Fmu,
    wanted: impl Fn(usize, &ScalarVariable) -> bool,
    as_states: bool,
) -> Vec<Known<'_>> {
    let states = fmu.description.states();
    let real = fmu.description.variables.iter().enumerate().filter(|(_, v)| v.base == Base::Real);
    real.filter(|(index, v)| wanted(*index, v))
        .map(|(index, variable)| {
            let state = states.iter().position(|s| *s == index).filter(|_| as_states);
            Known { index, variable, state, companions: companions(fmu, &variable.name) }
        })
        .collect()
}

/// The Real unknowns of a list, without those of discrete variability.
fn unknowns<'a>(fmu: &'a Fmu, list: &'a [Unknown]) -> Vec<&'a Unknown> {
    let smooth = |u: &&Unknown| {
        let v = &fmu.description.variables[u.index];
        v.base == Base::Real && v.variability != "discrete"
    };
    list.iter().filter(smooth).collect()
}

fn references(fmu: &Fmu, unknowns: &[&Unknown]) -> Vec<u32> {
    unknowns.iter().map(|u| fmu.description.variables[u.index].value_reference).collect()
}

/// Estimates of a derivative by differences with one width.
#[derive(Clone, Copy)]
struct Estimates {
    /// The central difference, and the one that is extrapolated from two widths, so that a jump of
    /// the second derivative does not matter.
    slopes: [f64; 2],
    /// By how much the differences to both sides differ.
    bend: f64,
}

impl Estimates {
    /// Whether the value has a corner within the width.
    fn has_corner(self) -> bool {
        self.bend > 1e-2 * (1.0 + self.slopes[0].abs())
    }
}

/// Whether a value has a corner, or jumps: then the differences to both sides do not approach each
/// other as the width decreases. `bends` are the differences of both for decreasing widths.
fn stays_bent(bends: &[f64], scale: f64) -> bool {
    let approach = |pair: &[f64]| pair[1] < 0.5 * pair[0];
    bends.len() > 1
        && bends.iter().all(|bend| *bend > 1e-7 * scale)
        && !bends.windows(2).any(approach)
}

/// Finite differences for the derivatives.
fn differences(
    instance: &Instance,
    known: &Known,
    unknowns: &[u32],
    delta: f64,
) -> Option<Vec<Estimates>> {
    let value = instance.get(&known.variable.name);
    let here = instance.reals(unknowns);
    let at = |by: f64| {
        // Some combinations of parameters are refused only when values are computed.
        let possible = known.set(instance, value + by);
        let answer = possible.then(|| instance.call("get_real", &references_text(unknowns)))?;
        let status = answer.status();
        assert!(matches!(status, Status::Ok | Status::Discard), "{}", known.variable.name);
        (status == Status::Ok).then(|| (by, answer.reals(0)))
    };
    let around: Option<Vec<_>> =
        [delta, -delta, 0.5 * delta, -0.5 * delta].into_iter().map(at).collect();
    known.set(instance, value);
    let around = around?;
    let slope = |i: usize| {
        let side = |k: usize| {
            let (by, values): &(f64, Vec<f64>) = &around[k];
            (values[i] - here[i]) / (value + by - value)
        };
        let (forward, backward) = (side(0), side(1));
        let central = 0.5 * (forward + backward);
        let slopes = [central, side(2) + side(3) - central];
        Estimates { slopes, bend: (forward - backward).abs() }
    };
    Some((0..unknowns.len()).map(slope).collect())
}

/// Several step widths distinguish a wrong derivative from an unsuitable width; the smallest is for
/// values whose second derivative jumps.
const WIDTHS: [f64; 4] = [1e-5, 1e-6, 1e-4, 1e-7];

/// The indices of the widths that exceed rounding errors, by decreasing width.
const BY_WIDTH: [usize; 3] = [2, 0, 1];

/// The least error of an estimate, and the largest one of a right derivative; both are relative to
/// `scale`. `None` if the value has a corner, or jumps.
fn error(estimates: [Option<Estimates>; 4], exact: f64, scale: f64) -> Option<(f64, f64)> {
    let bends: Vec<f64> = BY_WIDTH.iter().filter_map(|k| Some(estimates[*k]?.bend)).collect();
    if stays_bent(&bends, scale) {
        return None;
    }
    // For each width the errors of the two estimates.
    let smooth =
        |(width, e): (f64, Option<Estimates>)| Some((width, e.filter(|e| !e.has_corner())?));
    let errors: Vec<(f64, [f64; 2])> = WIDTHS
        .into_iter()
        .zip(estimates)
        .filter_map(smooth)
        .map(|(width, e)| (width, e.slopes.map(|slope| (slope - exact).abs() / scale)))
        .collect();
    let least = errors.iter().flat_map(|(_, both)| *both).reduce(f64::min)?;
    // Rounding errors of values do not depend on the width, so smaller widths show the share of
    // rounding at the largest width. This estimate contains only a tenth of the error of a wrong
    // derivative.
    let largest = WIDTHS.into_iter().fold(0.0, f64::max);
    let smaller = errors.iter().filter(|(width, _)| *width < largest);
    let at_largest = smaller.flat_map(|(width, both)| both.map(|e| e * width / largest));
    Some((least, 1e-7 + at_largest.fold(0.0, f64::max)))
}

/// Compares all derivatives of some unknowns with central differences; returns their number.
fn check(instance: &Instance, unknowns: &[&Unknown], knowns: &[Known], place: &str) -> usize {
    let fmu = instance.fmu;
    let names = |u: &Unknown| fmu.description.variables[u.index].name.clone();
    let references = references(fmu, unknowns);
    let here = instance.reals(&references);
    let mut checked = 0;
    for known in knowns {
        let (direction, seed) = known.direction();
        let exact = instance.directional(&references, &direction, &seed);
        let value = instance.get(&known.variable.name).abs();
        let with_unit =
            |unit: f64| WIDTHS.map(|width| differences(instance, known, &references, unit * width));
        let of_unity = with_unit(value.max(1.0));
        // Widths of a small value, such as a capacitance, are relative to the value if the others
        // are too large.
        let mut of_value = None;
        for (i, unknown) in unknowns.iter().enumerate() {
            let scale = 1.0 + exact[i].abs() + here[i].abs();
            let of = |all: &[Option<Vec<Estimates>>; 4]| {
                error(all.each_ref().map(|e| e.as_ref().map(|e| e[i])), exact[i], scale)
            };
            let Some(mut found) = of(&of_unity) else { continue };
            if found.0 > found.1 && value > 0.0 && value < 1.0 {
                let finer = of_value.get_or_insert_with(|| with_unit(value));
                found = of(finer).unwrap_or(found);
            }
            let ((least, limit), by) = (found, &known.variable.name);
            let right = least <= limit;
            assert!(right, "{} {place}: d {} / d {by}: {least:e}", fmu.name(), names(unknown));
            checked += 1;
        }
    }
    checked
}

// FMI: A081, A082, C016, providesDirectionalDerivative
#[test]
fn directional_derivatives_equal_central_differences_in_continuous_time() {
    for fmu in Fmu::all() {
        let description = &fmu.description;
        let list = [description.derivatives.clone(), description.outputs.clone()].concat();
        let unknowns = unknowns(&fmu, &list);
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        let states = description.states();
        let is_known = |i: usize, v: &ScalarVariable| {
            states.contains(&i) || (v.causality == "input" && v.variability == "continuous")
        };
        let mut checked = 0;
        for place in PLACES {
            go_to(&instance, FmuType::ModelExchange, place);
            checked +=
                check(&instance, &unknowns, &knowns(&fmu, is_known, true), &format!("{place}"));
        }
        let possible = PLACES.len() * unknowns.len() * states.len();
        assert!(checked >= possible * 9 / 10, "{}: {checked} of {possible}", fmu.name());
    }
}

// FMI: A081, A082, A084
#[test]
fn directional_derivatives_equal_central_differences_in_initialization_mode() {
    for fmu in Fmu::all() {
        let unknowns = unknowns(&fmu, &fmu.description.initial_unknowns);
        let listed: BTreeSet<usize> =
            unknowns.iter().flat_map(|u| u.dependencies.iter().flatten().copied()).collect();
        let mut checked = 0;
        for fmu_type in [FmuType::ModelExchange, FmuType::CoSimulation] {
            let harness = Harness::new(&fmu);
            let instance = harness.instantiate(&fmu, fmu_type);
            instance.setup(None, 0.0, None).then("enter_initialization");
            let knowns = knowns(&fmu, |i, _| listed.contains(&i), false);
            checked += check(&instance, &unknowns, &knowns, "initialization");
        }
        assert!(checked > 0, "{}", fmu.name());
    }
}

// FMI: A082
#[test]
fn directional_derivatives_are_the_same_for_both_fmu_types() {
    for fmu in Fmu::all() {
        let description = &fmu.description;
        let list = [description.derivatives.clone(), description.outputs.clone()].concat();
        let unknowns = unknowns(&fmu, &list);
        let references = references(&fmu, &unknowns);
        let states = fmu.reals(fmu.states());
        let harness = Harness::new(&fmu);
        let me = harness.instantiate(&fmu, FmuType::ModelExchange);
        let cs = harness.instantiate(&fmu, FmuType::CoSimulation);
        for place in PLACES {
            go_to(&cs, FmuType::CoSimulation, place);
            go_to(&me, FmuType::ModelExchange, place);
            me.set_states(&cs.reals(&states));
            for known in &states {
                let one = cs.directional(&references, &[*known], &[1.0]);
                let other = me.directional(&references, &[*known], &[1.0]);
                for (a, b) in one.iter().zip(&other) {
                    let close = (a - b).abs() <= 1e-9 * (1.0 + a.abs());
                    assert!(close, "{} at {place}: {a} and {b}", fmu.name());
                }
            }
        }
    }
}

// FMI: A081, A083
#[test]
fn a_directional_derivative_is_linear_in_its_seed_and_changes_nothing() {
    for fmu in Fmu::all() {
        let unknowns = unknowns(&fmu, &fmu.description.derivatives);
        let references = references(&fmu, &unknowns);
        let states = fmu.reals(fmu.states());
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        go_to(&instance, FmuType::ModelExchange, 0.37);
        let before = instance.everything();
        let seed: Vec<f64> = (0..states.len()).map(|i| 1.5 - i as f64).collect();
        let together = instance.directional(&references, &states, &seed);
        let mut sum = vec![0.0; references.len()];
        for (known, s) in states.iter().zip(&seed) {
            let one = instance.directional(&references, &[*known], &[1.0]);
            sum.iter_mut().zip(one).for_each(|(sum, d)| *sum += s * d);
        }
        for (a, b) in together.iter().zip(&sum) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs()), "{}: {a} and {b}", fmu.name());
        }
        assert!(before == instance.everything(), "{}: values change", fmu.name());
    }
}

/// Finds the knowns whose change has an influence on an unknown beyond a relative `rounding`;
/// `values` are those of the knowns.
fn measure(
    instance: &Instance,
    unknowns: &[&Unknown],
    knowns: &[Known],
    (values, rounding): (&[f64], f64),
    seen: &mut [BTreeSet<usize>],
) {
    let references = references(instance.fmu, unknowns);
    let here = instance.reals(&references);
    instance.ok("get_state", "0");
    for (known, value) in knowns.iter().zip(values) {
        if !known.companions.is_empty() {
            // What it influences alone is seen only in its derivatives, whose sums over companions
            // are compared with differences above.
            let reference = known.variable.value_reference;
            let slopes = instance.directional(&references, &[reference], &[1.0]);
            let seen = seen.iter_mut().zip(slopes).filter(|(_, slope)| *slope != 0.0);
            seen.for_each(|(seen, _)| _ = seen.insert(known.index));
            continue;
        }
        for factor in [1e-3, -1e-2, 0.2] {
            if known.set(instance, value + factor * value.abs().max(1.0)) {
                let answer = instance.call("get_real", &references_text(&references));
                match answer.status() {
                    Status::Ok => {
                        for (i, changed) in answer.reals(0).iter().enumerate() {
                            if (changed - here[i]).abs() > rounding * (1.0 + here[i].abs()) {
                                seen[i].insert(known.index);
                            }
                        }
                    }
                    // The mechanism cannot be assembled.
                    Status::Error => {
                        instance.ok("set_state", "0");
                    }
                    _ => {}
                }
            }
            known.set(instance, *value);
        }
    }
    instance.ok("free_state", "0");
}

/// A small change for element `k` of a list; all changes differ.
fn push(k: usize, round: usize) -> f64 {
    0.01 * (1.0 + ((k + round) % 7) as f64)
}

/// Moves an instance in Continuous-Time Mode away from symmetry: another start with changed
/// parameters, then changed states. Returns whether the model allows that.
fn displace(instance: &Instance, knowns: &[Known], round: usize) -> bool {
    let fmu = instance.fmu;
    instance.then("reset").setup(None, 0.0, None);
    let exact = fmu.description.variables.iter().filter(|v| v.initial() == Some("exact"));
    let settable = exact.filter(|v| v.base == Base::Real && v.variability != "constant");
    let settable = settable.filter(|v| !v.name.starts_with("solver."));
    for (k, v) in settable.filter(|v| companions(fmu, &v.name).is_empty()).enumerate() {
        let start = v.start_number().expect("a start value");
        instance.try_set(&v.name, start + push(k, round) * start.abs().max(0.1));
    }
    let ready = ["enter_initialization", "exit_initialization"]
        .into_iter()
        .all(|command| instance.call(command, "").status() == Status::Ok);
    if !ready {
        return false;
    }
    instance.iterate_events();
    instance.then("enter_continuous");
    for (k, known) in knowns.iter().enumerate() {
        let value = instance.get(&known.variable.name);
        known.set(instance, value + push(k, round + 1) * value.abs().max(1.0));
    }
    let n = fmu.states().len();
    instance.call("get_derivatives", &n.to_string()).status() == Status::Ok
}

/// Lets one of the states vanish, in an event: amplifiers leave their limits there, and parts that
/// slide stop. Returns whether the model allows that.
fn vanish(instance: &Instance, knowns: &[Known], round: usize) -> bool {
    let states: Vec<&Known> = knowns.iter().filter(|known| known.state.is_some()).collect();
    if states.is_empty() || !states[round % states.len()].set(instance, 0.0) {
        return false;
    }
    let n = instance.fmu.states().len();
    let calls = [("enter_event", ""), ("new_discrete_states", ""), ("enter_continuous", "")];
    let calls = calls.map(|(command, arguments)| (command, arguments.to_owned()));
    let calls = calls.into_iter().chain([("get_derivatives", n.to_string())]);
    let mut statuses =
        calls.map(|(command, arguments)| instance.call(command, &arguments).status());
    statuses.all(|status| status == Status::Ok)
}

/// Listed dependencies without influence, by the beginning and the end of each pair of names.
/// Without influence are: the position of a crank's slider along its own axis, and of a mass along
/// the axis of a crank shaft; gravity parallel to a level plane, and the direction of a wheel on a
/// level plane; small changes of values that only select between two solutions or strokes; and the
/// reference signal of a filter that starts at the reference.
const HIDDEN_BY_SYMMETRY: [(&str, &str); 15] = [
    ("FreeBody: body.body.z_a[1]", "body.r_CM[1]"),
    ("RollingWheelSetDriving: wheelSet.der2_theta2", "wheelSet.theta1"),
    ("Fourbar1: b1.body.z_a[1]", "b0.r[1]"),
    ("FourbarAnalytic: b1.body.z_a[1]", "jointSSP.s_offset"),
    ("FourbarAnalytic: ", "jointSSP.s_guess"),
    ("FourbarAnalytic: jointSSP.branch", ""),
    ("RollingWheelSetDriving: wheelSet.der2_theta1", "world.g"),
    ("RollingWheelSetDriving: wheelSet.der2_theta2", "world.g"),
    ("Engine1b: press", "inertia.w"),
    ("Surfaces: prismatic.a on sine", ""),
    ("Engine1a: crank1.body.z_a[1]", "cylPosition.r[2]"),
    ("EngineV6: ", ".crank1.r_shape[1]"),
    ("EngineV6: ", ".crank3.r_shape[1]"),
    ("EngineV6: ", "cylinder6.crank3.r[1]"),
    ("FourbarAnalytic: b1.body.z_a[1]", "b3.r[1]"),
];

/// A force in world axes that is transformed to the axes of its body and back again: only rounding
/// errors remain, and none if the last angle vanishes.
const TURNED_BACK: (&str, &str) = ("Cp2: der(", ".phi[3]");

/// The length below which the direction of a spring is not defined, which is not reached.
const LENGTH_NOT_REACHED: &str = ".s_small";

/// Asserts that all measured dependencies are listed. Returns the listed dependencies that were not
/// measured, with the indices of their unknowns in the list.
fn compare(
    fmu: &Fmu,
    unknowns: &[&Unknown],
    knowns: &[Known],
    seen: &[BTreeSet<usize>],
) -> Vec<(usize, String)> {
    let name = |i: usize| fmu.description.variables[i].name.clone();
    let mut unseen = Vec::new();
    for (place, (unknown, seen)) in unknowns.iter().zip(seen).enumerate() {
        let listed: BTreeSet<usize> = match &unknown.dependencies {
            Some(list) => list.iter().copied().collect(),
            None => panic!("{}: {} lists no dependencies", fmu.name(), name(unknown.index)),
        };
        let unlisted: Vec<String> = seen.difference(&listed).map(|i| name(*i)).collect();
        let unknown_name = name(unknown.index);
        assert!(unlisted.is_empty(), "{}: {unknown_name} depends on {unlisted:?}", fmu.name());
        let could = |i: &&usize| knowns.iter().any(|k| k.index == **i);
        for known in listed.difference(seen).filter(could) {
            unseen.push((place, format!("{}: {unknown_name} on {}", fmu.name(), name(*known))));
        }
    }
    unseen
}

// FMI: A083, C075, C077
#[test]
fn measured_sparsity_is_that_of_model_structure_in_continuous_time() {
    let mut never_seen = Vec::new();
    for fmu in Fmu::all() {
        let description = &fmu.description;
        let list = [description.derivatives.clone(), description.outputs.clone()].concat();
        let unknowns = unknowns(&fmu, &list);
        let states = description.states();
        let is_known = |i: usize, v: &ScalarVariable| {
            states.contains(&i) || (v.causality == "input" && v.variability == "continuous")
        };
        let knowns = knowns(&fmu, is_known, true);
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::ModelExchange);
        let mut seen = vec![BTreeSet::new(); unknowns.len()];
        // At the last place the clutch of Drivetrain slides slowly; at large speeds its friction is
        // constant.
        let places = (0..24).map(|i| f64::from(i) / 24.0).chain([0.03]);
        for (i, place) in places.enumerate() {
            go_to(&instance, FmuType::ModelExchange, place);
            let values: Vec<f64> =
                knowns.iter().map(|known| instance.get(&known.variable.name)).collect();
            measure(&instance, &unknowns, &knowns, (&values, 0.0), &mut seen);
            for change in [displace, vanish] {
                if !change(&instance, &knowns, i) {
                    break;
                }
                let values: Vec<f64> =
                    knowns.iter().map(|known| instance.get(&known.variable.name)).collect();
                measure(&instance, &unknowns, &knowns, (&values, 0.0), &mut seen);
            }
        }
        let unseen = compare(&fmu, &unknowns, &knowns, &seen);
        // The coupling by contacts depends on which of them are closed, and slide, at the same
        // time.
        let closes = description.variables.iter().any(|v| v.name.ends_with(".closed"));
        let cancels = |pair: &str| {
            let (begin, end) = TURNED_BACK;
            pair.starts_with(begin) && pair.ends_with(end)
        };
        let unseen = unseen.into_iter().map(|u| u.1).filter(|pair| !closes && !cancels(pair));
        never_seen.extend(unseen);
    }
    assert!(never_seen.is_empty(), "listed, but never seen: {never_seen:#?}");
}

/// Relative rounding of initial values: positions of a group of loops are found together, so that
/// the last bits of each depend on everything that the others depend on.
const FOUND_TOGETHER: f64 = 1e-13;

// FMI: C076, C077
#[test]
fn measured_sparsity_is_that_of_model_structure_in_initialization_mode() {
    let mut never_seen = Vec::new();
    for fmu in Fmu::all() {
        let unknowns = unknowns(&fmu, &fmu.description.initial_unknowns);
        let is_known = |_: usize, v: &ScalarVariable| {
            v.initial() == Some("exact") && v.variability != "constant" || v.causality == "input"
        };
        let knowns = knowns(&fmu, is_known, false);
        let harness = Harness::new(&fmu);
        let instance = harness.instantiate(&fmu, FmuType::CoSimulation);
        let mut seen = vec![BTreeSet::new(); unknowns.len()];
        // The knowns that each unknown equals, for all values.
        let mut equal: Vec<Vec<usize>> = vec![(0..knowns.len()).collect(); unknowns.len()];
        // Several start times and start values are used, because some derivatives vanish at the
        // default ones.
        for round in 0..4 {
            let start = f64::from(round) * 0.06;
            instance.then("reset").setup(None, start, None).then("enter_initialization");
            let mut values = Vec::new();
            for (i, known) in knowns.iter().enumerate() {
                let start = known.variable.start_number().expect("a start value");
                // No two changes are equal, so that values which depend on a difference change too.
                let push = f64::from(round) * 0.01 * (1.0 + 10.0 * (0.618 * i as f64).fract());
                let free = if known.companions.is_empty() { 1.0 } else { 0.0 };
                let value = start + free * push * start.abs().max(0.1);
                let possible = known.set(&instance, value);
                values.push(if possible { value } else { start });
            }
            let here = instance.call("get_real", &references_text(&references(&fmu, &unknowns)));
            // Not all combinations of values are possible: equations may have no solution.
            if round > 0 && here.status() == Status::Discard {
                continue;
            }
            assert_eq!(here.status(), Status::Ok, "{} in round {round}", fmu.name());
            for (equal, value) in equal.iter_mut().zip(here.reals(0)) {
                equal.retain(|k| (values[*k] - value).abs() <= 1e-12 * (1.0 + value.abs()));
            }
            measure(&instance, &unknowns, &knowns, (&values, FOUND_TOGETHER), &mut seen);
        }
        let mut unseen = compare(&fmu, &unknowns, &knowns, &seen);
        // A variable that equals a start value needs no other known, although its state may be
        // relative to another one.
        unseen.retain(|(place, _)| equal[*place].is_empty());
        // Discrete values at the start depend on everything with an influence on their thresholds.
        // Not every threshold is crossed by the changes tried here.
        let switches = fmu.description.variables.iter().any(|v| v.variability == "discrete");
        let hidden = |(_, pair): &(usize, String)| {
            let symmetric =
                |(begin, end): &(&str, &str)| pair.starts_with(begin) && pair.ends_with(end);
            HIDDEN_BY_SYMMETRY.iter().any(symmetric) || pair.ends_with(LENGTH_NOT_REACHED)
        };
        // Variables that start at rest do so for all values.
        let rests = |place: usize| {
            let name = &fmu.description.variables[unknowns[place].index].name;
            name.starts_with("der(") && seen[place].is_empty()
        };
        unseen.retain(|pair| !switches && !hidden(pair) && !rests(pair.0));
        never_seen.extend(unseen.into_iter().map(|u| u.1));
    }
    assert!(never_seen.is_empty(), "listed, but never seen: {never_seen:#?}");
}
