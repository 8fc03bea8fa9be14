import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'
import { openThrough, type ProxySetting, proxyFor } from './proxy.ts'

const openMs = 10_000

type Opened = (error: Error | null, stream: Duplex) => void

/** The agent for the host's own HTTPS requests. Uses the proxy in the current settings. */
export class ProxiedAgent extends Agent {
	readonly #setting: () => ProxySetting

	constructor(setting: () => ProxySetting, options: AgentOptions = {}) {
		super(options)
		this.#setting = setting
	}

	override createConnection(options: ConnectionOptions, opened?: Opened): Duplex | null | undefined {
		const address = { host: options.host?.replace(/^\[|\]$/g, '') ?? '', port: Number(options.port) || 443 }
		const proxy = proxyFor(this.#setting(), address)
		if (!proxy) return super.createConnection(options, opened)
		const opening = openThrough(proxy, address, AbortSignal.timeout(options.timeout ?? openMs))
		opening.then(
			socket => opened?.(null, connect({ ...options, socket })),
			// Node ignores the stream if there is an error.
			(error: Error) => opened?.(error, undefined as never),
		)
		return undefined
	}
}
