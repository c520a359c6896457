//! Tests of steady states with friction in FMUs: initial values and modes are found for values that
//! an importer sets.

use coupler_tests::harness::Instantiation;
use coupler_tests::{Fmu, FmuType, Harness, Status, own};

mod model;

const FMU_TYPES: [FmuType; 2] = [FmuType::ModelExchange, FmuType::CoSimulation];

#[test]
fn modes_are_found_for_the_values_that_an_importer_sets() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = own::interpreted(&own::traced("steady", model::steady), folder.path());
    let harness = Harness::new(&fmu);
    for fmu_type in FMU_TYPES {
        steady_states(&fmu, &harness, fmu_type);
        nothing_is_found(&fmu, &harness, fmu_type);
    }
}

/// Asserts that the shaft has the reference speed for every guess, and that the guess determines
/// the state of the fan.
fn steady_states(fmu: &Fmu, harness: &Harness, fmu_type: FmuType) {
    for wanted in [30.0, -30.0] {
        for (guess, near, fan) in [(20.0, 0.3, 1.0 / 3.0), (0.0, 0.3, 1.0 / 3.0), (-20.0, 0.0, 0.0)]
        {
            let instance = harness.instantiate(fmu, fmu_type);
            let starts = [("wanted.k", wanted), ("shaft.w", guess), ("fan.w", near)];
            instance.start(Some(1e-8), &starts);
            let found = instance.values(&["shaft.w", "pi.x", "fan.w"]);
            let expected = [wanted, f64::signum(wanted), fan];
            let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            assert!(apart.clone().all(|d| d < 1e-9), "{fmu_type:?}, {guess}: {found:?}");
            assert_eq!(instance.get("bearing.mode"), f64::signum(wanted));
            if fmu_type == FmuType::CoSimulation {
                instance.step(0.0, 0.1);
                assert!((instance.get("shaft.w") - wanted).abs() < 1e-7, "{guess}");
            }
            instance.free();
        }
    }
}

/// Asserts that a torque that friction of the fan cannot balance is refused by name.
fn nothing_is_found(fmu: &Fmu, harness: &Harness, fmu_type: FmuType) {
    let with = Instantiation { fmu_type: fmu_type as i32, logging: true, ..Instantiation::of(fmu) };
    let instance = harness.try_instantiate(fmu, &with).expect("an instance");
    instance.set("drive.tau_constant", 0.8);
    instance.setup(None, 0.0, None).then("enter_initialization");
    assert_eq!(instance.call("exit_initialization", "").status(), Status::Error);
    let log = harness.log();
    let last = log.iter().rfind(|message| message.status == Status::Error as i64);
    let text = &last.expect("a sentence").text;
    let names = "nor is there a solution in other modes of bearing: w > 0, bearing: w < 0, \
                 fan_bearing: w > 0, fan_bearing: w < 0";
    assert!(text.contains("singular") && text.ends_with(names), "{text}");
    instance.free();
}
