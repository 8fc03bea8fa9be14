import { rawText } from '@roundhouse/kit/encoded'
import { isJsonObject, parseJson } from '@roundhouse/kit/json'
import type { HostConnection } from '../../api/client.ts'
import { newValue } from './cell-input.ts'
import { newRowId, type StagedInsert } from './staged.ts'

/** More rows, or larger ones, would delay their deletion noticeably. */
const most = { rows: 50, bytes: 1_000_000 }

/** Rows as they were before a save deleted them, by id. Staging one inserts it again with the same key. */
export type Recreations = ReadonlyMap<string, StagedInsert>

/** Reads rows before they are deleted, for an undo. Rows that the driver cannot insert again as they were are left out. */
export async function readRecreations(
	host: HostConnection,
	target: { readonly connection: string; readonly table: string },
	rowIds: readonly string[],
): Promise<Recreations> {
	const [first, ...others] = rowIds
	if (first === undefined || rowIds.length > most.rows) return new Map()
	const read = (rowId: string) => readRecreation(host, { ...target, rowId })
	const one = await read(first)
	// A driver that cannot do it for one row is not asked for the others.
	if (!one) return new Map()
	const all = [one, ...(await Promise.all(others.map(read)))]
	return new Map(all.flatMap((insert, index) => (insert ? [[rowIds[index] ?? '', insert] as const] : [])))
}

async function readRecreation(
	host: HostConnection,
	row: { readonly connection: string; readonly table: string; readonly rowId: string },
): Promise<StagedInsert | undefined> {
	try {
		const read = await host.call('rows.read', row)
		if (read.insertAgain === undefined || read.rawCutFrom !== undefined || read.raw.length > most.bytes)
			return undefined
		const document = parseJson(rawText(read))
		// In a new row a dot separates the levels of an object, so this name would become another one.
		if (!isJsonObject(document) || Object.keys(document).some(name => name.includes('.'))) return undefined
		const values = Object.entries(document).map(([name, value]) => [name, newValue(value)] as const)
		return { id: newRowId(), values: { ...Object.fromEntries(values), ...read.insertAgain } }
	} catch {
		// The row is deleted all the same, without an undo.
		return undefined
	}
}
