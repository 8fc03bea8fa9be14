import { type ChangeOutcome, fromCell, isJsonObject, type Json, stringifyJson } from '@roundhouse/kit'
import { call, decode } from '../fixture.ts'
import type { ConnectedEngine } from './subject.ts'

/** Where a leaf is: names of fields, and places in lists. */
export type LeafPath = readonly (string | number)[]

/** Returns the value with another text at a leaf. */
export function edited(value: Json, [name, ...rest]: LeafPath): Json {
	if (name === undefined) return 'edited'
	if (Array.isArray(value)) return value.map((one, place) => (place === name ? edited(one, rest) : one))
	return isJsonObject(value) ? { ...value, [name]: edited(value[String(name)] ?? null, rest) } : value
}

/** Returns the values of a table's first row as the grid shows them, by column. */
export async function shownRow(engine: ConnectedEngine, table: string): Promise<ReadonlyMap<string, Json>> {
	const grid = await engine.connection.openGrid(engine.queryOf({ table }), call())
	const { columns, rows } = decode(await grid.page({ offset: 0, limit: 10 }, call()))
	await grid.close()
	return new Map(columns.map(({ name }, place) => [name, fromCell(rows[0]?.cells[place] ?? null) ?? null]))
}

/** Edits one leaf of a table's document `1` as a user does: in the value that the grid shows. */
export async function editLeaf(
	engine: ConnectedEngine,
	table: string,
	path: LeafPath,
): Promise<ChangeOutcome | undefined> {
	const [column, ...within] = path
	const isInObject = column === 'object'
	const name = isInObject ? 'object.k' : String(column)
	const value = edited((await shownRow(engine, table)).get(name) ?? null, isInObject ? [] : within)
	const rowId = JSON.stringify([table, '1'])
	const set = { [name]: { json: stringifyJson(value) } }
	const [outcome] = await engine.connection.applyChanges(table, [{ kind: 'update', rowId, set }], call())
	return outcome
}
