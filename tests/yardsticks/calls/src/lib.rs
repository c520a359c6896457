//! An FMU without equations: what remains of a step is the calls of FMI.

use fmu_runtime::system::{Env, Info, Scalar, Solved, Source, Stage, System, Variable};

/// No equations.
pub struct Calls;

impl System for Calls {
    const INFO: Info =
        Info::new("Calls").guid("yardstick").reals(&[Variable::new("y", Source::Constant(1.0))]);

    fn initial<S: Scalar>(_: &mut Env<'_, S>) -> Solved {
        Ok(())
    }

    fn advance<S: Scalar>(_: Stage, _: &mut Env<'_, S>) -> Solved {
        Ok(())
    }
}

fmu_runtime::export!(Calls);
