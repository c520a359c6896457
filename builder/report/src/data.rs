//! The data of a report.

use serde::Serialize;

use crate::curves::{Curves, Use};
use crate::diagram::Diagram;
use crate::scene::Scene;

/// A report; times in s, values in the units of their signals.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The name of the model.
    pub title: String,
    /// What the model is, in one sentence; may be empty.
    pub description: String,
    /// Facts about the model and its simulation.
    pub summary: Vec<Section>,
    /// Remarks about the run, such as the reason why it ended early.
    pub remarks: Vec<String>,
    /// The signals, of which [`Report::add`] stores the values.
    pub signals: Vec<Signal>,
    /// The values of all signals.
    pub curves: Curves,
    /// The events in the order of time.
    pub events: Vec<Event>,
    /// Parameters with their values.
    pub parameters: Vec<Parameter>,
    /// The shapes to animate.
    pub scene: Option<Scene>,
    /// What the page needs if its simulation runs while it is watched.
    pub live: Option<Live>,
    /// The diagram of the model.
    #[serde(skip)]
    pub diagram: Option<Diagram>,
}

/// Facts under a heading.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Section {
    /// The heading.
    pub heading: String,
    /// Names and values.
    pub facts: Vec<(String, String)>,
}

/// A variable of which the values over time are known.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Signal {
    /// Its name.
    pub name: String,
    /// Its unit, empty if there is none or if it is not known.
    pub unit: String,
    /// Its display unit.
    pub display: Option<DisplayUnit>,
    /// Its description, which may be empty.
    pub description: String,
    /// Whether it is constant between events.
    pub discrete: bool,
    /// Whether it is of type Boolean, and drawn as bands.
    pub boolean: bool,
    /// The values that have names: those of an enumeration.
    pub items: Vec<(i64, String)>,
    /// Whether the page shows its curve at first.
    pub shown: bool,
    /// The index of its curve; [`Report::add`] sets it.
    pub curve: usize,
}

/// A display unit: `display value = factor * value + offset`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DisplayUnit {
    /// Its name.
    pub name: String,
    /// The factor.
    pub factor: f64,
    /// The offset.
    pub offset: f64,
}

/// An event.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Event {
    /// Its time in s.
    pub time: f64,
    /// What caused it.
    pub cause: String,
}

/// A parameter.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value as a text.
    pub value: String,
    /// Its unit, which may be empty.
    pub unit: String,
    /// Its description, which may be empty.
    pub description: String,
}

/// What a page needs to control a simulation.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Live {
    /// The text by which the server knows requests of its own page.
    pub token: String,
    /// The start time in s.
    pub start: f64,
    /// The stop time in s, at which the simulation pauses.
    pub stop: f64,
    /// Maximum number of values, those of time included; if there are more, the first half of the
    /// rows is forgotten.
    pub most_values: usize,
    /// Maximum number of events in the list.
    pub most_events: usize,
    /// Inputs and parameters.
    pub controls: Vec<Control>,
}

/// An input or a parameter that can be changed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Control {
    /// Its name.
    pub name: String,
    /// Its unit, which may be empty.
    pub unit: String,
    /// Its description, which may be empty.
    pub description: String,
    /// When a change takes effect.
    pub effect: Effect,
    /// How values are entered.
    pub entry: Entry,
    /// Its value at first, as a text.
    pub value: String,
}

/// When a change of a variable takes effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// While the simulation runs.
    #[default]
    AtOnce,
    /// When it starts again.
    AtRestart,
}

/// How the values of a variable are entered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Entry {
    /// As a number, with a slider if it takes effect at once.
    #[serde(rename_all = "camelCase")]
    Number {
        /// The least value, if there is one.
        min: Option<f64>,
        /// The greatest value, if there is one.
        max: Option<f64>,
        /// The lower end of the slider.
        low: f64,
        /// The upper end of the slider.
        high: f64,
        /// Whether it is a whole number.
        is_whole: bool,
    },
    /// As one of these names.
    Choice(Vec<String>),
    /// As a text.
    #[default]
    Text,
}

/// The results of a simulation.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// The times of the rows in s, ascending; at an event there may be two rows.
    pub time: Vec<f64>,
    /// The rows, with one value for each signal.
    pub rows: Vec<Vec<f64>>,
}

impl Report {
    /// Announces signals of a simulation that runs while the page is watched: there are no values
    /// yet, and each row that arrives will have one value for each signal.
    pub fn expect(&mut self, signals: Vec<Signal>) {
        let numbered = |(curve, signal)| Signal { curve, ..signal };
        self.signals = signals.into_iter().enumerate().map(numbered).collect();
    }

    /// Stores the values of signals, one for each column of the results. The events and the scene
    /// must be known before, because rows at events are kept, and because the values of a scene
    /// keep common times.
    pub fn add(&mut self, signals: Vec<Signal>, results: &Results) {
        let times: Vec<f64> = self.events.iter().map(|event| event.time).collect();
        let uses: Vec<Use> = {
            let named = self.scene.as_ref().map(Scene::variables).unwrap_or_default();
            let of = |signal: &Signal| match (named.contains(&*signal.name), signal.shown) {
                (false, _) => Use::Shows,
                (true, false) => Use::Moves,
                (true, true) => Use::MovesAndShows,
            };
            signals.iter().map(of).collect()
        };
        self.signals = signals;
        let (curves, indices) = Curves::of(results, &times, &uses);
        self.curves = curves;
        for (signal, index) in self.signals.iter_mut().zip(indices) {
            signal.curve = index;
        }
    }
}
