//! `hipot serve`: a local page for planning, and the interface that clients of planning services
//! speak.
//!
//! The server listens on a loopback address only. It reads no file of the user and writes none: what
//! is to be solved comes with a request, and each run has a folder of its own that is removed after
//! it. Runs are processes, `hipot solve` with limits on time and memory, so a run that ends badly
//! takes nothing else with it, and one that is not wanted any more is simply killed.
//!
//! # Who may use it
//!
//! Everybody with a program on this machine, and no page of another site. A browser lets any page
//! send requests to loopback addresses, so each request is checked ([`guard`]): `Host` must name this
//! server, which defeats names that are rebound to 127.0.0.1, and `Origin`, if it is there, must be
//! this server's page. There are no cookies and no secrets.
//!
//! # When a run ends
//!
//! One request is one connection, and a run that was asked for by a request ends when its client
//! goes. Runs of the asynchronous interface of planning services, whose clients come back to ask, end
//! when nobody has asked for a minute. A queue holds those for which there is no room yet.
//!
//! | module | what |
//! |---|---|
//! | `http` | requests and responses, with limits |
//! | [`guard`] | whether a request comes from this machine and not from another site |
//! | `planner` | one run of `hipot solve`, its progress and its answer |
//! | `queue` | how many runs there are at once, and who waits |
//! | `jobs` | runs that nobody waits for on a connection |
//! | `service` | the interface of planning services |
//! | `settings` | what a server is started with |
//! | `routes` | which request gets what |

pub mod guard;
mod http;
mod jobs;
mod planner;
mod queue;
mod routes;
mod service;
mod settings;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use routes::Shared;
pub use settings::Settings;

/// The time between two looks for a new connection, and between two looks at whether to stop.
const PAUSE: Duration = Duration::from_millis(20);

/// Connections beyond these are closed at once.
const MAX_CONNECTIONS: usize = 64;

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not one of this machine alone.
    #[error("{0} is not a loopback address; others could use this machine to solve tasks")]
    NotLoopback(IpAddr),
    /// The port is taken, or may not be used.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address and port.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Begins to listen.
    pub fn bind(settings: Settings) -> Result<Self, ServeError> {
        if !settings.address.is_loopback() {
            return Err(ServeError::NotLoopback(settings.address));
        }
        let address = SocketAddr::new(settings.address, settings.port);
        let listen = || {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) =
            listen().map_err(|error| ServeError::Listen { address, error })?;
        Ok(Self { listener, address, shared: Arc::new(Shared::new(settings, address)) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `is_over` says so; then all runs are ended.
    pub fn run(&self, is_over: impl Fn() -> bool) {
        let connections = Arc::new(AtomicUsize::new(0));
        while !is_over() {
            self.shared.tidy();
            match self.listener.accept() {
                Ok((stream, _)) if connections.load(Ordering::Relaxed) < MAX_CONNECTIONS => {
                    self.answer(stream, &connections);
                }
                Ok(_) => tracing::warn!("there are {MAX_CONNECTIONS} connections already"),
                // There is none, or the client has gone already.
                Err(_) => thread::sleep(PAUSE),
            }
        }
        self.shared.end();
        // Runs look for their end as often as this loop.
        let mut waits = 0;
        while connections.load(Ordering::Relaxed) > 0 && waits < 5 {
            thread::sleep(PAUSE);
            waits += 1;
        }
    }

    fn answer(&self, stream: TcpStream, connections: &Arc<AtomicUsize>) {
        let (shared, connection) = (Arc::clone(&self.shared), Connection::new(connections));
        let answer = move || {
            let _connection = connection;
            if let Err(error) = routes::answer(&shared, stream) {
                tracing::debug!("a connection ended: {error}");
            }
        };
        if let Err(error) = thread::Builder::new().name("connection".into()).spawn(answer) {
            tracing::warn!("there is no thread for a connection: {error}");
        }
    }
}

/// Counts itself among the connections.
struct Connection(Arc<AtomicUsize>);

impl Connection {
    fn new(all: &Arc<AtomicUsize>) -> Self {
        all.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(all))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
