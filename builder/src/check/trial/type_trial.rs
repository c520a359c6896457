//! The trial of one type of an FMU: what was found so far, and how findings are reported.

use std::collections::BTreeSet;
use std::fmt;

use super::faults::{self, TrialFault};
use crate::finding::{Finding, Severity};
use crate::fmi::{FmuType, Status};
use crate::fmu::Fmu;
use crate::host::{self, FmuLibrary, Instance};
use crate::model_description::Interface;

/// How many steps are made.
pub(super) const STEPS: u32 = 10;

/// How far two values that are to be the same may be apart, relative to the value or its nominal:
/// rounding, and the ends of iterations that begin elsewhere.
pub(super) const ROUNDING: f64 = 1e-9;

/// A number for people: all its digits, with an exponent where it is tiny or huge.
pub(super) fn shown(value: f64) -> String {
    let size = value.abs();
    let plain = size == 0.0 || (1e-5..1e15).contains(&size) || !value.is_finite();
    if plain { value.to_string() } else { format!("{value:e}") }
}

/// A message of a trial to the process that started it.
#[derive(Clone, Debug)]
pub enum TrialMessage {
    /// What is about to be done, and how bad it is, by which rule, if the process does not survive.
    Stage(Severity, &'static str, String),
    /// A rule that the FMU breaks.
    Found(Finding),
}

/// What earlier parts of the trial have found.
#[derive(Default)]
pub(super) struct EarlierFindings {
    /// Findings that are reported already: each is reported once.
    pub reported: BTreeSet<String>,
    /// Variables of new instances that do not have their start values.
    pub not_at_start: BTreeSet<String>,
    /// Functions that returned what is not a status: mostly it is another number each time.
    pub unknown_statuses: BTreeSet<&'static str>,
    /// Whether it cannot be asked to log.
    pub silent: bool,
}

/// The trial of one type of an FMU.
pub(super) struct TypeTrial<'a> {
    pub fmu: &'a Fmu,
    pub fmu_type: FmuType,
    pub interface: &'a Interface,
    pub report: &'a mut dyn FnMut(TrialMessage),
    pub earlier: &'a mut EarlierFindings,
    /// What the part in work is about, for whoever reads where the process ended.
    pub phase: &'static str,
    /// Whether the values come after fmi2Reset.
    pub after_reset: bool,
    /// Whether a run can be compared with one of another instance.
    pub comparable: bool,
}

impl<'a> TypeTrial<'a> {
    pub fn new(
        fmu: &'a Fmu,
        fmu_type: FmuType,
        interface: &'a Interface,
        report: &'a mut dyn FnMut(TrialMessage),
        earlier: &'a mut EarlierFindings,
    ) -> Self {
        TypeTrial {
            fmu,
            fmu_type,
            interface,
            report,
            earlier,
            phase: "",
            after_reset: false,
            comparable: true,
        }
    }

    pub fn error(&mut self, rule: &'static str, text: impl fmt::Display) {
        self.found(Finding::error(rule, format!("{}: {text}", self.fmu_type)));
    }

    pub fn warning(&mut self, rule: &'static str, text: impl fmt::Display) {
        self.found(Finding::warning(rule, format!("{}: {text}", self.fmu_type)));
    }

    pub fn found(&mut self, finding: Finding) {
        if self.earlier.reported.insert(finding.to_string()) {
            (self.report)(TrialMessage::Found(finding));
        }
    }

    pub fn stage(&mut self, what: &str) {
        self.risk("A006", what);
    }

    /// A stage that breaks a rule of its own where the process ends.
    pub fn risk(&mut self, rule: &'static str, what: &str) {
        self.report_stage(Severity::Error, rule, what);
    }

    /// A stage whose crash is provoked by a mistake of the importer.
    pub fn importer_risk(&mut self, rule: &'static str, what: &str) {
        self.report_stage(Severity::Warning, rule, what);
    }

    fn report_stage(&mut self, severity: Severity, rule: &'static str, what: &str) {
        let comma = if self.phase.is_empty() { "" } else { ", " };
        let text = format!("{}{comma}{}: {what}", self.fmu_type, self.phase);
        (self.report)(TrialMessage::Stage(severity, rule, text));
    }

    pub fn load(&mut self) -> Result<FmuLibrary, TrialFault> {
        self.risk("A007", "loading the library");
        self.fmu.load(self.fmu_type).map_err(|e| TrialFault::new("D010", e.to_string()))
    }

    /// The library once more, after it was unloaded.
    pub fn reload(&mut self) -> Result<FmuLibrary, TrialFault> {
        self.load().map_err(|fault| TrialFault::new("A007", fault.text))
    }

    /// Whether the FMU can be instantiated only once in a process.
    pub fn is_only_one(&self) -> bool {
        self.interface.flag("canBeInstantiatedOnlyOncePerProcess")
    }

    /// A part of the trial that may fail without an end to the others.
    pub fn part(
        &mut self,
        phase: &'static str,
        part: impl FnOnce(&mut Self) -> Result<(), TrialFault>,
    ) {
        self.phase = phase;
        if let Err(fault) = part(self) {
            self.error(fault.rule, fault.text);
        }
        self.unknown_statuses();
    }

    /// What was returned since the last time and is not a status.
    pub fn unknown_statuses(&mut self) {
        for unknown in host::take_unknown_statuses() {
            if self.earlier.unknown_statuses.insert(unknown.function) {
                self.error(faults::rule(unknown.function, Status::Ok), unknown);
            }
        }
    }

    pub fn instantiate<'l>(&mut self, library: &'l FmuLibrary) -> Result<Instance<'l>, TrialFault> {
        self.stage("fmi2Instantiate");
        let (guid, resources) = (&self.fmu.description.guid, self.fmu.resources());
        library
            .instantiate("trial", self.fmu_type, guid, &resources, false)
            .map_err(|call| TrialFault::new("A012", call.to_string()))
    }

    /// A new instance that logs, and keeps what it has logged; one that does not log where it
    /// cannot be asked to (A033).
    pub fn logging<'l>(&mut self, library: &'l FmuLibrary) -> Result<Instance<'l>, TrialFault> {
        let mut instance = self.instantiate(library)?;
        instance.take_messages();
        self.stage("fmi2SetDebugLogging");
        if let Err(call) = instance.set_debug_logging(true, &[]) {
            self.error("A033", call.to_string());
            self.earlier.silent = true;
            // It may be the only one that can be there.
            drop(instance);
            instance = self.instantiate(library)?;
            instance.take_messages();
        }
        Ok(instance)
    }

    /// Switches the logging off.
    pub fn quiet(&mut self, instance: &mut Instance<'_>) {
        self.stage("fmi2SetDebugLogging");
        // After a failure an instance is no longer what it was: it is not asked again.
        if !self.earlier.silent
            && let Err(call) = instance.set_debug_logging(false, &[])
        {
            self.error("A033", call.to_string());
        }
        instance.take_messages();
    }
}
