import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'
import type { SavedConnection } from '../../connections/saved-connections.ts'
import type { ConsentDesk } from '../consent/question.ts'
import type { Caller } from '../protocol/caller.ts'
import { clientName } from '../protocol/client-name.ts'
import type { Clock } from '../protocol/clock.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { McpCall } from '../protocol/method.ts'

const grantSchema = z.object({ grantee: z.string(), connectionId: z.string(), grantedAt: z.iso.datetime() })
export type AccessGrant = Readonly<z.infer<typeof grantSchema>>

const fileSchema = z.object({ version: z.literal(1), grants: z.array(grantSchema) })
type File = z.infer<typeof fileSchema>

/** How long a refusal holds before the same question may be asked again. */
const refusalMs = 60_000

/** A question on screen. Callers that come meanwhile share its answer; it goes when the last of them has gone. */
interface OpenQuestion {
	readonly answer: Promise<'granted' | 'refused' | 'nobody'>
	readonly withdrawn: AbortController
	waiting: number
}

/** Which token may use which connection whose AI policy is "ask", in `access-grants.json`; kept until taken back. */
export class AccessGrants {
	readonly #store: JsonStore<File>
	readonly #desk: ConsentDesk
	readonly #clock: Clock
	readonly #open = new Map<string, OpenQuestion>()
	readonly #refusedUntil = new Map<string, number>()
	/** Anonymous callers are remembered until the host stops. */
	readonly #passing = new Set<string>()

	private constructor(store: JsonStore<File>, desk: ConsentDesk, clock: Clock) {
		this.#store = store
		this.#desk = desk
		this.#clock = clock
	}

	static async open(path: string, desk: ConsentDesk, clock: Clock): Promise<AccessGrants> {
		return new AccessGrants(await JsonStore.open(path, fileSchema, { version: 1, grants: [] }), desk, clock)
	}

	list(): readonly AccessGrant[] {
		return this.#store.value.grants
	}

	async takeBack(grantee: string, connectionId: string): Promise<void> {
		const isOther = (grant: AccessGrant) => grant.grantee !== grantee || grant.connectionId !== connectionId
		this.#passing.delete(keyOf(grantee, connectionId))
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(isOther) }))
	}

	/** A revoked token takes its grants along. */
	async forget(grantee: string): Promise<void> {
		if (!this.list().some(grant => grant.grantee === grantee)) return
		await this.#store.narrow(file => ({ ...file, grants: file.grants.filter(grant => grant.grantee !== grantee) }))
	}

	/** Lets the call use the connection, asking first where the policy says so. @throws ProtocolError `forbidden` */
	async require(connection: SavedConnection, call: McpCall): Promise<void> {
		if (connection.aiPolicy === 'allow') return
		const key = keyOf(call.caller.grantee, connection.id)
		if (this.#isGranted(call.caller.grantee, connection.id)) return
		if ((this.#refusedUntil.get(key) ?? 0) > this.#clock.elapsed()) throw refused(connection, 'The user refused it')
		call.progress({ progress: 0, message: 'Waiting for the user' })
		const answer = await this.#wait(this.#open.get(key) ?? this.#ask(key, connection, call), call)
		if (answer === 'granted') return
		throw refused(
			connection,
			answer === 'nobody' ? 'Nobody can be asked: open the Roundhouse window' : 'The user refused it',
		)
	}

	/** Looks again, without asking, after somebody has waited. @throws ProtocolError `forbidden` */
	requireGranted(connection: SavedConnection, { grantee }: Caller): void {
		if (connection.aiPolicy === 'allow' || this.#isGranted(grantee, connection.id)) return
		throw refused(connection, 'The user has not allowed it')
	}

	#isGranted(grantee: string, connectionId: string): boolean {
		if (this.#passing.has(keyOf(grantee, connectionId))) return true
		return this.list().some(grant => grant.grantee === grantee && grant.connectionId === connectionId)
	}

	/** Puts the question on screen. Nobody but the person refuses: a caller that gives up leaves no refusal behind. */
	#ask(key: string, { id, name, driverId }: SavedConnection, call: McpCall): OpenQuestion {
		const withdrawn = new AbortController()
		const asker = { client: clientName(call.client), token: call.caller.name }
		const settle = async () => {
			const question = { kind: 'access', asker, connection: { id, name, driverId } } as const
			const { decision } = await this.#desk.ask(question, withdrawn.signal)
			if (decision === 'nobody' || withdrawn.signal.aborted) return 'nobody'
			if (decision === 'refused') this.#refusedUntil.set(key, this.#clock.elapsed() + refusalMs)
			else await this.#remember(call, id)
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

	async #remember(call: McpCall, connectionId: string): Promise<void> {
		const { grantee, tokenId } = call.caller
		if (tokenId === undefined) return void this.#passing.add(keyOf(grantee, connectionId))
		const grant = { grantee, connectionId, grantedAt: new Date(this.#clock.now()).toISOString() }
		await this.#store.update(file => ({ ...file, grants: [...file.grants, grant] }))
	}
}

function keyOf(grantee: string, connectionId: string): string {
	return `${grantee}\n${connectionId}`
}

function refused(connection: SavedConnection, reason: string): ProtocolError {
	return new ProtocolError(
		'forbidden',
		`The AI policy of "${connection.name}" is "ask". ${reason}. It is changed in the connection's settings, AI access.`,
	)
}
