import { type Access, cutText, DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import {
	type ActivityLog,
	type ActivityRecord,
	statementDigest,
	storableStatement,
} from '../../activity/activity-log.ts'
import type { ConnectedClients } from '../../activity/connected-clients.ts'
import { parseUri } from '../exposed/resources/uri.ts'
import { askerOf } from '../protocol/asker.ts'
import type { Clock } from '../protocol/clock.ts'
import type { EndedRequest } from '../protocol/ended-request.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { driverText, outgoingText } from '../protocol/outgoing-text.ts'
import { spelledOut } from '../protocol/printable.ts'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { Refusals } from './refusals.ts'

/** A statement that the user consented to and that has not run yet. */
export interface WriteBegun {
	readonly access: Access
	readonly connection: { readonly id: string; readonly name: string }
	readonly statement: string
	/** The statement without secrets. Default: `statement`. */
	readonly recorded?: string
}

export interface CallActivityOptions {
	readonly log: Pick<ActivityLog, 'record'> | undefined
	readonly clients: Pick<ConnectedClients, 'recordRequest'> | undefined
	readonly clock: Clock
	onFault(error: unknown): void
	/** The setting "keep statements". */
	keepsStatements(): boolean
	/** Name of a saved connection. */
	nameOf(connectionId: string): string | undefined
}

/** A longer statement is not stored: a truncated statement could have another meaning. */
const maxStoredLength = 4_000

/** Failed authentications that are logged one by one. More of them are only counted. */
const maxListedFailures = 20

/**
 * Records calls, their outcomes and the connected clients in the activity log. Lists and the protocol's own methods are
 * not recorded, because they are of no interest to the user.
 */
export class CallActivity implements Disposable {
	readonly #options: CallActivityOptions
	readonly #refusals: Refusals
	#last: Readonly<Record<'written' | 'reported', Promise<void> | undefined>> = {
		written: undefined,
		reported: undefined,
	}

	constructor(options: CallActivityOptions) {
		this.#options = options
		this.#refusals = new Refusals(options.clock, record => this.#record(cleaned(record)))
	}

	/**
	 * Records an ended request.
	 * @returns a promise that resolves when it is written, for which the answer waits; `undefined` if nothing is written
	 */
	ended(request: EndedRequest): Promise<void> | undefined {
		const { method, params, caller, client, startedAt, ending, noted = {} } = request
		const { clients, clock } = this.#options
		const asker = askerOf(request)
		clients?.recordRequest({
			name: asker.client,
			version: client?.version,
			tokenId: caller.tokenId,
			token: asker.token,
		})
		const action = actionOf(method, params)
		// A question to the client is the first half of a call; the second half is recorded.
		if (action === undefined || (!(ending instanceof ProtocolError) && ending.kind === 'input_required'))
			return undefined
		const { connection: named, statement = noted.statement } = aimOf(params)
		const connection = request.connectionId ?? named
		const { outcome, detail } = outcomeOf(ending)
		const record = cleaned({
			action,
			outcome,
			// A failure says the reason itself.
			detail: detail ?? noted.reason,
			client: asker.client,
			token: asker.token,
			connection,
			connectionName: connection === undefined ? undefined : this.#options.nameOf(connection),
			statement: statement === undefined ? undefined : statementDigest(statement),
			verdict: noted.verdict,
			agreed: noted.agreed,
			rows: rowsOf(ending),
			text: this.#kept(noted.statement),
			change: noted.change,
			durationMs: Math.round(clock.elapsed() - startedAt),
		})
		const isRefused = request.isAtOnce && record.outcome !== 'success'
		if (!isRefused) return this.#record(record)
		return this.#refusals.add(caller.tokenId ?? caller.key, { record, reason: record.detail ?? '' })
	}

	/**
	 * Records an approved write before it is sent to the engine, so that it is in the log even if this process is killed.
	 * @throws DriverError `internal_failure` if it cannot be recorded; the write must not run then
	 */
	async recordWriteStart(
		{ connection, statement, recorded = statement, access }: WriteBegun,
		call: McpCall,
	): Promise<void> {
		const record: ActivityRecord = {
			action: access === 'read' ? 'export.begun' : 'write.begun',
			outcome: 'started',
			...askerOf(call),
			...(connection.id !== '' && { connection: connection.id, connectionName: connection.name }),
			statement: statementDigest(statement),
			verdict: access,
			agreed: call.noted.agreed,
			text: this.#kept(recorded),
		}
		try {
			await this.#options.log?.record(cleaned(record))
		} catch (error) {
			this.#options.onFault(error)
			throw new DriverError('internal_failure', 'Nothing was run, because the activity log cannot be written.')
		}
	}

	failedToAuthenticate(error: ProtocolError): void {
		const record = cleaned({ action: 'auth.failure', outcome: 'denied', detail: error.message })
		void this.#refusals.add('', { record, reason: '', atOnce: maxListedFailures })
	}

	/** Records the refusals that were only counted. */
	[Symbol.dispose](): void {
		this.#refusals[Symbol.dispose]()
	}

	/** Writes a record. A failure is reported but does not fail the call, which has already run. */
	#record(record: ActivityRecord): Promise<void> | undefined {
		const written = this.#options.log?.record(record)
		// Records that are written together have one promise.
		if (written !== this.#last.written) this.#last = { written, reported: written?.catch(this.#options.onFault) }
		return this.#last.reported
	}

	/** Returns the statement without credentials and addresses, and with invisible characters escaped. */
	#kept(statement: string | undefined): string | undefined {
		if (statement === undefined || statement.length > maxStoredLength || !this.#options.keepsStatements()) {
			return undefined
		}
		// Spaces are not folded and line breaks are not escaped, because the user may run the statement again.
		return spelledOut(outgoingText(storableStatement(statement)))
	}
}

/**
 * Sanitizes a record. Clients choose names and ids, and errors quote them. They must not forge a line of the log on a
 * terminal or add a secret to the log. Truncates last, because redaction does not recognize a part of a secret.
 */
function cleaned(record: ActivityRecord): ActivityRecord {
	const clean = (text: string, maxLength: number) => cutText(driverText(text), maxLength - 1)
	const cleanIfAny = (text: string | undefined, maxLength: number) => text && clean(text, maxLength)
	return {
		...record,
		action: clean(record.action, 100),
		client: cleanIfAny(record.client, 200),
		connection: cleanIfAny(record.connection, 100),
		connectionName: cleanIfAny(record.connectionName, 100),
		detail: cleanIfAny(record.detail, 300),
	}
}

function actionOf(method: string, { name }: JsonObject): string | undefined {
	if (method === 'tools/call') return `tool.${typeof name === 'string' ? name : 'unnamed'}`
	if (method === 'resources/read') return 'resource.read'
	return method === 'prompts/get' ? 'prompt.get' : undefined
}

/** Returns the connection and the statement in the params of a call. */
function aimOf({ arguments: args, uri }: JsonObject): { connection?: string; statement?: string } {
	const address = typeof uri === 'string' ? parseUri(uri) : undefined
	if (address && address.kind !== 'connections') return { connection: address.connectionId }
	if (!isJsonObject(args)) return {}
	const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)
	const connection = text(args.connection_id) ?? text(args.connection)
	// With values beside it, the query alone is not what was run: the noted statement has both.
	const statement = args.parameters === undefined ? text(args.query) : undefined
	return {
		...(connection !== undefined && { connection }),
		...(statement !== undefined && { statement }),
	}
}

/** Returns the number of rows in the result of a tool, or of changed rows. */
function rowsOf(ending: Outcome | ProtocolError): number | undefined {
	if (ending instanceof ProtocolError || ending.kind !== 'complete') return undefined
	const { structuredContent: content } = ending.result
	const count = isJsonObject(content) ? (content.row_count ?? content.applied) : undefined
	return typeof count === 'number' && Number.isInteger(count) && count >= 0 ? count : undefined
}

function outcomeOf(ending: Outcome | ProtocolError): Pick<ActivityRecord, 'outcome' | 'detail'> {
	if (ending instanceof ProtocolError) {
		const { code, message } = ending
		if (code === protocolErrors.request_cancelled.code) return { outcome: 'cancelled', detail: message }
		return { outcome: code === protocolErrors.forbidden.code ? 'denied' : 'error', detail: message }
	}
	if (ending.kind !== 'complete' || ending.result.isError !== true) return { outcome: 'success' }
	const [block] = Array.isArray(ending.result.content) ? ending.result.content : []
	const detail = isJsonObject(block) && typeof block.text === 'string' ? outgoingText(block.text) : ''
	if (detail.startsWith('denied:')) return { outcome: 'denied', detail }
	return { outcome: detail.startsWith('user_cancelled:') ? 'cancelled' : 'error', detail }
}
