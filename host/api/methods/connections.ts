import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import {
	type ConnectionDraft,
	connectionDraftSchema,
	type SavedConnection,
} from '../../connections/connection-fields.ts'
import { fileOf, readConnectionsFile } from '../../connections/connections-file.ts'
import { withdrawsReach } from '../../connections/reaches.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Sessions } from '../../connections/sessions.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import type { ConnectionView } from '../api.ts'
import type { Methods } from './method.ts'

const byId = z.object({ id: z.string() })

export function connectionMethods(
	connections: SavedConnections,
	sessions: Sessions,
	drivers: Drivers,
): Methods<Extract<keyof Methods, `connections.${string}`>> {
	const view = (saved: SavedConnection): ConnectionView => ({ ...saved, state: sessions.state(saved.id) })
	return {
		'connections.list': { params: z.object({}), run: async () => connections.list().map(view) },
		'connections.add': {
			params: connectionDraftSchema,
			run: async (draft, context) => view(await connections.add(draft, await drivers.ensure(draft.driverId, context))),
		},
		'connections.update': {
			params: byId.extend({ draft: connectionDraftSchema.partial() }),
			run: async ({ id, draft }, context) => {
				const before = connections.get(id)
				const manifest = await drivers.ensure(before.driverId, context)
				const saved = await connections.update(id, draft, manifest)
				// The next use of the connection opens a session with the new settings.
				await sessions.close(id)
				// Other connections may share the driver process, which would then keep its sockets. It ends too.
				if (withdrawsReach(before, saved)) await drivers.endConnections(before.driverId)
				return view(saved)
			},
		},
		'connections.remove': {
			params: byId,
			run: async ({ id }) => {
				await sessions.close(id)
				await connections.remove(id)
				return null
			},
		},
		'connections.duplicate': {
			params: byId,
			run: async ({ id }) => view(await connections.duplicate(id)),
		},
		'connections.export': {
			params: z.object({ ids: z.array(z.string()).optional() }),
			run: async ({ ids }) => fileOf(ids?.map(id => connections.get(id)) ?? connections.list()),
		},
		'connections.import': {
			params: z.object({ file: z.unknown() }),
			run: async ({ file }, context) => {
				const drafts: (readonly [ConnectionDraft, Manifest])[] = []
				for (const draft of readConnectionsFile(file).connections) {
					drafts.push([draft, await drivers.ensure(draft.driverId, context)])
				}
				return (await connections.import(drafts)).map(view)
			},
		},
		'connections.move': {
			params: byId.extend({ before: z.string().nullable() }),
			run: async ({ id, before }) => {
				await connections.move(id, before)
				return null
			},
		},
		'connections.test': {
			params: z.object({ id: z.string().optional(), draft: connectionDraftSchema.optional() }),
			run: async ({ id, draft }, context) => {
				const saved = id === undefined ? undefined : connections.get(id)
				const settings = { ...(saved && (await connections.reveal(saved))), ...draft?.settings }
				const driverId = draft?.driverId ?? saved?.driverId ?? ''
				const isSample = draft?.isSample ?? saved?.isSample ?? false
				const name = draft?.name ?? saved?.name ?? ''
				const proxy = draft?.proxy === undefined ? saved?.proxy : (draft.proxy ?? undefined)
				const tried = { driverId, isSample, name, ...(id !== undefined && { id }), ...(proxy && { proxy }) }
				return sessions.test(tried, settings, context)
			},
		},
		'connections.open': {
			params: byId,
			run: async ({ id }, context) => {
				const session = await sessions.open(id, { ...context, skipsBackoff: true })
				return { info: session.info, manifest: await drivers.ensure(connections.get(id).driverId) }
			},
		},
		'connections.close': {
			params: byId,
			run: async ({ id }) => {
				await sessions.close(id)
				return null
			},
		},
	}
}
