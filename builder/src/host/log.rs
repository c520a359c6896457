//! What an instance of an FMU says, and the logger to which it says that.

use std::collections::BTreeMap;
use std::ffi::{c_int, c_void};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fmu_runtime::fmi2::*;

use super::{Status, string};

/// A message of an FMU.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Message {
    pub status: Status,
    pub category: String,
    pub text: String,
}

/// Where the messages of an instance go.
#[derive(Default)]
pub(super) struct Log {
    /// Whether there was a message since the last call began.
    pub(super) said: AtomicBool,
    /// Whether a message came under another name than the instance has.
    pub(super) misnamed: AtomicBool,
    /// Whether the callbacks were used from the struct that belongs to the importer again.
    pub(super) late: AtomicBool,
    /// The name of the instance.
    pub(super) name: String,
    content: Mutex<LogContent>,
}

/// What the name of an instance is overwritten with when it is taken back.
pub(super) const TAKEN: u8 = b'?';

/// The logs of the instances that live, by their environments: one that a library made up, or kept
/// from an instance that was freed, is not found here, and never followed.
static LIVING: Mutex<BTreeMap<usize, Arc<Log>>> = Mutex::new(BTreeMap::new());

fn living() -> MutexGuard<'static, BTreeMap<usize, Arc<Log>>> {
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The log of an instance, to which messages come as long as this lives.
pub(super) struct LivingLog(Arc<Log>);

impl LivingLog {
    /// The log of an instance of a name.
    pub(super) fn of(name: &str) -> LivingLog {
        let log = Arc::new(Log { name: name.to_owned(), ..Log::default() });
        living().insert(Arc::as_ptr(&log).addr(), Arc::clone(&log));
        LivingLog(log)
    }

    /// The environment that leads to it.
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

/// The log to which an environment leads. What comes with another one is said by the only instance
/// that lives, if there is one only.
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

/// What all libraries in this process did with the callbacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Callbacks {
    /// Whether a message came without the environment of an instance that lives.
    pub lost: bool,
    /// How often memory was asked for.
    pub allocations: usize,
    /// How many blocks of it are not freed.
    pub blocks: usize,
}

/// What all libraries in this process did with the callbacks until now.
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
        // A block that did not come from here is not counted.
        let fewer = |blocks: usize| blocks.checked_sub(1);
        let _ = BLOCKS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
    }
    // SAFETY: as the caller promises.
    unsafe { free(block) }
}

#[derive(Default)]
pub(super) struct LogContent {
    /// The first message since the last call began, or a later one that was not mere information.
    last: String,
    pub(super) keep: bool,
    pub(super) messages: Vec<Message>,
}

impl Log {
    pub(super) fn content(&self) -> MutexGuard<'_, LogContent> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the FMU said about the last call.
    pub(super) fn last(&self) -> String {
        let said = self.said.load(Ordering::Relaxed);
        if said { self.content().last.clone() } else { String::new() }
    }
}

/// More messages than this are dropped: an FMU must not fill the memory by its chatter.
const MOST_MESSAGES: usize = 100_000;

/// The logger, to which the standard passes further arguments like `printf`. A function that is
/// itself variadic cannot be written in stable Rust; one with a sixth argument finds there the
/// first further argument wherever variable arguments travel like named ones. On 64-bit ARM Apple
/// passes them on the stack, and only the five named arguments are there.
///
/// # Safety
/// The strings are null or valid during the call, and one follows the message "%s".
unsafe extern "C" fn logger(
    environment: *mut c_void,
    instance: fmi2String,
    status: c_int,
    category: fmi2String,
    message: fmi2String,
    #[cfg(not(all(target_vendor = "apple", target_arch = "aarch64")))] argument: fmi2String,
) {
    let Some(log) = log_of(environment) else { return };
    // SAFETY: as the caller promises.
    let (category, format) = unsafe { (string(category), string(message)) };
    let text = match format.as_str() {
        // SAFETY: the format says that a string follows, and it travels like a named argument.
        #[cfg(not(all(target_vendor = "apple", target_arch = "aarch64")))]
        "%s" => unsafe { string(argument) },
        _ => format,
    };
    // SAFETY: as the caller promises.
    let name = unsafe { string(instance) };
    if name != log.name {
        // Overwritten by the importer, or another one from the beginning.
        let taken = !name.is_empty() && name.bytes().all(|b| b == TAKEN);
        let flag = if taken { &log.late } else { &log.misnamed };
        flag.store(true, Ordering::Relaxed);
    }
    let status = Status::of(status);
    let first = !log.said.swap(true, Ordering::Relaxed);
    let mut content = log.content();
    if status != Status::Ok || first {
        content.last = text.trim().replace('\n', " ");
    }
    if content.keep && content.messages.len() < MOST_MESSAGES {
        content.messages.push(Message { status, category, text });
    }
}

/// The logger as the standard declares it.
pub(super) fn variadic_logger() -> fmi2CallbackLogger {
    // SAFETY: `logger` says why it may be called so.
    unsafe { std::mem::transmute::<*const (), fmi2CallbackLogger>(logger as *const ()) }
}

/// [`logger`] as it is called from a struct that the importer has taken back.
///
/// # Safety
/// As of [`logger`].
unsafe extern "C" fn late_logger(
    environment: *mut c_void,
    instance: fmi2String,
    status: c_int,
    category: fmi2String,
    message: fmi2String,
    #[cfg(not(all(target_vendor = "apple", target_arch = "aarch64")))] argument: fmi2String,
) {
    if let Some(log) = log_of(environment) {
        log.late.store(true, Ordering::Relaxed);
    }
    // SAFETY: as the caller promises.
    unsafe {
        logger(
            environment,
            instance,
            status,
            category,
            message,
            #[cfg(not(all(target_vendor = "apple", target_arch = "aarch64")))]
            argument,
        );
    }
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
    fn a_message_is_the_string_that_its_format_asks_for_or_the_format() {
        let log = LivingLog::of("ball");
        log.content().keep = true;
        let environment = log.environment();
        let say = |format: &CStr, argument: &CStr| {
            let (name, category) = (c"ball".as_ptr(), c"logEvents".as_ptr());
            // SAFETY: all strings are valid during the call.
            unsafe {
                variadic_logger()(
                    environment,
                    name,
                    1,
                    category,
                    format.as_ptr(),
                    argument.as_ptr(),
                );
            }
        };
        say(c"%s", c"100 % of it");
        say(c"no format", c"");
        let texts: Vec<String> = log.content().messages.iter().map(|m| m.text.clone()).collect();
        let apple = cfg!(all(target_vendor = "apple", target_arch = "aarch64"));
        assert_eq!(texts, [if apple { "%s" } else { "100 % of it" }, "no format"]);
    }
}
