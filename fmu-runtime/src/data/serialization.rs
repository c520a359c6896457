//! The serialised form of an FMU state: a header with checksums, then all values as `f64`.

use crate::data::memory::Scalars;
use crate::data::snapshot::Snapshot;
use crate::data::status::{Lifecycle, Progress};
use crate::fmi::calls::FmuType;
use crate::integrate::IntegratorState;
use crate::plain_data::Word;

const MAGIC: &[u8; 8] = b"FMUstate";
const VERSION: u64 = 6;
/// Magic, version, FMU type, hash of the GUID, length, checksum.
const HEADER: usize = 6 * 8;

/// The number of scalars.
const SCALARS: usize = Lifecycle::LENGTH + Scalars::LENGTH + Progress::LENGTH;

/// FNV-1a, which is sufficient to detect damaged bytes.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn header(guid: &str, fmu_type: FmuType, body: &[u8]) -> [u64; 5] {
    [VERSION, fmu_type as u64, checksum(guid.as_bytes()), body.len() as u64, checksum(body)]
}

impl Snapshot {
    /// The length of the serialised form in bytes; it is fixed for a model.
    pub fn serialized_size(&self) -> usize {
        let relations = self.memory.all_relations().count();
        let vectors = self.memory.vectors().len() + self.integrator_state.len();
        HEADER + 8 * (SCALARS + vectors + relations)
    }

    /// All scalars in this order: the state of the call order, the first four of the evaluation,
    /// the rest of the life cycle, the rest of the evaluation, and those of Co-Simulation.
    fn scalars(&self) -> impl Iterator<Item = f64> {
        let [state, lifecycle @ ..] = self.lifecycle.words();
        let [t, realized, reported, initial, rest @ ..] = self.memory.scalars.words();
        let first = [state, t, realized, reported, initial].into_iter();
        first.chain(lifecycle).chain(rest).chain(self.progress.words())
    }

    /// The inverse of [`Snapshot::scalars`]; false if a word is not a value of its type.
    fn set_scalars(&mut self, words: &[f64]) -> bool {
        let [state, t, realized, reported, initial, words @ ..] = words else { return false };
        let Some((lifecycle, words)) = words.split_at_checked(Lifecycle::LENGTH - 1) else {
            return false;
        };
        let Some((scalars, progress)) = words.split_at_checked(Scalars::LENGTH - 4) else {
            return false;
        };
        let lifecycle = Lifecycle::from_words(&[&[*state], lifecycle].concat());
        let first = [*t, *realized, *reported, *initial];
        let scalars = Scalars::from_words(&[&first, scalars].concat());
        let scalars = scalars.filter(Scalars::is_consistent);
        let complete = |progress: &Progress| !progress.interpolation_due;
        let progress = Progress::from_words(progress).filter(complete);
        let all = (lifecycle, scalars, progress);
        let (Some(lifecycle), Some(scalars), Some(progress)) = all else { return false };
        self.lifecycle = lifecycle;
        self.memory.scalars = scalars;
        self.progress = progress;
        true
    }

    /// Sets vectors, integrator state and relations; false if a word is not a value of its type.
    fn set_vectors(&mut self, words: &[f64]) -> bool {
        let mut words = words.iter().copied();
        let vectors = self.memory.vectors_mut().iter_mut().chain(&mut *self.integrator_state);
        for (target, word) in vectors.zip(&mut words) {
            *target = word;
        }
        if !IntegratorState::is_stored_form(&self.integrator_state)
            || !self.memory.histories_are_consistent()
        {
            return false;
        }
        self.memory.all_relations_mut().zip(words).all(|(target, word)| {
            let truth = bool::from_word(word);
            *target = truth.unwrap_or(*target);
            truth.is_some()
        })
    }

    /// Writes the serialised form; `bytes` must have its length.
    pub fn write(&self, bytes: &mut [u8]) {
        let (head, body) = bytes.split_at_mut(HEADER);
        let vectors = self.memory.vectors().iter().chain(&*self.integrator_state).copied();
        let relations = self.memory.all_relations().map(|&relation| relation.to_word());
        let words = self.scalars().chain(vectors).chain(relations);
        for (target, word) in body.chunks_exact_mut(8).zip(words) {
            target.copy_from_slice(&word.to_le_bytes());
        }
        let fields = header(self.guid, self.fmu_type, body);
        let fields = fields.iter().map(|field| field.to_le_bytes());
        for (target, field) in head.chunks_exact_mut(8).zip([*MAGIC].into_iter().chain(fields)) {
            target.copy_from_slice(&field);
        }
    }

    /// Reads the serialised form of a state of the same model and FMU type; the error is the reason
    /// why `bytes` is not such a form.
    pub fn read(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let no_state = "it is not a serialised FMU state";
        let (head, body) = bytes.split_at_checked(HEADER).ok_or(no_state)?;
        let words = |bytes: &[u8]| -> Vec<[u8; 8]> {
            bytes.chunks_exact(8).filter_map(|word| word.try_into().ok()).collect()
        };
        let head = words(head);
        let expected = header(self.guid, self.fmu_type, body);
        if head[0] != *MAGIC {
            return Err(no_state);
        }
        let same = |i: usize| u64::from_le_bytes(head[i + 1]) == expected[i];
        if !same(0) {
            return Err("it has another format version");
        }
        if bytes.len() != self.serialized_size() {
            return Err("its length is not that of a state of this model");
        }
        if !same(1) || !same(2) {
            return Err("it belongs to another model or FMU type");
        }
        if !same(3) || !same(4) {
            return Err("its checksum is wrong");
        }
        let words: Vec<f64> = words(body).into_iter().map(f64::from_le_bytes).collect();
        let (scalars, vectors) = words.split_at(SCALARS);
        if self.set_scalars(scalars) && self.set_vectors(vectors) {
            return Ok(());
        }
        Err("it contains values that no state has")
    }
}
