import type { DefinedColumn, DefinedIndex, DefinedKey, TableDefinition } from '../../host/api/api.ts'
import { counted } from '../words/format.ts'

/** What a user has typed into the form of a table, and the definition that it means. Pure. */

/** A row of the form. A dropped row stays visible until the change is saved. */
interface Row {
	readonly isDropped?: boolean
}

export type ColumnRow = DefinedColumn & Row

/** A key or index, whose columns are typed as a list of names. */
interface Listed extends Row {
	/** What was typed in place of the columns. Absent: they are as they were read, whatever their names are now. */
	readonly typed?: string
}

export type KeyRow = DefinedKey &
	Listed & {
		/** What was typed in place of the reference: `customers (id)`. */
		readonly typedReference?: string
	}

export type IndexRow = DefinedIndex & Listed

/** The state of the form. */
export interface Draft {
	readonly name: string
	readonly comment: string
	readonly columns: readonly ColumnRow[]
	readonly keys: readonly KeyRow[]
	readonly indexes: readonly IndexRow[]
}

export const draftOf = ({ name, comment = '', columns, keys, indexes }: TableDefinition): Draft => ({
	name,
	comment,
	columns,
	keys,
	indexes,
})

/** The columns that stay. */
const left = <T extends Row>(rows: readonly T[]): readonly T[] => rows.filter(({ isDropped }) => isDropped !== true)

/** Returns the definition that a draft means. @throws Error with what to change in the form */
export function definitionOf(draft: Draft, path: readonly string[]): TableDefinition {
	const columns = left(draft.columns)
	return {
		path,
		name: draft.name.trim(),
		...(draft.comment !== '' && { comment: draft.comment }),
		columns: columns.map(({ isDropped, default: text, comment, ...column }) => ({
			...column,
			name: column.name.trim(),
			...(text !== undefined && text.trim() !== '' && { default: text.trim() }),
			...(comment !== undefined && comment !== '' && { comment }),
		})),
		keys: left(draft.keys).map(({ isDropped, typed, typedReference, ...key }) => ({
			...key,
			...(typed !== undefined && key.kind !== 'check' && { columns: namesIn(typed).map(name => idOf(name, columns)) }),
			...(key.references &&
				typedReference !== undefined && { references: { ...key.references, ...referenceOf(typedReference) } }),
		})),
		indexes: left(draft.indexes).map(({ isDropped, typed, ...index }) => ({
			...index,
			...(typed !== undefined && { columns: namesIn(typed).map(name => indexed(name, columns)) }),
		})),
	}
}

const namesIn = (text: string): readonly string[] =>
	text
		.split(',')
		.map(name => name.trim())
		.filter(name => name !== '')

function idOf(name: string, columns: readonly ColumnRow[]): string {
	const found = columns.find(column => column.name.trim() === name)
	if (!found) throw new Error(`There is no column ${name}.`)
	return found.id
}

function indexed(text: string, columns: readonly ColumnRow[]) {
	const [, name = text, order] = /^(.*?)(?:\s+(asc|desc))?$/i.exec(text) ?? []
	return { column: idOf(name, columns), isDescending: order?.toLowerCase() === 'desc' }
}

/** Reads `customers (id, tenant)`. */
function referenceOf(text: string): { readonly table: string; readonly columns: readonly string[] } {
	const found = /^(.*?)\s*\(([^()]*)\)\s*$/.exec(text.trim())
	if (!found)
		throw new Error(`Write the columns that the key points to behind their table: ${text.trim() || 'customers'} (id).`)
	return { table: found[1] ?? '', columns: namesIn(found[2] ?? '') }
}

const nameOf = (id: string, { columns }: Draft) => columns.find(column => column.id === id)?.name ?? ''

/** Returns the columns of a key as the form shows them. */
export const keyColumns = ({ typed, columns }: KeyRow, draft: Draft): string =>
	typed ?? columns.map(id => nameOf(id, draft)).join(', ')

/** Returns the columns of an index as the form shows them. */
export const indexColumns = ({ typed, columns }: IndexRow, draft: Draft): string =>
	typed ??
	columns.map(({ column, isDescending }) => `${nameOf(column, draft)}${isDescending ? ' desc' : ''}`).join(', ')

/** Returns what a foreign key refers to as the form shows it. */
export const referenceText = ({ typedReference, references }: KeyRow): string =>
	typedReference ??
	(references && references.table !== '' ? `${references.table} (${references.columns.join(', ')})` : '')

/** How a row differs from the table as it is. */
export type RowState = 'new' | 'changed' | 'dropped' | undefined

/** @param before the same row as it was read */
export function rowState(row: Row, before: object | undefined): RowState {
	if (row.isDropped) return 'dropped'
	if (before === undefined) return 'new'
	return textOf(row) === textOf(before) ? undefined : 'changed'
}

/** An empty text is none. */
const textOf = (row: object) =>
	JSON.stringify(Object.entries(row).filter(([, value]) => value !== '' && value !== undefined && value !== false))

/** Counts the rows and texts that differ, for the head of the statements. */
export function changesOf(draft: Draft, before: TableDefinition | undefined): number {
	const base = before ? draftOf(before) : undefined
	const rows = (['columns', 'keys', 'indexes'] as const).flatMap(part =>
		draft[part].map(row =>
			rowState(
				row,
				base?.[part].find(({ id }) => id === row.id),
			),
		),
	)
	const texts = [draft.name !== (base?.name ?? ''), draft.comment !== (base?.comment ?? '')]
	const known = new Set(draft.columns.map(({ id }) => id))
	const order = (columns: readonly { readonly id: string }[] = []) =>
		columns.map(({ id }) => id).filter(id => known.has(id))
	const old = order(base?.columns)
	const isMoved =
		order(draft.columns)
			.filter(id => old.includes(id))
			.join() !== old.join()
	return rows.filter(state => state !== undefined).length + [...texts, isMoved].filter(Boolean).length
}

export const changeWords = (count: number) => counted(count, { one: 'change', many: 'changes' })

/** Returns the list with one row moved by one place. A row does not leave the list. */
export function moved<T>(rows: readonly T[], at: number, by: 1 | -1): readonly T[] {
	const row = rows[at]
	const to = at + by
	if (row === undefined || to < 0 || to >= rows.length) return rows
	return rows.toSpliced(at, 1).toSpliced(to, 0, row)
}
