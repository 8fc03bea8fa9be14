import { DriverError } from '@roundhouse/kit'

/** Names of PostgreSQL as SQL, and names of tables as one text. */

/** Where a table is. */
export interface TablePlace {
	/** `undefined`: the database of the connection. */
	readonly database: string | undefined
	readonly schema: string
	readonly table: string
}

/** Returns a name as an identifier, always in quotes. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Returns a text as a literal. Backslashes are plain, because sessions set `standard_conforming_strings`. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Returns a name with quotes only where PostgreSQL needs them. */
export const readable = (name: string) => (/^[a-z_][a-z0-9_$]*$/.test(name) ? name : quoted(name))

/** Returns the one name of a table for the window and AI clients: `public.orders`, `"My schema".t`. */
export const nameOf = ({ database, schema, table }: TablePlace): string =>
	[...(database === undefined ? [] : [database]), schema, table].map(readable).join('.')

export const qualified = ({ schema, table }: Pick<TablePlace, 'schema' | 'table'>) =>
	`${quoted(schema)}.${quoted(table)}`

const part = /"((?:[^"]|"")+)"|([^".]+)/y

/** Reads what {@link nameOf} returns. One part alone is a table of `public`. @throws DriverError `not_found` */
export function placeOf(name: string): TablePlace {
	const parts = partsOf(name)
	const [table, schema = 'public', database] = parts.toReversed()
	if (table === undefined || parts.length > 3) throw new DriverError('not_found', `There is no table ${name}.`)
	return { database, schema, table }
}

function partsOf(name: string): readonly string[] {
	const parts: string[] = []
	for (let at = 0; at <= name.length; at++) {
		part.lastIndex = at
		const found = part.exec(name)
		if (!found) return []
		parts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
		at = part.lastIndex
		if (at < name.length && name[at] !== '.') return []
	}
	return parts
}
