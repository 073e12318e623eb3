//! Whether a request comes from this machine and not from a page of another site.

use std::net::{IpAddr, SocketAddr};

/// Whether `Host` names a server that listens on `address`. Without this, a page of another site
/// could use a name of its own that is rebound to a loopback address.
pub fn is_host(host: &str, address: SocketAddr) -> bool {
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    };
    port == Some(address.port()) && is_loopback(name)
}

/// Whether `Origin` is a page of a server that listens on `address`.
pub fn is_origin(origin: &str, address: SocketAddr) -> bool {
    origin.strip_prefix("http://").is_some_and(|host| is_host(host, address))
}

fn is_loopback(name: &str) -> bool {
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost")
        || bare.unwrap_or(name).parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_with_the_port_are_hosts() {
        let address = "127.0.0.1:8023".parse().unwrap();
        for host in ["127.0.0.1:8023", "localhost:8023", "LOCALHOST:8023", "[::1]:8023"] {
            assert!(is_host(host, address), "{host}");
            assert!(is_origin(&format!("http://{host}"), address), "{host}");
            assert!(!is_origin(host, address), "{host}");
            assert!(!is_origin(&format!("https://{host}"), address), "{host}");
        }
        let others = [
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost",
            "localhost:80230",
            "localhost:",
            "",
            "localhost.example:8023",
            "example:8023",
            "10.0.0.1:8023",
            "[::1]",
            "null",
            "localhost:8023@example:8023",
            "0.0.0.0:8023",
        ];
        for host in others {
            assert!(!is_host(host, address), "{host}");
            assert!(!is_origin(&format!("http://{host}"), address), "{host}");
        }
        assert!(is_host("localhost", "127.0.0.1:80".parse().unwrap()));
    }
}
