/** IPv4 addresses embedded in IPv6 addresses. */

/** Returns the eight groups of an IPv6 address in any spelling. */
function groupsOf(ip: string): readonly number[] {
	const spelled = URL.parse(`http://[${ip.replace(/%.*$/, '')}]`)?.hostname.slice(1, -1) ?? ''
	const [before = [], after = []] = spelled
		.split('::')
		.map(half => half.split(':').filter(group => group !== ''))
		.map(half => half.map(group => Number.parseInt(group, 16)))
	return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after]
}

function inDots(high = 0, low = 0): string {
	return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Returns the IPv4 address of a mapped address: every system reads `::ffff:1.2.3.4` as 1.2.3.4. */
export function mappedIPv4(ip: string): string | undefined {
	const groups = groupsOf(ip)
	return groups.slice(0, 6).join(':') === '0:0:0:0:0:65535' ? inDots(groups[6], groups[7]) : undefined
}

/**
 * Returns the IPv4 address that a translator or tunnel may make of an IPv6 address, or `undefined` if there is none.
 */
export function embeddedIPv4(ip: string): string | undefined {
	const groups = groupsOf(ip)
	const [first, second, third] = groups
	// 6to4 embeds it after the prefix.
	if (first === 0x2002) return inDots(second, third)
	const start = groups
		.slice(0, 6)
		.map(group => group.toString(16))
		.join(':')
	// NAT64, its local prefix, mapped, stateless translation, and the deprecated IPv4-compatible form.
	const isLast = /^(?:64:ff9b:(?:0:0:0:0|1:.*)|0:0:0:0:(?:0:ffff|ffff:0|0:0))$/.test(start)
	return isLast ? inDots(groups[6], groups[7]) : undefined
}
