//! Pages that need live games or identities. Each is a template in `templates/` and the data that it
//! shows; the other pages are in `papan-pages`.

pub(crate) mod game;
pub(crate) mod invitation;
pub(crate) mod language;
pub(crate) mod lobby;
pub(crate) mod me;
pub(crate) mod tournament;
