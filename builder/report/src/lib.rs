//! Reports of simulations: the data of a report, and the page that shows it.

mod curves;
mod data;
mod diagram;
mod html;
mod scene;
mod thinning;

pub use data::{
    Control, DisplayUnit, Effect, Entry, Event, Live, Parameter, Report, Results, Section, Signal,
};
pub use diagram::{Component, Connector, Diagram, Kind, Layout, Line, Moves, Place, Symbol};
pub use html::{LARGE, escaped};
pub use scene::Scene;
