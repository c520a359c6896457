//! Tests of mechanisms that reach singular positions: a mechanism passes the position, or the step
//! is refused with a message that names the loop.

use coupler_tests::simulations::{self, run_to, set, start, value, values};
use coupler_tests::{Fmu, fmu_program, own};
use fmu_builder::models::Traced;
use fmu_runtime::Simulation;
use mechanics::Assembly;
use std::f64::consts::PI;
use std::path::Path;
use std::time::Duration;

mod model;

/// One of the mechanisms.
fn traced(name: &str) -> Traced {
    let (_, text) = model::ALL.iter().find(|(known, _)| *known == name).expect("a mechanism");
    own::traced("singular", |m: &mut Assembly| {
        text(m);
        m.stop_time(10.0);
    })
}

/// One of the mechanisms before its start.
fn mechanism(name: &str) -> Simulation {
    simulations::of(&traced(name))
}

/// The end of a simulation that reaches a singular position.
struct End<const N: usize> {
    /// The last communication point in s.
    t: f64,
    /// The message.
    sentence: String,
    /// The values of the watched variables.
    watched: [f64; N],
}

/// Simulates in steps of `h` in s until a step is refused. All variables can be read at all
/// communication points.
fn flight<const N: usize>(model: &mut Simulation, h: f64, watched: [&str; N]) -> End<N> {
    start(model, Some(1e-6), &[]);
    let names: Vec<String> = model.names().map(str::to_owned).collect();
    for step in 0..1000 {
        let refused = model.run_to(f64::from(step + 1) * h).err();
        // After a refused step, the values are the finite ones of the last point reached.
        assert!(model.continuous_states().iter().all(|x| x.is_finite()), "{model:?}");
        for name in &names {
            value(model, name);
        }
        if let Some(why) = refused {
            let (t, sentence) = (f64::from(step) * h, why.to_string());
            let answer = model.messages().into_iter().rfind(|message| message.text == sentence);
            assert_eq!(answer.expect("the sentence").category, "logStatusDiscard", "{sentence}");
            return End { t, sentence, watched: values(model, watched) };
        }
    }
    panic!("{model:?}: no position is singular");
}

#[test]
fn a_step_into_a_singular_position_is_refused_by_name() {
    // The model, the earliest time in s at which it is singular, and a part of the message.
    let dead = "the loop reaches a dead point or a change point, where the states no longer";
    let cases = [
        ("joint", 0.1, "j3", dead),
        ("constraint", 0.1, "j3", dead),
        ("rod", 0.1, "rod", dead),
        ("angles", 1.55, "motion", "become parallel"),
    ];
    for (model, earliest, name, what) in cases {
        let traced = traced(model);
        let End { t, sentence, .. } = flight(&mut simulations::of(&traced), 1e-2, []);
        assert!(t >= earliest, "{model}: at {t} s already: {sentence}");
        assert!(sentence.contains(name) && sentence.contains(what), "{model}: {sentence}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fmu = own::interpreted(&traced, folder.path());
        run_ends_at_once(&fmu, folder.path(), name, what);
    }
}

/// Asserts that `fmu run --me` ends soon with the message about the singular position.
fn run_ends_at_once(fmu: &Fmu, folder: &Path, name: &str, what: &str) {
    let mut run = fmu_program::fmu();
    run.arg("run").arg(&fmu.path).args(["--me", "--no-plot", "--output"]).arg(folder.join("t.csv"));
    // A million steps, each hardly longer than the resolution of time, would take longer.
    let output = fmu_program::within(&mut run, Duration::from_secs(5)).expect("it ends at once");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("Singular.fmu: at t = ") && errors.contains(name), "{errors}");
    let end = format!(" s is too long; {} ends at ", folder.join("t.csv").display());
    assert!(errors.contains(what) && errors.contains(&end), "{errors}");
}

#[test]
fn a_parallelogram_passes_the_positions_in_which_it_could_continue_in_two_ways() {
    let models = [
        ("change_of_joints", "j4.phi"),
        ("change_of_constraint", "j4.phi"),
        ("change_of_dyad", "j3.phi"),
    ];
    for (model, rocker) in models {
        let mut linkage = mechanism(model);
        // All bars are in line at 0.5 s: a communication point of the first step size.
        for h in [1e-3, 1.7e-2, 0.13, 2.0] {
            start(&mut linkage, Some(1e-6), &[]);
            for step in 1..=(8.0_f64 / h) as u32 {
                run_to(&mut linkage, f64::from(step) * h);
                let [crank, rocker] = values(&mut linkage, ["j1.phi", rocker]);
                let off = (0.5 * (crank - rocker)).sin().abs();
                assert!(off < 1e-6, "{model} in {h} s: {crank} and {rocker} rad");
                let exact = 0.5 - f64::from(step) * h;
                assert!((crank - exact).abs() < 1e-5, "{model} in {h} s: {crank}, not {exact}");
            }
        }
        if model == "change_of_dyad" {
            turns_past_a_change_point(&mut linkage);
        }
    }
}

/// If the rocker is a little longer than the crank, the crank turns and the rocker swings.
fn turns_past_a_change_point(linkage: &mut Simulation) {
    for (rocker, h) in [(0.101, 2e-3), (0.101, 0.05), (0.101, 5.0), (0.1001, 5.0)] {
        start(linkage, Some(1e-6), &[("j3.rRod2_ib[1]", rocker)]);
        let at_start = value(linkage, "energy.kinetic");
        for step in 1..=(50.0_f64 / h).round() as u32 {
            run_to(linkage, f64::from(step) * h);
            let [crank, angle] = values(linkage, ["j1.phi", "j3.phi"]);
            let end = [
                0.1 * crank.cos() - 0.4 - rocker * angle.cos(),
                0.1 * crank.sin() - rocker * angle.sin(),
            ];
            assert!((end[0].hypot(end[1]) - 0.4).abs() < 1e-12, "{crank} and {angle} rad");
            // Crank and rocker start on the same side, and the rocker stays on it.
            assert!((0.0..PI).contains(&angle), "{angle} rad at {crank} rad");
        }
        let crank = value(linkage, "j1.phi");
        assert!(crank < -20.0, "{crank} rad");
        let change = value(linkage, "energy.kinetic") / at_start - 1.0;
        assert!(change.abs() < 1e-3, "{change} with {rocker} m in {h} s");
    }
}

#[test]
fn a_slider_crank_of_equal_lengths_passes_where_it_could_continue_in_two_ways() {
    let models = [("change_of_rod", "slide.s"), ("change_of_dyad_that_slides", "rod.s")];
    for (model, slide) in models {
        let mut linkage = mechanism(model);
        for h in [1e-3, 1.7e-2, 0.13, 2.0] {
            start(&mut linkage, Some(1e-6), &[]);
            for step in 1..=(4.0_f64 / h) as u32 {
                run_to(&mut linkage, f64::from(step) * h);
                let [crank, slide] = values(&mut linkage, ["j1.phi", slide]);
                let exact = 0.2 * crank.cos();
                assert!((slide - exact).abs() < 1e-7, "{model} in {h} s: {slide}, not {exact} m");
            }
            let crank = value(&mut linkage, "j1.phi");
            assert!(crank > 4.0, "{model} in {h} s: {crank} rad");
        }
        if slide == "rod.s" {
            slides_past_a_change_point(&mut linkage);
        }
    }
}

#[test]
fn a_driven_slider_crank_of_equal_lengths_stops_where_it_could_continue_in_two_ways() {
    let mut linkage = mechanism("turning_dyad");
    for h in [1e-3, 2.8e-3, 1e-2, 0.1, 1.0] {
        let End { sentence, watched, .. } = flight(&mut linkage, h, ["j1.phi", "rod.s"]);
        let [crank, slide] = watched;
        assert!((PI / 2.0 - 1e-2..PI / 2.0).contains(&crank), "in {h} s: {crank} rad");
        assert!((slide - 0.2 * crank.cos()).abs() < 1e-9, "in {h} s: {slide} m");
        assert!(
            sentence.contains("rod, moved by speed: the loop reaches a dead point"),
            "{sentence}"
        );
    }
    slides_past_a_change_point(&mut linkage);
}

/// If the rod is a little longer than the crank, the crank can turn any number of times.
fn slides_past_a_change_point(linkage: &mut Simulation) {
    for (rod, h) in [(0.101, 1e-2), (0.101, 0.13), (0.101, 10.0), (0.1001, 0.5)] {
        start(linkage, Some(1e-6), &[("rod.rRod1_ia[1]", rod)]);
        for step in 1..=(40.0_f64 / h).round() as u32 {
            run_to(linkage, f64::from(step) * h);
            let [crank, slide] = values(linkage, ["j1.phi", "rod.s"]);
            let (sine, cosine) = crank.sin_cos();
            let exact = 0.1 * cosine + (rod * rod - 0.01 * sine * sine).sqrt();
            assert!((slide - exact).abs() < 1e-9, "{slide} instead of {exact} m at {crank} rad");
        }
        let crank = value(linkage, "j1.phi");
        assert!(crank > 100.0, "{crank} rad");
    }
}

#[test]
fn a_loop_knows_its_angles_after_many_turns_in_one_step_of_the_integrator() {
    let mut linkage = mechanism("turning");
    for h in [1e-2, 0.1, 2.0] {
        start(&mut linkage, Some(1e-6), &[]);
        for step in 1..=(2.0_f64 / h).round() as u32 {
            let t = f64::from(step) * h;
            run_to(&mut linkage, t);
            let [crank, rod] = values(&mut linkage, ["j1.phi", "j2.phi"]);
            assert!((crank - 50.0 * t).abs() < 1e-9, "{crank} rad at {t} s");
            let exact = -crank - (0.1 * crank.sin() / 0.15).asin();
            assert!((rod - exact).abs() < 1e-9, "{rod} instead of {exact} rad at {t} s");
        }
    }
}

#[test]
fn a_loop_that_cannot_be_assembled_is_refused_with_the_residual_that_remains() {
    let mut linkage = mechanism("rod");
    // The end of the crank is 0.0296 m away from the axis of the slide.
    set(&mut linkage, "rod.rodLength", 0.02);
    let sentence = linkage.start(None).expect_err("the rod is too short").to_string();
    assert!(sentence.contains("rod: the loop cannot be assembled with the present"), "{sentence}");
    let rest = sentence.split("its largest residual is ").nth(1).expect("a residual");
    let (residual, rest) = rest.split_once(' ').expect("the rest of the sentence");
    let residual: f64 = residual.parse().expect("a number");
    let changed =
        "(lengths in m, angles in rad); other values than in the text: rod.rodLength = 0.02 m";
    assert!(rest.starts_with(changed), "{sentence}");
    assert!(residual > 1e-3 && residual < 0.1, "{sentence}");
}

#[test]
fn a_loop_follows_jumps_of_its_drive_towards_a_singular_position() {
    let mut linkage = mechanism("driven");
    start(&mut linkage, Some(1e-6), &[]);
    // If the crank is at pi, rod and rocker are nearly in line.
    for (step, phi) in [2.2, PI, 2.2, 3.0, 1.9, 2.5, PI].into_iter().enumerate() {
        set(&mut linkage, "phi", phi);
        run_to(&mut linkage, 0.1 * (step + 1) as f64);
        let end = [0.2 * phi.cos() - 0.4, 0.2 * phi.sin()];
        let distance = end[0].hypot(end[1]);
        let rocker = end[1].atan2(end[0]) - (distance / 0.602).acos();
        let [crank, found] = values(&mut linkage, ["j1.phi", "j4.phi"]);
        assert!((crank - phi).abs() < 1e-12, "{crank} instead of {phi} rad");
        assert!((found - rocker).abs() < 1e-9, "{found} instead of {rocker} rad at {phi} rad");
    }
}
