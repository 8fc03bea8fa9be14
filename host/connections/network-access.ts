import type { TcpAddress } from '@roundhouse/kit'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import type { Dialer } from '../driver-runtime/driver-network.ts'
import { addressesOf, isSameAddress, labelBehind, socketPathsOf } from '../network/address.ts'
import type { DialPolicy } from '../network/dial.ts'
import { networkErrors } from '../network/errors.ts'
import { type AddressDecision, GuardedDialer } from '../network/guarded-dialer.ts'
import { type ProxySetting, proxyFor } from '../network/proxy.ts'
import { Refusals } from '../network/refusals.ts'
import type { SshTrial, Tunnels } from '../network/ssh/tunnels.ts'
import type { SavedConnection } from './connection-fields.ts'
import { type GrantedPaths, grantedPaths } from './granted-paths.ts'
import type { SavedConnections } from './saved-connections.ts'

/** Asks the user whether a driver may reach an address for a connection. */
export interface AddressQuestion {
	readonly kind: 'reach'
	/** The driver's display name. */
	readonly driver: string
	/** `host:port` */
	readonly address: string
	/** The id is empty for a connection test. */
	readonly connection: { readonly id: string; readonly name: string; readonly driverId: string }
}

/** Shows the question to the user. An abort withdraws it. */
export interface AddressDesk {
	ask(
		question: AddressQuestion,
		signal: AbortSignal,
	): Promise<{ readonly decision: 'approved' | 'refused' | 'unattended' }>
}

export const unattendedAddressDesk: AddressDesk = { ask: async () => ({ decision: 'unattended' }) }

/** A saved connection, or one that is tested before it is saved. */
export type DialingConnection = Pick<SavedConnection, 'name' | 'driverId' | 'isSample'> &
	Partial<Pick<SavedConnection, 'id' | 'proxy' | 'ssh'>>

export interface NetworkAccessOptions {
	readonly saved: SavedConnections
	readonly desk: AddressDesk
	readonly ownPorts: DialPolicy['ownPorts']
	/** The host's folder, which is never granted to a driver. */
	readonly supportPath: string
	/** The proxy of connections without their own proxy. */
	readonly proxy: () => ProxySetting
	readonly tunnels: Tunnels
	/**
	 * Called once in each session for every address that a connection reached, or that was refused. Refusals of one driver
	 * are limited, and the further ones are a sum.
	 */
	readonly note: (connection: DialingConnection, address: string, isReached: boolean) => void
}

/** A connection whose driver needs a network, with the ports of its sample. */
interface ReachRequest {
	readonly connection: DialingConnection
	readonly manifest: Manifest
	readonly settings: Settings
	readonly samplePorts: readonly number[]
	/** Set for a test of the connection. */
	readonly trial?: SshTrial | undefined
}

/** Decides what each connection may reach (SECURITY.md). */
export class NetworkAccess {
	readonly #options: NetworkAccessOptions
	/**
	 * Approvals given during connection tests. The first connection that is saved with that name takes over the approval.
	 */
	readonly #tried = new Set<string>()
	/** By the driver's id. */
	readonly #refusals = new Map<string, Refusals>()

	constructor(options: NetworkAccessOptions) {
		this.#options = options
	}

	/** Returns the files and folders that the form grants. @throws HostError `connection/path_refused` */
	paths(manifest: Manifest, settings: Settings): Promise<GrantedPaths> {
		return grantedPaths(manifest.form, settings, this.#options.supportPath)
	}

	/** Returns the dialer of a connection. @param samplePorts ports of the driver's sample, if the connection uses it */
	network({ connection, manifest, settings, samplePorts, trial }: ReachRequest): Dialer {
		const { saved, ownPorts, note } = this.#options
		const driver = manifest.displayName
		if (manifest.permissions.network === 'none') {
			return { dial: () => Promise.reject(networkErrors.make('no_network', { driver })), close() {} }
		}
		const refusals = this.#refusalsOf(connection.driverId)
		const { id = '', name, driverId, isSample } = connection
		// A sample is on this machine. A driver whose manifest no longer takes SSH must not reach the address without it.
		const ssh = isSample ? undefined : connection.ssh
		if (ssh && !manifest.takesSsh) {
			return { dial: () => Promise.reject(networkErrors.make('no_ssh', { driver })), close() {} }
		}
		const tunnel = ssh && this.#options.tunnels.hold(ssh, { id, name, driverId }, trial)
		const sample = samplePorts.map(port => ({ host: '127.0.0.1', port }))
		return new GuardedDialer({
			driver,
			named: connection.isSample ? sample : addressesOf(manifest.form, settings),
			// A sample names no socket: the user has typed nothing.
			socketPaths: connection.isSample ? [] : socketPathsOf(manifest.form, settings),
			remembered: address => {
				const stored = saved.find(connection.id ?? '')?.reach.find(one => isSameAddress(one, address))
				return stored && (stored.isAllowed ? 'allowed' : 'refused')
			},
			behind: ssh?.destination,
			ask: (address, signal) => this.#ask(connection, { driver, address }, signal),
			note: (label, isReached) =>
				isReached ? note(connection, label, true) : refusals.add(label, text => note(connection, text, false)),
			closed() {
				tunnel?.release()
				refusals.noteSum()
			},
			policy: {
				ownPorts,
				tunnel,
				proxyFor: address => proxyFor(connection.proxy ?? this.#options.proxy(), address),
			},
		})
	}

	/** A driver gets no more lines of the activity log by another connection. */
	#refusalsOf(driverId: string): Refusals {
		const refusals = this.#refusals.get(driverId) ?? new Refusals()
		this.#refusals.set(driverId, refusals)
		return refusals
	}

	async #ask(
		{ id = '', name, driverId, ssh }: DialingConnection,
		{ driver, address }: { readonly driver: string; readonly address: TcpAddress },
		signal: AbortSignal,
	): Promise<AddressDecision> {
		const { desk, saved } = this.#options
		const label = labelBehind(address, ssh?.destination)
		const key = JSON.stringify([driverId, name, label])
		const isTried = this.#tried.has(key)
		const question = { kind: 'reach', driver, address: label, connection: { id, name, driverId } } as const
		const { decision } = isTried ? { decision: 'approved' } : await desk.ask(question, signal)
		// A withdrawn question has no answer.
		if (decision === 'unattended' || signal.aborted) return 'unattended'
		const isAllowed = decision === 'approved'
		if (saved.find(id)) {
			await saved.rememberReach(id, { ...address, isAllowed })
			// The approval is now stored with this connection, where the user can revoke it. It must not apply to others.
			this.#tried.delete(key)
		} else if (isAllowed) this.#tried.add(key)
		return isAllowed ? 'allowed' : 'refused'
	}
}

/** Whether a change revokes the permission for an address. */
export function withdrawsReach(before: SavedConnection, after: SavedConnection): boolean {
	const allowed = ({ reach }: SavedConnection) => reach.filter(({ isAllowed }) => isAllowed)
	return allowed(before).some(one => !allowed(after).some(other => isSameAddress(one, other)))
}
