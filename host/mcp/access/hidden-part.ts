import type { HiddenColumns, HiddenPart } from '@roundhouse/kit'
import type { Session } from '../../connections/session.ts'
import { decodeAnswer } from './decode-answer.ts'

/** Whether one is a level above the other: `person` and `person.email`. */
const isWithin = (one: string, other: string) => one.startsWith(`${other}.`) || other.startsWith(`${one}.`)

/** Returns whether clients must not see a column. */
export const hides = ({ columns, refused }: HiddenPart, name: string): boolean =>
	refused !== undefined || columns.some(hidden => hidden === name || isWithin(hidden, name))

interface Asked {
	readonly marks: readonly HiddenColumns[]
	readonly table: string
}

/** Reads what marks hide of a table, from the driver or, if that cannot tell, from names alone. @throws DriverError */
export async function readHiddenPart(
	session: Session,
	{ marks, table }: Asked,
	signal: AbortSignal | undefined,
): Promise<HiddenPart> {
	const part = await session.call('hiddenPart', { table, hidden: [...marks] }, { signal })
	return part ?? partByName(session, { marks, table }, signal)
}

/**
 * Returns what is hidden of a table if its driver cannot tell what definitions show: all rows of a table with hidden
 * columns, and of what is not a plain table in the driver's list; of others the columns that refer to a hidden one.
 */
async function partByName(
	session: Session,
	{ marks, table }: Asked,
	signal: AbortSignal | undefined,
): Promise<HiddenPart> {
	const listed = new Map((await session.call('listTables', {}, { signal })).map(one => [one.name, one]))
	const markedOf = (name: string) => marks.filter(mark => mark.table === name).flatMap(({ columns }) => columns)
	const missing = marks.find(mark => mark.isOptional !== true && !listed.has(mark.table))
	const own = markedOf(table)
	if (missing) return { columns: own, refused: missingTable(missing.table) }
	if (own.length > 0) {
		const refused = 'The table has columns that are hidden by the user, and this driver cannot read it without them.'
		return { columns: own, refused }
	}
	const one = listed.get(table)
	if (!one || one.kind !== undefined) {
		const what = one?.kind ?? 'name'
		return {
			columns: [],
			refused: `This connection hides columns, and its driver cannot tell whether this ${what} shows them.`,
		}
	}
	const takesNoChanges = 'This connection hides columns, and its driver cannot tell what else a change runs.'
	return { columns: await referring(table, new Set()), takesNoChanges }

	/** Returns the columns of a table whose values are those of hidden columns. */
	async function referring(name: string, seen: Set<string>): Promise<readonly string[]> {
		const hidden = new Set(markedOf(name))
		if (seen.has(name) || !listed.has(name)) return [...hidden]
		seen.add(name)
		const described = await session.call('describeTable', { table: name }, { signal })
		const { references = [] } = decodeAnswer('describeTable', described, session)
		for (const { table: other, columns, to } of references) {
			const hiddenThere = new Set(await referring(other, seen))
			for (const [at, column] of columns.entries()) if (hiddenThere.has(to[at] ?? '')) hidden.add(column)
		}
		return [...hidden]
	}
}

const missingTable = (table: string) =>
	`The table ${table}, of which the user hid columns, is gone or has another name. Until the user shows or hides its columns again, AI clients read no rows of this connection.`
