import { NetworkAccess } from '../../host/connections/network-access.ts'
import type { SavedConnections } from '../../host/connections/saved-connections.ts'
import { SecretSources } from '../../host/connections/secret-sources/secret-sources.ts'
import type { Dialer } from '../../host/driver-runtime/driver-network.ts'
import { labelOf } from '../../host/network/address.ts'
import type { DialPolicy } from '../../host/network/dial.ts'
import { type AddressDecision, GuardedDialer, type GuardedDialerOptions } from '../../host/network/guarded-dialer.ts'
import { Refusals } from '../../host/network/refusals.ts'
import { Tunnels } from '../../host/network/ssh/tunnels.ts'

/** Tunnels whose questions no user answers. */
export const unattendedTunnels = () => new Tunnels({ desk: { ask: async () => ({ decision: 'unattended' }) } })

/** What sessions need beside drivers, if no user can be asked. */
export function unattended(saved: SavedConnections) {
	const desk = { ask: async () => ({ decision: 'unattended' as const }) }
	return {
		reaches: new NetworkAccess({
			saved,
			desk,
			ownPorts: () => [],
			supportPath: '/nowhere',
			proxy: () => ({ mode: 'direct' }),
			tunnels: unattendedTunnels(),
			note() {},
		}),
		sources: new SecretSources({ saved, desk }),
	}
}

interface ReachToOptions extends Partial<Pick<GuardedDialerOptions, 'policy' | 'socketPaths'>> {
	readonly answer?: AddressDecision
}

/** Returns a reach that allows named addresses, answers questions with `answers`, and records them. */
export function reachTo(
	ports: readonly number[],
	{ answer = 'unattended', policy = direct, socketPaths = [] }: ReachToOptions = {},
) {
	const asked: string[] = []
	const noted: string[] = []
	// As the connections of the product note what a driver was refused.
	const refusals = new Refusals()
	const reach = new GuardedDialer({
		driver: 'Test',
		named: ports.map(port => ({ host: '127.0.0.1', port })),
		socketPaths,
		remembered: () => undefined,
		ask: async address => {
			asked.push(labelOf(address))
			return answer
		},
		note: (label, isReached) => {
			if (isReached) noted.push(`${label} true`)
			else refusals.add(label, text => void noted.push(`${text} false`))
		},
		policy,
	})
	return Object.assign(reach, { asked, noted })
}

const direct: DialPolicy = { ownPorts: () => [], proxyFor: () => undefined }

/** For a driver that requests no socket. */
export const nowhere: Dialer = { dial: () => Promise.reject(new Error('No test reaches this.')), close() {} }
