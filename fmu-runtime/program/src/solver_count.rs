//! The counts of the solver's work in Co-Simulation, which importers read as Integer variables.

/// Declares the counts: for each the variant, the name of the variable after `solver.`, what is
/// counted, and the description of the variable.
macro_rules! solver_counts {
    ($($Count:ident $name:literal $what:literal $description:literal,)*) => {
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
                    $(SolverCount::$Count => {
                        concat!($description, ", since the start of Co-Simulation")
                    })*
                }
            }
        }
    };
}

solver_counts! {
    Steps "steps" "steps" "Accepted steps of the solver",
    Rejected "rejected" "rejected steps" "Rejected steps of the solver",
    Evaluations "evaluations" "right-hand sides" "Evaluations of the derivatives",
    Jacobians "jacobians" "Jacobians" "Jacobians of the implicit method",
    Factorizations "factorizations" "factorizations"
        "Factorizations of the matrix of the implicit method",
    Indicators "indicators" "indicator evaluations" "Evaluations of the event indicators",
    NewtonIterations "newton_iterations" "iterations of Newton's method"
        "Iterations of Newton's method for nonlinear equations of the model",
    StateEvents "state_events" "state events" "State events",
    TimeEvents "time_events" "time events" "Time events",
    LateEvents "late_events" "late events"
        "Steps with late events at their ends (see solver.max_iterations)",
}
