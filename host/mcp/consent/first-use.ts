import type { Access } from '@roundhouse/kit'
import type { SavedConnection } from '../../connections/saved-connections.ts'
import type { AccessGrants } from '../access/access-grants.ts'
import type { ConnectionGate } from '../access/connection-gate.ts'
import { notGranted } from '../access/policy.ts'
import { askerOf } from '../protocol/asker.ts'
import type { Clock } from '../protocol/clock.ts'
import type { McpCall } from '../protocol/method.ts'
import type { ConsentDesk } from './question.ts'

/** How long a refusal holds before the same question may be asked again. */
const refusalMs = 60_000

/** A question on screen. Callers that come meanwhile share its answer; it goes when the last of them has gone. */
interface OpenQuestion {
	readonly answer: Promise<'granted' | 'refused' | 'nobody'>
	readonly withdrawn: AbortController
	waiting: number
}

/** Asks the person when a token comes to a connection for the first time, where the connection's AI policy is "ask". */
export class FirstUse {
	readonly #gate: ConnectionGate
	readonly #grants: AccessGrants
	readonly #desk: ConsentDesk
	readonly #clock: Clock
	readonly #open = new Map<string, OpenQuestion>()
	readonly #refusedUntil = new Map<string, number>()

	constructor(gate: ConnectionGate, grants: AccessGrants, desk: ConsentDesk, clock: Clock) {
		this.#gate = gate
		this.#grants = grants
		this.#desk = desk
		this.#clock = clock
	}

	/** Lets the call use the connection, asking first where it must. @throws ProtocolError `forbidden` */
	async permit(connection: SavedConnection, call: McpCall, access: Access = 'read'): Promise<void> {
		if (this.#gate.needsPermission(connection, call.caller)) await this.#requireGrant(connection, call)
		this.#gate.requireAllowed(connection, call, access)
	}

	async #requireGrant(connection: SavedConnection, call: McpCall): Promise<void> {
		const key = `${call.caller.grantee}\n${connection.id}`
		if ((this.#refusedUntil.get(key) ?? 0) > this.#clock.elapsed()) throw notGranted(connection, 'The user refused it')
		call.progress({ progress: 0, message: 'Waiting for the user' })
		const answer = await this.#wait(this.#open.get(key) ?? this.#ask(key, connection, call), call)
		if (answer === 'refused') throw notGranted(connection, 'The user refused it')
		if (answer === 'nobody') throw notGranted(connection, 'Nobody can be asked: open the Roundhouse window')
	}

	/** Puts the question on screen. Nobody but the person refuses: a caller that gives up leaves no refusal behind. */
	#ask(key: string, { id, name, driverId }: SavedConnection, call: McpCall): OpenQuestion {
		const withdrawn = new AbortController()
		const settle = async () => {
			const question = { kind: 'access', asker: askerOf(call), connection: { id, name, driverId } } as const
			const { decision } = await this.#desk.ask(question, withdrawn.signal)
			if (decision === 'nobody' || withdrawn.signal.aborted) return 'nobody'
			if (decision === 'refused') this.#refusedUntil.set(key, this.#clock.elapsed() + refusalMs)
			else await this.#grants.add(call.caller, id)
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
