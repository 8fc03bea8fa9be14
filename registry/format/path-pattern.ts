/**
 * Returns whether a path fits a pattern of a delegation (section 4.5 of the specification): `*` stands for any
 * characters of one name, `?` for one character. All others stand for themselves. The time is the product of the
 * lengths, whatever the pattern is.
 */
export function fitsPattern(path: string, pattern: string): boolean {
	const [names, wanted] = [path.split('/'), pattern.split('/')]
	return names.length === wanted.length && names.every((name, index) => fitsName(name, wanted[index] ?? ''))
}

function fitsName(name: string, pattern: string): boolean {
	let [at, next] = [0, 0]
	/** The last `*`, and where the text that it stands for ends. */
	let star: { readonly next: number; at: number } | undefined
	while (at < name.length) {
		if (pattern[next] === '*') star = { next: next++, at }
		else if (pattern[next] === '?' || pattern[next] === name[at]) [at, next] = [at + 1, next + 1]
		else if (star) [at, next] = [++star.at, star.next + 1]
		else return false
	}
	return /^\**$/.test(pattern.slice(next))
}
