//! The `hipot` command.

mod allocator;

fn main() -> std::process::ExitCode {
    hipot_cli::main()
}
