import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Change, type Connection, DriverError, encode } from '@roundhouse/kit'
import type { SavedConnection } from '../../host/connections/connection-fields.ts'
import { KeptChanges, type MadeChange } from '../../host/undo/kept-changes.ts'
import type { Rows } from '../../host/undo/read-rows.ts'
import { SealedFiles } from '../../host/undo/sealed-files.ts'
import { Difference } from './difference.ts'
import type { Oracle } from './oracle.ts'
import { Random } from './random.ts'
import { call, type RandomTable } from './random-table.ts'

/**
 * Random changes of random tables, each with its undo. In a third of them others change rows: before the change, between
 * it and its undo, or when the undo is about to be sent.
 */

const saved = {
	id: 'oracle',
	name: 'Oracle',
	driverId: 'any',
	settings: {},
	isSample: false,
} as unknown as SavedConnection
const maker = { kind: 'person' } as const
const pairsOfTable = 10

export interface UndoRun {
	readonly pairs: number
	/** Each table has its own, the next one. */
	readonly seed: number
}

/** Returns how many pairs there were, how many met a conflict, and each difference with its seed. */
export async function runUndoPairs(oracle: Oracle, { pairs, seed }: UndoRun) {
	await using keeping = await openKeptChanges()
	const { kept } = keeping
	const differences: string[] = []
	let [made, conflicts] = [0, 0]
	for (let of = seed; made < pairs && differences.length < 10; of++) {
		const random = new Random(of)
		await using table = await oracle.openTable(random)
		// A view takes no changes.
		const most = table.writableColumns.length === 0 ? 0 : pairsOfTable
		for (let tries = 0; tries < most && made < pairs; tries++) {
			try {
				const outcome = await pair(kept, table, random)
				if (outcome !== 'nothing changed') made++
				if (outcome === 'conflict') conflicts++
			} catch (error) {
				const reason =
					error instanceof Difference ? error.message : error instanceof Error ? error.stack : String(error)
				differences.push(`seed ${of}, pair ${tries}\n${table.description.slice(0, 3_000)}\n${reason}`)
				break
			}
		}
	}
	return { made, conflicts, differences }
}

/** Keeps changes in a folder that is removed at the end. */
export async function openKeptChanges() {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-undo-'))
	const secrets = new Map<string, string>()
	const store = {
		get: async (key: string) => secrets.get(key),
		set: async (key: string, secret: string) => void secrets.set(key, secret),
	}
	const kept = new KeptChanges({ files: new SealedFiles(folder, { secrets: store, now: Date.now }), isOn: () => true })
	return { kept, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** A change, and what others do before its undo. */
export interface UndoCase {
	readonly table: string
	readonly changes: readonly Change[]
	state(): Promise<readonly string[]>
	others?(): Promise<unknown>
}

/**
 * Makes a change and its undo. Returns whether all is as it was, what is said of rows that are not, and the rows that others
 * made in between and that are gone.
 */
export async function undoCase(kept: KeptChanges, connection: Connection, { table, changes, state, others }: UndoCase) {
	const { signal } = call
	const rows = rowsOf(connection, async () => {})
	const first = await state()
	const id = kept.newId()
	const made = await kept.apply(rows, { id, connection: saved, table, changes, maker }, signal)
	const second = await state()
	const change = await kept.read(saved.id, id)
	if (!change) throw new Error(`It is not kept: ${JSON.stringify(made)}`)
	await others?.()
	const third = await state()
	const plan = await kept.plan(rows, change, signal)
	const asked = { id: kept.newId(), connection: saved, maker, kept: change, plan }
	const undone = plan.changes.length === 0 ? nothing : await kept.undo(rows, asked, signal)
	const last = await state()
	const refused = undone.outcomes.flatMap(outcome => ('message' in outcome ? [outcome.message] : []))
	return {
		isSame: String(first) === String(last),
		named: [...plan.stays.map(({ why }) => why), ...undone.lost.flatMap(one => one.columns), ...refused],
		goneOfOthers: without(without(third, second), last),
	}
}

async function pair(kept: KeptChanges, table: RandomTable, random: Random) {
	const { signal } = call
	const others = random.chance(1 / 3) ? random.pick(['before', 'between', 'during'] as const) : undefined
	const act = async (near: readonly string[]) =>
		void (await table.connection.applyChanges(table.name, await table.someChanges(near), call))
	let [first, second] = [await table.state(), [] as readonly string[]]
	const id = kept.newId()
	const changes = await table.someChanges()
	const atChange = rowsOf(table.connection, async () => {
		if (others === 'before') await act(changes.flatMap(change => ('rowId' in change ? [change.rowId] : [])))
		first = await table.state()
	})
	const asked = { id, connection: saved, table: table.name, changes, maker }
	const made = await kept.apply(atChange, asked, signal)
	if (!made.outcomes.some(({ status }) => status === 'applied')) return 'nothing changed'
	second = await table.state()
	const change = await kept.read(saved.id, id)
	if (!change) {
		// A change that is not kept says why.
		if (made.noUndo !== undefined) return 'nothing changed'
		throw new Difference('kept change', made, 'the change')
	}
	const changed = made.outcomes.flatMap(outcome =>
		'rowId' in outcome && outcome.rowId !== undefined ? [outcome.rowId] : [],
	)
	if (others === 'between') await act(changed)
	let third = await table.state()
	const atUndo = rowsOf(table.connection, async () => {
		if (others === 'during') await act(changed)
		third = await table.state()
	})
	const plan = await kept.plan(atUndo, change, signal)
	const undoAsked = { id: kept.newId(), connection: saved, maker, kept: change, plan }
	const undone = plan.changes.length === 0 ? nothing : await kept.undo(atUndo, undoAsked, signal)
	const last = await table.state()
	const named =
		plan.stays.length + undone.lost.length + undone.outcomes.filter(({ status }) => status !== 'applied').length
	const said = JSON.stringify({ others, changes, made: made.outcomes, plan, undone })
	// What others wrote stays, and what they deleted does not come back.
	const lostOfOthers = without(without(third, second), last)
	if (lostOfOthers.length > 0) throw new Difference(`rows of others after ${said}`, 'gone', lostOfOthers)
	const expected = [...without(third, without(second, first)), ...without(first, second)].toSorted()
	if (named === 0 && String(last) !== String(expected))
		throw new Difference(`rows after ${said}`, without(last, expected), without(expected, last))
	const missing = without(without(first, second), last)
	if (missing.length > named)
		throw new Difference(`rows that did not come back after ${said}`, missing, `${named} named`)
	return plan.stays.some(({ isConflict }) => isConflict) || undone.outcomes.some(({ status }) => status === 'conflict')
		? 'conflict'
		: 'undone'
}

const nothing: MadeChange & { readonly lost: readonly [] } = {
	outcomes: [],
	isKept: false,
	noUndo: undefined,
	lost: [],
}

/** The elements of a list without those of another one, as often as they are in it. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
	const left = new Map<string, number>()
	for (const other of others) left.set(other, (left.get(other) ?? 0) + 1)
	return list.filter(one => {
		const count = left.get(one) ?? 0
		if (count > 0) left.set(one, count - 1)
		return count === 0
	})
}

/** A connection of a driver in this process, with what happens directly before its changes. */
function rowsOf(connection: Connection, before: () => Promise<void>): Rows {
	const answer = async (
		method: string,
		{ table, rowId, changes }: { readonly table: string; readonly rowId: string; readonly changes: readonly Change[] },
	) => {
		if (method === 'readRow') return connection.readRow(table, rowId, call)
		if (method === 'describeTable') return encode(await connection.describeTable(table, call))
		await before()
		return connection.applyChanges(table, changes, call)
	}
	// It has the three methods that an undo calls.
	return {
		call: answer,
		wrongAnswer: (_: string, fault: string) => new DriverError('internal_failure', fault),
	} as unknown as Rows
}
