import ipaddr from 'ipaddr.js';

/**
 * Endpoints of clouds that hand out credentials or settings of the machine, outside of the link-local ranges: Alibaba, Oracle, Azure,
 * and AWS and Google over IPv6.
 */
const METADATA_ADDRESSES = new Set(
  ['100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254'].map((text) =>
    ipaddr.parse(text).toNormalizedString(),
  ),
);

/** Ranges of ipaddr.js at which a model can be. The rest is link-local, multicast, reserved or not an address of a host. */
const PUBLIC_RANGES = new Set(['unicast', 'as112', 'amt']);
const PRIVATE_RANGES = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat']);

/**
 * Whether no model may be called at an IP address. An IPv6 address that contains an IPv4 address counts as that one.
 * Text that is no address is forbidden.
 */
export function isForbiddenAddress(text: string, { allowsPrivate }: { readonly allowsPrivate: boolean }): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = embeddedIPv4(ipaddr.parse(text));
  if (METADATA_ADDRESSES.has(address.toNormalizedString())) return true;
  const range = address.range();
  return !PUBLIC_RANGES.has(range) && !(allowsPrivate && PRIVATE_RANGES.has(range));
}

function embeddedIPv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  // Deprecated, but URLs turn `[::169.254.169.254]` into it, and systems may still route it (RFC 4291, section 2.5.5.1).
  const isCompatible = bytes.slice(0, 12).every((byte) => byte === 0) && address.range() !== 'loopback';
  if (isCompatible) return new ipaddr.IPv4(bytes.slice(12));
  // NAT64 and stateless translation end with the IPv4 address, 6to4 has it after its prefix.
  const range = address.range();
  if (range === 'rfc6052' || range === 'rfc6145') return new ipaddr.IPv4(bytes.slice(12));
  return range === '6to4' ? new ipaddr.IPv4(bytes.slice(2, 6)) : address;
}
