import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { writeJsonFile } from '../base/atomic-file.ts'
import { proofHeaders } from '../base/proven-socket.ts'
import type { SupportDirectory } from '../base/support-directory.ts'
import { bridgeId, type NewToken, type Tokens } from './access/tokens.ts'
import type { Clock } from './protocol/clock.ts'
import { type Handshake, handshakeFileName } from './wire/handshake-file.ts'
import { modernVersion } from './wire/versions.ts'

/** Well before the token ends. */
const renewAfterMs = 45 * 60_000

/**
 * Publishes the port, and a token for the bridge that is renewed before it ends, in `mcp-handshake.json` (contract,
 * "Handshake file"). A file that someone else left behind is replaced; on stop it is removed only if it is ours.
 */
export class HandshakePublisher {
	readonly #path: string
	readonly #tokens: Tokens
	readonly #clock: Clock
	readonly #port: number
	readonly #instanceId = randomUUID()
	readonly #startedAt: string
	/** The newest last; older ones live until they end by themselves. */
	#bridgeTokens: readonly NewToken[] = []
	#stopRenewal: () => void = () => {}

	private constructor(support: SupportDirectory, tokens: Tokens, clock: Clock, port: number) {
		this.#path = support.file(handshakeFileName)
		this.#tokens = tokens
		this.#clock = clock
		this.#port = port
		this.#startedAt = new Date(clock.now()).toISOString()
	}

	static async publish(
		support: SupportDirectory,
		tokens: Tokens,
		clock: Clock,
		port: number,
	): Promise<HandshakePublisher> {
		const publisher = new HandshakePublisher(support, tokens, clock, port)
		// A link that someone left in this place would be followed by the write.
		await rm(publisher.#path, { force: true })
		await publisher.#renew()
		return publisher
	}

	isBridgeToken(tokenId: string): boolean {
		return this.#bridgeTokens.some(({ id }) => id === tokenId)
	}

	/** Shows that this host knows the bridge's token, without showing the token. */
	prove(challenge: string): Readonly<Record<string, string>> {
		const token = this.#bridgeTokens.at(-1)?.token
		return token === undefined ? {} : proofHeaders(token, this.#port, challenge)
	}

	async stop(): Promise<void> {
		this.#stopRenewal()
		await Promise.all(this.#bridgeTokens.map(({ id }) => this.#tokens.revoke(id)))
		if (await this.#isOurs()) await rm(this.#path, { force: true })
	}

	async #renew(): Promise<void> {
		const draft = { name: 'stdio bridge', level: 'read-write', expires: '1h' } as const
		const token = this.#tokens.createEphemeral(draft, bridgeId)
		const [previous] = this.#bridgeTokens.slice(-1)
		const ended = this.#bridgeTokens.filter(bridgeToken => bridgeToken !== previous)
		this.#bridgeTokens = previous ? [previous, token] : [token]
		for (const { id } of ended) await this.#tokens.revoke(id)
		const handshake: Handshake = {
			version: 1,
			port: this.#port,
			pid: process.pid,
			instanceId: this.#instanceId,
			protocolVersion: modernVersion,
			startedAt: this.#startedAt,
			bridgeToken: token.token,
			expiresAt: token.expiresAt ?? '',
		}
		await writeJsonFile(this.#path, handshake)
		// A failed write leaves the old file, whose token still lives for a while; the next renewal tries again.
		this.#stopRenewal = this.#clock.after(renewAfterMs, () => void this.#renew().catch(() => {}))
	}

	async #isOurs(): Promise<boolean> {
		try {
			// Whatever stands there by now: only our own file names this instance.
			const handshake = JSON.parse(await readFile(this.#path, 'utf8')) as Partial<Handshake>
			return handshake.instanceId === this.#instanceId && handshake.pid === process.pid
		} catch {
			return false
		}
	}
}
