import { BlockList, isIPv6 } from 'node:net'
import { embeddedIPv4 } from './embedded-ipv4.ts'

/**
 * Addresses that no driver may reach, whichever party named them: link-local addresses, where cloud machines obtain
 * their credentials, and the few such services with other addresses.
 */
const metadata = new BlockList()
metadata.addSubnet('169.254.0.0', 16, 'ipv4')
metadata.addSubnet('fe80::', 10, 'ipv6')
// IPv6: AWS with all its link-local services, Google, Oracle.
metadata.addSubnet('fd00:ec2::', 32, 'ipv6')
// IPv6: Hetzner and others.
metadata.addAddress('fd00:42::42', 'ipv6')
metadata.addAddress('fd20:ce::254', 'ipv6')
metadata.addAddress('fd00:c1::a9fe:a9fe', 'ipv6')
// Alibaba, Azure's wire server, Oracle Classic.
metadata.addAddress('100.100.100.200', 'ipv4')
metadata.addAddress('168.63.129.16', 'ipv4')
metadata.addAddress('192.0.0.192', 'ipv4')

/** Addresses of this machine. The unspecified address reaches it too. */
const local = new BlockList()
local.addSubnet('127.0.0.0', 8, 'ipv4')
local.addSubnet('0.0.0.0', 8, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addAddress('::', 'ipv6')

/** Addresses of private networks (RFC 1918, RFC 6598, RFC 4193). */
const privateNetworks = new BlockList()
for (const [net, bits] of [
	['10.0.0.0', 8],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
	['100.64.0.0', 10],
] as const)
	privateNetworks.addSubnet(net, bits, 'ipv4')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/**
 * Returns how far an address is from the public network. A server must not direct a request to a deeper address than
 * the server's.
 */
export function depthOf(ip: string): 0 | 1 | 2 {
	if (isLocal(ip) || isMetadata(ip)) return 2
	return isIn(privateNetworks, ip) ? 1 : 0
}

export function isMetadata(ip: string): boolean {
	return isIn(metadata, ip)
}

export function isLocal(ip: string): boolean {
	return isIn(local, ip)
}

function isIn(list: BlockList, ip: string): boolean {
	if (!isIPv6(ip)) return list.check(ip, 'ipv4')
	const embedded = embeddedIPv4(ip)
	return list.check(ip.replace(/%.*$/, ''), 'ipv6') || (embedded !== undefined && list.check(embedded, 'ipv4'))
}
