import type { Access } from '@roundhouse/kit'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import { identityOf } from '../../connections/connection-identity.ts'
import type { AccessGrants } from '../access/access-grants.ts'
import type { ConnectionGate } from '../access/connection-gate.ts'
import { notGranted } from '../access/policy.ts'
import { askerOf } from '../protocol/asker.ts'
import type { Clock } from '../protocol/clock.ts'
import type { McpCall } from '../protocol/method.ts'
import type { ConsentDesk } from './question.ts'

/** How long a refusal applies before the user is asked again. */
const refusalMs = 60_000

/** An open question. Concurrent callers share its answer. It is withdrawn when the last of them has gone. */
interface OpenQuestion {
	readonly answer: Promise<'granted' | 'refused' | 'unattended'>
	readonly withdrawn: AbortController
	waiting: number
}

export interface FirstUseOptions {
	readonly gate: ConnectionGate
	readonly grants: AccessGrants
	readonly desk: ConsentDesk
	readonly clock: Clock
}

/** Asks the user when a token uses a connection with the AI policy "ask" for the first time. */
export class FirstUse {
	readonly #gate: ConnectionGate
	readonly #grants: AccessGrants
	readonly #desk: ConsentDesk
	readonly #clock: Clock
	readonly #open = new Map<string, OpenQuestion>()
	readonly #refusedUntil = new Map<string, number>()

	constructor({ gate, grants, desk, clock }: FirstUseOptions) {
		this.#gate = gate
		this.#grants = grants
		this.#desk = desk
		this.#clock = clock
	}

	/** Checks that a call may use the connection. Asks the user if necessary. @throws ProtocolError `forbidden` */
	async permit(connection: SavedConnection, call: McpCall, access: Access = 'read'): Promise<void> {
		if (this.#gate.needsPermission(connection, call.caller)) await this.#requireGrant(connection, call)
		this.#gate.requireAllowed(connection, call, { access })
	}

	async #requireGrant(connection: SavedConnection, call: McpCall): Promise<void> {
		const key = `${call.caller.grantee}\n${identityOf(connection)}`
		if ((this.#refusedUntil.get(key) ?? 0) > this.#clock.elapsed()) throw notGranted(connection, 'The user refused it')
		call.progress({ progress: 0, message: 'Waiting for the user' })
		const answer = await this.#wait(this.#open.get(key) ?? this.#ask(key, connection, call), call)
		this.#gate.requireUnchanged(connection)
		if (answer === 'refused') throw notGranted(connection, 'The user refused it')
		if (answer === 'unattended') throw notGranted(connection, 'The user cannot be asked: open the Roundhouse window')
	}

	/** Shows the question. Only the user can refuse: the abort of a caller is not stored as a refusal. */
	#ask(key: string, connection: SavedConnection, call: McpCall): OpenQuestion {
		const { id, name, driverId } = connection
		const withdrawn = new AbortController()
		const settle = async () => {
			const question = { kind: 'access', asker: askerOf(call), connection: { id, name, driverId } } as const
			using change = this.#gate.watchChange(connection)
			const ended = AbortSignal.any([withdrawn.signal, change.signal])
			const { decision } = await this.#desk.ask(question, ended)
			if (decision === 'unattended' || ended.aborted) return 'unattended'
			if (decision === 'refused') this.#refusedUntil.set(key, this.#clock.elapsed() + refusalMs)
			else await this.#grants.add(call.caller, connection)
			return decision === 'refused' ? 'refused' : 'granted'
		}
		const open = { answer: settle().finally(() => this.#open.delete(key)), withdrawn, waiting: 0 }
		this.#open.set(key, open)
		return open
	}

	async #wait(open: OpenQuestion, { signal }: McpCall): Promise<Awaited<OpenQuestion['answer']>> {
		const { promise: gone, reject } = Promise.withResolvers<never>()
		const leave = () => reject(signal.reason)
		signal.addEventListener('abort', leave, { once: true })
		open.waiting++
		try {
			signal.throwIfAborted()
			return await Promise.race([open.answer, gone])
		} finally {
			signal.removeEventListener('abort', leave)
			if (--open.waiting === 0) open.withdrawn.abort()
		}
	}
}
