//! Contacts: elements with backlash, bodies on floors and faces, what stays closed.

mod backlash;
mod faces;
mod floors;
mod resting;
mod situations;
