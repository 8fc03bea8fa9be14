import { DriverError } from '@roundhouse/kit'
import { namePartsBy } from '@roundhouse/sql'

/** Names of PostgreSQL as SQL, and names of tables as one text. */

/** The name of a table with its schema, and its database if that is another one. */
export interface QualifiedName {
	/** `undefined`: the database of the connection. */
	readonly database: string | undefined
	readonly schema: string
	readonly table: string
}

/** Words that PostgreSQL does not take as a name without quotes (src/include/parser/kwlist.h). */
const reserved = new Set(
	'all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural not notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where window with'.split(
		' ',
	),
)

/** Returns a name as an identifier in quotes. */
export const inQuotes = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Returns a name as an identifier, with quotes if PostgreSQL needs them. */
export const quoted = (name: string) => (/^[a-z_][a-z0-9_]*$/.test(name) && !reserved.has(name) ? name : inQuotes(name))

/** Returns a text as a literal. Backslashes are plain, because sessions set `standard_conforming_strings`. */
export const literal = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Returns the one name of a table for the window and AI clients: `public.orders`, `"My schema".t`. */
export const nameOf = ({ database, schema, table }: QualifiedName): string =>
	[...(database === undefined ? [] : [database]), schema, table].map(quoted).join('.')

export const qualified = ({ schema, table }: Pick<QualifiedName, 'schema' | 'table'>) =>
	`${quoted(schema)}.${quoted(table)}`

/** Reads what {@link nameOf} returns. One part alone is a table of `public`. @throws DriverError `not_found` */
export function parseName(name: string): QualifiedName {
	const parts = partsOf(name)
	const [table, schema = 'public', database] = parts.toReversed()
	if (table === undefined || parts.length > 3) throw new DriverError('not_found', `There is no table ${name}.`)
	return { database, schema, table }
}

/** Returns the parts of a name between dots, without quotes; none if it is malformed. */
export const partsOf = namePartsBy('"')
