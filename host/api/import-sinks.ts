import type { Cell, Change, ImportOptions } from '@roundhouse/kit'
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
	if (options.onConflict === 'replace') throw importErrors.make('conflict_unknown', { driver, conflict: 'replace' })
	return savesWhole ? wholeInsertion(opening) : insertions(opening)
}

function driverSink(session: Session, handle: number, isWhole: boolean): RowSink {
	return {
		isWhole,
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
		isWhole: false,
		send: rows => {
			const changes = rows.map(({ cells }) => insertionOf(options.columns, cells))
			return session.call('applyChanges', { table, changes })
		},
		finish: async () => undefined,
		abort: async () => {},
	}
}

/** Most changes of one call, and most characters of a message. */
const wholeRows = 10_000
const wholeMegabytes = 32

/** A transaction cannot span several calls, so all rows are sent in one. */
function wholeInsertion({ session, table, options, driver }: Opening): RowSink {
	const kept: SentRow[] = []
	let characters = 0
	return {
		isWhole: true,
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
			try {
				return { rows: kept, outcomes: await session.call('applyChanges', { table, changes }) }
			} catch (error) {
				return { rows: kept, outcomes: kept.map(() => ({ status: 'unknown', message: messageOf(error) }) as const) }
			}
		},
		abort: async () => {},
	}
}

function insertionOf(columns: readonly string[], cells: readonly Cell[]): Change {
	const values = columns.flatMap((column, place): (readonly [string, Cell])[] => {
		const cell = cells[place] ?? null
		return typeof cell === 'object' && cell !== null && 'missing' in cell ? [] : [[column, cell]]
	})
	return { kind: 'insert', values: Object.fromEntries(values) }
}
