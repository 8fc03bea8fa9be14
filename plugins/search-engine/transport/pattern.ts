/**
 * Matches a pattern in which `*` matches anything. Not a regular expression, because many stars would cause
 * backtracking on long names.
 */
export function matchesPattern(name: string, pattern: string): boolean {
	const [first = '', ...others] = pattern.split('*')
	const last = others.pop()
	if (last === undefined) return name === first
	if (!name.startsWith(first) || !name.endsWith(last)) return false
	let at = first.length
	for (const part of others) {
		const found = name.indexOf(part, at)
		if (found < 0) return false
		at = found + part.length
	}
	return at <= name.length - last.length
}
