import { BlockList, isIPv6 } from 'node:net'
import { embeddedIPv4 } from './embedded.ts'

/**
 * What no driver reaches, whoever named it: link-local addresses, where the machines of a cloud are handed their
 * credentials, and the few such services that live elsewhere.
 */
const metadata = new BlockList()
metadata.addSubnet('169.254.0.0', 16, 'ipv4')
metadata.addSubnet('fe80::', 10, 'ipv6')
// Over IPv6 AWS with all such services of its own, Google, Oracle.
metadata.addSubnet('fd00:ec2::', 32, 'ipv6')
metadata.addAddress('fd20:ce::254', 'ipv6')
metadata.addAddress('fd00:c1::a9fe:a9fe', 'ipv6')
// Alibaba, Azure's wire server, Oracle's classic one.
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

function isIn(list: BlockList, ip: string): boolean {
	if (!isIPv6(ip)) return list.check(ip, 'ipv4')
	const embedded = embeddedIPv4(ip)
	return list.check(ip.replace(/%.*$/, ''), 'ipv6') || (embedded !== undefined && list.check(embedded, 'ipv4'))
}
