//! The section of docs/validation.md about mechanisms of the literature and mechanisms of free
//! bodies.

/// The section; tests of the package `coupler-fmi-mechanics` make these comparisons.
pub const SECTION: &str = "
## Mechanisms of the literature

These mechanisms are none of the Modelica Standard Library. `published_linkages.rs` among the tests of mechanics has
their texts. *Error* is the largest difference of the angles and speeds that are compared, relative to one plus the
value, if the loops are free: all their coordinates are states. The other column is the error with the independent
coordinates alone as states, where these reach no dead point.

| mechanism | compared with | until | tolerance | error | fewest states |
|---|---|---|---|---|---|
| Andrews' squeezer | Test Set for Initial Value Problem Solvers | 0.03 s | 1e-10 | 8.5e-11 | 8.2e-11 |
| Bricard's mechanism, whose states are the fewest | exact paths, integrated energy | 10 s | 1e-10 |  | 4.2e-12 |
| flyball governor, its balls swing through the spindle | exact equation | 2 s | 1e-10 | 7.7e-12 |  |
| 1 four-bar of equal bars | exact equation | 10 s | 1e-8 | 8.7e-8 |  |
| 2 four-bars of equal bars | exact equation | 10 s | 1e-8 | 1.6e-8 |  |
| 5 four-bars of equal bars | exact equation | 10 s | 1e-8 | 1.7e-8 |  |
| 10 four-bars of equal bars | exact equation | 10 s | 1e-8 | 1.3e-7 |  |

The bars of the four-bars pass all change points, where they lie in line. There they obey
`phi'' = -g ((N+1)/2 + N) / ((N+1)/3 + N) cos(phi)` as everywhere.

## Mechanisms of free bodies

`tests/python/maximal_coordinates.py` integrates planar mechanisms as free bodies with all reactions of their joints,
with a tolerance of 1e-13 and without a choice of coordinates. `free_loops_references` among the tests of mechanics
compares angles and speeds of all bars with these motions; all runs have the tolerance 1e-10.

| mechanism | what happens | until | error | fewest states |
|---|---|---|---|---|
| triple rocker | all joints have dead points | 3 s | 7.2e-11 |  |
| five-bar | two degrees of freedom, dead points | 1.2 s | 2.4e-9 |  |
| five-bar, driven | one crank follows a sine | 1 s | 3.0e-12 |  |
| five-bar, driven | one crank turns with 4 rad/s | 1 s | 7.8e-12 |  |
| five-bar, geared | one crank turns twice as far as the other | 0.8 s | 2.4e-11 | 4.3e-11 |
| five-bar with friction | a crank slides, is held, and slides again | 0.6 s | 1.0e-10 |  |
| ladder of five loops | twelve coordinates, two degrees of freedom | 1.2 s | 3.3e-12 |  |
| crank-rocker with friction | the rocker turns back four times | 1.5 s | 2.1e-12 | 1.2e-10 |
| four-bar above a floor | two impacts | 1.6 s | 2.6e-8 | 2.6e-8 |
| slider-crank | the slider has the initial values, and passes dead centres | 1 s | 2.7e-12 | 1.1e-10 |
";
