import { DriverError } from '@roundhouse/kit'
import { namePartsBy } from '@roundhouse/sql'
import { literal } from './literals.ts'
import { reservedWords } from './reserved-words.ts'

/** Names of MariaDB and MySQL as SQL, and names of tables as one text. */

/** The name of a table with its database. A schema of standard SQL is a database here. */
export interface QualifiedName {
	readonly database: string
	readonly table: string
}

/** Returns a name as an identifier in backticks, which are quotes under every `sql_mode`. */
export const inQuotes = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** Servers fold no names. On most systems, a table in capital letters is another table. */
const readable = /^[A-Za-z_$\u00a0-\uffff][\w$\u00a0-\uffff]*$/

/** Returns a name as an identifier, with quotes if a server needs them. */
export const quoted = (name: string) =>
	readable.test(name) && !reservedWords.has(name.toLowerCase()) ? name : inQuotes(name)

export const qualified = ({ database, table }: QualifiedName) => `${quoted(database)}.${quoted(table)}`

/** Returns the one name of a table for the window and AI clients: `shop.orders`, `` `my-shop`.t ``. */
export const nameOf = ({ database, table }: QualifiedName): string => `${quoted(database)}.${quoted(table)}`

/** Reads what {@link nameOf} returns. @param main database of a name that has one part alone @throws DriverError `not_found` */
export function parseName(name: string, main?: string): QualifiedName {
	const [table, database = main, ...more] = partsOf(name).toReversed()
	if (table === undefined || database === undefined || more.length > 0)
		throw new DriverError('not_found', `There is no table ${name}.`)
	return { database, table }
}

/** Returns the parts of a name between dots, without quotes; none if it is malformed. */
export const partsOf = namePartsBy('`')

/**
 * Returns names of a text as a list for IN. A server may keep names in lower case, by its own letters; the catalog compares
 * without regard to case.
 */
export const namesSql = (names: readonly string[]): string =>
	names.length === 0 ? "''" : names.flatMap(name => [literal(name), `lower(${literal(name)})`]).join(', ')
