//! The one binary.

fn main() {
    println!("papan");
}
