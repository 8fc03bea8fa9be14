import {
	type ConsoleResult,
	DriverError,
	type Effect,
	type Fault,
	fromCell,
	type Held,
	isDriverError,
	type JsonObject,
	parseJson,
	type ResultPart,
	rawText,
	type Statement,
	stringifyJson,
	type Verdict,
	type WithRaw,
} from '@roundhouse/kit'
import { z } from 'zod'
import { recordedStatement } from '../../../connections/parameters.ts'
import type { ClientSession } from '../../access/client-session.ts'
import { decodeAnswer } from '../../access/decode-answer.ts'
import { attributed, quote } from '../../protocol/attributed.ts'
import type { McpCall } from '../../protocol/method.ts'
import { driverText, quotedInput } from '../../protocol/outgoing-text.ts'
import type { ConnectionCall } from '../framework/define-tool.ts'
import { fitted, thatFit } from '../framework/fitted.ts'
import { shownNotices } from './notices.ts'
import { anyJson, noticesOutput, rowSetOutput } from './outputs.ts'
import { noted } from './recent.ts'
import { resultLimits, rowSet } from './row-set.ts'
import { maxTimeoutSeconds, withTimeLimit } from './time-limit.ts'

export const maxStatementLength = 100 * 1024

/**
 * Returns the driver's analysis of a single statement. This is the only classification: consent, execution and the
 * activity log use its result. @throws DriverError `invalid_argument`, or the fault in the statement
 */
export async function analyse(session: ClientSession, query: string, call: McpCall): Promise<Statement> {
	const { signal } = call
	const verdicts = await session.call('analyse', { text: query }, { signal })
	call.note({ statement: recordedText(query, verdicts) })
	const [verdict, ...others] = verdicts
	const text = query.slice(verdict?.start, verdict?.end)
	if (!verdict || text === '') throw new DriverError('invalid_argument', 'query: it contains no statement.')
	if (others.length > 0) throw new DriverError('invalid_argument', 'query: send one statement in each call.')
	if (verdict.fault) throw placed(attributed(verdict.fault), text)
	const statement = { ...verdict, text }
	call.note({ verdict: verdict.access, reason: verdict.reason, statement: recordedStatement(statement) })
	return statement
}

/** Returns a text of several statements as the activity log has it. */
function recordedText(text: string, verdicts: readonly Verdict[]): string {
	const secrets = verdicts.flatMap(({ start, secrets = [] }) =>
		secrets.map(secret => ({ start: start + secret.start, end: start + secret.end })),
	)
	return recordedStatement({ text, secrets, isUnread: verdicts.some(({ isUnread }) => isUnread) })
}

const longestReason = 300

/** Returns what to say of a verdict's reason, in the driver's words, or nothing. */
export const reasonWords = ({ reason }: Pick<Statement, 'reason'>): string =>
	reason === undefined ? '' : ` The driver says: ${quote(reason, longestReason)}`

/** Output of a statement: rows, JSON of the engine, or text. */
const partOutput = {
	status: z.string(),
	affected_rows: z.number().optional(),
	notices: noticesOutput,
	...z.object(rowSetOutput).partial().shape,
	total: z.number().optional(),
	total_is_exact: z.boolean().optional(),
	totals: z.record(z.string(), anyJson).optional(),
	result: anyJson.optional(),
	text: z.string().optional(),
}
export const statementOutput = {
	...partOutput,
	took_ms: z.number(),
	/** Each has the members of the first result. A schema that repeats them would cost every client's context. */
	more_results: z.array(anyJson).optional(),
}

export interface RunLimits {
	readonly maxRows: number
	readonly timeoutSeconds: number
	/** Whether the client chose the timeout, so that it can choose a longer one. */
	readonly isTimeoutChosen?: boolean
}

interface StatementRun extends RunLimits {
	readonly statement: Statement
	/** The effect that the user agreed to. */
	readonly within?: Effect | undefined
	/** What the user agreed to lose. */
	readonly held?: Held | undefined
}

/** The statement did more than the user agreed to, and was rolled back. */
export class ExceededEffect extends DriverError {
	constructor(effect: string) {
		super('denied', `The effect is no longer the one that the user agreed to, and nothing was changed. ${effect}`)
	}
}

/** Runs a statement after consent and adds it to the recent queries. */
export async function runStatement(
	session: ClientSession,
	{ statement, within, held, maxRows, timeoutSeconds, isTimeoutChosen = false }: StatementRun,
	context: ConnectionCall,
): Promise<JsonObject> {
	const { call, services } = context
	const advice =
		isTimeoutChosen && timeoutSeconds < maxTimeoutSeconds
			? `timeout_seconds may be up to ${maxTimeoutSeconds}; a filter or fewer rows need less time.`
			: undefined
	const awaitsEnd = statement.access !== 'read'
	const limit = { clock: services.clock, seconds: timeoutSeconds, signal: call.signal, advice, awaitsEnd }
	try {
		const what = { statement: recordedStatement(statement), access: statement.access }
		const encoded = await noted(what, context, () =>
			withTimeLimit(limit, signal =>
				session.call(
					'runConsole',
					{ statement, maxRows, ...(within && { within }), ...(held && { held }) },
					{ signal },
				),
			),
		)
		const result = decodeAnswer('runConsole', encoded, session)
		if (result.exceeded !== undefined) throw new ExceededEffect(driverText(result.exceeded))
		return describeResult(result)
	} catch (error) {
		if (!isDriverError(error) || error instanceof ExceededEffect) throw error
		throw placed(statement.access === 'read' ? error : withOutcome(error, within !== undefined), statement.text)
	}
}

/**
 * A write whose answer is missing may have been committed, so a model must not send it again as one that failed. One
 * that was rehearsed runs in a transaction: if its engine says that it stopped it, nothing is left of it.
 */
function withOutcome(error: DriverError, isInTransaction: boolean): DriverError {
	const { code, message, engineCode } = error
	if (code !== 'timeout' && code !== 'not_connected') return error
	const isUndone = code === 'timeout' && isInTransaction && engineCode !== undefined
	const words = isUndone ? 'Nothing was changed.' : 'It may have been applied. Read the data before you send it again.'
	return new DriverError(code, `${message} ${words}`, error)
}

const shownAround = 40

/** Returns a fault as an error whose message quotes the place in the statement. */
export function placed({ code, message, ...details }: Fault, text: string): DriverError {
	const { at } = details
	if (at === undefined || at >= text.length) return new DriverError(code, message, details)
	const line = text.slice(0, at).split('\n').length
	const shown = quotedInput(text.slice(at, at + shownAround))
	const sentence = /[.!?»]$/.test(message) ? message : `${message}.`
	return new DriverError(code, `${sentence} At line ${line}: "${shown}".`, details)
}

/** Returns a result as an answer to a model, within the size of an answer. */
export function describeResult(result: ConsoleResult): JsonObject {
	const { tookMs, more = [] } = result
	const first = describePart(result)
	const whole = thatFit(more.map(describePart), resultLimits.bytes - Buffer.byteLength(stringifyJson(first)))
	// Their statements have run, so the model learns what they did.
	const outcomes = thatFit(
		more.slice(whole.length).map(part => ({ ...outcomeOf(part), is_truncated: true })),
		resultLimits.bytes / 10,
	)
	const left = more.length - whole.length
	return {
		took_ms: tookMs,
		...first,
		...(more.length > 0 && { more_results: [...whole, ...outcomes] }),
		...(left > 0 && {
			more_results_hint: `Of ${more.length} more results, only the outcome of the last ${left} fits. Their statements have run.`,
		}),
	}
}

function describePart(part: ResultPart & WithRaw): JsonObject {
	const { notices } = part
	return {
		...outcomeOf(part),
		...(notices.length > 0 && { notices: shownNotices(notices) }),
		...describeBody(part),
	}
}

const outcomeOf = ({ status, affected }: ResultPart): JsonObject => ({
	status,
	...(affected !== undefined && { affected_rows: affected }),
})

function describeBody({ body, ...result }: ResultPart & WithRaw): JsonObject {
	if (body.view === 'rows') {
		const { is_truncated: isCut, ...set } = rowSet(body.columns, body.rows)
		return {
			...set,
			is_truncated: isCut || body.isTruncated,
			...(body.totals && {
				totals: Object.fromEntries(
					body.totals.map(({ name, value }) => [name, fitted(fromCell(value) ?? null, resultLimits.cell).value]),
				),
			}),
			...(body.total && { total: body.total.value, total_is_exact: body.total.isExact }),
		}
	}
	const text = (body.view === 'json' ? body.json : body.text) ?? rawText(result)
	const { value, cut } = fitted(body.view === 'json' ? parseJson(text) : text, resultLimits.bytes)
	return {
		...(cut.length > 0 && {
			is_truncated: true,
			hint: 'The answer was cut. Ask for less: fewer columns, a filter, a smaller size.',
			cut_values: cut.map(part => ({ ...part })),
		}),
		...(body.view === 'json' ? { result: value } : { text: value }),
	}
}
