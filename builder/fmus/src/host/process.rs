//! State that a library shares with the process: the locale and the rounding of numbers.

use std::ffi::{CStr, c_char, c_int};

#[cfg(unix)]
unsafe extern "C" {
    safe fn fegetround() -> c_int;
}

unsafe extern "C" {
    fn setlocale(category: c_int, locale: *const c_char) -> *const c_char;
}

/// `LC_ALL`.
const ALL_CATEGORIES: c_int = if cfg!(target_os = "linux") { 6 } else { 0 };

/// The rounding mode of floating-point numbers, as a constant of C.
pub fn rounding() -> i32 {
    #[cfg(unix)]
    return fegetround();
    #[cfg(not(unix))]
    0
}

/// The locale of the C library.
pub fn locale() -> String {
    // SAFETY: without a name the function only returns the present locale, as a string that it
    // owns.
    unsafe {
        let name = setlocale(ALL_CATEGORIES, std::ptr::null());
        if name.is_null() {
            String::new()
        } else {
            CStr::from_ptr(name).to_string_lossy().into_owned()
        }
    }
}
