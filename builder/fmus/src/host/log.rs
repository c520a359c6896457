//! The messages of an instance, and the logger callback that receives them.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fmu_runtime::fmi2::*;

use super::printf::{self, Arguments};
use super::strings::string;
use crate::vocabulary::fmi::Status;

/// A message of an FMU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub struct Message {
    pub status: Status,
    pub category: String,
    pub text: String,
}

/// The log of an instance.
#[derive(Default)]
pub(super) struct Log {
    /// Whether there was a message since the last call began.
    pub(super) logged: AtomicBool,
    /// Whether a message had another name than the instance.
    pub(super) misnamed: AtomicBool,
    /// Whether the library used the struct of callbacks after `fmi2Instantiate`, when it belongs to
    /// the importer again.
    pub(super) late: AtomicBool,
    /// The name of the instance.
    pub(super) name: String,
    content: Mutex<LogContent>,
}

/// The byte with which the name of an instance is overwritten when it is taken back.
pub(super) const TAKEN: u8 = b'?';

/// The logs of the existing instances by their environments. An environment that a library
/// invented, or stored from a freed instance, is not found here and therefore never dereferenced.
static LIVING: Mutex<BTreeMap<usize, Arc<Log>>> = Mutex::new(BTreeMap::new());

fn living() -> MutexGuard<'static, BTreeMap<usize, Arc<Log>>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The log of an instance, which receives messages as long as this value exists.
pub(super) struct LivingLog(Arc<Log>);

impl LivingLog {
    /// The log of an instance with a name.
    pub(super) fn of(name: &str) -> LivingLog {
        let log = Arc::new(Log { name: name.to_owned(), ..Log::default() });
        living().insert(Arc::as_ptr(&log).addr(), Arc::clone(&log));
        LivingLog(log)
    }

    /// The environment that identifies it.
    pub(super) fn environment(&self) -> *mut c_void {
        Arc::as_ptr(&self.0).cast_mut().cast()
    }
}

impl Deref for LivingLog {
    type Target = Log;

    fn deref(&self) -> &Log {
        &self.0
    }
}

impl Drop for LivingLog {
    fn drop(&mut self) {
        living().remove(&self.environment().addr());
    }
}

/// The log that an environment identifies. A message with another environment is attributed to the
/// only existing instance, if there is exactly one.
fn log_of(environment: *mut c_void) -> Option<Arc<Log>> {
    let living = living();
    living.get(&environment.addr()).cloned().or_else(|| {
        LOST.store(true, Ordering::Relaxed);
        living.values().next().filter(|_| living.len() == 1).cloned()
    })
}

/// Whether a message came without the environment of an instance that lives.
static LOST: AtomicBool = AtomicBool::new(false);
/// How often memory was asked for, and how many blocks are not freed.
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BLOCKS: AtomicUsize = AtomicUsize::new(0);

/// The use of the callbacks by all libraries in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callbacks {
    /// Whether a message came without the environment of an instance that lives.
    pub lost: bool,
    /// How often memory was asked for.
    pub allocations: usize,
    /// How many blocks of it are not freed.
    pub blocks: usize,
}

/// The use of the callbacks by all libraries in this process so far.
pub fn callbacks() -> Callbacks {
    Callbacks {
        lost: LOST.load(Ordering::Relaxed),
        allocations: ALLOCATIONS.load(Ordering::Relaxed),
        blocks: BLOCKS.load(Ordering::Relaxed),
    }
}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(block: *mut c_void);
}

/// # Safety
/// As `calloc`.
pub(super) unsafe extern "C" fn allocate(count: usize, size: usize) -> *mut c_void {
    // SAFETY: as the caller promises.
    let block = unsafe { calloc(count, size) };
    ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
    BLOCKS.fetch_add(usize::from(!block.is_null()), Ordering::Relaxed);
    block
}

/// # Safety
/// As `free`.
pub(super) unsafe extern "C" fn release(block: *mut c_void) {
    if !block.is_null() {
        // A block that was not allocated here is not counted.
        let fewer = |blocks: usize| blocks.checked_sub(1);
        let _ = BLOCKS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }
    // SAFETY: as the caller promises.
    unsafe { free(block) }
}

#[derive(Default)]
pub(super) struct LogContent {
    /// The first message since the last call began, or a later one with a status other than OK.
    last: String,
    pub(super) keep: bool,
    pub(super) messages: Vec<Message>,
    /// The first different warnings.
    pub(super) warnings: Vec<String>,
}

impl Log {
    pub(super) fn content(&self) -> MutexGuard<'_, LogContent> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The message about the last call.
    pub(super) fn last(&self) -> String {
        let logged = self.logged.load(Ordering::Relaxed);
        if logged { self.content().last.clone() } else { String::new() }
    }
}

/// Maximum number of stored messages, so that they do not fill the memory.
pub const MAX_MESSAGES: usize = 100_000;

/// Maximum number of warnings that are stored in any case.
const MAX_WARNINGS: usize = 1000;

/// Receives a message.
///
/// # Safety
/// The strings are null or valid during the call, and the arguments are those of the message.
unsafe fn receive(
    (environment, instance): (*mut c_void, fmi2String),
    status: c_int,
    (category, message): (fmi2String, fmi2String),
    arguments: &Arguments,
    late: bool,
) {
    let Some(log) = log_of(environment) else { return };
    // SAFETY: as the caller promises.
    let (category, format) = unsafe { (string(category), string(message)) };
    // SAFETY: as the caller promises.
    let text = unsafe { printf::text(&format, arguments) };
    // SAFETY: as the caller promises.
    let name = unsafe { string(instance) };
    if late {
        log.late.store(true, Ordering::Relaxed);
    }
    if name != log.name {
        // The name was overwritten by the importer, or was a different one from the beginning.
        let taken = !name.is_empty() && name.bytes().all(|b| b == TAKEN);
        let flag = if taken { &log.late } else { &log.misnamed };
        flag.store(true, Ordering::Relaxed);
    }
    let status = Status::of(status).unwrap_or(Status::Fatal);
    let first = !log.logged.swap(true, Ordering::Relaxed);
    let mut content = log.content();
    if status != Status::Ok || first {
        content.last = text.trim().replace('\n', " ");
    }
    if status == Status::Warning
        && content.warnings.len() < MAX_WARNINGS
        && !content.warnings.contains(&text)
    {
        content.warnings.push(text.clone());
    }
    if content.keep && content.messages.len() < MAX_MESSAGES {
        content.messages.push(Message { status, category, text });
    }
}

/// Loggers with the named arguments in which [`Arguments`] are found.
macro_rules! loggers {
    ($($(#[$doc:meta])* $name:ident, $late:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// As for [`receive`].
        #[allow(clippy::too_many_arguments, reason = "they stand for any number")]
        unsafe extern "C" fn $name(
            environment: *mut c_void,
            instance: fmi2String,
            status: c_int,
            category: fmi2String,
            message: fmi2String,
            w0: usize, w1: usize, w2: usize, w3: usize, w4: usize, w5: usize,
            n0: f64, n1: f64, n2: f64, n3: f64, n4: f64, n5: f64, n6: f64, n7: f64,
        ) {
            let words = [w0, w1, w2, w3, w4, w5];
            let arguments = Arguments { words, numbers: [n0, n1, n2, n3, n4, n5, n6, n7] };
            let (from, what) = ((environment, instance), (category, message));
            // SAFETY: as the caller promises.
            unsafe { receive(from, status, what, &arguments, $late) }
        }
    )*};
}

loggers! {
    /// The logger.
    logger, false;
    /// The logger that is called from a struct which the importer has taken back.
    late_logger, true;
}

/// The logger as the standard declares it.
pub(super) fn variadic_logger() -> fmi2CallbackLogger {
    // SAFETY: `Arguments` says why it may be called so.
    unsafe { std::mem::transmute::<*const (), fmi2CallbackLogger>(logger as *const ()) }
}

/// The late logger as the standard declares a logger.
pub(super) fn late_variadic_logger() -> fmi2CallbackLogger {
    // SAFETY: as for `variadic_logger`.
    unsafe { std::mem::transmute::<*const (), fmi2CallbackLogger>(late_logger as *const ()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    #[test]
    fn a_message_is_formatted_with_its_arguments() {
        let log = LivingLog::of("ball");
        log.content().keep = true;
        macro_rules! log_message {
            ($format:expr $(, $argument:expr)*) => {
                // SAFETY: all strings are valid during the call.
                unsafe {
                    variadic_logger()(
                        log.environment(),
                        c"ball".as_ptr(),
                        1,
                        c"logEvents".as_ptr(),
                        CStr::as_ptr($format)
                        $(, $argument)*
                    )
                }
            };
        }
        let text = |text: &'static CStr| text.as_ptr();
        let (w, n) = (-1, 2.5);
        log_message!(c"no format, 100 %");
        log_message!(c"two signs, 100 %%");
        log_message!(c"%s", text(c"100 % of it"));
        log_message!(c"Wrong GUID %s. Expected %s.\n", text(c"{a}"), text(c"{b}"));
        log_message!(c"wider than any text: %99999999999d", w);
        log_message!(
            c"%d %g %i %f %u %s %x %.1e %lu",
            w,
            n,
            2,
            n,
            3_u32,
            text(c"z"),
            255,
            1e9,
            6_u64
        );
        let texts: Vec<String> = log.content().messages.iter().map(|m| m.text.clone()).collect();
        assert_eq!(texts[..2], ["no format, 100 %", "two signs, 100 %"]);
        assert_eq!(texts[2], if printf::FIRST_RECEIVED { "100 % of it" } else { "%s" });
        assert_eq!(texts[4], "wider than any text: %99999999999d");
        if printf::ALL_RECEIVED {
            assert_eq!(texts[3], "Wrong GUID {a}. Expected {b}.\n");
            assert_eq!(texts[5], "-1 2.5 2 2.500000 3 z ff 1.0e+09 6");
        }
    }
}
