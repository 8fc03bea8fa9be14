import { createHash } from 'node:crypto'
import {
	type Cell,
	type Change,
	type ChangedRows,
	type Column,
	cutText,
	fromCell,
	isJsonObject,
	type Json,
	type JsonObject,
	rawText,
	stringifyJson,
} from '@roundhouse/kit'
import { readDocument } from '../../../undo/document.ts'
import { forEach, readRow } from '../../../undo/read-rows.ts'
import type { ClientSession } from '../../access/client-session.ts'
import type { ReplacedRows } from '../../consent/question.ts'
import { printable } from '../../protocol/printable.ts'

/** Rows, and columns of a deleted row, that the question has. */
const [mostRows, mostColumns] = [10, 12]
const longestText = 200

interface ReplacingChanges {
	readonly table: string
	readonly changes: readonly Change[]
	/** Empty if they are not known: then a row is named by its id. */
	readonly columns: readonly Column[]
}

/**
 * Reads rows that changes replace or delete, for the question: before and after, the key first. A row that cannot be read has
 * no place there.
 * @returns `undefined` if there is none
 */
export async function readReplaced(
	session: ClientSession,
	{ table, changes, columns }: ReplacingChanges,
	signal: AbortSignal,
): Promise<ReplacedRows | undefined> {
	const replacing = changes.flatMap(change => (change.kind === 'insert' ? [] : [change]))
	const found = await forEach(replacing.slice(0, mostRows), async change => {
		const row = await readRow(session, { table, rowId: change.rowId }, signal).catch(() => undefined)
		const values = row && row.rawCutFrom === undefined ? readDocument(rawText(row))?.values : undefined
		return values ? [{ change, values }] : []
	})
	signal.throwIfAborted()
	const read = found.flat()
	if (read.length === 0) return undefined
	const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name)
	const set = read.flatMap(({ change }) => (change.kind === 'update' ? Object.keys(change.set) : []))
	const gone = read.flatMap(({ change, values }) => (change.kind === 'delete' ? Object.keys(values) : []))
	const names = [...new Set([...keys, ...set, ...gone])].slice(0, Math.max(mostColumns, keys.length + set.length))
	const isNamed = keys.length > 0
	const rows: ChangedRows = {
		columns: [...(isNamed ? [] : ['row']), ...names].map(printable),
		changes: read.map(({ change, values }) => {
			const id = isNamed ? [] : [shortText(change.rowId)]
			const before = names.map(name => textOf(memberAt(values, name)))
			if (change.kind === 'delete') return { before: [...id, ...before] }
			const after = names.map((name, at) => {
				const cell = Object.hasOwn(change.set, name) ? change.set[name] : undefined
				return cell === undefined ? (before[at] ?? null) : cellText(cell)
			})
			return { before: [...id, ...before], after: [...id, ...after] }
		}),
	}
	const digest = createHash('sha256').update(JSON.stringify(rows)).digest('base64url')
	return { table: printable(table), count: replacing.length, rows, digest }
}

/** Returns a member of a row by its name, or by the path of a field in a document. */
function memberAt(values: JsonObject, name: string): Json | undefined {
	if (Object.hasOwn(values, name)) return values[name]
	const [first = '', ...rest] = name.split('.')
	const below = Object.hasOwn(values, first) ? values[first] : undefined
	return rest.length > 0 && isJsonObject(below ?? null) ? memberAt(below as JsonObject, rest.join('.')) : undefined
}

const cellText = (cell: Cell): string | null => textOf(fromCell(cell))

function textOf(value: Json | undefined): string | null {
	if (value === undefined || value === null) return null
	return shortText(typeof value === 'string' ? value : stringifyJson(value))
}

const shortText = (text: string) => printable(cutText(text, longestText))
