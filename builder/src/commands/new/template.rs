//! The texts with which new models begin.

/// The kind of a new model's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Template {
    /// A small drive train of components.
    Components,
    /// A pendulum with equations of its own.
    Equations,
}

impl Template {
    pub(super) fn text(self) -> &'static str {
        match self {
            Template::Components => include_str!("components.rs.template"),
            Template::Equations => include_str!("equations.rs.template"),
        }
    }
}
