/** Returns what reads the parts of a name between dots, without quotes; none if it is malformed. @param quote around a part */
export function namePartsBy(quote: '"' | '`'): (name: string) => readonly string[] {
	const part = new RegExp(`${quote}((?:[^${quote}]|${quote}${quote})+)${quote}|([^${quote}.]+)`, 'y')
	return name => {
		const parts: string[] = []
		for (let at = 0; at <= name.length; at++) {
			part.lastIndex = at
			const found = part.exec(name)
			if (!found) return []
			parts.push(found[1]?.replaceAll(quote + quote, quote) ?? found[2] ?? '')
			at = part.lastIndex
			if (at < name.length && name[at] !== '.') return []
		}
		return parts
	}
}
