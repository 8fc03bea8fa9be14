import type { JsonObject } from '@roundhouse/kit'
import { z } from 'zod'
import { mayReadResources } from '../../access/authorization.ts'
import type { ConnectionGate } from '../../access/connection-gate.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { formatUri, parseUri, type ResourceAddress } from '../resources/uri.ts'

/** The requested notifications that the client is allowed to receive. */
export interface SubscriptionFilter {
	readonly resourcesListChanged: boolean
	readonly resources: readonly ResourceAddress[]
}

/** MCP 2026-07-28, `SubscriptionFilter`. */
const filterSchema = z.object({
	toolsListChanged: z.boolean().optional(),
	promptsListChanged: z.boolean().optional(),
	resourcesListChanged: z.boolean().optional(),
	resourceSubscriptions: z.array(z.string().min(1)).optional(),
})

const maxSubscriptions = 1000

/** Reads the filter of a client. Contract, "Events" 2: there are no notifications for lists of tools and prompts. */
export function readFilter(
	{ notifications }: JsonObject,
	caller: Caller,
	gate: Pick<ConnectionGate, 'visible'>,
): SubscriptionFilter {
	const parsed = filterSchema.safeParse(notifications)
	if (!parsed.success) {
		const at = ['notifications', ...(parsed.error.issues[0]?.path ?? [])].join('.')
		throw new ProtocolError('invalid_params', `\`${at}\` does not fit: two switches, and a list of URIs.`)
	}
	if (!mayReadResources(caller)) return { resourcesListChanged: false, resources: [] }
	const { resourcesListChanged, resourceSubscriptions = [] } = parsed.data
	return {
		resourcesListChanged: resourcesListChanged === true,
		resources: readAddresses(resourceSubscriptions).filter(address => mayRead(address, caller, gate)),
	}
}

/** Whether a resource belongs to a connection that this caller sees. */
export function mayRead(address: ResourceAddress, caller: Caller, gate: Pick<ConnectionGate, 'visible'>): boolean {
	return address.kind === 'connections' || gate.visible(caller).some(({ id }) => id === address.connectionId)
}

/** Returns the accepted part of the filter for the acknowledgement. */
export function describeFilter({ resourcesListChanged, resources }: SubscriptionFilter): JsonObject {
	return {
		...(resourcesListChanged && { resourcesListChanged }),
		...(resources.length > 0 && { resourceSubscriptions: resources.map(formatUri) }),
	}
}

/**
 * Returns each address once, independent of its spelling. Skips URIs of drivers, whose resources have no notifications.
 */
function readAddresses(uris: readonly string[]): readonly ResourceAddress[] {
	const addresses = uris.slice(0, maxSubscriptions).flatMap(uri => parseUri(uri) ?? [])
	return [...new Map(addresses.map(address => [formatUri(address), address])).values()]
}
