import { createSignal } from 'solid-js'
import type { OfferedEntry, SavedRequest } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import { messageOf } from '../words/message-of.ts'

interface RequestList {
	readonly requests: readonly SavedRequest[]
	/** Which of them are offered to AI clients. */
	readonly offers: readonly OfferedEntry[]
	readonly fault?: string
}

const nothing: RequestList = { requests: [], offers: [] }

/** The saved requests of the connections that this window has shown, read again after each save. */
export function createRequestLists(host: HostConnection) {
	const [lists, setLists] = createSignal<ReadonlyMap<string, RequestList>>(new Map())
	/** By connection. The host answers reads in any order, so only the newest one is shown. */
	const newest = new Map<string, Promise<unknown>>()

	async function read(connection: string): Promise<void> {
		const reading = Promise.all([host.call('requests.list', { connection }), host.call('offers.list', { connection })])
		newest.set(connection, reading)
		const list = await reading
			.then(([list, offers]) => ({ ...list, offers }))
			.catch(error => ({ ...(lists().get(connection) ?? nothing), fault: messageOf(error) }))
		if (newest.get(connection) === reading) setLists(all => new Map(all).set(connection, list))
	}
	function refresh(): void {
		for (const connection of lists().keys()) void read(connection)
	}
	host.on('requests.changed', refresh)

	return {
		of: (connection: string): RequestList => lists().get(connection) ?? nothing,
		read: (connection: string) => void read(connection),
		/** Reads all of them again: Git and editors change them without an event. */
		refresh,
	}
}
export type RequestLists = ReturnType<typeof createRequestLists>
