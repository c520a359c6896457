//! The structure of loops: blocks of closure equations with the coordinates that they determine.

use crate::compile::topology::closure::Guess;
use crate::compile::topology::placeholders::PlacedOrientation;
use crate::ids::VariableId;
use crate::statements::motion::level::Level;
use equations::Ex;

/// A coordinate that occurs in closure equations.
#[derive(Clone, Debug)]
pub struct LoopUnknown {
    /// The variable's number.
    pub variable: VariableId,
    /// Its placeholder in the residuals.
    pub symbol: Ex,
    /// The placeholder of its speed.
    pub speed: Ex,
    /// Its start value.
    pub start: f64,
    /// Where the search for its initial value begins.
    pub guess: Ex,
    /// The start value in the guess that can be set.
    pub guess_slot: Option<Ex>,
    /// Whether the guess was given.
    pub given_guess: bool,
    /// Whether the guesses of others moved where the search begins.
    pub approached: bool,
    /// Its name, for messages.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Preference to stay independent: as a coordinate of motion.
    pub class: usize,
    /// Preference to keep its start value: position, speed.
    pub fixed: [bool; 2],
    /// Whether an acceleration at the start determines it: position, speed.
    pub accelerated: [bool; 2],
    /// Whether its motion is prescribed.
    pub given: bool,
    /// Whether it is the violation of a flange constraint: always zero.
    pub violation: bool,
}

impl LoopUnknown {
    /// Its guess.
    pub fn as_guess(&self) -> Guess {
        let gap = self.symbol - self.guess;
        let gap = if self.unit == "rad" { gap.sin().atan2(gap.cos()) } else { gap };
        Guess { gap, name: self.name.clone(), of: Some((self.guess, self.unit)) }
    }

    /// Whether its start value is not given, unless as a guess.
    pub fn is_open(&self) -> bool {
        !self.given && !self.is_known(Level::Position)
    }

    /// Whether something other than the loop determines its initial position or speed.
    pub fn is_known(&self, level: Level) -> bool {
        self.fixed[level as usize] || self.accelerated[level as usize]
    }
}

/// Closure equations that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopBlock {
    /// Indices of the rows.
    pub rows: Vec<usize>,
    /// Positions in the list of unknowns, as many as rows.
    pub unknowns: Vec<usize>,
}

/// The coordinates of a free orientation in a loop.
#[derive(Clone, Copy, Debug)]
pub struct TurningCoordinates {
    /// The orientation.
    pub orientation: PlacedOrientation,
    /// The places of its turn among the coordinates of the loop.
    pub places: [usize; 3],
}

/// Loops that share coordinates and can be free.
#[derive(Clone, Debug)]
pub struct FreeLoop {
    /// Indices of the closure equations.
    pub rows: Vec<usize>,
    /// The coordinates, as places in the list of unknowns.
    pub unknowns: Vec<usize>,
    /// As many of them as there are degrees of freedom: their variables stand for independent
    /// speeds, which belong to no coordinate.
    pub freedoms: Vec<usize>,
    /// A typical change of each coordinate: 1 rad, or the largest lever arm at the start in m
    /// (1 m if there is none).
    pub nominals: Vec<f64>,
    /// What makes numbers of the order of one of the derivatives of each equation.
    pub scales: Vec<f64>,
    /// The free orientations among the coordinates.
    pub turning: Vec<TurningCoordinates>,
    /// Whether it can come near to a change point.
    pub changes: bool,
}

impl FreeLoop {
    /// Whether a coordinate is a part of a turn.
    pub fn turns(&self, place: usize) -> bool {
        self.turning.iter().any(|turning| turning.places.contains(&place))
    }

    /// All equations and coordinates.
    pub fn block(&self) -> LoopBlock {
        LoopBlock { rows: self.rows.clone(), unknowns: self.unknowns.clone() }
    }
}

/// An initial position or speed that is given, and that a loop determines.
#[derive(Clone, Debug)]
pub struct OverdeterminedStart {
    /// The variable.
    pub variable: VariableId,
    /// Position or speed.
    pub level: Level,
    /// What closes the loop.
    pub row: String,
    /// Whether the loop determines it only in the initial configuration, not near it.
    pub at_dead_point: bool,
}

/// The structure of all loops. Blocks come in an order in which each one needs only those before.
#[derive(Clone, Debug, Default)]
pub struct LoopStructure {
    /// Blocks of the positions during the motion.
    pub motion: Vec<LoopBlock>,
    /// Blocks of the speeds during the motion.
    pub speed: Vec<LoopBlock>,
    /// Blocks of the initial positions.
    pub start: Vec<LoopBlock>,
    /// Blocks of the initial speeds.
    pub start_speed: Vec<LoopBlock>,
    /// Initial positions and speeds that the blocks determine although they are given.
    pub taken: Vec<OverdeterminedStart>,
    /// Loops all of whose coordinates are states; their blocks only say how many are independent.
    pub free: Vec<FreeLoop>,
    /// Unknowns that remain independent because they must be states, although loops may stop there.
    pub required: Vec<usize>,
    /// Rows that follow from the others.
    pub redundant: Vec<usize>,
    /// Those among them that follow by coefficients which change with the configuration.
    pub entangled: Vec<usize>,
    /// Notes about loops that were closed elsewhere than the start values say.
    pub elsewhere: Vec<String>,
}
