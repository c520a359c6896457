//! The capabilities of every FMU with this run time: the flags of modelDescription.xml.

/// Capability flags of both FMU types, under their FMI names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Capabilities {
    pub needs_execution_tool: bool,
    pub can_be_instantiated_only_once_per_process: bool,
    pub can_not_use_memory_management_functions: bool,
    pub can_get_and_set_fmu_state: bool,
    pub can_serialize_fmu_state: bool,
    pub provides_directional_derivative: bool,
    /// Model Exchange: false, because `fmi2CompletedIntegratorStep` moves the anchor of the
    /// nonlinear blocks.
    pub completed_integrator_step_not_needed: bool,
    /// Co-Simulation.
    pub can_handle_variable_communication_step_size: bool,
    /// Co-Simulation: derivatives of inputs up to [`MAX_INPUT_ORDER`] are used.
    pub can_interpolate_inputs: bool,
    /// Co-Simulation: the first order is exact, the second one is a difference of the first one.
    pub max_output_derivative_order: u32,
    /// Co-Simulation.
    pub can_run_asynchronuously: bool,
}

/// The flags of this run time; the builder writes them.
pub const CAPABILITIES: Capabilities = Capabilities {
    needs_execution_tool: false,
    can_be_instantiated_only_once_per_process: false,
    can_not_use_memory_management_functions: true,
    can_get_and_set_fmu_state: true,
    can_serialize_fmu_state: true,
    provides_directional_derivative: true,
    completed_integrator_step_not_needed: false,
    can_handle_variable_communication_step_size: true,
    can_interpolate_inputs: true,
    max_output_derivative_order: 2,
    can_run_asynchronuously: false,
};

/// Highest order of the time derivatives of inputs that a step uses.
pub const MAX_INPUT_ORDER: usize = 5;
