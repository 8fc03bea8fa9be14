import { type Accessor, createSignal, onCleanup } from 'solid-js'
import type { HostConnection } from '../api/client.ts'

/** Why a connection was lost, until it is there again. */
export function createLossOf(host: HostConnection, connection: string): Accessor<string | undefined> {
	const [lost, setLost] = createSignal<string>()
	onCleanup(
		host.on('session.state', ({ connection: changed, state }) => {
			if (changed !== connection) return
			if (state.status === 'failed') setLost(state.message)
			else if (state.status === 'connected') setLost(undefined)
		}),
	)
	return lost
}
