import { type Call, type Change, type ChangeOutcome, DriverError, isJsonObject } from '@roundhouse/kit'
import { decodeRowId, encodeRowId, rowKeyOf, rowVersionOf } from '../grid/row-id.ts'
import type { EngineError } from '../transport/engine-error.ts'
import { ConnectionLost, mayHaveBeenSent } from '../transport/failure.ts'
import type { Reply } from '../transport/reply.ts'
import { isOutcomeUnknown } from '../transport/transport.ts'
import { type EditedTable, planChange } from './plan.ts'
import { ChangedMeanwhile } from './read-document.ts'

/**
 * Applies changes in order, each with a separate outcome. A rejection by the engine does not stop the rest. A lost
 * connection does, because every further row would also have an unknown outcome.
 */
export async function applyChanges(
	table: EditedTable,
	changes: readonly Change[],
	{ signal, progress }: Call,
): Promise<ChangeOutcome[]> {
	const outcomes: ChangeOutcome[] = []
	let isOver = false
	for (const change of changes) {
		const result: Result = isOver ? { outcome: { status: 'not_sent' }, isLast: true } : await apply(change)
		outcomes.push(result.outcome)
		isOver = result.isLast
		progress({ done: outcomes.length, total: changes.length })
	}
	return outcomes

	async function apply(change: Change): Promise<Result> {
		let isWriting = false
		try {
			const { request } = await planChange(table, change, signal)
			isWriting = true
			const reply = await table.transport.exchange(request, signal)
			return outcomeOf(reply, change, table)
		} catch (error) {
			return afterError(error, isWriting)
		}
	}
}

interface Result {
	readonly outcome: ChangeOutcome
	/** Whether to stop after this change. */
	readonly isLast: boolean
}

function outcomeOf(reply: Reply, change: Change, { name, transport }: EditedTable): Result {
	if (reply.status < 300) return { outcome: applied(reply, change, name), isLast: false }
	const error = transport.errorOf(reply)
	if (isOutcomeUnknown(reply))
		return { outcome: { status: 'unknown', message: outcomeUnknown(error.message) }, isLast: true }
	return { outcome: refusal(error, change), isLast: reply.status === 401 }
}

function applied(reply: Reply, change: Change, table: string): ChangeOutcome {
	const answer = reply.json()
	if (!isJsonObject(answer)) return { status: 'applied' }
	const routing = change.kind === 'insert' ? routingOf(change) : decodeRowId(change.rowId, table).routing
	const rowId = encodeRowId({ ...rowKeyOf(answer), ...(routing !== undefined && { routing }) })
	const version = rowVersionOf(answer)
	return { status: 'applied', rowId, ...(version !== undefined && { version }) }
}

function routingOf(change: Change & { readonly kind: 'insert' }): string | undefined {
	const routing = change.values._routing
	return typeof routing === 'string' && routing !== '' ? routing : undefined
}

function refusal(error: EngineError, change: Change): ChangeOutcome {
	if (error.status === 409 && change.kind === 'insert') {
		return { status: 'failed', message: 'A document with this _id exists already. Choose another, or edit that one.' }
	}
	if (error.status === 409) {
		return { status: 'conflict', message: 'Another client changed this document after it was read.' }
	}
	if (error.status === 404 && change.kind !== 'insert' && error.type !== 'index_not_found_exception') {
		return { status: 'conflict', message: 'Another client deleted this document after it was read.' }
	}
	return { status: 'failed', message: error.message }
}

function afterError(error: unknown, isWriting: boolean): Result {
	const message = error instanceof Error ? error.message : String(error)
	if (isWriting && mayHaveBeenSent(error))
		return { outcome: { status: 'unknown', message: outcomeUnknown(message) }, isLast: true }
	if (!(error instanceof DriverError)) return unexpected(error, isWriting)
	if (error.code === 'user_cancelled') return { outcome: { status: 'not_sent' }, isLast: true }
	if (isWriting && error.code === 'query_failed') {
		// The engine answered, but the answer cannot be parsed.
		return { outcome: { status: 'unknown', message: outcomeUnknown(message) }, isLast: true }
	}
	const isConflict = error instanceof ChangedMeanwhile
	return {
		outcome: { status: isConflict ? 'conflict' : 'failed', message },
		isLast: error instanceof ConnectionLost || error.code === 'timeout',
	}
}

/**
 * An unexpected error of the driver. If it were thrown, the outcomes of earlier rows would be lost, and the rows would
 * be sent again.
 */
function unexpected(error: unknown, isWriting: boolean): Result {
	const message = `The driver failed unexpectedly (${error instanceof Error ? error.name : typeof error}).`
	const outcome: ChangeOutcome = isWriting
		? { status: 'unknown', message: outcomeUnknown(message) }
		: { status: 'failed', message }
	return { outcome, isLast: true }
}

function outcomeUnknown(message: string): string {
	return `The change may or may not have been made. Read the row again to check. ${message}`
}
