//! Strings across the C interface.

use std::ffi::{CStr, CString};

use fmu_runtime::fmi2::fmi2String;

/// A copy of a string of the FMU; empty for null.
///
/// # Safety
/// The pointer is null or points to a string that ends in NUL.
pub(super) unsafe fn string(text: fmi2String) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

pub(super) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
