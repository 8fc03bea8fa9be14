/** Returns a database and a schema as one text, if either is chosen. An empty name is no database. */
export function namespaceWords({
	database,
	schema,
}: {
	readonly database?: string | undefined
	readonly schema?: string | undefined
}): string | undefined {
	const names = [database, schema].filter(name => name !== undefined && name !== '')
	return names.length === 0 ? undefined : names.join('.')
}

/** Returns the name of a connection or of what is on it, with its database if that is another one than the connection's. */
export function placeWords(name: string, database: string | undefined): string {
	return database === undefined ? name : `${name} · ${database}`
}
