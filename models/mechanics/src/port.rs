//! A port of a component instance, and the names of its elements.

/// A port of a component instance: which component, and the port's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PortId {
    /// Index of the component.
    pub component: usize,
    /// Name of the port, for example `flange_a`.
    pub port: &'static str,
}

/// The name of an element, such as `y[2]`; names of ports live as long as the process.
pub(crate) fn element(port: &str, index: impl std::fmt::Display) -> &'static str {
    format!("{port}[{index}]").leak()
}

/// The index of the element number `k` of a three by three matrix, counted row by row from zero.
pub(crate) fn place(k: usize) -> String {
    format!("{},{}", k / 3 + 1, k % 3 + 1)
}
