import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { mayReadResources } from '../../access/authorization.ts'
import type { Caller } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { formatUri, parseUri, type ResourceAddress } from '../resources/uri.ts'

/** What a client wants to hear of and may hear of. */
export interface SubscriptionFilter {
	readonly resourcesListChanged: boolean
	readonly resources: readonly ResourceAddress[]
}

/** Contract, "Events" 2: tool and prompt lists announce no changes, so a wish for them is not honoured. */
export function readFilter(params: JsonObject, caller: Caller): SubscriptionFilter {
	const { notifications } = params
	if (!isJsonObject(notifications)) throw new ProtocolError('invalid_params', '`notifications` is an object.')
	if (!mayReadResources(caller)) return { resourcesListChanged: false, resources: [] }
	return {
		resourcesListChanged: notifications.resourcesListChanged === true,
		resources: readAddresses(notifications.resourceSubscriptions),
	}
}

/** The honoured part of the filter, as the acknowledgement says it. */
export function describeFilter({ resourcesListChanged, resources }: SubscriptionFilter): JsonObject {
	return {
		...(resourcesListChanged && { resourcesListChanged }),
		...(resources.length > 0 && { resourceSubscriptions: resources.map(formatUri) }),
	}
}

/** URIs that are not ours are left out: a driver's resources announce no changes. */
function readAddresses(uris: Json | undefined): readonly ResourceAddress[] {
	if (uris === undefined) return []
	if (!Array.isArray(uris)) throw new ProtocolError('invalid_params', '`resourceSubscriptions` is a list of URIs.')
	return uris.slice(0, 1000).flatMap((uri: Json) => (typeof uri === 'string' ? (parseUri(uri) ?? []) : []))
}
