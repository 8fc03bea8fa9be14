import type { ConsoleResult, Fault, ResultOrder, Said, Statement } from '../../host/api/api.ts'
import type { CallOptions } from '../api/client.ts'
import type { ExportChoice } from '../exports/export-sheet.tsx'
import type { TableChanges } from '../results/kept-changes.ts'
import type { Task } from '../state/task.ts'

/** A run of one statement. */
export interface Run {
	/** As sent, with variables filled in. */
	readonly statement: string
	/** The values that are sent apart from it, one line each. */
	readonly values: readonly string[]
	/** As it is in the console. */
	readonly typed: string
	/** Counted from 1, in the order in which they were begun. */
	readonly number: number
	/** Runs that were begun together have one: the number of the first of them. */
	readonly group: number
	/** In milliseconds since 1970. */
	readonly begunAt: number
	/** The line of the console where it begins, counted from 1. */
	readonly line: number
	/** The database and schema where it runs, if they were chosen. */
	readonly namespace: string | undefined
	readonly task: Task<readonly [Statement, Said, number], ConsoleResult>
	/** Runs a read again with more rows. */
	readonly readMore?: () => void
	/** Whether a run with more rows was not asked for yet. */
	readonly canReadMore?: () => boolean
	/** Runs a read again in an order of the engine, if its driver can. */
	readonly sorting?: Task<readonly [sort: ResultOrder], ConsoleResult>
	/** Opens an export of all rows of a read, which runs again. */
	readonly beginExport?: (choice: ExportChoice, call: CallOptions) => Promise<{ readonly id: string }>
	/** The values that are changed in its rows and not saved, and their number. */
	changes(): readonly TableChanges[]
	staged(): number
	setChanges(changes: readonly TableChanges[]): void
	/** Changes of an earlier result of the statement, which this one takes. */
	readonly restoring?: Restoring
	/** Ends it, so that its result can leave the memory. */
	dispose(): void
	/** Why it failed: it could not be sent, or the engine refused it. */
	failure(): RunFailure | undefined
	/** What a write had done when it was cancelled, as the driver reports it after that. */
	stopped(): string | undefined
}

/** `settle` gets those whose rows the result does not have. */
export interface Restoring {
	readonly changes: readonly TableChanges[]
	settle(rest: readonly TableChanges[]): void
}

/** `at`: the offset of the error in the statement as typed. */
export type RunFailure = Pick<Fault, 'message' | 'at'>

/** What it runs: its statement, and the same in another order. */
export const tasksOf = ({ task, sorting }: Run): readonly Pick<Run['task'], 'isRunning' | 'cancel' | 'progress'>[] =>
	sorting ? [task, sorting] : [task]

export const isRunning = (run: Run) => tasksOf(run).some(task => task.isRunning())
