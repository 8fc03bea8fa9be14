import { type Change, type ChangeOutcome, type DriverError, isDriverError, type WholeRow } from '@roundhouse/kit'
import { rawText } from '@roundhouse/kit/encoded'
import { messageOf } from '../../base/errors.ts'
import { KeyedMutex } from '../../base/keyed-mutex.ts'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import type { SavedConnection } from '../connections/connection-fields.ts'
import { placeOf } from '../connections/connection-identity.ts'
import { hiddenIn, readDocument } from './document.ts'
import { undoErrors } from './errors.ts'
import { inverseOf, lostOf, valuesOf, whyNever } from './inverse.ts'
import { type KeptChange, type KeptRow, keptChangeSchema, type RowBefore } from './kept-change.ts'
import { forEach, type Rows, readColumns, readRow } from './read-rows.ts'
import type { SealedFiles } from './sealed-files.ts'

/**
 * Applies changes of rows, and keeps what they replace for an undo. Each row is read directly before its change, which
 * then has the version that was read: what is kept is what was replaced, or nothing was changed.
 */

const most = { rows: 1_000, bytes: 10_000_000 }

export interface AskedChange {
	/** From {@link KeptChanges.newId}. */
	readonly id: string
	readonly connection: SavedConnection
	readonly table: string
	readonly changes: readonly Change[]
	readonly maker: KeptChange['maker']
	/** The change that this one undoes. */
	readonly undoes?: string
}

export interface MadeChange {
	readonly outcomes: readonly ChangeOutcome[]
	/** Whether what it replaced is kept. */
	readonly isKept: boolean
	/** Why it cannot be undone, as a sentence; `undefined` if it can, or changed nothing. */
	readonly noUndo: string | undefined
}

/** What an undo of a change would do now. */
export interface UndoPlan {
	readonly changes: readonly Change[]
	/** The place of each of these changes in the rows of the kept one. */
	readonly places: readonly number[]
	/** Rows that stay as they are. */
	readonly stays: readonly RowThatStays[]
}

export interface RowThatStays {
	/** Position in the change that is undone. */
	readonly row: number
	/** As the driver names it; absent for a new row that was not found again. */
	readonly id: string | undefined
	readonly why: string
	/** Whether others changed it since. */
	readonly isConflict: boolean
}

export interface Undone extends MadeChange {
	/** Rows whose values are not all as they were. */
	readonly lost: readonly { readonly row: number; readonly id: string; readonly columns: readonly string[] }[]
}

/** What became of the rows of an undo, by their place in the change. */
interface EndedUndo {
	readonly places: readonly number[]
	readonly undone: ReadonlyMap<number, ChangeOutcome>
	readonly unknown: ReadonlySet<number>
}

export interface KeptChangesOptions {
	readonly files: SealedFiles
	/** The setting. */
	readonly isOn: () => boolean
	readonly now?: () => number
}

export class KeptChanges {
	readonly #files: SealedFiles
	readonly #isOn: () => boolean
	readonly #now: () => number
	readonly #mutex = new KeyedMutex()

	constructor({ files, isOn, now = Date.now }: KeptChangesOptions) {
		this.#files = files
		this.#isOn = isOn
		this.#now = now
	}

	newId(): string {
		return this.#files.newName()
	}

	/** Removes what is kept of connections that no longer exist, and what is too old. */
	forget(isThere: (connection: string) => boolean): Promise<void> {
		return this.#files.sweep(isThere)
	}

	clear(): Promise<void> {
		return this.#files.clear()
	}

	/** Returns a change of a connection, if it is still kept. @throws HostError `undo/unreadable` */
	async read(connection: string, id: string): Promise<KeptChange | undefined> {
		const text = await this.#files.read(connection, id).catch(error => {
			throw undoErrors.make('unreadable', { reason: storeFault(error) })
		})
		const parsed = keptChangeSchema.safeParse(text === undefined ? undefined : parseJsonOrUndefined(text))
		return parsed.success ? parsed.data : undefined
	}

	/** Returns a change that may be undone. @throws HostError `undo/gone`, `undo/moved`, `undo/unreadable` */
	async open(connection: SavedConnection, id: string): Promise<KeptChange> {
		const kept = await this.read(connection.id, id)
		if (!kept) throw undoErrors.make('gone')
		if (kept.place !== placeOf(connection)) throw undoErrors.make('moved', { name: connection.name })
		return kept
	}

	/** Whether what changes replace is kept, as far as it is known before they are made. */
	mayKeep(changes: readonly Change[]): boolean {
		return this.#whyNotKept(changes) === undefined
	}

	#whyNotKept(changes: readonly Change[]): string | undefined {
		if (!this.#isOn()) return switchedOff
		if (changes.length > most.rows) return `It has more than ${most.rows.toLocaleString('en')} rows.`
		const ids = changes.flatMap(change => (change.kind === 'insert' ? [] : [change.rowId]))
		return new Set(ids).size < ids.length ? 'It names a row twice.' : undefined
	}

	/** Applies changes. A failure to keep what they replace does not fail them. @throws DriverError as the driver */
	async apply(rows: Rows, asked: AskedChange, signal: AbortSignal): Promise<MadeChange> {
		const { table, changes } = asked
		const replaced = await this.#replacedBy(rows, asked, signal)
		const sent = 'why' in replaced ? changes : changes.map((change, at) => pinned(change, replaced.rows[at]))
		// Of a host or a driver that ends during the change, at least what it replaced is left to be seen.
		const unanswered = changes.map((): ChangeOutcome => ({ status: 'unknown', message: '' }))
		const ahead = 'why' in replaced ? undefined : keptRows(sent, unanswered, replaced.rows)
		const fault = ahead && (await this.#write(asked, ahead).catch(storeFault))
		const outcomes = await rows.call('applyChanges', { table, changes: sent }, { signal }).catch(async error => {
			if (ahead && isSurelyNotMade(error)) await this.#remove(asked)
			throw error
		})
		const isMade = outcomes.some(({ status }) => status === 'applied' || status === 'unknown')
		const made = 'why' in replaced || fault !== undefined ? undefined : keptRows(sent, outcomes, replaced.rows)
		if (ahead && (!isMade || made === undefined)) await this.#remove(asked)
		if (!isMade) return { outcomes, isKept: false, noUndo: undefined }
		if ('why' in replaced) return { outcomes, isKept: false, noUndo: replaced.why }
		if (fault !== undefined) return { outcomes, isKept: false, noUndo: notKept(fault) }
		if (made === undefined) return { outcomes, isKept: false, noUndo: changedMeanwhile }
		const kept = await withValues(rows, { table, made }, signal)
		if (!this.#isOn()) return { outcomes, isKept: false, noUndo: switchedOff }
		const later = await this.#write(asked, kept).catch(storeFault)
		// The change is made and kept. What is too old can go later.
		await this.#files.sweep(() => true).catch(() => {})
		if (later !== undefined) return { outcomes, isKept: false, noUndo: notKept(later) }
		const never = kept.map(whyNever)
		return { outcomes, isKept: true, noUndo: never.every(why => why !== undefined) ? never[0] : undefined }
	}

	/** Returns what an undo would do now. Writes nothing. @throws DriverError */
	async plan(rows: Rows, { table, rows: keptOnes }: KeptChange, signal: AbortSignal): Promise<UndoPlan> {
		const columns = await readColumns(rows, table, signal)
		const found = await forEach(keptOnes, async (kept, row) => {
			const id = idNow(kept)
			const now = id === undefined ? undefined : await readRow(rows, { table, rowId: id }, signal)
			return { row, id, inverse: inverseOf(kept, now, columns) }
		})
		// The last change is taken back first, because an earlier one may depend on it.
		const made = found
			.toReversed()
			.flatMap(({ row, inverse }) => ('change' in inverse ? [{ row, change: inverse.change }] : []))
		return {
			changes: made.map(({ change }) => change),
			places: made.map(({ row }) => row),
			stays: found.flatMap(({ row, id, inverse }): readonly RowThatStays[] => {
				if ('conflict' in inverse) return [{ row, id, why: inverse.conflict, isConflict: true }]
				return 'cannot' in inverse ? [{ row, id, why: inverse.cannot, isConflict: false }] : []
			}),
		}
	}

	/**
	 * Undoes a change by its plan. The undo is kept too, so that it can be undone. Its rows are marked before: an undo that
	 * ends in between is not made again. @throws DriverError as the driver; HostError `undo/gone`, `undo/outdated`,
	 * `undo/not_marked`
	 */
	async undo(
		rows: Rows,
		{
			kept,
			plan,
			...asked
		}: Omit<AskedChange, 'table' | 'changes' | 'undoes'> & {
			readonly kept: KeptChange
			readonly plan: UndoPlan
		},
		signal: AbortSignal,
	): Promise<Undone> {
		const { table } = kept
		await this.#begin(kept, plan.places)
		const undone = new Map<number, ChangeOutcome>()
		const unknown = new Set(plan.places)
		try {
			const made = await this.apply(rows, { ...asked, table, changes: plan.changes, undoes: kept.id }, signal)
			for (const [at, outcome] of made.outcomes.entries()) {
				const place = plan.places[at]
				if (place === undefined || outcome.status === 'unknown') continue
				unknown.delete(place)
				if (outcome.status === 'applied') undone.set(place, outcome)
			}
			return { ...made, lost: await this.#lostBy(rows, { kept, undone }, signal) }
		} catch (error) {
			if (isSurelyNotMade(error)) unknown.clear()
			throw error
		} finally {
			await this.#end(kept, { places: plan.places, undone, unknown }).catch(() => {})
		}
	}

	/** Marks rows before their undo. @throws HostError `undo/gone`, `undo/outdated`, `undo/not_marked` */
	#begin({ connection, id }: KeptChange, places: readonly number[]): Promise<void> {
		return this.#mutex.run(id, async () => {
			const kept = await this.read(connection, id)
			if (!kept || !this.#isOn()) throw undoErrors.make('gone')
			const asked = new Set(places)
			if (kept.rows.some(({ isUndone, isBegun }, at) => asked.has(at) && (isUndone || isBegun)))
				throw undoErrors.make('outdated')
			const rows = kept.rows.map((row, at) => (asked.has(at) ? { ...row, isBegun: true } : row))
			await this.#store({ ...kept, rows }).catch(error => {
				throw undoErrors.make('not_marked', { reason: storeFault(error) })
			})
		})
	}

	/** Replaces the marks by what became of the rows. */
	#end({ connection, id }: KeptChange, ended: EndedUndo): Promise<void> {
		return this.#mutex.run(id, async () => {
			const kept = await this.read(connection, id)
			if (!kept || !this.#isOn()) return
			const places = new Set(ended.places)
			const rows = kept.rows.map((row, at) => {
				if (!places.has(at) || ended.unknown.has(at)) return row
				const { isBegun, ...rest } = row
				return ended.undone.has(at) ? { ...rest, isUndone: true } : rest
			})
			await this.#store({ ...kept, rows })
		})
	}

	/** Compares the rows that came back with what they were. */
	async #lostBy(
		rows: Rows,
		{ kept, undone }: { readonly kept: KeptChange; readonly undone: ReadonlyMap<number, ChangeOutcome> },
		signal: AbortSignal,
	): Promise<Undone['lost']> {
		const { table } = kept
		const columns = await readColumns(rows, table, signal).catch(() => undefined)
		const compared = await forEach([...undone], async ([place, outcome]) => {
			const change = kept.rows[place]?.change
			if (change === undefined || change.kind === 'insert') return []
			const id = ('rowId' in outcome ? outcome.rowId : undefined) ?? change.before.id
			// The row is changed. Only the comparison may fail.
			const names = await readRow(rows, { table, rowId: id }, signal).then(
				now => (now && columns ? lostOf(change.before, now, columns) : [now ? notCompared : notFound]),
				() => [notCompared],
			)
			return names.length > 0 ? [{ row: place, id, columns: names }] : []
		})
		return compared.flat()
	}

	/** Reads the rows that changes replace, or returns why they are not kept. */
	async #replacedBy(
		rows: Rows,
		{ table, changes }: AskedChange,
		signal: AbortSignal,
	): Promise<{ readonly rows: readonly (RowBefore | undefined)[] } | { readonly why: string }> {
		const why = this.#whyNotKept(changes)
		if (why !== undefined) return { why }
		try {
			let bytes = JSON.stringify(changes).length
			const read = await forEach(changes, async change => {
				if (change.kind === 'insert' || bytes > most.bytes) return undefined
				const row = await readRow(rows, { table, rowId: change.rowId }, signal)
				bytes += row?.raw.length ?? 0
				return row
			})
			if (bytes > most.bytes || read.some(row => row?.rawCutFrom !== undefined))
				return { why: `It replaces more than ${most.bytes / 1_000_000} MB.` }
			if (read.some(row => row && row.version === undefined)) return { why: 'The rows have no versions.' }
			return { rows: read.map(row => row && beforeOf(row)) }
		} catch (error) {
			signal.throwIfAborted()
			return { why: `The rows could not be read before it: ${messageOf(error)}` }
		}
	}

	async #write({ id, connection, table, maker, undoes }: AskedChange, rows: readonly KeptRow[]): Promise<undefined> {
		const change: KeptChange = {
			version: 1,
			id,
			at: this.#now(),
			connection: connection.id,
			place: placeOf(connection),
			table,
			maker,
			...(undoes !== undefined && { undoes }),
			rows: [...rows],
		}
		await this.#store(change)
	}

	#remove({ connection, id }: AskedChange): Promise<void> {
		return this.#files.remove(connection.id, id).catch(() => {})
	}

	async #store(change: KeptChange): Promise<void> {
		await this.#files.write(change.connection, change.id, JSON.stringify(change))
		// Switched off while it was written, so what is kept was removed before.
		if (!this.#isOn()) await this.clear()
	}
}

/** A call of a driver that fails with these codes may have changed rows. */
const mayHaveApplied: ReadonlySet<DriverError['code']> = new Set([
	'not_connected',
	'internal_failure',
	'timeout',
	'denied',
])

/** Whether nothing was sent, or all was rolled back. */
const isSurelyNotMade = (error: unknown) => !isDriverError(error) || !mayHaveApplied.has(error.code)

/** The message of an error of the disk has the path of the file, which is no matter of a client. */
const storeFault = (error: unknown) =>
	error instanceof Error && 'syscall' in error && 'code' in error
		? `the disk says ${String(error.code)}`
		: messageOf(error)

const notKept = (fault: string) => `What it replaced could not be kept: ${fault}`

const switchedOff = 'What clients replace is not kept, by the settings or by the policy of this machine.'
const notCompared = 'not known, because the row could not be read again'
const notFound = 'the whole row, which is not there'
const changedMeanwhile = 'A row was changed while it was read.'

/** Adds the values that the rows have after a change, read at the version of the change. */
async function withValues(
	rows: Rows,
	{ table, made }: { readonly table: string; readonly made: readonly KeptRow[] },
	signal: AbortSignal,
): Promise<readonly KeptRow[]> {
	return forEach(made, async row => {
		const { change } = row
		if (change.kind === 'delete' || !change.after) return row
		const { after } = change
		const now = await readRow(rows, { table, rowId: after.id }, signal).catch(() => undefined)
		const read = now?.version === after.version ? readDocument(rawText(now)) : undefined
		if (!read) return row
		const values = valuesOf(read).map(([name, digest]): [string, string] => [name, digest])
		return { ...row, change: { ...change, after: { ...after, values } } }
	})
}

/** The row of a kept change as it can be found now. */
function idNow({ change }: KeptRow): string | undefined {
	return change.kind === 'delete' ? change.before.id : change.after?.id
}

/** The caller has checked that it has a version. */
function beforeOf(row: WholeRow): RowBefore {
	const { id, version = '', raw, jsonNulls, insertAgain } = row
	const hidden = hiddenIn(row)
	return {
		id,
		version,
		document: rawText({ raw }),
		...(jsonNulls && { jsonNulls: [...jsonNulls] }),
		...(hidden && { hidden: [...hidden] }),
		...(insertAgain && { insertAgain }),
	}
}

/** Returns a change that is made only if the row is still the one that was read. */
function pinned(change: Change, before: RowBefore | undefined): Change {
	if (change.kind === 'insert' || change.version !== undefined || before === undefined) return change
	return { ...change, version: before.version }
}

/** Returns the rows to keep, or `undefined` if one of them was not the row that was read. */
function keptRows(
	changes: readonly Change[],
	outcomes: readonly ChangeOutcome[],
	replaced: readonly (RowBefore | undefined)[],
): readonly KeptRow[] | undefined {
	const kept: KeptRow[] = []
	for (const [at, change] of changes.entries()) {
		const outcome = outcomes[at]
		if (outcome?.status !== 'applied' && outcome?.status !== 'unknown') continue
		const { status } = outcome
		const after =
			outcome.status === 'applied' && outcome.rowId !== undefined && outcome.version !== undefined
				? { after: { id: outcome.rowId, version: outcome.version } }
				: {}
		if (change.kind === 'insert') {
			kept.push({ outcome: status, change: { kind: 'insert', sent: change.values, ...after } })
			continue
		}
		const before = replaced[at]
		if (before === undefined || before.version !== change.version) return undefined
		if (change.kind === 'delete') kept.push({ outcome: status, change: { kind: 'delete', before } })
		else kept.push({ outcome: status, change: { kind: 'update', sent: change.set, before, ...after } })
	}
	return kept
}
