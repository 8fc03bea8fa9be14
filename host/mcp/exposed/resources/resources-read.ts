import type { JsonObject } from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import { isRepeated, readInputResponses, resume } from '../../consent/rounds.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { McpCall, Method } from '../../protocol/method.ts'
import { complete, type Outcome } from '../../protocol/outcome.ts'
import { quotedInput } from '../../protocol/outgoing-text.ts'
import { type Apps, showsApps } from '../apps/apps.ts'
import { asProtocolError } from '../framework/driver-failure.ts'
import type { Services } from '../framework/services.ts'
import { jsonContents, readCoreResource, timeToLiveMs } from './core-resources.ts'
import { ownerOf, readDriverResource } from './driver-resources.ts'
import { readExportResource } from './export-resource.ts'
import { parseUri, type ResourceAddress } from './uri.ts'

export function resourcesRead(services: Services, apps: Apps, onFault: (error: unknown) => void): Method {
	return {
		eras: ['modern', 'legacy'],
		handle: (params, call) => {
			const { uri } = params
			if (typeof uri !== 'string') throw new ProtocolError('invalid_params', '`uri` must be a string.')
			readInputResponses(params)
			const app = showsApps(call) ? apps.read(uri) : undefined
			if (app) return app
			const address = parseUri(uri)
			const owner = address ? undefined : ownerOf(uri, services.drivers)
			const reading = owner ? readOf({ owner, uri, params }, call) : address && readCore({ uri, address, params }, call)
			if (!reading) throw notFound(uri)
			return reading.catch(error => {
				throw asProtocolError(error, onFault)
			})
		},
	}

	async function readCore(
		{ uri, address, params }: { readonly uri: string; readonly address: ResourceAddress; readonly params: JsonObject },
		call: McpCall,
	): Promise<Outcome> {
		await resume(services.states, params, call)
		const contents =
			address.kind === 'export'
				? await readExportResource(address, services, call)
				: jsonContents(uri, await readCoreResource(address, services, call))
		if (!contents) throw notFound(uri)
		const ttlMs = isRepeated(params) ? 0 : timeToLiveMs[address.kind]
		return complete(contents, { ttlMs, cacheScope: 'private' })
	}

	async function readOf(
		{ owner, uri, params }: { readonly owner: Manifest; readonly uri: string; readonly params: JsonObject },
		call: McpCall,
	): Promise<Outcome> {
		const round = await resume(services.states, params, call)
		const outcome = await readDriverResource({ owner, uri }, round, services)
		const isCacheable = outcome.kind === 'complete' && !isRepeated(params)
		return isCacheable || outcome.kind !== 'complete'
			? outcome
			: { ...outcome, cache: { ttlMs: 0, cacheScope: 'private' } }
	}
}

/** Contract, "Errors" 2: resource-not-found is `-32602`; there is no dedicated code. */
function notFound(uri: string): ProtocolError {
	const message = 'There is no such resource. `resources/list` shows those there are.'
	return new ProtocolError('invalid_params', message, { data: { uri: quotedInput(uri, 1000) } })
}
