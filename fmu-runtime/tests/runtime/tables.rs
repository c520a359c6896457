//! Tests of tables of plain numbers: they are not part of FMU states, and messages name arguments
//! outside them.

use crate::importer::Fmu;
use crate::systems::model;
use fmu_runtime::fmi2::*;
use fmu_runtime::kernels::rows::TableShape;
use fmu_runtime::system::*;

const X: u32 = 0;
const Y: u32 = 1;

/// `x'` is the slope of the table "ramp" at the present time, which must be inside the table.
struct Follower;

const RAMP: Table = Table {
    name: "ramp",
    shape: TableShape { columns: 2, jumps: false, periodic: false },
    data: Data::Rows(&[0.0, 1.0, 4.0, 9.0]),
};

impl System for Follower {
    const INFO: Info = model("Follower", "{follower}")
        .reals(&[Variable::new("x", Source::State(0)).output()])
        .states(&[State::new("x")])
        .tables(&[RAMP]);
    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(e.tables[0].entry(1, 0.0));
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            let rows = &e.tables[0];
            let rise = |column| rows.entry(column, 1.0) - rows.entry(column, 0.0);
            e.dx[0] = rows.guard(0, e.t.value(), S::from(rise(1) / rise(0)))?;
        }
        Ok(())
    }
}

/// The slope of a table whose numbers do not ascend.
struct Broken;

impl System for Broken {
    const INFO: Info =
        Follower::INFO.tables(&[Table { data: Data::Rows(&[1.0, 0.0, 0.0, 1.0]), ..RAMP }]);

    fn initial<S: Scalar>(_: &mut Env<'_, S>) -> Solved {
        Ok(())
    }

    fn advance<S: Scalar>(_: Stage, _: &mut Env<'_, S>) -> Solved {
        Ok(())
    }
}

#[test]
fn a_simulation_ends_at_the_end_of_the_table_with_a_message() {
    let fmu = Fmu::cs_from::<Follower>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 4.0), fmi2OK, "the last abscissa is inside");
    assert!((fmu.real(X) - 9.0).abs() < 1e-9);
    assert_eq!(fmu.step(4.0, 1.0), fmi2Discard);
    let text = fmu.last_text();
    let end = "is outside the table, which reaches from 0 to 4: its argument equals the time, so the \
               simulation must stop at 4 s";
    assert!(text.contains("ramp: ") && text.ends_with(end), "{text}");
}

#[test]
fn a_stop_time_beyond_the_table_is_named() {
    let fmu = Fmu::cs::<Follower>();
    assert_eq!(fmu.setup(0.0, Some(5.0)), fmi2OK);
    assert_eq!(fmu.enter_initialization_mode(), fmi2OK);
    assert_eq!(fmu.exit_initialization_mode(), fmi2OK);
    assert_eq!(fmu.step(0.0, 5.0), fmi2Discard);
    let end = "from 0 to 4: its argument equals the time, and the stop time 5 s is after 4 s";
    assert!(fmu.last_text().ends_with(end), "{}", fmu.last_text());
    let early = Fmu::me_from::<Follower>(0.0, &[]);
    assert_eq!(early.set_time(-1.0), fmi2OK);
    assert_eq!(early.derivatives(1).0, fmi2Discard);
    let end = "its argument equals the time, so the simulation must not start before 0 s";
    assert!(early.last_text().ends_with(end), "{}", early.last_text());
}

/// `x' = 1`, with a table of `x`.
struct Bounded;

impl System for Bounded {
    const INFO: Info = Follower::INFO;

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(2.0);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = e.tables[0].guard(0, e.x[0].value(), S::from(1.0))?;
        }
        Ok(())
    }
}

#[test]
fn the_range_of_a_table_of_a_state_is_named_without_times() {
    let fmu = Fmu::cs_from::<Bounded>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 3.0), fmi2Discard);
    let text = fmu.last_text();
    assert!(text.ends_with("is outside the table, which reaches from 0 to 4"), "{text}");
}

/// `x' = 1`, and an output that is the value of the table at the present time.
struct Reader;

impl System for Reader {
    const INFO: Info = Follower::INFO
        .reals(&[
            Variable::new("x", Source::State(0)).output(),
            Variable::new("y", Source::Reported(0, Stage::Time)).output(),
        ])
        .fallible(None, Some(Stage::Time));

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(0.0);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = S::from(1.0);
        }
        Ok(())
    }

    fn report<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Time {
            let t = e.t.value();
            e.w[0] = e.tables[0].guard(0, t, S::from(1.0 + 2.0 * t))?;
        }
        Ok(())
    }
}

// FMI: A068, A092
#[test]
fn a_step_to_a_point_at_which_an_output_has_no_value_leaves_the_previous_point() {
    let fmu = Fmu::cs_from::<Reader>(0.0, &[]);
    assert_eq!(fmu.step(0.0, 3.0), fmi2OK);
    let before = [fmu.real(X), fmu.real(Y)];
    assert_eq!(before[1], 7.0);
    let mut state = fmu.get_state();
    assert_eq!(fmu.step(3.0, 2.0), fmi2Discard);
    assert!(fmu.last_text().contains("is outside the table, which"), "{}", fmu.last_text());
    assert_eq!(fmu.last_successful_time(), (fmi2OK, 3.0));
    assert_eq!([fmu.real(X), fmu.real(Y)], before);
    assert_eq!(fmu.set_state(state), fmi2OK);
    assert_eq!(fmu.free_state(&mut state), fmi2OK);
    assert_eq!(fmu.step(3.0, 1.0), fmi2OK, "a shorter step is possible");
    assert!((fmu.real(X) - 4.0).abs() < 1e-12);
    assert_eq!(fmu.real(Y), 9.0);
}

#[test]
fn outside_of_a_table_there_are_no_derivatives() {
    let fmu = Fmu::me_from::<Follower>(0.0, &[]);
    assert_eq!(fmu.derivatives(1), (fmi2OK, vec![2.0]));
    assert_eq!(fmu.set_time(4.5), fmi2OK);
    assert_eq!(fmu.derivatives(1).0, fmi2Discard);
    let text = fmu.last_text();
    assert!(text.contains("ramp: 4.5 is outside the table, which reaches from 0 to 4: "), "{text}");
    assert_eq!(fmu.set_time(3.5), fmi2OK);
    assert_eq!(fmu.derivatives(1), (fmi2OK, vec![2.0]), "the importer may come back");
}

#[test]
fn a_table_that_does_not_fit_its_shape_is_refused() {
    for fmu_type in [fmi2ModelExchange, fmi2CoSimulation] {
        let fmu = Fmu::try_new::<Broken>(Some(c"a"), fmu_type, Some("{follower}"), false);
        assert!(fmu.c.is_null());
        let reason = "Follower: ramp: row 2: 0 must be larger than 1 in the row above";
        assert_eq!(fmu.last_text(), reason);
    }
}
