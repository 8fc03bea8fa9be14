import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '@roundhouse/kit'
import type { SavedConnections } from '../../../connections/saved-connections.ts'
import type { McpCall, Method } from '../../protocol/method.ts'
import { complete, type Outcome } from '../../protocol/outcome.ts'
import { metaKeys } from '../../wire/meta-keys.ts'
import { connectionList } from '../connections/connection-list.ts'
import type { RecentQuery } from '../framework/recent-queries.ts'
import type { Services } from '../framework/services.ts'
import { listCoreResources } from '../resources/core-resources.ts'
import { listDriverResources } from '../resources/driver-resources.ts'
import { formatUri, type ResourceAddress } from '../resources/uri.ts'
import { describeFilter, mayRead, readFilter, type SubscriptionFilter } from './filter.ts'

/** One open `subscriptions/listen`: what it was told last, so that it hears of real changes only. */
interface Listener {
	readonly call: McpCall
	readonly filter: SubscriptionFilter
	readonly tell: (method: string, params: JsonObject) => void
	readonly finish: (outcome: Outcome) => void
	resources: string
	connections: string
}

/**
 * Tells listening clients what changes (MCP 2026-07-28, `subscriptions/listen`): the list of resources that they may
 * see, and the resources they asked for by name. An open connection's schema counts as changed when it is opened anew.
 */
export class Subscriptions implements AsyncDisposable {
	readonly method: Method = {
		eras: ['modern'],
		isSubscription: true,
		handle: (params, call) => this.#listen(readFilter(params, call.caller, this.#services.gate), call),
	}
	readonly #services: Services
	readonly #listeners = new Set<Listener>()
	readonly #sources = new DisposableStack()

	constructor(services: Services, connections: SavedConnections) {
		this.#services = services
		this.#sources.use(connections.onChange(() => this.#check()))
		this.#sources.use(services.drivers.onChange(() => this.#check()))
		this.#sources.use(
			services.sessions.onState(({ connectionId, state }) => {
				this.#check()
				if (state.status === 'connected') this.#announce(address => isOf(address, connectionId))
			}),
		)
		this.#sources.use(services.recentQueries.onAdded(query => this.#announceHistory(query)))
	}

	/** Ends every stream as the specification wants it: with the response to its request. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#sources.dispose()
		for (const { call, finish } of this.#listeners) finish(ending(call))
		// The responses are out after this turn; whoever cancels what is left comes later.
		await nextTurn()
	}

	async #listen(filter: SubscriptionFilter, call: McpCall): Promise<Outcome> {
		const { promise, resolve } = Promise.withResolvers<Outcome>()
		const meta = { [metaKeys.subscriptionId]: call.id }
		const tell = (method: string, params: JsonObject) => call.notify(method, { ...params, _meta: meta })
		const listener: Listener = { call, filter, tell, finish: resolve, ...this.#see(call) }
		// The stream is opened by whoever called us, after we have returned.
		await Promise.resolve()
		tell('notifications/subscriptions/acknowledged', { notifications: describeFilter(filter) })
		this.#listeners.add(listener)
		call.signal.addEventListener('abort', () => resolve(ending(call)), { once: true })
		try {
			return await promise
		} finally {
			this.#listeners.delete(listener)
		}
	}

	#check(): void {
		for (const listener of this.#listeners) {
			const seen = this.#see(listener.call)
			if (seen.resources !== listener.resources && listener.filter.resourcesListChanged) {
				listener.tell('notifications/resources/list_changed', {})
			}
			if (seen.connections !== listener.connections) this.#tellUpdated(listener, ({ kind }) => kind === 'connections')
			Object.assign(listener, seen)
		}
	}

	#announce(test: (address: ResourceAddress) => boolean): void {
		for (const listener of this.#listeners) this.#tellUpdated(listener, test)
	}

	/** Each reads its own. */
	#announceHistory({ connectionId, grantee }: RecentQuery): void {
		for (const listener of this.#listeners) {
			if (listener.call.caller.grantee !== grantee) continue
			this.#tellUpdated(listener, address => address.kind === 'history' && isOf(address, connectionId))
		}
	}

	#tellUpdated(listener: Listener, test: (address: ResourceAddress) => boolean): void {
		const { gate } = this.#services
		for (const address of listener.filter.resources.filter(test)) {
			if (!mayRead(address, listener.call.caller, gate)) continue
			listener.tell('notifications/resources/updated', { uri: formatUri(address) })
		}
	}

	#see({ caller }: McpCall): Pick<Listener, 'resources' | 'connections'> {
		const { gate, sessions, drivers } = this.#services
		return {
			resources: JSON.stringify([listCoreResources(caller, this.#services), listDriverResources(drivers)]),
			connections: JSON.stringify(connectionList(caller, gate, sessions)),
		}
	}
}

function isOf(address: ResourceAddress, connectionId: string): boolean {
	return address.kind !== 'connections' && address.connectionId === connectionId
}

function ending(call: McpCall): Outcome {
	return complete({ _meta: { [metaKeys.subscriptionId]: call.id } })
}
