import { type Access, DriverError, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { type ActivityLog, type ActivityRecord, statementDigest } from '../../activity/activity-log.ts'
import type { ConnectedClients } from '../../activity/connected-clients.ts'
import { parseUri } from '../exposed/resources/uri.ts'
import { askerOf } from '../protocol/asker.ts'
import type { Clock } from '../protocol/clock.ts'
import type { EndedRequest } from '../protocol/ended-request.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'
import type { Outcome } from '../protocol/outcome.ts'
import { outgoingText } from '../protocol/outgoing-text.ts'
import { printable } from '../protocol/printable.ts'
import { protocolErrors } from '../wire/protocol-errors.ts'
import { Refusals } from './refusals.ts'

/** What was consented to and has not run yet. */
export interface WriteBegun {
	readonly access: Access
	readonly connection: { readonly id: string }
	readonly statement: string
}

/** So many wrong tokens are listed one by one; whoever tries more is counted. */
const failuresListed = 20

/**
 * Tells the activity log what was called and how it ended, and who is there. Lists and the protocol's own methods show
 * nothing that a person would look for, so they are not written down.
 */
export class CallActivity implements Disposable {
	readonly #log: Pick<ActivityLog, 'record'> | undefined
	readonly #clients: Pick<ConnectedClients, 'saw'> | undefined
	readonly #clock: Clock
	readonly #onFault: (error: unknown) => void
	readonly #refusals: Refusals

	constructor(
		log: Pick<ActivityLog, 'record'> | undefined,
		clients: Pick<ConnectedClients, 'saw'> | undefined,
		clock: Clock,
		onFault: (error: unknown) => void,
	) {
		this.#log = log
		this.#clients = clients
		this.#clock = clock
		this.#onFault = onFault
		this.#refusals = new Refusals(clock, record => this.#record(cleaned(record)))
	}

	/** Settles when it is written down; `undefined` where there is nothing to write. The answer waits for it. */
	ended(request: EndedRequest): Promise<void> | undefined {
		const { method, params, caller, client, startedAt, ending } = request
		const asker = askerOf(request)
		this.#clients?.saw({ name: asker.client, version: client?.version, tokenId: caller.tokenId, token: asker.token })
		const action = actionOf(method, params)
		// A question to the client is half a call; the other half is written down.
		if (action === undefined || (!(ending instanceof ProtocolError) && ending.kind === 'input_required'))
			return undefined
		const { connection: named, statement } = aimOf(params)
		const connection = request.connectionId ?? named
		const record = cleaned({
			action,
			...outcomeOf(ending),
			...asker,
			...(connection !== undefined && { connection }),
			...(statement !== undefined && { statement: statementDigest(statement) }),
			durationMs: Math.round(this.#clock.elapsed() - startedAt),
		})
		const isRefused = request.isAtOnce && record.outcome !== 'success'
		if (!isRefused) return this.#record(record)
		return this.#refusals.add(caller.tokenId ?? caller.key, record, record.detail ?? '')
	}

	/**
	 * Writes down a write that was consented to, before it goes to the engine: whatever ends this process then, the log
	 * knows of it. @throws DriverError `internal_failure` where it cannot be written down; the write must not run then
	 */
	async beginsToWrite({ connection, statement, access }: WriteBegun, call: McpCall): Promise<void> {
		const record: ActivityRecord = {
			action: access === 'read' ? 'export.begun' : 'write.begun',
			outcome: 'started',
			...askerOf(call),
			...(connection.id !== '' && { connection: connection.id }),
			statement: statementDigest(statement),
		}
		try {
			await this.#log?.record(cleaned(record))
		} catch (error) {
			this.#onFault(error)
			throw new DriverError('internal_failure', 'Nothing was run, because the activity log cannot be written.')
		}
	}

	failedToAuthenticate(error: ProtocolError): void {
		const record = cleaned({ action: 'auth.failure', outcome: 'denied', detail: error.message })
		void this.#refusals.add('', record, '', failuresListed)
	}

	/** Writes down what was only counted. */
	[Symbol.dispose](): void {
		this.#refusals[Symbol.dispose]()
	}

	/** What was done is answered for even where it cannot be written down. */
	#record(record: ActivityRecord): Promise<void> | undefined {
		return this.#log?.record(record).catch(this.#onFault)
	}
}

/**
 * Clients choose names and ids, and errors repeat them: none of it may pass for a line of the log on somebody's terminal,
 * or carry a secret into it. Cut last, so that no half of a secret is left.
 */
function cleaned(record: ActivityRecord): ActivityRecord {
	const clean = (text: string, longest: number) => printable(outgoingText(text)).slice(0, longest)
	const { action, client, connection, detail } = record
	return {
		...record,
		action: clean(action, 100),
		...(client !== undefined && { client: clean(client, 200) }),
		...(connection !== undefined && { connection: clean(connection, 100) }),
		...(detail !== undefined && { detail: clean(detail, 300) }),
	}
}

function actionOf(method: string, { name }: JsonObject): string | undefined {
	if (method === 'tools/call') return `tool.${typeof name === 'string' ? name : 'unnamed'}`
	if (method === 'resources/read') return 'resource.read'
	return method === 'prompts/get' ? 'prompt.get' : undefined
}

/** Which connection a call was for, and what it would have run there. */
function aimOf({ arguments: args, uri }: JsonObject): { connection?: string; statement?: string } {
	const address = typeof uri === 'string' ? parseUri(uri) : undefined
	if (address && address.kind !== 'connections') return { connection: address.connectionId }
	if (!isJsonObject(args)) return {}
	const text = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)
	const connection = text(args.connection_id) ?? text(args.connection)
	const statement = text(args.query)
	return {
		...(connection !== undefined && { connection }),
		...(statement !== undefined && { statement }),
	}
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
