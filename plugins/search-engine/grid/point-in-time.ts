import { DriverError, isJsonObject } from '@roundhouse/kit'
import { openHeld } from '../transport/held-open.ts'
import { pathOf } from '../transport/request-path.ts'
import type { Transport } from '../transport/transport.ts'

/** How long the engine keeps an unused view open. Each search with it restarts the time. */
export const keepAlive = '5m'

/**
 * For a search that needs only sort values or counts: without stored fields, documents are not unpacked, which is most
 * of the cost of reading them. The engine rejects this together with `fields` and `_source`.
 */
export const withoutDocuments = { _source: false, stored_fields: '_none_' }

/** Opens a view of a table that does not change while it is read. */
export function openPoint(
	transport: Transport,
	{ table, isHeld = false }: { readonly table: string; readonly isHeld?: boolean },
	signal: AbortSignal,
): Promise<string> {
	return openHeld(
		unstopped => requestPoint(transport, { table, isHeld }, unstopped),
		id => closePoint(transport, id, AbortSignal.timeout(5_000)),
		signal,
	)
}

async function requestPoint(
	transport: Transport,
	{ table, isHeld }: { readonly table: string; readonly isHeld: boolean },
	signal: AbortSignal,
): Promise<string> {
	const path = `${pathOf(table)}/_pit`
	const search = `keep_alive=${keepAlive}`
	const reply = await transport.send({ method: 'POST', path, search, isRead: true, isHeld }, signal)
	const answer = reply.json()
	const id = isJsonObject(answer) ? answer.id : undefined
	if (typeof id !== 'string') throw new DriverError('query_failed', 'Invalid response: the point-in-time has no id.')
	return id
}

export async function closePoint(transport: Transport, id: string, signal: AbortSignal): Promise<void> {
	await transport.exchange({ method: 'DELETE', path: '/_pit', body: { id }, isRead: true }, signal)
}
