const most = 10

/** Returns the first ten lines, and one for the number of the others: a folder or a dependency decides how many. */
export function firstLines(lines: readonly string[], rest: (others: string) => string): string[] {
	const others = lines.length - most
	return others > 0 ? [...lines.slice(0, most), rest(others.toLocaleString('en'))] : [...lines]
}
