//! Python objects as strategies ([`Guest`]).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use papan_arena::{Entrant, EntrantKind};
use papan_catalog::{AnyGame, Guest, GuestMove, GuestPlayer, GuestTurn, StrategySpec};
use papan_protocol::Program;
use papan_rules::Move;
use papan_strategies::{Limits, NoMove};
use pyo3::exceptions::{PyException, PyTypeError};
use pyo3::prelude::*;

use crate::errors::value_error;
use crate::game::read_move;
use crate::player::Player;
use crate::position::Position;
use crate::running;

/// The first exception that a strategy raised.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    /// Takes the exception.
    pub(crate) fn take(&self) -> Option<PyErr> {
        let mut raised = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.take()
    }

    /// Returns whether there is one.
    pub(crate) fn is_some(&self) -> bool {
        let raised = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.is_some()
    }

    fn keep(&self, error: PyErr) {
        let mut raised = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(error);
    }
}

/// A strategy with the exceptions that it raises, if it is a Python object.
#[derive(Clone)]
pub(crate) struct ReadStrategy {
    pub(crate) spec: StrategySpec,
    pub(crate) raised: Raised,
    /// Whether it runs in this interpreter.
    pub(crate) is_python: bool,
    /// Why it is shared where other objects are copied.
    uncopied: Option<String>,
}

impl ReadStrategy {
    /// Fails if there are no fresh instances of the strategy, which a proof needs.
    pub(crate) fn check_copied(&self) -> PyResult<()> {
        self.uncopied.as_ref().map_or(Ok(()), |why| {
            Err(PyTypeError::new_err(format!(
                "a proof asks fresh copies of {}, which cannot be copied ({why}): give its class, or \
                 define __deepcopy__",
                self.spec
            )))
        })
    }
}

/// Reads a strategy: text such as `"greedy"` or `"ugi:./engine"`, or a Python object with a method
/// `choose(position)`, a class of such objects, or a function of a position.
pub(crate) fn read_strategy(value: &Bound<'_, PyAny>) -> PyResult<ReadStrategy> {
    let raised = Raised::default();
    if let Ok(text) = value.extract::<&str>() {
        let spec = match text.parse::<Entrant>().map_err(value_error)? {
            Entrant {
                kind: EntrantKind::Strategy(spec),
                ..
            } => spec,
            Entrant {
                kind: EntrantKind::Engine(command),
                limits,
            } => Program::new(command, limits, text.trim().into()).strategy(),
        };
        return Ok(ReadStrategy {
            spec,
            raised,
            is_python: false,
            uncopied: None,
        });
    }
    if let Ok(player) = value.cast::<Player>() {
        return Ok(player.get().strategy().clone());
    }
    let guest = PythonStrategy::new(value, raised.clone())?;
    let uncopied = match &guest.factory {
        Factory::Shared(_, why) => Some(why.clone()),
        _ => None,
    };
    let spec = StrategySpec::guest(Arc::new(guest));
    Ok(ReadStrategy {
        spec,
        raised,
        is_python: true,
        uncopied,
    })
}

/// A strategy written in Python.
struct PythonStrategy {
    /// Returns a fresh instance.
    factory: Factory,
    name: String,
    raised: Raised,
}

enum Factory {
    /// A class, called without arguments.
    Class(Py<PyAny>),
    /// An object, which is copied before it has seen a position.
    Object(Py<PyAny>),
    /// An object that cannot be copied, for instance with an open file, and why.
    Shared(Py<PyAny>, String),
    /// A function of the position.
    Function(Py<PyAny>),
}

impl PythonStrategy {
    fn new(value: &Bound<'_, PyAny>, raised: Raised) -> PyResult<Self> {
        let has_choose = value.hasattr("choose")?;
        let is_class = value.is_instance_of::<pyo3::types::PyType>();
        let name =
            |of: &Bound<'_, PyAny>| -> PyResult<String> { of.getattr("__qualname__")?.extract() };
        let (factory, name) = if is_class && has_choose {
            (Factory::Class(value.clone().unbind()), name(value)?)
        } else if has_choose {
            let factory = match deep_copy(value) {
                Ok(own) => Factory::Object(own.unbind()),
                Err(error) if error.is_instance_of::<PyException>(value.py()) => {
                    Factory::Shared(value.clone().unbind(), error.to_string())
                }
                Err(error) => return Err(error),
            };
            (factory, name(value.get_type().as_any())?)
        } else if value.is_callable() && !is_class {
            let named = name(value).unwrap_or_else(|_| "function".into());
            (Factory::Function(value.clone().unbind()), named)
        } else {
            return Err(PyTypeError::new_err(format!(
                "a strategy is text such as \"greedy\", an object with a method choose(position), \
                 its class, or a function of a position; not {}",
                value.get_type()
            )));
        };
        Ok(Self {
            factory,
            name: format!("python:{name}"),
            raised,
        })
    }

    /// Returns the function that answers a position, of a fresh instance.
    fn chooser(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let instance = match &self.factory {
            Factory::Function(function) => return Ok(function.clone_ref(py)),
            Factory::Class(class) => class.bind(py).call0()?,
            Factory::Object(object) => deep_copy(object.bind(py))?,
            Factory::Shared(object, _) => object.bind(py).clone(),
        };
        Ok(instance.getattr("choose")?.unbind())
    }
}

fn deep_copy<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let copy = value.py().import("copy")?.getattr("deepcopy")?;
    copy.call1((value,))
}

impl Guest for PythonStrategy {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn seat(&self, game: &AnyGame, _: &Limits) -> Result<Box<dyn GuestPlayer>, String> {
        let stop = running::of_this_thread().unwrap_or_default();
        let chooser = Python::attach(|py| running::call(py, &stop, || self.chooser(py)));
        let chooser = chooser.map_err(|error| {
            let text = error.to_string();
            self.raised.keep(error);
            text
        })?;
        Ok(Box::new(SeatedStrategy {
            chooser,
            game: game.clone(),
            raised: self.raised.clone(),
        }))
    }
}

/// Notes in an exception in which position it was raised.
fn note_position(py: Python<'_>, error: &PyErr, position: &str) {
    let note = format!("papan asked in the position {position:?}");
    let noted = py
        .import("papan._running")
        .and_then(|module| module.call_method1("add_note", (error.value(py), note)));
    if let Err(failed) = noted {
        failed.write_unraisable(py, None);
    }
}

/// A seated Python strategy.
struct SeatedStrategy {
    chooser: Py<PyAny>,
    game: AnyGame,
    raised: Raised,
}

impl SeatedStrategy {
    fn ask(&self, py: Python<'_>, text: &str) -> PyResult<Move> {
        let position = Position::new(&self.game, Some(text))?;
        let answer = self.chooser.bind(py).call1((position,))?;
        read_move(&self.game, &answer)
    }
}

impl GuestPlayer for SeatedStrategy {
    fn choose(&mut self, turn: &GuestTurn<'_>) -> Result<GuestMove, NoMove> {
        let started = Instant::now();
        let stop = &turn.context.stop;
        let mv = Python::attach(|py| {
            running::call(py, stop, || self.ask(py, turn.position)).map_err(|error| {
                let text = error.to_string();
                // After a stop the exception is the one that ended the computation.
                if !stop.is_stopped() {
                    note_position(py, &error, turn.position);
                    self.raised.keep(error);
                }
                NoMove::Failed(text)
            })
        })?;
        Ok(GuestMove {
            mv,
            nodes: 0,
            time: started.elapsed(),
        })
    }

    fn forget(&mut self) {}
}
