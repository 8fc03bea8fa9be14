/** Returns the name of a connection or of what is on it, with its database if that is another one than the connection's. */
export function placeWords(name: string, database: string | undefined): string {
	return database === undefined ? name : `${name} · ${database}`
}
