/** IPv4 addresses that are written into IPv6 ones. */

/** The eight groups of an IPv6 address in any of its spellings. */
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

/** `::ffff:1.2.3.4` is 1.2.3.4 to every system. */
export function mappedIPv4(ip: string): string | undefined {
	const groups = groupsOf(ip)
	return groups.slice(0, 6).join(':') === '0:0:0:0:0:65535' ? inDots(groups[6], groups[7]) : undefined
}

/** What an IPv6 address may come to mean behind a translator or a tunnel, as IPv4; `undefined` for one that is nothing else. */
export function embeddedIPv4(ip: string): string | undefined {
	const groups = groupsOf(ip)
	const [first, second, third] = groups
	// 6to4 has it in front.
	if (first === 0x2002) return inDots(second, third)
	const start = groups
		.slice(0, 6)
		.map(group => group.toString(16))
		.join(':')
	// NAT64, its local prefix, what is mapped, translated without state, and the oldest of them.
	const isLast = /^(?:64:ff9b:(?:0:0:0:0|1:.*)|0:0:0:0:(?:0:ffff|ffff:0|0:0))$/.test(start)
	return isLast ? inDots(groups[6], groups[7]) : undefined
}
