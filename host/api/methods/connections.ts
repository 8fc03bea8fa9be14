import type { HiddenColumns } from '@roundhouse/kit'
import { z } from 'zod'
import {
	connectionDraftSchema,
	hiddenColumnSchema,
	hiddenFromClients,
	type SavedConnection,
} from '../../connections/connection-fields.ts'
import { fileOf } from '../../connections/connections-file.ts'
import { chosenDrafts, connectionsOf } from '../../connections/connections-of-file.ts'
import { withdrawsReach } from '../../connections/network-access.ts'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { SessionState, Sessions } from '../../connections/sessions.ts'
import { sshConfigNames } from '../../network/ssh/config-names.ts'
import type { Drivers } from '../../plugin-loader/drivers.ts'
import { method } from './method.ts'

/** A saved connection for the window: without secrets, only which ones exist. */
export type ConnectionView = SavedConnection & { readonly state: SessionState }

const byId = z.object({ id: z.string() })
const chosenFile = z.object({ text: z.string(), fileName: z.string() })

/** @param hiddenByPolicy columns that the administrator hides on each connection that has them */
export function connectionMethods(
	connections: SavedConnections,
	sessions: Sessions,
	drivers: Drivers,
	hiddenByPolicy: readonly HiddenColumns[],
) {
	const view = (saved: SavedConnection): ConnectionView => ({ ...saved, state: sessions.state(saved.id) })
	return {
		'connections.list': method({
			params: z.object({}),
			run: async (): Promise<readonly ConnectionView[]> => connections.list().map(view),
		}),
		'connections.add': method({
			params: connectionDraftSchema,
			run: async (draft, context) => view(await connections.add(draft, await drivers.ensure(draft.driverId, context))),
		}),
		'connections.update': method({
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
		}),
		/** Hides columns from AI clients, and shows others again. Sessions stay open. */
		'connections.hideColumns': method({
			params: byId.extend({
				hide: z.array(hiddenColumnSchema).optional(),
				show: z.array(hiddenColumnSchema).optional(),
			}),
			run: async ({ id, hide = [], show = [] }) => view(await connections.hideColumns(id, { hide, show })),
		}),
		/**
		 * Returns a text that makes a login for AI clients without the hidden columns, for the user to run; `null` if the
		 * engine has no rights on columns.
		 */
		'connections.restrictedLogin': method({
			params: byId,
			run: async ({ id }, context) => {
				const session = await sessions.open(id, context)
				const hidden = hiddenFromClients(connections.get(id).hiddenColumns, hiddenByPolicy)
				return session.call('restrictedLogin', { hidden }, context)
			},
		}),
		/** Removes the passphrases of keys that this machine remembers for its tunnel. */
		'connections.forgetPassphrases': method({
			params: byId,
			run: async ({ id }) => {
				await connections.forgetPassphrases(id)
				return null
			},
		}),
		'connections.remove': method({
			params: byId,
			run: async ({ id }) => {
				await sessions.close(id)
				await connections.remove(id)
				return null
			},
		}),
		/** Copies it with its secrets. */
		'connections.duplicate': method({
			params: byId,
			run: async ({ id }) => view(await connections.duplicate(id)),
		}),
		/** Exports all or some for another machine, without secrets and access of AI clients. */
		'connections.export': method({
			params: z.object({ ids: z.array(z.string()).readonly().optional() }),
			run: async ({ ids }) => fileOf(ids?.map(id => connections.get(id)) ?? connections.list()),
		}),
		/** Lists the connections of a file, an export of this program or a file of another one. Nothing is made. */
		'connections.readFile': method({
			params: chosenFile,
			run: file => connectionsOf(file, { drivers, saved: connections.list() }),
		}),
		/** Adds those that the user chose, or none of them. `takesSecrets`: the user agrees to store those in clear. */
		'connections.importFile': method({
			params: chosenFile.extend({
				chosen: z.array(z.int().min(0)).max(10_000).readonly(),
				takesSecrets: z.boolean(),
			}),
			run: async ({ chosen, takesSecrets, ...file }, call) => {
				const drafts = await chosenDrafts(file, { chosen, takesSecrets }, { drivers, saved: connections.list(), call })
				return (await connections.import(drafts, { takesSecrets })).map(view)
			},
		}),
		/** Moves it before another in the list, or to the end. */
		'connections.move': method({
			params: byId.extend({ before: z.string().nullable() }),
			run: async ({ id, before }) => {
				await connections.move(id, before)
				return null
			},
		}),
		/** Tests a draft, new or of a saved connection, without saving it. */
		'connections.test': method({
			params: z.object({ id: z.string().optional(), draft: connectionDraftSchema.optional() }),
			run: async ({ id, draft }, context) => {
				const saved = id === undefined ? undefined : connections.get(id)
				const settings = { ...(saved && (await connections.reveal(saved))), ...draft?.settings }
				const driverId = draft?.driverId ?? saved?.driverId ?? ''
				const isSample = draft?.isSample ?? saved?.isSample ?? false
				const name = draft?.name ?? saved?.name ?? ''
				const proxy = draft?.proxy === undefined ? saved?.proxy : (draft.proxy ?? undefined)
				const ssh = draft?.ssh === undefined ? saved?.ssh : (draft.ssh ?? undefined)
				const way = { ...(proxy && { proxy }), ...(ssh && { ssh }) }
				const secretSources = draft?.secretSources ?? saved?.secretSources ?? {}
				const tried = { driverId, isSample, name, secretSources, ...(id !== undefined && { id }), ...way }
				return sessions.test(tried, settings, { ...context, isTrial: draft?.secretSources !== undefined })
			},
		}),
		/** The names of `~/.ssh/config`, for the form. */
		'connections.sshNames': method({ params: z.object({}), run: () => sshConfigNames() }),
		/** Opens the connection. A missing driver is installed without a question, with bytes as progress. */
		'connections.open': method({
			params: byId,
			run: async ({ id }, context) => {
				const session = await sessions.open(id, { ...context, skipsBackoff: true })
				return { info: session.info, manifest: await drivers.ensure(connections.get(id).driverId) }
			},
		}),
		'connections.close': method({
			params: byId,
			run: async ({ id }) => {
				await sessions.close(id)
				return null
			},
		}),
	}
}
