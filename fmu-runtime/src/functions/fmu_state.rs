//! FMU states: copies of the plain data of an instance, stored, restored and serialised.

use crate::data::snapshot::Snapshot;
use crate::data::stored_states::{Stored, handle, identity, new_identity, stored};
use crate::fmi::calls::FmiFunction;
use crate::fmi::fmi2::*;
use crate::instance::Instance;
use std::collections::BTreeMap;

impl Instance {
    fn no_such_state(&mut self, function: FmiFunction) -> fmi2Status {
        let name = function.name();
        self.refuse_because(format_args!("{name}: this is not a stored state of this model"))
    }

    /// A copy of everything that changes.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut integrator_state = vec![0.0; self.integrator_state.stored_length()];
        self.integrator_state.store(&mut integrator_state);
        Snapshot {
            guid: self.evaluation.info.guid,
            fmu_type: self.fmu_type,
            lifecycle: self.lifecycle,
            memory: self.evaluation.memory.clone(),
            progress: self.progress,
            integrator_state: integrator_state.into(),
        }
    }

    /// Overwrites a copy of this instance, without allocation.
    fn overwrite(&self, snapshot: &mut Snapshot) {
        snapshot.lifecycle = self.lifecycle;
        snapshot.memory.copy_from(&self.evaluation.memory);
        snapshot.progress = self.progress;
        self.integrator_state.store(&mut snapshot.integrator_state);
    }

    /// Restores a copy, without allocation; false if it belongs to another model or FMU type. The
    /// sizes are compared too, because one library may play several tapes, and two of them may have
    /// been given the same GUID.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> bool {
        let fits = snapshot.guid == self.evaluation.info.guid
            && snapshot.fmu_type == self.fmu_type
            && snapshot.memory.is_like(&self.evaluation.memory)
            && snapshot.integrator_state.len() == self.integrator_state.stored_length();
        if fits {
            self.lifecycle = snapshot.lifecycle;
            self.evaluation.memory.copy_from(&snapshot.memory);
            self.progress = snapshot.progress;
            self.integrator_state.restore(&snapshot.integrator_state);
            self.log.forget();
        }
        fits
    }

    /// If the handle is that of an older copy of this instance, the copy is overwritten. Any other
    /// handle is replaced by that of a new copy, and what it referred to stays unchanged.
    pub(crate) fn get_fmu_state(&mut self, state: &mut fmi2FMUstate) -> fmi2Status {
        let mut all = stored();
        let older = all.get_mut(&identity(*state)).filter(|older| older.owner == self.owner);
        match older {
            Some(older) => self.overwrite(&mut older.snapshot),
            None => *state = self.store(&mut all, self.snapshot()),
        }
        fmi2OK
    }

    fn store(&self, all: &mut BTreeMap<u64, Stored>, snapshot: Snapshot) -> fmi2FMUstate {
        let new = new_identity();
        all.insert(new, Stored { owner: self.owner, snapshot });
        handle(new)
    }

    pub(crate) fn set_fmu_state(&mut self, state: fmi2FMUstate) -> fmi2Status {
        let all = stored();
        match all.get(&identity(state)) {
            Some(stored) if self.restore(&stored.snapshot) => fmi2OK,
            _ => {
                drop(all);
                self.no_such_state(FmiFunction::SetFMUstate)
            }
        }
    }

    pub(crate) fn free_fmu_state(&mut self, state: &mut fmi2FMUstate) -> fmi2Status {
        if !state.is_null() {
            let freed = stored().remove(&identity(*state));
            *state = std::ptr::null_mut();
            if freed.is_none() {
                return self.no_such_state(FmiFunction::FreeFMUstate);
            }
        }
        fmi2OK
    }

    pub(crate) fn serialized_fmu_state_size(
        &mut self,
        state: fmi2FMUstate,
        size: &mut usize,
    ) -> fmi2Status {
        let found = stored().get(&identity(state)).map(|stored| stored.snapshot.serialized_size());
        match found {
            Some(found) => {
                *size = found;
                fmi2OK
            }
            None => self.no_such_state(FmiFunction::SerializedFMUstateSize),
        }
    }

    pub(crate) fn serialize_fmu_state(
        &mut self,
        state: fmi2FMUstate,
        bytes: &mut [u8],
    ) -> fmi2Status {
        let all = stored();
        let Some(Stored { snapshot, .. }) = all.get(&identity(state)) else {
            drop(all);
            return self.no_such_state(FmiFunction::SerializeFMUstate);
        };
        let wanted = snapshot.serialized_size();
        if bytes.len() == wanted {
            snapshot.write(bytes);
            return fmi2OK;
        }
        drop(all);
        let given = bytes.len();
        self.refuse_because(format_args!(
            "fmi2SerializeFMUstate: {given} bytes were given, the state has {wanted}"
        ))
    }

    pub(crate) fn deserialize_fmu_state(
        &mut self,
        bytes: &[u8],
        state: &mut fmi2FMUstate,
    ) -> fmi2Status {
        let mut snapshot = self.snapshot();
        if let Err(reason) = snapshot.read(bytes) {
            return self.refuse_because(format_args!("fmi2DeSerializeFMUstate: {reason}"));
        }
        let mut all = stored();
        let older = all.get_mut(&identity(*state)).filter(|older| older.owner == self.owner);
        match older {
            Some(older) => older.snapshot = snapshot,
            None => *state = self.store(&mut all, snapshot),
        }
        fmi2OK
    }
}
