import { type Accessor, createSignal, onCleanup } from 'solid-js'
import type { HostConnection } from '../api/client.ts'

/** Why a connection was lost, until it is back. */
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

/** Subscribes to the return of a connection that was closed or lost. What was open on it must be opened again. */
export function onReconnected(host: HostConnection, connection: string, listener: () => void): void {
	let wasGone = false
	onCleanup(
		host.on('session.state', ({ connection: changed, state }) => {
			if (changed !== connection) return
			const isBack = wasGone && state.status === 'connected'
			wasGone = state.status === 'closed' || state.status === 'failed' || (wasGone && !isBack)
			if (isBack) listener()
		}),
	)
	onCleanup(host.onReconnected(listener))
}
