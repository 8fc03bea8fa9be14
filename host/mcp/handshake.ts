import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { writeJsonFile } from '../../base/atomic-file.ts'
import { proofHeaders } from '../../base/proven-socket.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { hostVersion } from '../../base/version.ts'
import { bridgeId, type NewToken, type Tokens } from './access/tokens.ts'
import type { Clock } from './protocol/clock.ts'
import { type Handshake, handshakeFileName, handshakeFormat } from './wire/handshake-file.ts'
import { modernVersion } from './wire/versions.ts'

/** The token lives for an hour. */
const renewAfterMs = 45 * 60_000

/**
 * Publishes the port and a token for the bridge in `mcp-handshake.json` (contract, "Handshake file"). The token is
 * renewed before it expires. Replaces the file of another host. On stop, removes the file only if this host wrote it.
 */
export class HandshakePublisher {
	readonly #path: string
	readonly #tokens: Tokens
	readonly #clock: Clock
	readonly #instanceId = randomUUID()
	readonly #startedAt: string
	#port = 0
	/** The current token, and before it the previous one, which clients may still use. */
	#bridgeTokens: readonly NewToken[] = []
	#stopRenewal: () => void = () => {}

	constructor(support: SupportDirectory, tokens: Tokens, clock: Clock) {
		this.#path = support.file(handshakeFileName)
		this.#tokens = tokens
		this.#clock = clock
		this.#startedAt = new Date(clock.now()).toISOString()
	}

	/** Writes the file. Until then there is no bridge token. */
	async publish(port: number): Promise<void> {
		this.#port = port
		// Otherwise the write would follow a symbolic link at this path.
		await rm(this.#path, { force: true })
		await this.#renew()
	}

	isBridgeToken(tokenId: string): boolean {
		return this.#bridgeTokens.some(({ id }) => id === tokenId)
	}

	/** Proves that this host knows the bridge's token, without revealing the token. */
	prove(challenge: string): Readonly<Record<string, string>> {
		const token = this.#bridgeTokens.at(-1)?.token
		return token === undefined ? {} : proofHeaders(token, this.#port, challenge)
	}

	async stop(): Promise<void> {
		this.#stopRenewal()
		await Promise.all(this.#bridgeTokens.map(({ id }) => this.#tokens.revoke(id)))
		if (await this.#ownsFile()) await rm(this.#path, { force: true })
	}

	async #renew(): Promise<void> {
		const draft = { name: 'stdio bridge', level: 'read-write', expires: '1h' } as const
		const token = this.#tokens.createEphemeral(draft, bridgeId)
		const [previous] = this.#bridgeTokens.slice(-1)
		const ended = this.#bridgeTokens.filter(bridgeToken => bridgeToken !== previous)
		this.#bridgeTokens = previous ? [previous, token] : [token]
		for (const { id } of ended) await this.#tokens.revoke(id)
		const handshake: Handshake = {
			version: handshakeFormat,
			host: hostVersion,
			port: this.#port,
			pid: process.pid,
			instanceId: this.#instanceId,
			protocolVersion: modernVersion,
			startedAt: this.#startedAt,
			bridgeToken: token.token,
			expiresAt: token.expiresAt ?? '',
		}
		await writeJsonFile(this.#path, handshake)
		// A failed write leaves the old file, whose token is still valid for a while. The next renewal retries.
		this.#stopRenewal = this.#clock.after(renewAfterMs, () => void this.#renew().catch(() => {}))
	}

	async #ownsFile(): Promise<boolean> {
		try {
			// The content is untrusted, but only the file of this host contains its instance id.
			const handshake = JSON.parse(await readFile(this.#path, 'utf8')) as Partial<Handshake>
			return handshake.instanceId === this.#instanceId && handshake.pid === process.pid
		} catch {
			return false
		}
	}
}
