import { BlockList, isIPv6 } from 'node:net'

/**
 * What no driver reaches, whoever named it: link-local addresses, where the machines of a cloud are handed their
 * credentials, and the few such services that live elsewhere.
 */
const metadata = new BlockList()
metadata.addSubnet('169.254.0.0', 16, 'ipv4')
metadata.addSubnet('fe80::', 10, 'ipv6')
// AWS over IPv6, Alibaba, Azure's wire server, Oracle's classic one.
metadata.addAddress('fd00:ec2::254', 'ipv6')
metadata.addAddress('100.100.100.200', 'ipv4')
metadata.addAddress('168.63.129.16', 'ipv4')
metadata.addAddress('192.0.0.192', 'ipv4')

/** Addresses that lead to this machine; what is unspecified does too. */
const local = new BlockList()
local.addSubnet('127.0.0.0', 8, 'ipv4')
local.addSubnet('0.0.0.0', 8, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addAddress('::', 'ipv6')

export function isMetadata(ip: string): boolean {
	return isIn(metadata, ip)
}

export function isLocal(ip: string): boolean {
	return isIn(local, ip)
}

/** An IPv4 address may be written into an IPv6 one: mapped, which `BlockList` knows, or for a translator. */
function isIn(list: BlockList, ip: string): boolean {
	if (!isIPv6(ip)) return list.check(ip, 'ipv4')
	const embedded = /^64:ff9b::(?:([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/i.exec(ip)
	if (embedded) {
		const [high, low] = [embedded[1], embedded[2]].map(part => Number.parseInt(part ?? '', 16))
		const bytes = [high ?? 0, low ?? 0].flatMap(part => [part >> 8, part & 255])
		return list.check(bytes.join('.'), 'ipv4')
	}
	return list.check(ip.replace(/%.*$/, ''), 'ipv6')
}
