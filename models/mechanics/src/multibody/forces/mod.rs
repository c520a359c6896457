//! Force elements between frames: they have no freedoms and, but for point masses, no mass.
