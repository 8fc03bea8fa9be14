import { type Cell, type Change, DriverError } from '@roundhouse/kit'

/**
 * Changes as SQL. Values are literals in the text, so that what the user reads before a save is what the server gets.
 */

/** A statement of a change, with its values apart. They are separated by commas. */
interface ChangeStatement {
	readonly head: string
	readonly values: readonly { readonly column: string; readonly sql: string }[]
	readonly tail: string
}
const separator = ', '

/** What a statement of a change is made of. */
export interface ChangeParts {
	/** Why the table takes no change of a kind. */
	readonly cannot?: Readonly<Partial<Record<Change['kind'], string>>> | undefined
	/** The table as `insert into`, `update` and `delete from` take it. */
	readonly target: Readonly<Record<Change['kind'], string>>
	/** Behind each statement of a kind: what it returns, and how many rows it may reach. */
	readonly tail: Readonly<Record<Change['kind'], string>>
	/** An insert without values: ` default values`. */
	readonly noValues: string
	quoted(name: string): string
	/** Returns the value of a column as SQL. @throws DriverError for a column that takes no value */
	valueSql(column: string, cell: Cell): string
	/** Returns the condition of the one row of a change. @throws DriverError */
	rowCondition(change: Exclude<Change, { readonly kind: 'insert' }>): string
}

/** Returns the statement of a change. @throws DriverError */
export function changeText(parts: ChangeParts, change: Change): string {
	const { head, values, tail } = statementOf(parts, change)
	// The semicolon is for the user who copies several of them.
	return `${head}${values.map(({ sql }) => sql).join(separator)}${tail};`
}

/** Returns the column whose value is at an offset of {@link changeText}, if one is. */
export function columnAt(parts: ChangeParts, change: Change, offset: number): string | undefined {
	const { head, values } = statementOf(parts, change)
	let start = head.length
	for (const { column, sql } of values) {
		if (offset >= start && offset < start + sql.length) return column
		start += sql.length + separator.length
	}
	return undefined
}

function statementOf(parts: ChangeParts, change: Change): ChangeStatement {
	const { kind } = change
	const reason = parts.cannot?.[kind]
	if (reason !== undefined) throw new DriverError('unsupported', reason)
	const { [kind]: target } = parts.target
	const { [kind]: tail } = parts.tail
	if (kind === 'insert') return insertOf(parts, change.values, { into: `insert into ${target}`, tail })
	const where = ` where ${parts.rowCondition(change)}${tail}`
	if (kind === 'delete') return { head: `delete from ${target}${where}`, values: [], tail: '' }
	const values = Object.entries(change.set).map(([name, cell]) => {
		const sql = parts.valueSql(name, cell)
		if (isMissing(cell))
			throw new DriverError('invalid_argument', `${name} cannot be removed from a row. Set it to NULL instead.`)
		return { column: name, sql: `${parts.quoted(name)} = ${sql}` }
	})
	if (values.length === 0) throw new DriverError('invalid_argument', 'The change sets no column.')
	return { head: `update ${target} set `, values, tail: where }
}

function insertOf(
	parts: ChangeParts,
	values: Readonly<Record<string, Cell>>,
	{ into, tail }: { readonly into: string; readonly tail: string },
): ChangeStatement {
	// A missing value is the engine's default.
	const given = Object.entries(values).filter(([, cell]) => !isMissing(cell))
	if (given.length === 0) return { head: `${into}${parts.noValues}${tail}`, values: [], tail: '' }
	const names = given.map(([name]) => parts.quoted(name)).join(', ')
	const list = given.map(([column, cell]) => ({ column, sql: parts.valueSql(column, cell) }))
	return { head: `${into} (${names}) values (`, values: list, tail: `)${tail}` }
}

/** A value that was not read has no content either. */
const isMissing = (cell: Cell) => typeof cell === 'object' && cell !== null && ('missing' in cell || 'unread' in cell)
