//! A program that cannot be executed is refused, and the message names the reason.
#![cfg(feature = "file")]

use kernels::newton::BlockKind;
use kernels::rows::TableShape;
use program::*;

const X: Variable = Variable::new("x", Source::State(0)).output().start(0).unit("m");

const INFO: Info = Info::new("Small")
    .guid("{small}")
    .reals(&[X])
    .parameters(&[1.0])
    .inputs(&[0.0])
    .states(&[State::new("x")])
    .discretes(&[Discrete::new("m", 0.0).labels(&[(0, "off")])])
    .relations(&[Relation::new("r")])
    .first_modes(&[0])
    .blocks(&[Block { name: "loop", kind: BlockKind::Loop, offset: 0, size: 1 }])
    .requirements(&[Requirement {
        subject: Subject::Parameters,
        of: &[("x", "m", Source::Parameter(0))],
        sentence: "must be so",
    }])
    .tables(&[Table {
        name: "t",
        shape: TableShape { columns: 2, jumps: false, periodic: false },
        data: Data::Rows(&[0.0, 1.0, 1.0, 2.0]),
    }])
    .fallible(None, None)
    .calculated(1)
    .work(4)
    .solver(SOLVER);

const SOLVER: SolverParameters =
    SolverParameters { method: 0, tolerance: 0, max_step: 0, step: 0, max_iterations: 0 };

fn span(first: u32, len: u32) -> Span {
    Span { first, len }
}

/// A list of one item that lives as long as the process.
fn one<T>(item: T) -> &'static [T] {
    Vec::leak(vec![item])
}

/// A tape in which one function has this code; the first body is `2 z - x`.
fn tape(function: Function, code: &[Instruction], calls: &[Call]) -> Tape {
    let body = [Instruction::Add(5, 3, 3), Instruction::Sub(5, 5, 2)];
    let mut functions = [Span::default(); Function::COUNT];
    functions[function.index()] = span(2, code.len() as u32);
    Tape {
        constants: vec![0.0, 1.0],
        registers: 20,
        code: [&body, code].concat(),
        functions,
        calls: calls.to_vec(),
        lists: vec![2, 3, 4, 5, 6, 7],
        numbers: vec![0.0, 1.0, 2.0, 3.0],
        contacts: vec![
            ContactRegisters { active: 2, restitution: 3, friction: None },
            ContactRegisters { active: 2, restitution: 3, friction: Some(4) },
        ],
        bodies: vec![Body {
            code: span(0, 2),
            captures: span(2, 1),
            unknowns: span(3, 1),
            step: span(3, 1),
            determinant: 1,
            residual: 5,
            rounding: 0.0,
        }],
    }
}

fn refused(info: &Info, tape: &Tape) -> String {
    check(info, tape).expect_err("it is refused")
}

/// The message about an instruction of a function.
fn instruction(function: Function, instruction: Instruction) -> String {
    refused(&INFO, &tape(function, &[Instruction::Time(2), instruction], &[]))
}

/// The message about a call whose results begin at a register, without the place of the call.
fn call(to: Register, call: Call) -> String {
    let tape = tape(Function::Advance(Stage::Time), &[Instruction::Call(to, 0)], &[call]);
    let text = refused(&INFO, &tape);
    text.strip_prefix("function Advance(Time): instruction 0 ").expect("the place").to_owned()
}

#[test]
fn a_correct_program_is_accepted() {
    let code = [
        Instruction::Work(6, 0, 4),
        Instruction::Call(6, 0),
        Instruction::Call(12, 1),
        Instruction::Call(14, 2),
        Instruction::Call(16, 3),
        Instruction::SinCos(18, 2),
        Instruction::Call(12, 4),
        Instruction::ToDerivative(18, 0),
        Instruction::ToWork(6, 0, 4),
    ];
    let calls = [
        Call::Factor { n: 2, matrix: span(0, 4) },
        Call::Solve { factor: 6, rhs: span(0, 2) },
        Call::Block { block: 0, body: 0, guesses: span(0, 1), sign: 1, captures: span(5, 1) },
        Call::Impulses { w: span(0, 1), v: span(0, 1), contacts: span(0, 1) },
        Call::NullSpace { rows: 1, columns: 3, matrix: span(0, 3) },
    ];
    let whole = tape(Function::Advance(Stage::Dynamics), &code, &calls);
    assert_eq!(check(&INFO, &whole), Ok(()));
    let program = Program { info: &INFO, modes_at_start: true, tape: whole };
    let bytes = program.to_bytes();
    let back = Program::from_bytes(&bytes).expect("a program");
    assert_eq!((back.to_bytes(), back.tape), (bytes, program.tape));
}

#[test]
fn registers_and_elements_out_of_range_are_refused() {
    use Instruction as I;
    let event = Function::Event;
    for (wrong, why) in [
        (I::Neg(2, 20), "reads register 20 of 20"),
        (I::Select(2, 3, 4, 4012), "reads register 4012 of 20"),
        (I::Neg(20, 2), "writes register 20 of 20"),
        (I::Neg(1, 2), "writes register 1, which is a constant"),
        (I::SinCos(19, 2), "writes register 20 of 20"),
        (I::Parameter(2, 1), "reads parameter 1 of 1"),
        (I::Work(2, 2, 3), "reads computed value 4 of 4"),
        (I::Work(18, 0, 4), "writes register 21 of 20"),
        (I::Work(18, 0, u32::MAX), "reads computed value 4294967294 of 4"),
        (I::ToWork(18, 0, 4), "reads register 21 of 20"),
        (I::Anchor(2, 3), "reads unknown 3 of 3"),
        (I::Call(2, 0), "makes call 0 of 0"),
        (I::ToNextState(2, 1), "writes next value of state 1 of 1"),
    ] {
        let expected = format!("function Event: instruction 1 {why}");
        assert_eq!(instruction(event, wrong), expected);
    }
}

#[test]
fn functions_write_only_their_own_results() {
    use Instruction as I;
    let report = Function::Report(Stage::Time);
    for (wrong, why) in [
        (I::ToState(2, 0), "writes state, as only Initial may"),
        (I::ToCalculated(2, 0), "writes calculated value, as only Initial may"),
        (I::ToUnknown(2, 0), "writes unknown, as only Initial, Advance and Unknowns may"),
        (I::ToDerivative(2, 0), "writes derivative, as only Advance may"),
        (I::ToResidual(2, 0), "writes residual, as only Relations may"),
        (I::ToNextDiscrete(2, 0), "writes next value of discrete variable, as only Event may"),
        (I::ToNextState(2, 0), "writes next value of state, as only Event may"),
        (I::ToTerminate(2), "writes the end, as only Event may"),
        (
            I::ToTruth(2, 0),
            "writes truth value, as only Requirements, FirstModes and Assertions may",
        ),
    ] {
        let expected = format!("function Report(Time): instruction 1 {why}");
        assert_eq!(instruction(report, wrong), expected);
    }
    let requirements = Function::Requirements(Subject::Parameters);
    let text = instruction(requirements, I::ToTruth(2, 1));
    assert_eq!(text, "function Requirements(Parameters): instruction 1 writes truth value 1 of 1");
}

#[test]
fn operands_of_calls_must_match() {
    for (to, wrong, why) in [
        (6, Call::Factor { n: 2, matrix: span(0, 3) }, "factorizes 3 numbers in 2 rows"),
        (6, Call::Factor { n: 2, matrix: span(3, 4) }, "reads element 6 of 6 of the lists"),
        (14, Call::Factor { n: 2, matrix: span(0, 4) }, "writes register 20 of 20"),
        (8, Call::Solve { factor: 6, rhs: span(0, 2) }, "solves 2 equations in registers 8 and 6"),
        (5, Call::Solve { factor: 6, rhs: span(0, 2) }, "solves 2 equations in registers 5 and 6"),
        (2, Call::Solve { factor: 15, rhs: span(0, 2) }, "reads register 20 of 20"),
        (
            2,
            Call::Value(Points::Numbers(span(0, 2), span(2, 1)), 3),
            "has 2 abscissae and 1 ordinates",
        ),
        (
            2,
            Call::Slope(Points::Registers(span(0, 0), span(0, 0)), 3),
            "has 0 abscissae and 0 ordinates",
        ),
        (2, Call::Value(Points::Numbers(span(0, 2), span(3, 2)), 3), "reads number 4 of 4"),
        (2, Call::Count { table: 1, argument: 3 }, "reads table 1 of 1"),
        (2, Call::Entry { table: 0, column: 2, row: 3 }, "reads table 0, column 2 of 2"),
        (
            2,
            Call::Impulses { w: span(0, 4), v: span(0, 2), contacts: span(0, 1) },
            "has 4 numbers and 1 contacts for 2 rows",
        ),
        (
            2,
            Call::Impulses { w: span(0, 4), v: span(0, 2), contacts: span(1, 1) },
            "has 4 numbers and 1 contacts for 2 rows",
        ),
    ] {
        assert_eq!(call(to, wrong), why);
    }
    let block = |guesses, captures, block, body| {
        call(6, Call::Block { block, body, guesses, sign: 1, captures })
    };
    let two = "solves block loop of 1 unknowns with a body of 1 and 2 guesses";
    assert_eq!(block(span(0, 2), span(0, 1), 0, 0), two);
    let why = "gives 2 values to a body that reads 1";
    assert_eq!(block(span(0, 1), span(0, 2), 0, 0), why);
    assert_eq!(block(span(0, 1), span(0, 1), 1, 0), "solves block 1 of 1");
    assert_eq!(block(span(0, 1), span(0, 1), 0, 1), "solves body 1 of 1");
}

#[test]
fn the_matrix_of_a_null_space_has_more_columns_than_rows() {
    for (to, [rows, columns], matrix, why) in [
        (15, [1, 3], span(0, 3), "writes register 20 of 20"),
        (1, [1, 3], span(0, 3), "writes register 1, which is a constant"),
        (6, [1, 3], span(4, 3), "reads element 6 of 6 of the lists"),
        (6, [2, 3], span(0, 5), "has 5 numbers in 2 rows and 3 columns for a null space"),
        (6, [2, 2], span(0, 4), "has 4 numbers in 2 rows and 2 columns for a null space"),
        (6, [3, 2], span(0, 6), "has 6 numbers in 3 rows and 2 columns for a null space"),
        (6, [0, 2], span(0, 0), "has 0 numbers in 0 rows and 2 columns for a null space"),
        (
            6,
            [1 << 16, u32::MAX],
            span(0, 6),
            "has 6 numbers in 65536 rows and 4294967295 columns for a null space",
        ),
    ] {
        assert_eq!(call(to, Call::NullSpace { rows, columns, matrix }), why);
    }
}

#[test]
fn lists_of_a_file_are_bounded() {
    let refused = |info: Info, tape: Tape| {
        let program = Program { info: &one(info)[0], modes_at_start: false, tape };
        matches!(Program::from_bytes(&program.to_bytes()), Err(ReadError::Encoding(_)))
    };
    let empty = || tape(Function::Event, &[], &[]);
    assert!(!refused(INFO, empty()));
    assert!(refused(INFO, Tape { lists: vec![2; (1 << 21) + 1], ..empty() }));
    assert!(refused(Info { jacobian: Vec::leak(vec![&[][..]; 4097]), ..INFO }, empty()));
    let labels = Vec::leak(vec![(0, ""); (1 << 21) + 1]);
    let discretes = one(Discrete { labels, ..INFO.discretes[0] });
    assert!(refused(Info { discretes, ..INFO }, empty()));
}

#[test]
fn every_call_is_made_once() {
    let function = Function::Advance(Stage::Time);
    let count = Call::Count { table: 0, argument: 3 };
    let twice = [Instruction::Call(2, 0), Instruction::Call(4, 0)];
    assert_eq!(refused(&INFO, &tape(function, &twice, &[count])), "two instructions make call 0");
    let unmade = tape(function, &twice[..1], &[count, count]);
    assert_eq!(refused(&INFO, &unmade), "no instruction makes call 1");
    assert_eq!(check(&INFO, &tape(function, &twice[..1], &[count])), Ok(()));
}

#[test]
fn bodies_work_in_registers_only_and_cannot_fail() {
    let body = |instruction, calls: &[Call]| {
        let mut tape = tape(Function::Event, &[], calls);
        tape.code[0] = instruction;
        refused(&INFO, &tape)
    };
    let guard = Call::Guard { table: 0, argument: 2, value: 2, fails: true };
    let impulses = Call::Impulses { w: span(0, 1), v: span(0, 1), contacts: span(0, 1) };
    let more = "body 0: instruction 0 reads or writes more than registers";
    assert_eq!(body(Instruction::Time(6), &[]), more);
    assert_eq!(body(Instruction::ToWork(6, 0, 1), &[]), more);
    let call = Instruction::Call(6, 0);
    assert_eq!(body(call, &[guard]), "body 0: instruction 0 can fail");
    let why = "body 0: instruction 0 solves equations inside others";
    assert_eq!(body(call, &[impulses]), why);
}

#[test]
fn code_belongs_to_one_function_and_is_bounded_in_time() {
    let mut tape = tape(Function::Event, &[Instruction::Time(2)], &[]);
    tape.functions[0] = span(1, 2);
    assert_eq!(refused(&INFO, &tape), "two functions or bodies share instruction 1");
    tape.functions[0] = span(u32::MAX, 0);
    assert_eq!(refused(&INFO, &tape), "a function or body has instruction 4294967294 of 3");
    tape.functions[0] = Span::default();
    tape.registers = u32::MAX;
    assert_eq!(refused(&INFO, &tape), "4294967295 registers are more than the maximum, 2097152");

    let block =
        Call::Block { block: 0, body: 0, guesses: span(0, 1), sign: 1, captures: span(0, 1) };
    let many = vec![Instruction::Call(6, 0); 2_000_000];
    let long = self::tape(Function::Event, &many, &[block]);
    assert!(refused(&INFO, &long).ends_with(" operations are more than the maximum, 1073741824"));
}

#[test]
fn declarations_must_be_consistent() {
    let loops = |blocks: &'static [Block]| Info { blocks, ..INFO };
    let name = "\0";
    let wrong: Vec<(Info, &str)> = vec![
        (Info { guid: "", ..INFO }, "the model has no name or no GUID"),
        (Info { reals: one(Variable { name, ..X }), ..INFO }, "the text \"\\0\" contains NUL"),
        (Info { parameters: &[f64::NAN], ..INFO }, "parameter 0 starts at NaN"),
        (Info { inputs: &[f64::INFINITY], ..INFO }, "input 0 starts at inf"),
        (
            Info { states: one(State { nominal: 0.0, ..INFO.states[0] }), ..INFO },
            "the nominal value of x is 0",
        ),
        (Info { tolerance: 0.0, ..INFO }, "the tolerance is 0, the stop time 1 s"),
        (
            Info { reals: one(Variable { source: Source::Advanced(4, Stage::Time), ..X }), ..INFO },
            "x is computed value 4 of 4",
        ),
        (
            Info { booleans: one(Variable { start: Some(1), ..X }), ..INFO },
            "x starts at parameter 1 of 1",
        ),
        (Info { first_modes: &[1], ..INFO }, "the first modes name relation 1 of 1"),
        (
            Info { solver: Some(SolverParameters { tolerance: 3, ..SOLVER }), ..INFO },
            "the solver reads parameter 3 of 1",
        ),
        (Info { jacobian: &[], ..INFO }, "the Jacobian has 0 columns for 1 states"),
        (Info { jacobian: &[&[1]], ..INFO }, "column 0 of the Jacobian has row 1 of 1"),
        (Info { lasting_columns: &[1], ..INFO }, "lasting column of the Jacobian 1 of 1"),
        (
            Info { lasting_columns: &[0, 0], ..INFO },
            "the lasting columns of the Jacobian are not in order",
        ),
        (
            Info { jacobian: &[&[0, 0]], ..INFO },
            "the rows of column 0 of the Jacobian are not in order",
        ),
        (
            loops(one(Block { size: 2, ..INFO.blocks[0] })),
            "block loop of 2 unknowns does not fit between elements 0 and 3 of z",
        ),
        (
            loops(one(Block { offset: u32::MAX, ..INFO.blocks[0] })),
            "block loop of 1 unknowns does not fit between elements 4294967295 and 3 of z",
        ),
        (
            Info { sizes: Sizes { work: 1 << 40, ..INFO.sizes }, ..INFO },
            "1099511627776 computed values are more than the maximum, 2097152",
        ),
        (
            Info { tables: one(Table { data: Data::Rows(&[1.0]), ..INFO.tables[0] }), ..INFO },
            "table t: 1 numbers cannot form rows of 2",
        ),
        (
            Info { tables: one(Table { data: Data::File("../a"), ..INFO.tables[0] }), ..INFO },
            "table t: \"../a\" is not a path inside the folder of resources",
        ),
    ];
    let tape = tape(Function::Event, &[], &[]);
    for (info, why) in wrong {
        assert_eq!(refused(&info, &tape), why);
    }
}
