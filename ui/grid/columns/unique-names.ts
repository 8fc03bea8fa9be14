/** Returns a name for each title: the grid knows its columns by name, and two columns may have one title. */
export function uniqueNames(titles: readonly string[]): readonly string[] {
	const taken = new Set<string>()
	return titles.map(title => {
		let unique = title
		for (let number = 2; taken.has(unique); number++) unique = `${title} (${number})`
		taken.add(unique)
		return unique
	})
}
