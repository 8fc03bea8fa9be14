import { z } from 'zod'
import { aiClients, type Bridge, genericSnippet } from '../../client-setup/clients.ts'
import { linkFor } from '../../client-setup/links.ts'
import { apply, planInstall, planUninstall, type SetupPlan, setupErrors } from '../../client-setup/setup.ts'
import { tryBridge } from '../../client-setup/try-bridge.ts'
import { method } from './method.ts'

const kind = z.enum(['install', 'uninstall'])

/**
 * API methods that set up AI clients. A change is planned and shown to the user first. It is applied only if the
 * client's configuration file has not changed since.
 */
export function clientSetupMethods(bridge: Bridge | undefined) {
	const ours = () => {
		if (!bridge) throw setupErrors.make('bridge_failed', { reason: 'this installation has no launcher' })
		return bridge
	}
	const find = (id: string) => {
		const clients = aiClients()
		const client = clients.find(client => client.id === id)
		const names = clients.map(client => client.id).join(', ')
		if (!client) throw setupErrors.make('unknown_client', { client: id, clients: names })
		return client
	}
	const plan = (id: string, what: z.infer<typeof kind>): Promise<SetupPlan> =>
		what === 'install' ? planInstall(find(id), ours()) : planUninstall(find(id), ours())
	return {
		'setup.list': method({
			params: z.object({}),
			run: async () => ({
				clients: await Promise.all(
					aiClients().map(async client => ({
						id: client.id,
						name: client.name,
						path: client.path,
						link: linkFor(client.id, ours()) ?? null,
						isInstalled: await planInstall(client, ours()).then(
							({ before, after }) => before === after,
							() => false,
						),
					})),
				),
				snippet: genericSnippet(ours()),
			}),
		}),
		/** Returns the planned change; nothing is written. */
		'setup.plan': method({
			params: z.object({ client: z.string(), kind }),
			run: ({ client, kind }) => plan(client, kind),
		}),
		/** Makes the shown change; refused if the file has changed since. */
		'setup.apply': method({
			params: z.object({ client: z.string(), kind, before: z.string() }),
			run: async ({ client, kind, before }) => {
				const planned = await plan(client, kind)
				if (planned.before !== before) throw setupErrors.make('changed_meanwhile', { client: find(client).name })
				await apply(find(client), planned, kind)
				return null
			},
		}),
		/** Runs the whole path as a client would. */
		'setup.test': method({ params: z.object({}), run: () => tryBridge(ours()) }),
	}
}
