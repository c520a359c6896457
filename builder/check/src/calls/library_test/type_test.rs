//! The library test of one type of an FMU: the findings so far, and the reports of findings.

use std::collections::BTreeSet;
use std::fmt;

use super::faults::{self, TestFault};
use crate::calls::causes::{DISCARDED, Observation};
use fmus::finding::Severity;
use fmus::fmi::{FmuType, Status};
use fmus::fmu::Fmu;
use fmus::host::{self, FmuLibrary, Instance};
use fmus::model_description::Interface;

/// The number of steps that are made.
pub(super) const STEPS: u32 = 10;

/// Maximum difference of two values that should be equal, relative to the value or its nominal
/// value. Rounding is permitted, and so are errors of iterations with other starting points.
pub(super) const ROUNDING: f64 = 1e-9;

/// A number in messages: all its digits, with an exponent if it is very small or large.
pub(super) fn shown(value: f64) -> String {
    let size = value.abs();
    let plain = size == 0.0 || (1e-5..1e15).contains(&size) || !value.is_finite();
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// A message of a library test to the process that started it.
#[derive(Clone, Debug)]
pub enum TestMessage {
    /// The next stage, with the severity and the rule of the finding if the process ends in it.
    Stage(Severity, &'static str, String),
    /// A rule that the FMU breaks.
    Seen(Observation),
}

/// The results of earlier parts of the library test.
#[derive(Default)]
pub(super) struct EarlierFindings {
    /// The FMU type, the severity, the rule and the cause of each report, so that it is made once.
    pub reported: BTreeSet<(String, Severity, &'static str, String)>,
    /// Variables of new instances that do not have their start values.
    pub not_at_start: BTreeSet<String>,
    /// Functions that returned a number which is not a status; it is usually a different number
    /// each time.
    pub unknown_statuses: BTreeSet<&'static str>,
    /// Whether it refuses to switch on logging.
    pub silent: bool,
}

/// The library test of one type of an FMU.
pub(super) struct TypeTest<'a> {
    pub fmu: &'a Fmu,
    pub fmu_type: FmuType,
    pub interface: &'a Interface,
    pub report: &'a mut dyn FnMut(TestMessage),
    pub earlier: &'a mut EarlierFindings,
    /// The name of the present part, which the finding contains if the process ends.
    pub phase: &'static str,
    /// Whether the values come after fmi2Reset.
    pub after_reset: bool,
    /// Whether the start values after a reset are known to differ from those of a new instance.
    pub reset_differs: bool,
    /// Whether a run can be compared with one of another instance.
    pub comparable: bool,
    /// The variables that change with the time of the machine, by their index; they are not
    /// compared.
    pub restless: BTreeSet<usize>,
    /// The length of the steps in a run, relative to that of the description.
    pub refinement: f64,
}

impl<'a> TypeTest<'a> {
    pub fn new(
        fmu: &'a Fmu,
        fmu_type: FmuType,
        interface: &'a Interface,
        report: &'a mut dyn FnMut(TestMessage),
        earlier: &'a mut EarlierFindings,
    ) -> Self {
        TypeTest {
            fmu,
            fmu_type,
            interface,
            report,
            earlier,
            phase: "",
            after_reset: false,
            reset_differs: false,
            comparable: true,
            restless: BTreeSet::new(),
            refinement: 1.0,
        }
    }

    pub fn error(&mut self, rule: &'static str, text: impl fmt::Display) {
        self.error_due_to(format!("{rule} {text}"), rule, text);
    }

    pub fn warning(&mut self, rule: &'static str, text: impl fmt::Display) {
        self.warning_due_to(format!("{rule} {text}"), rule, text);
    }

    /// An error that is one finding with others of the same cause.
    pub fn error_due_to(
        &mut self,
        cause: impl fmt::Display,
        rule: &'static str,
        text: impl fmt::Display,
    ) {
        self.seen(Severity::Error, cause, rule, text);
    }

    /// A warning that is one finding with others of the same cause.
    pub fn warning_due_to(
        &mut self,
        cause: impl fmt::Display,
        rule: &'static str,
        text: impl fmt::Display,
    ) {
        self.seen(Severity::Warning, cause, rule, text);
    }

    /// A note that is one finding with others of the same cause.
    pub fn note_due_to(
        &mut self,
        cause: impl fmt::Display,
        rule: &'static str,
        text: impl fmt::Display,
    ) {
        self.seen(Severity::Note, cause, rule, text);
    }

    /// Reports a fault after which a part of the library test cannot continue.
    pub fn fault(&mut self, fault: TestFault) {
        if fault.is_legal() {
            let text = format!("{}; the rest of `{}` is not tried", fault.text, self.phase);
            self.note_due_to(DISCARDED, fault.rule, text);
        } else {
            self.error_due_to(fault.cause, fault.rule, fault.text);
        }
    }

    fn seen(
        &mut self,
        severity: Severity,
        cause: impl fmt::Display,
        rule: &'static str,
        text: impl fmt::Display,
    ) {
        let (cause, text) = (cause.to_string(), text.to_string());
        let fmu_type = self.fmu_type.to_string();
        if self.earlier.reported.insert((fmu_type.clone(), severity, rule, cause.clone())) {
            let fmu_type = Some(fmu_type);
            let seen = Observation { severity, rule: rule.into(), fmu_type, cause, text };
            (self.report)(TestMessage::Seen(seen));
        }
    }

    pub fn stage(&mut self, what: &str) {
        self.risk("A006", what);
    }

    /// Begins a stage; if the process ends in it, the given rule is broken.
    pub fn risk(&mut self, rule: &'static str, what: &str) {
        self.report_stage(Severity::Error, rule, what);
    }

    /// Begins a stage with a mistake of the importer; a crash in it is only a warning.
    pub fn importer_risk(&mut self, rule: &'static str, what: &str) {
        self.report_stage(Severity::Warning, rule, what);
    }

    fn report_stage(&mut self, severity: Severity, rule: &'static str, what: &str) {
        let comma = if self.phase.is_empty() { "" } else { ", " };
        let text = format!("{}{comma}{}: {what}", self.fmu_type, self.phase);
        (self.report)(TestMessage::Stage(severity, rule, text));
    }

    pub fn load(&mut self) -> Result<FmuLibrary, TestFault> {
        self.risk("A007", "loading the library");
        self.fmu.load(self.fmu_type).map_err(|e| TestFault::new("D010", e.to_string()))
    }

    /// Loads the library again after it was unloaded.
    pub fn reload(&mut self) -> Result<FmuLibrary, TestFault> {
        self.load().map_err(|fault| TestFault::new("A007", fault.text))
    }

    /// Whether the FMU can be instantiated only once in a process.
    pub fn is_only_one(&self) -> bool {
        self.interface.flag("canBeInstantiatedOnlyOncePerProcess")
    }

    /// Runs a part of the library test; after a failure the other parts continue.
    pub fn part(
        &mut self,
        phase: &'static str,
        part: impl FnOnce(&mut Self) -> Result<(), TestFault>,
    ) {
        self.phase = phase;
        if let Err(fault) = part(self) {
            self.fault(fault);
        }
        self.unknown_statuses();
    }

    /// Reports the values returned since the last call that are not a status.
    pub fn unknown_statuses(&mut self) {
        for unknown in host::take_unknown_statuses() {
            if self.earlier.unknown_statuses.insert(unknown.function) {
                self.error(faults::rule(unknown.function, Status::Ok), unknown);
            }
        }
    }

    pub fn instantiate<'l>(&mut self, library: &'l FmuLibrary) -> Result<Instance<'l>, TestFault> {
        self.stage("fmi2Instantiate");
        let (guid, resources) = (&self.fmu.description.guid, self.fmu.resources());
        library
            .instantiate("test", self.fmu_type, guid, &resources, false)
            .map_err(|call| TestFault::new("A012", call.to_string()))
    }

    /// A new instance that logs, and whose messages are stored. If the instance refuses to switch
    /// logging on (A033), an instance without logging.
    pub fn logging<'l>(&mut self, library: &'l FmuLibrary) -> Result<Instance<'l>, TestFault> {
        let mut instance = self.instantiate(library)?;
        instance.take_messages();
        self.stage("fmi2SetDebugLogging");
        if let Err(call) = instance.set_debug_logging(true, &[]) {
            self.error("A033", call.to_string());
            self.earlier.silent = true;
            // Some FMUs permit only one instance at a time.
            drop(instance);
            instance = self.instantiate(library)?;
            instance.take_messages();
        }
        Ok(instance)
    }

    /// Switches the logging off.
    pub fn quiet(&mut self, instance: &mut Instance<'_>) {
        self.stage("fmi2SetDebugLogging");
        // After a failure the instance may be in another state, so the call is not repeated.
        if !self.earlier.silent
            && let Err(call) = instance.set_debug_logging(false, &[])
        {
            self.error("A033", call.to_string());
        }
        instance.take_messages();
    }
}
