import type { Answer, Session } from '../wire/session.ts'

/**
 * The optimizer's estimates, by the table that EXPLAIN returns. Its JSON has conditions of the query, which some servers do
 * not escape: a text of an AI client could add members to it.
 */

/** Returns the statement that plans a query. Its answer is for {@link plannedIn}. */
export const planSql = ({ server: { product } }: Pick<Session, 'server'>, sql: string): string =>
	`explain ${product === 'MariaDB' ? 'extended' : 'format=traditional'} ${sql}`

export interface PlannedRows {
	/** Rows that the server looks at, in all tables. */
	readonly examined: number
	/** Rows that are left of the outermost query. */
	readonly produced: number
}

/** Reads the estimates: each table is read once for each row that the tables before it leave. */
export function plannedIn({ fields, rows }: Pick<Answer, 'fields' | 'rows'>): PlannedRows {
	const at = (name: string) => fields.findIndex(field => field.name.toLowerCase() === name)
	const [id, kind, count, filtered] = [at('id'), at('select_type'), at('rows'), at('filtered')]
	/** By query of the statement, in order: the outermost is the first. */
	const left = new Map<string, number>()
	let examined = 0
	for (const row of rows) {
		if (row[count] === null || row[count] === undefined) continue
		const key = String(row[id])
		// It runs again for each row of a query around it.
		const isDependent = /^(?:dependent|uncacheable)/i.test(String(row[kind]))
		const runs = left.get(key) ?? (isDependent ? Math.max(1, ...left.values()) : 1)
		const read = Number(row[count]) * runs
		examined += read
		left.set(key, Math.max(1, (read * Number(row[filtered] ?? 100)) / 100))
	}
	const [produced = 0] = left.values()
	return { examined, produced }
}
