/** One decoded parameter of a query string. */
export interface QueryParameter {
	readonly name: string
	readonly value: string
}

/**
 * Parses a query string like the engine (`RestUtils.decodeQueryString` of 7.x and 8.x): `&` and `;` both separate
 * parameters, an `=` before a name is skipped, and a plus is a space. All code that classifies a request or looks
 * something up for it parses the query string here.
 *
 * A server that separates only at `&` finds no additional names, so this interpretation is the more dangerous one.
 */
export function parametersOf(search: string): readonly QueryParameter[] {
	return search.split(/[&;]/).flatMap(pair => {
		const [, name = '', value = ''] = /^=*([^=]*)=?(.*)$/s.exec(pair) ?? []
		return name === '' ? [] : [{ name: decoded(name), value: decoded(value) }]
	})
}

/** Returns the parameters by name. Of duplicates, the engine uses the last. */
export function parameterMap(search: string): ReadonlyMap<string, string> {
	return new Map(parametersOf(search).map(({ name, value }) => [name, value]))
}

/** Writes parameters so that every server interprets them alike. */
export function searchOf(parameters: Iterable<readonly [name: string, value: string]>): string {
	return [...parameters].map(pair => pair.map(part => encodeURIComponent(part.toWellFormed())).join('=')).join('&')
}

/** Like in the engine, an incomplete percent escape is literal, and bytes that are not UTF-8 become U+FFFD. */
function decoded(text: string): string {
	return text
		.replaceAll('+', ' ')
		.replaceAll(/(?:%[0-9a-f]{2})+/gi, codes => Buffer.from(codes.replaceAll('%', ''), 'hex').toString('utf8'))
}
