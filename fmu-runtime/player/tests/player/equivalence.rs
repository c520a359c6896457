//! A tape and a system with the same equations are the same model.

use crate::importer::Fmu;
use crate::tape_files::{folder, instance, uri};
use fmu_runtime::fmi2::*;
use fmu_runtime::system::*;
use program::{Function, Instruction, Program, Span, Tape};

/// `der(x) = -k x` with `x(0) = 1`.
struct Decay;

impl System for Decay {
    const INFO: Info = Info::new("Decay")
        .guid("{decay}")
        .parameters(&[0.5])
        .states(&[State::new("x")])
        .reals(&[Variable::new("x", Source::State(0)).output()])
        .work(1);

    fn initial<S: Scalar>(e: &mut Env<'_, S>) -> Solved {
        e.x[0] = S::from(1.0);
        Ok(())
    }

    fn advance<S: Scalar>(stage: Stage, e: &mut Env<'_, S>) -> Solved {
        if stage == Stage::Dynamics {
            e.dx[0] = -(e.p[0] * e.x[0]);
        }
        Ok(())
    }
}

/// The same equations as a tape.
fn program() -> Program {
    use Instruction as I;
    let mut functions = [Span::default(); Function::COUNT];
    functions[Function::Initial.index()] = Span { first: 0, len: 1 };
    functions[Function::Advance(Stage::Dynamics).index()] = Span { first: 1, len: 5 };
    let tape = Tape {
        constants: vec![1.0],
        registers: 4,
        code: vec![
            I::ToState(0, 0),
            I::Parameter(1, 0),
            I::State(2, 0),
            I::Mul(3, 1, 2),
            I::Neg(3, 3),
            I::ToDerivative(3, 0),
        ],
        functions,
        ..Tape::default()
    };
    Program { info: &Decay::INFO, modes_at_start: false, tape }
}

#[test]
fn values_are_the_same_and_states_have_the_same_size() {
    let folder = folder(&[("Decay.tape", &program().to_bytes())]);
    for fmu_type in [fmi2CoSimulation, fmi2ModelExchange] {
        let played = instance(Some(&uri(folder.path())), fmu_type, "{decay}");
        let both = [Fmu::new::<Decay>(fmu_type), played];
        let [ours, theirs] = both.each_ref().map(|fmu| {
            fmu.initialize(0.0, &[]);
            if fmu_type == fmi2CoSimulation {
                fmu.steps(0.0, 0.1, 10);
            }
            let mut state = fmu.get_state();
            let (status, size) = fmu.serialized_size(state);
            assert_eq!(status, fmi2OK);
            let bytes = fmu.serialize(state, size);
            assert_eq!(fmu.free_state(&mut state), fmi2OK);
            (fmu.real(0).to_bits(), bytes)
        });
        assert_eq!(ours, theirs);
    }
}
