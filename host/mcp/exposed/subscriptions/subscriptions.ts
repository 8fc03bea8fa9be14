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

/** One open `subscriptions/listen`, with its last snapshot, so that it receives only real changes. */
interface Listener {
	readonly call: McpCall
	readonly filter: SubscriptionFilter
	readonly notify: (method: string, params: JsonObject) => void
	readonly finish: (outcome: Outcome) => void
	resources: string
	connections: string
}

/**
 * Notifies clients of changes (MCP 2026-07-28, `subscriptions/listen`): the list of resources that they may see, and
 * the resources that they subscribed to. The schema of a connection counts as changed when the connection is reopened.
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
		this.#sources.use(connections.onChange(() => this.#notifyChanges()))
		this.#sources.use(services.drivers.onChange(() => this.#notifyChanges()))
		this.#sources.use(
			services.sessions.onState(({ connectionId, state }) => {
				this.#notifyChanges()
				if (state.status === 'connected') this.#notifyAllUpdated(address => belongsTo(address, connectionId))
			}),
		)
		this.#sources.use(services.recentQueries.onAdded(query => this.#notifyHistoryUpdated(query)))
	}

	/** Ends every stream with the response to its request, as the specification requires. */
	async [Symbol.asyncDispose](): Promise<void> {
		this.#sources.dispose()
		for (const { call, finish } of this.#listeners) finish(finalResponse(call))
		// The responses are sent after this turn. The endpoint cancels the remaining requests later.
		await nextTurn()
	}

	async #listen(filter: SubscriptionFilter, call: McpCall): Promise<Outcome> {
		const { promise, resolve } = Promise.withResolvers<Outcome>()
		const meta = { [metaKeys.subscriptionId]: call.id }
		const notify = (method: string, params: JsonObject) => call.notify(method, { ...params, _meta: meta })
		const listener: Listener = { call, filter, notify, finish: resolve, ...this.#snapshot(call) }
		// The dispatcher opens the stream after this method has returned.
		await Promise.resolve()
		notify('notifications/subscriptions/acknowledged', { notifications: describeFilter(filter) })
		this.#listeners.add(listener)
		call.signal.addEventListener('abort', () => resolve(finalResponse(call)), { once: true })
		try {
			return await promise
		} finally {
			this.#listeners.delete(listener)
		}
	}

	#notifyChanges(): void {
		for (const listener of this.#listeners) {
			const seen = this.#snapshot(listener.call)
			if (seen.resources !== listener.resources && listener.filter.resourcesListChanged) {
				listener.notify('notifications/resources/list_changed', {})
			}
			if (seen.connections !== listener.connections) this.#notifyUpdated(listener, ({ kind }) => kind === 'connections')
			Object.assign(listener, seen)
		}
	}

	#notifyAllUpdated(test: (address: ResourceAddress) => boolean): void {
		for (const listener of this.#listeners) this.#notifyUpdated(listener, test)
	}

	/** Notifies only the caller that ran the query, because each caller has a separate history. */
	#notifyHistoryUpdated({ connectionId, grantee }: RecentQuery): void {
		for (const listener of this.#listeners) {
			if (listener.call.caller.grantee !== grantee) continue
			this.#notifyUpdated(listener, address => address.kind === 'history' && belongsTo(address, connectionId))
		}
	}

	#notifyUpdated(listener: Listener, test: (address: ResourceAddress) => boolean): void {
		const { gate } = this.#services
		for (const address of listener.filter.resources.filter(test)) {
			if (!mayRead(address, listener.call.caller, gate)) continue
			listener.notify('notifications/resources/updated', { uri: formatUri(address) })
		}
	}

	#snapshot({ caller }: McpCall): Pick<Listener, 'resources' | 'connections'> {
		const { gate, sessions, drivers } = this.#services
		return {
			resources: JSON.stringify([listCoreResources(caller, this.#services), listDriverResources(drivers)]),
			connections: JSON.stringify(connectionList(caller, gate, sessions)),
		}
	}
}

function belongsTo(address: ResourceAddress, connectionId: string): boolean {
	return address.kind !== 'connections' && address.connectionId === connectionId
}

function finalResponse(call: McpCall): Outcome {
	return complete({ _meta: { [metaKeys.subscriptionId]: call.id } })
}
