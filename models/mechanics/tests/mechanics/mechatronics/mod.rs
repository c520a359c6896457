//! Drives with motors, converters and controllers as a whole.

mod random_drives;
