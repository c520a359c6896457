//! Sentences about circuits that are refused.
