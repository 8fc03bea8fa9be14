import { Reaches } from '../../host/connections/reaches.ts'
import type { SavedConnections } from '../../host/connections/saved-connections.ts'
import type { Reaching } from '../../host/driver-runtime/driver-network.ts'
import { labelOf } from '../../host/network/address.ts'
import type { Ways } from '../../host/network/dial.ts'
import { Reach, type ReachAnswer } from '../../host/network/reach.ts'

/** What connections reach where nobody is there to ask. */
export function unattendedReaches(saved: SavedConnections): Reaches {
	return new Reaches({
		saved,
		desk: { ask: async () => ({ decision: 'nobody' }) },
		ownPorts: () => [],
		supportPath: '/nowhere',
		proxy: () => ({ mode: 'direct' }),
		note() {},
	})
}

/** What a connection reaches: what is named, and what `answers` says to a question, which are noted. */
export function reachTo(
	ports: readonly number[],
	{ answer = 'nobody', ways = direct }: { readonly answer?: ReachAnswer; readonly ways?: Ways } = {},
) {
	const asked: string[] = []
	const noted: string[] = []
	const reach = new Reach({
		driver: 'Test',
		named: ports.map(port => ({ host: '127.0.0.1', port })),
		remembered: () => undefined,
		ask: async address => {
			asked.push(labelOf(address))
			return answer
		},
		note: (address, isReached) => void noted.push(`${labelOf(address)} ${isReached}`),
		ways,
	})
	return Object.assign(reach, { asked, noted })
}

const direct: Ways = { ownPorts: () => [], proxyFor: () => undefined }

/** For a driver that asks for no socket. */
export const nowhere: Reaching = { dial: () => Promise.reject(new Error('No test reaches this.')), close() {} }
