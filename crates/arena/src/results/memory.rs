//! Results in memory.

use super::{Results, ResultsError};

/// Keeps results in memory.
#[derive(Debug, Default)]
pub struct Memory {
    durable: Vec<Vec<u8>>,
    waiting: Vec<Vec<u8>>,
}

impl Results for Memory {
    fn append(&mut self, record: &[u8]) {
        self.waiting.push(record.to_vec());
    }

    fn commit(&mut self) -> Result<(), ResultsError> {
        self.durable.append(&mut self.waiting);
        Ok(())
    }

    fn replay(&mut self, each: &mut dyn FnMut(&[u8])) -> Result<(), ResultsError> {
        self.durable.iter().for_each(|record| each(record));
        Ok(())
    }
}
