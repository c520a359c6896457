//! The counts of the solver's work in Co-Simulation, which importers read as Integer variables.

/// Declares the counts: for each the variant, the name of the variable after `solver.`, and what
/// is counted.
macro_rules! solver_counts {
    ($($Count:ident $name:literal $what:literal,)*) => {
        /// A count of the solver's work since the start of a Co-Simulation. In Model Exchange,
        /// where the importer integrates, it is 0.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "file", derive(serde::Serialize, serde::Deserialize))]
        pub enum SolverCount {
            $(#[doc = concat!("Number of ", $what, ".")] $Count,)*
        }

        impl SolverCount {
            /// All counts, in the order of the variables and of the log.
            pub const ALL: [SolverCount; [$($name),*].len()] = [$(SolverCount::$Count),*];

            /// The name of its variable.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(SolverCount::$Count => concat!("solver.", $name),)* }
            }

            /// What is counted, in the plural.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self { $(SolverCount::$Count => $what,)* }
            }

            /// The description of its variable.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self {
                    $(SolverCount::$Count => concat!("Number of ", $what, " in Co-Simulation"),)*
                }
            }
        }
    };
}

solver_counts! {
    Steps "steps" "steps",
    Rejected "rejected" "rejected steps",
    Evaluations "evaluations" "right-hand sides",
    Jacobians "jacobians" "Jacobians",
    Factorizations "factorizations" "factorizations",
    Indicators "indicators" "indicator evaluations",
    NewtonIterations "newton_iterations" "iterations of Newton's method",
    StateEvents "state_events" "state events",
    TimeEvents "time_events" "time events",
    LateEvents "late_events" "late events",
}
