//! The `hipot` command.

mod allocator;

fn main() -> std::process::ExitCode {
    hipot::cli::main()
}
