import type { Cell, Change, ChangeOutcome, ImportConflict, ImportOptions } from '@roundhouse/kit'
import { messageOf } from '../../base/errors.ts'
import type { Session } from '../connections/session.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { importErrors } from '../imports/errors.ts'
import type { RowSink, SentRow } from '../imports/import-job.ts'

interface Opening {
	readonly session: Session
	readonly table: string
	readonly options: ImportOptions
	/** Name of the driver. */
	readonly driver: string
	/** Whether a save of the driver is all or nothing. */
	readonly savesWhole: boolean
}

/** Opens the driver's way for many rows; without one, rows are insertions like those of the grid. @throws DriverError */
export async function openSink(opening: Opening, call: CallOptions): Promise<RowSink> {
	const { session, table, options, savesWhole, driver } = opening
	const handle = await session.call('openImport', { table, options }, call)
	if (handle !== null) return driverSink(session, handle, savesWhole)
	// An existing key refuses all insertions that are saved together, so none can be left out.
	const conflicts: readonly ImportConflict[] = savesWhole ? ['fail'] : ['fail', 'skip']
	if (!conflicts.includes(options.onConflict)) {
		throw importErrors.make('conflict_unknown', { driver, conflict: options.onConflict })
	}
	return savesWhole ? wholeInsertion(opening) : insertions(opening)
}

function driverSink(session: Session, handle: number, isWhole: boolean): RowSink {
	return {
		isAtomic: isWhole,
		send: rows => session.call('writeImport', { import: handle, rows: rows.map(({ cells }) => cells) }),
		finish: async () => {
			await session.call('finishImport', { import: handle })
			return undefined
		},
		abort: async () => {
			if (session.isAlive) await session.call('abortImport', { import: handle })
		},
	}
}

function insertions({ session, table, options }: Opening): RowSink {
	return {
		isAtomic: false,
		send: rows => {
			const changes = rows.map(({ cells }) => insertionOf(options.columns, cells))
			return session.call('applyChanges', { table, changes })
		},
		finish: async () => undefined,
		abort: async () => {},
	}
}

/** Upper limits: rows of one call, and size of a message in units of 1024 * 1024 characters. */
const wholeRows = 10_000
const wholeMegabytes = 32

/** A transaction cannot span several calls, so all rows are sent in one. */
function wholeInsertion({ session, table, options, driver }: Opening): RowSink {
	const kept: SentRow[] = []
	let characters = 0
	return {
		isAtomic: true,
		send: async rows => {
			kept.push(...rows)
			characters += JSON.stringify(rows).length
			if (kept.length > wholeRows || characters > wholeMegabytes * 1024 * 1024) {
				throw importErrors.make('too_large_whole', { driver, rows: wholeRows, size: wholeMegabytes })
			}
			return undefined
		},
		finish: async () => {
			if (kept.length === 0) return undefined
			const changes = kept.map(({ cells }) => insertionOf(options.columns, cells))
			const outcomes = await session
				.call('applyChanges', { table, changes })
				.catch(error => [unknown(messageOf(error))])
			const doubt = doubtOf(outcomes, kept.length)
			return { rows: kept, outcomes: doubt ? kept.map(() => doubt) : outcomes }
		},
		abort: async () => {},
	}
}

const unknown = (message: string) => ({ status: 'unknown', message }) as const

/** Returns why the outcome of rows that are saved together is unknown: all of them are applied, or none. */
function doubtOf(outcomes: readonly ChangeOutcome[], rows: number): ChangeOutcome | undefined {
	const applied = outcomes.filter(({ status }) => status === 'applied').length
	const isSure = outcomes.length === rows && (applied === 0 || applied === rows)
	const found = outcomes.find(({ status }) => status === 'unknown')
	return found ?? (isSure ? undefined : unknown('The driver reported that only some of the rows were saved.'))
}

function insertionOf(columns: readonly string[], cells: readonly Cell[]): Change {
	const values = columns.flatMap((column, place): (readonly [string, Cell])[] => {
		const cell = cells[place] ?? null
		return typeof cell === 'object' && cell !== null && 'missing' in cell ? [] : [[column, cell]]
	})
	return { kind: 'insert', values: Object.fromEntries(values) }
}
