//! The network prefix by which clients are counted.

use std::net::IpAddr;

/// Returns the key under which an address is counted: an IPv4 address itself, the /64
/// prefix of an IPv6 address, which is the smallest block assigned to one network
/// (RFC 6177).
#[must_use]
pub(crate) fn subnet(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let prefix = u128::from(address) >> 64 << 64;
            IpAddr::V6(prefix.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_addresses_of_one_network_share_a_key_and_mapped_ipv4_is_ipv4() {
        let key = |text: &str| subnet(text.parse().unwrap());
        assert_eq!(key("2001:db8::1"), key("2001:db8::ffff:0:1"));
        assert_ne!(key("2001:db8::1"), key("2001:db8:0:1::1"));
        assert_eq!(key("::ffff:192.0.2.7"), key("192.0.2.7"));
    }
}
