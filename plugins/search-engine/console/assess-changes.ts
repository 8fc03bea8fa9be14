import type { Assessment, Change } from '@roundhouse/kit'
import { decodeRowId } from '../grid/row-id.ts'
import { isSeveral } from '../mapping/several.ts'
import type { LookUps } from './look-ups.ts'
import { destroying, documentsByIndex, mostIndices, scopeOf, selectedByPipelines } from './losses.ts'

/**
 * Estimates what changes of rows destroy. A deletion names the index of each row, because a row of an alias or a pattern
 * belongs to another index than the table. An insert replaces no document (`op_type=create`), and an update changes
 * fields of the version that was read.
 */
export async function assessChanges(lookUps: LookUps, table: string, changes: readonly Change[]): Promise<Assessment> {
	const deleted = changes.flatMap(change => (change.kind === 'delete' ? [decodeRowId(change.rowId, table).index] : []))
	const indices = [...new Set(changes.flatMap(change => indicesOf(change, table)))]
	const written = await Promise.all(indices.slice(0, mostIndices).map(index => lookUps.written(index)))
	const losses = [
		...(deleted.length === 0 ? [] : [documentsByIndex(deleted)]),
		...written.flatMap((found, place) => selectedByPipelines(indices[place] ?? '', found)),
		...(indices.length > mostIndices ? ['what pipelines of other indices select, if they have some'] : []),
	]
	const [only, ...others] = written
	const kind = changes.every(({ kind }) => kind === 'insert') ? 'add' : 'change'
	return {
		affects: { value: changes.length, isExact: true },
		...destroying(losses),
		...(losses.length === 0 && only !== undefined && others.length === 0 && scopeOf(kind, only)),
	}
}

/** Returns the indices to which a change may add a document, or that of an update. */
function indicesOf(change: Change, table: string): readonly string[] {
	if (change.kind === 'delete') return []
	if (change.kind === 'update') return [decodeRowId(change.rowId, table).index]
	// A document that is made again names its index behind an alias or a pattern.
	const { _index } = change.values
	const named = typeof _index === 'string' ? [_index] : []
	return isSeveral(table) ? named : [table, ...named]
}
