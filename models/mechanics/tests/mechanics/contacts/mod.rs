//! Contacts: elements with backlash, bodies on floors and faces, closed contacts.

mod analytic_cases;
mod backlash;
mod closed_contacts;
mod faces;
mod floors;
