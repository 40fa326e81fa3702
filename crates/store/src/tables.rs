//! What both databases share: the changes that are asked for, the one task that
//! makes them, and the words of SQL, which are the same for both.

pub(crate) mod change;
pub(crate) mod lonely;
pub(crate) mod writer;
