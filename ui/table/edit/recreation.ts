import { readJsonValue } from '@roundhouse/kit/cell-input'
import { rawText } from '@roundhouse/kit/encoded'
import { isJsonObject, parseJson } from '@roundhouse/kit/json'
import type { Cell, Column } from '../../../host/api/api.ts'
import type { HostConnection } from '../../api/client.ts'
import { newRowId, type StagedInsert } from './staged.ts'

/** More rows, or larger ones, would delay their deletion noticeably. */
const most = { rows: 50, bytes: 1_000_000 }
export const mostRecreated = most.rows

/** Rows as they were before a save deleted them, by id. Staging one inserts it again with the same key. */
export type Recreations = ReadonlyMap<string, StagedInsert>

interface Target {
	readonly connection: string
	readonly table: string
	readonly columns: readonly Column[]
}

/** Reads rows before they are deleted, for an undo. Rows that the driver cannot insert again as they were are left out. */
export async function readRecreations(
	host: HostConnection,
	target: Target,
	rowIds: readonly string[],
	signal: AbortSignal,
): Promise<Recreations> {
	const [first, ...others] = rowIds
	if (first === undefined || rowIds.length > most.rows) return new Map()
	const read = (rowId: string) => readRecreation(host, { ...target, rowId }, signal)
	const one = await read(first)
	// A driver that cannot do it for one row is not asked for the others.
	if (!one) return new Map()
	const all = [one, ...(await Promise.all(others.map(read)))]
	return new Map(all.flatMap((insert, index) => (insert ? [[rowIds[index] ?? '', insert] as const] : [])))
}

async function readRecreation(
	host: HostConnection,
	{ columns, ...row }: Target & { readonly rowId: string },
	signal: AbortSignal,
): Promise<StagedInsert | undefined> {
	try {
		const read = await host.call('rows.read', row, { signal })
		if (read.insertAgain === undefined || read.rawCutFrom !== undefined || read.raw.length > most.bytes)
			return undefined
		const document = parseJson(rawText(read))
		// In a new row a dot separates the levels of an object, so this name would become another one.
		if (!isJsonObject(document) || Object.keys(document).some(name => name.includes('.'))) return undefined
		const kinds = new Map(columns.map(({ name, kind }) => [name, kind]))
		const values: Record<string, Cell> = {}
		for (const [name, value] of Object.entries(document)) {
			const typed = readJsonValue(kinds.get(name) ?? 'other', value)
			if ('fault' in typed) return undefined
			values[name] = typed.cell
		}
		return { id: newRowId(), values: { ...values, ...read.insertAgain } }
	} catch {
		// The row is deleted all the same, without an undo.
		return undefined
	}
}
