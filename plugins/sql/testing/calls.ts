import { type Call, type Connection, decode, type GridQuery, type Statement } from '@roundhouse/kit'

/** Calls of a connection, for tests of drivers. */

export const call = (signal: AbortSignal = new AbortController().signal): Call => ({ signal, progress() {} })

export const everything = (table: string): GridQuery => ({ table, filters: [], match: 'all', sort: [] })

/** Reads one page of a query. */
export async function pageOf(connection: Connection, query: GridQuery, { offset = 0, limit = 100 } = {}) {
	const grid = await connection.openGrid(query, call())
	try {
		return decode(await grid.page({ offset, limit }, call()))
	} finally {
		await grid.close()
	}
}

/** Returns the one statement of a text, as the host makes it of a verdict. */
export async function statement(connection: Connection, text: string): Promise<Statement> {
	const [verdict] = await connection.console.analyse(text, call())
	if (!verdict) throw new Error(`no statement in ${text}`)
	return { ...verdict, text: text.slice(verdict.start, verdict.end) }
}

export async function run(connection: Connection, text: string, maxRows = 100) {
	return decode(await connection.console.run(await statement(connection, text), { maxRows }, call()))
}
