import type { Address } from '@roundhouse/kit'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import type { Reaching } from '../driver-runtime/driver-network.ts'
import { addressesOf, isSameAddress, labelOf } from '../network/address.ts'
import type { Ways } from '../network/dial.ts'
import { networkErrors } from '../network/errors.ts'
import { type ProxySetting, proxyFor } from '../network/proxy.ts'
import { Reach, type ReachAnswer } from '../network/reach.ts'
import { type GrantedPaths, grantedPaths } from './granted-paths.ts'
import type { SavedConnection, SavedConnections } from './saved-connections.ts'

/** May this driver reach this address for this connection? Asked of the person at the machine. */
export interface ReachQuestion {
	readonly kind: 'reach'
	/** The driver's name, as the person knows it. */
	readonly driver: string
	/** `host:port` */
	readonly address: string
	/** The id is empty for a connection that is only tried. */
	readonly connection: { readonly id: string; readonly name: string; readonly driverId: string }
}

/** Shows the question to a person; an abort takes it away. */
export interface ReachDesk {
	ask(question: ReachQuestion, signal: AbortSignal): Promise<{ readonly decision: 'approved' | 'refused' | 'nobody' }>
}

export const nobodyAtDesk: ReachDesk = { ask: async () => ({ decision: 'nobody' }) }

/** A connection that is opened, or tried before it is saved. */
export type ReachingConnection = Pick<SavedConnection, 'name' | 'driverId' | 'isSample'> &
	Partial<Pick<SavedConnection, 'id' | 'proxy'>>

export interface ReachesOptions {
	readonly saved: SavedConnections
	readonly desk: ReachDesk
	readonly ownPorts: Ways['ownPorts']
	/** The host's own folder, which no driver gets. */
	readonly supportPath: string
	/** Of all connections that have none of their own. */
	readonly proxy: () => ProxySetting
	/** Told of each address that a connection reached, or was kept from, once in its session. */
	readonly note: (connection: ReachingConnection, address: string, isReached: boolean) => void
}

/** What each connection may reach (SECURITY.md). */
export class Reaches {
	readonly #options: ReachesOptions
	/** What was allowed while a connection was tried: the first that is saved by that name need not ask again. */
	readonly #tried = new Set<string>()

	constructor(options: ReachesOptions) {
		this.#options = options
	}

	/** What its form grants of the disk. @throws HostError `connection/path_refused` */
	paths(manifest: Manifest, settings: Settings): Promise<GrantedPaths> {
		return grantedPaths(manifest.form, settings, this.#options.supportPath)
	}

	/** `samplePorts`: what the driver's own sample serves, for a connection to it. */
	network(
		connection: ReachingConnection,
		manifest: Manifest,
		settings: Settings,
		samplePorts: readonly number[],
	): Reaching {
		const { saved, ownPorts, note } = this.#options
		const driver = manifest.displayName
		if (manifest.permissions.network === 'none') {
			return { dial: () => Promise.reject(networkErrors.make('no_network', { driver })), close() {} }
		}
		const sample = samplePorts.map(port => ({ host: '127.0.0.1', port }))
		return new Reach({
			driver,
			named: connection.isSample ? sample : addressesOf(manifest.form, settings),
			remembered: address => {
				const said = saved.find(connection.id ?? '')?.reach.find(one => isSameAddress(one, address))
				return said && (said.isAllowed ? 'allowed' : 'refused')
			},
			ask: (address, signal) => this.#ask(connection, driver, address, signal),
			note: (address, isReached) => note(connection, labelOf(address), isReached),
			ways: {
				ownPorts,
				proxyFor: address => proxyFor(connection.proxy ?? this.#options.proxy(), address),
			},
		})
	}

	async #ask(
		{ id = '', name, driverId }: ReachingConnection,
		driver: string,
		address: Address,
		signal: AbortSignal,
	): Promise<ReachAnswer> {
		const { desk, saved } = this.#options
		const mark = JSON.stringify([driverId, name, labelOf(address)])
		const isTried = this.#tried.has(mark)
		const question = { kind: 'reach', driver, address: labelOf(address), connection: { id, name, driverId } } as const
		const { decision } = isTried ? { decision: 'approved' } : await desk.ask(question, signal)
		// A question that was taken back was not answered.
		if (decision === 'nobody' || signal.aborted) return 'nobody'
		const isAllowed = decision === 'approved'
		if (saved.find(id)) {
			await saved.rememberReach(id, { ...address, isAllowed })
			// From now on it stands with that connection, where it can be taken back, and is for no other of the name.
			this.#tried.delete(mark)
		} else if (isAllowed) this.#tried.add(mark)
		return isAllowed ? 'allowed' : 'refused'
	}
}
