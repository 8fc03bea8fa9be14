import { type Call, type Change, type ChangeOutcome, DriverError, isJsonObject } from '@roundhouse/kit'
import { decodeRowId, encodeRowId, rowKeyOf, rowVersionOf } from '../grid/row-id.ts'
import { EngineError } from '../transport/engine-error.ts'
import { ConnectionLost, mayHaveBeenSent } from '../transport/failure.ts'
import type { Reply } from '../transport/reply.ts'
import { leavesDoubt } from '../transport/transport.ts'
import { type EditedTable, planChange } from './plan.ts'

/**
 * Makes the changes one after the other, each with its own outcome. What the engine refuses does not stop the rest;
 * a lost connection does, because every further row would be one more in doubt.
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
	/** Nothing more is sent after this one. */
	readonly isLast: boolean
}

function outcomeOf(reply: Reply, change: Change, { name, transport }: EditedTable): Result {
	if (reply.status < 300) return { outcome: applied(reply, change, name), isLast: false }
	const error = transport.errorOf(reply)
	if (leavesDoubt(reply)) return { outcome: { status: 'unknown', message: inDoubt(error.message) }, isLast: true }
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
		return { status: 'conflict', message: 'Someone else changed this document since it was read.' }
	}
	if (error.status === 404 && change.kind !== 'insert' && error.type !== 'index_not_found_exception') {
		return { status: 'conflict', message: 'Someone else deleted this document since it was read.' }
	}
	return { status: 'failed', message: error.message }
}

function afterError(error: unknown, isWriting: boolean): Result {
	const message = error instanceof Error ? error.message : String(error)
	if (isWriting && mayHaveBeenSent(error))
		return { outcome: { status: 'unknown', message: inDoubt(message) }, isLast: true }
	if (!(error instanceof DriverError)) return unexpected(error, isWriting)
	if (error.code === 'user_cancelled') return { outcome: { status: 'not_sent' }, isLast: true }
	if (isWriting && error.code === 'query_failed') {
		// The engine answered, but not in words that can be read.
		return { outcome: { status: 'unknown', message: inDoubt(message) }, isLast: true }
	}
	const isGone = error.code === 'not_found' && !(error instanceof EngineError)
	const gone = { status: 'conflict', message } as const
	return {
		outcome: isGone ? gone : { status: 'failed', message },
		isLast: error instanceof ConnectionLost || error.code === 'timeout',
	}
}

/** A fault of the driver's own. Thrown, it would take the outcomes of the rows before with it, and they would be sent again. */
function unexpected(error: unknown, isWriting: boolean): Result {
	const message = `The driver failed unexpectedly (${error instanceof Error ? error.name : typeof error}).`
	const outcome: ChangeOutcome = isWriting
		? { status: 'unknown', message: inDoubt(message) }
		: { status: 'failed', message }
	return { outcome, isLast: true }
}

function inDoubt(message: string): string {
	return `The change may or may not have been made: read the row again. ${message}`
}
