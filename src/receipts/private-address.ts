import type { LookupAddress, LookupOptions } from 'node:dns'
import { lookup } from 'node:dns'
import { BlockList, isIP } from 'node:net'

/** Addresses that are not on the public internet. Source: IANA special-purpose registries (RFC 6890), 2025-08. */
const PRIVATE = new BlockList()
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE.addSubnet(address, prefix, 'ipv4')
}
for (const [address, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(address, prefix, 'ipv6')
}

/** Whether an IP address is not on the public internet. IPv4 inside IPv6 counts as the IPv4 it is. */
export function isPrivateAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return true
  if (family === 4) return PRIVATE.check(address, 'ipv4')
  // BlockList compares ::ffff:a.b.c.d with the IPv4 rules too.
  return PRIVATE.check(address, 'ipv6')
}

/** Why an address was refused. Its `code` is what the journal keeps. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError'
  readonly code = 'private_address'
}

/**
 * A `lookup` for sockets that refuses private addresses at the moment of connecting, so that a name which resolves
 * to another address later gains nothing.
 */
export function publicLookup(
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) return callback(error, [])
    const open = found.filter(({ address }) => !isPrivateAddress(address))
    const [first] = open
    if (first === undefined) return callback(new PrivateAddressError('no public address'), [])
    return options.all === true ? callback(null, open) : callback(null, first.address, first.family)
  })
}

/** Whether the host of a URL is itself a private address; a name is not, until it is looked up. */
export function hasPrivateHost(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0) return isPrivateAddress(host)
  return host === 'localhost' || host.endsWith('.localhost')
}
