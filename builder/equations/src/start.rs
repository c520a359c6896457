//! The start of a program: initial values, relations and discrete variables that agree, as the run
//! time finds them (`fmu-runtime/src/events.rs`).

use kernels::settle::{Settling, Unsettled};
use kernels::start::{Beginnings, Unbegun, in_no_modes};

use crate::evaluate::Failure;
use crate::interpret::Interpreter;
use program::Function;

/// Event iterations at one instant after which they are given up.
const MOST_ITERATIONS: u32 = 100;

/// Initial values that depend on modes are determined this often before they are given up.
const MOST_STARTS: u32 = 40;

/// Why there is no start.
enum Unfound {
    /// The equations of initial values have no solution.
    Values(Failure),
    /// No modes agree with them.
    Modes(String),
    /// Nor do relations with each other.
    Relations(String),
}

impl Interpreter {
    /// Determines initial values and the modes that agree with them; `initial` stays true.
    ///
    /// # Errors
    /// The sentence about what has no solution.
    pub fn start(&mut self) -> Result<(), String> {
        self.initial = true;
        let before: Vec<f64> = self.m.clone();
        let mut beginnings = Beginnings::new(self.program().first_modes().len());
        self.r.fill(false);
        self.guess_modes(beginnings.guess_mut()).map_err(|failure| failure.to_string())?;
        let found = beginnings.search(|truths| {
            self.begin_in(truths, &before).map_err(|why| match why {
                Unfound::Relations(_) => Unbegun::Late(why),
                why => Unbegun::Soon(why),
            })
        });
        let program = self.program();
        let modes = program.first_modes().iter().map(|&i| program.relation_name(i as usize));
        found.map_err(|why| match why {
            Unfound::Values(failure) if modes.len() > 0 => {
                format!("{failure}; {}", in_no_modes(modes.clone()))
            }
            Unfound::Values(failure) => failure.to_string(),
            Unfound::Modes(why) | Unfound::Relations(why) => why,
        })
    }

    /// The truths of the first modes where the search for initial values begins.
    fn guess_modes(&mut self, truths: &mut [bool]) -> Result<(), Failure> {
        let all = self.answers(Function::Guessed)?;
        truths.copy_from_slice(&all[..truths.len()]);
        Ok(())
    }

    /// Determines initial values beginning in these first modes.
    fn begin_in(&mut self, first: &[bool], m: &[f64]) -> Result<(), Unfound> {
        let reset = |model: &mut Interpreter| {
            model.m.copy_from_slice(m);
            model.r.fill(false);
        };
        reset(self);
        let modes = self.program().first_modes().to_vec();
        modes.iter().zip(first).for_each(|(&i, &truth)| self.r[i as usize] = truth);
        for _ in 0..MOST_STARTS {
            let modes = (self.m.clone(), self.r.clone());
            self.initialize().map_err(Unfound::Values)?;
            reset(self);
            self.settle().map_err(Unfound::Relations)?;
            if !self.program().modes_at_start() || modes == (self.m.clone(), self.r.clone()) {
                return Ok(());
            }
        }
        let why = "no modes were found that agree with the initial conditions";
        Err(Unfound::Modes(why.to_owned()))
    }

    /// Event iterations until nothing changes; gives the largest number of sweeps over the
    /// relations in one of them.
    ///
    /// # Errors
    /// Why they do not end.
    pub fn settle(&mut self) -> Result<usize, String> {
        let mut sweeps = 0;
        for _ in 0..MOST_ITERATIONS {
            sweeps = sweeps.max(self.settle_relations()?);
            let next = self.event().map_err(|failure| failure.to_string())?;
            let same = next.m == self.m && next.x == self.x;
            self.m = next.m;
            self.x = next.x;
            if same {
                return Ok(sweeps);
            }
        }
        Err("the modes do not settle".to_owned())
    }

    /// Finds relations that agree with the values they imply, beginning at the present ones; gives
    /// the number of sweeps.
    ///
    /// # Errors
    /// Which relation keeps changing, or what cannot be evaluated.
    pub fn settle_relations(&mut self) -> Result<usize, String> {
        let kinds = self.program().relation_kinds();
        let mut settling = Settling::new(self.r.len());
        settling.begin_at(&self.r);
        let settled = settling.settle(|relations, truths| {
            self.r.copy_from_slice(relations);
            self.climb()?;
            self.relations()?;
            for (k, truth) in truths.iter_mut().enumerate() {
                *truth = kinds[k].truth(self.d[k], self.t);
            }
            Ok::<_, Failure>(())
        });
        settled.map_err(|why| match why {
            Unsettled::Oscillates(i) => {
                format!("{} keeps changing", self.program().relation_name(i))
            }
            Unsettled::Evaluation(failure) => failure.to_string(),
        })
    }
}
