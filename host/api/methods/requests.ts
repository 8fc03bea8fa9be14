import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import { pastRunSchema, type RunHistory } from '../../requests/history.ts'
import type { RequestOffers } from '../../requests/offers.ts'
import type { SavedRequests, Whose } from '../../requests/saved-requests.ts'
import { type VariablesStore, valuesSchema } from '../../requests/variables.ts'
import { method } from './method.ts'

const onConnection = z.object({ connection: z.string() })
const name = z.string().trim().min(1, 'Enter a name.').max(500)
const file = onConnection.extend({ place: z.enum(['own', 'shared']), path: z.string().max(2_000) })

/** What a user stores for a connection's console: requests as files, values of variables, and past runs. */
export function requestMethods(
	connections: SavedConnections,
	manifestOf: (driverId: string) => Promise<Manifest>,
	{
		requests,
		offers,
		variables,
		history,
	}: { requests: SavedRequests; offers: RequestOffers; variables: VariablesStore; history: RunHistory },
) {
	/** The id names a folder, so it must be the id of an existing connection. */
	async function whose(connection: string): Promise<Whose> {
		const { id, driverId } = connections.get(connection)
		return { connection: id, language: (await manifestOf(driverId)).console }
	}
	return {
		/** The saved requests of the connection and of the shared folder. */
		'requests.list': method({
			params: onConnection,
			run: async ({ connection }) => requests.list(await whose(connection)),
		}),
		'requests.read': method({
			params: file,
			run: async ({ connection, place, path }) => requests.read(await whose(connection), place, path),
		}),
		/** Saves a new one. `name` may have folders, separated by slashes. */
		'requests.add': method({
			params: file.omit({ path: true }).extend({ name, text: z.string() }),
			run: async ({ connection, place, name, text }) => requests.add(await whose(connection), place, { name, text }),
		}),
		/** Overwrites one. `seen`: the version that the user saw; another version is refused. */
		'requests.write': method({
			params: file.extend({ name, text: z.string(), seen: z.string() }),
			run: async ({ connection, place, ...request }) => requests.write(await whose(connection), place, request),
		}),
		'requests.rename': method({
			params: file.extend({ name }),
			run: async ({ connection, place, path, name }) => {
				const renamed = await requests.rename(await whose(connection), place, { path, name })
				await offers.moved({ connectionId: connection, place, path }, renamed.path)
				return renamed
			},
		}),
		'requests.renameFolder': method({
			params: file.extend({ to: name }),
			run: async ({ connection, place, path, to }) => {
				await requests.renameFolder(await whose(connection), place, { path, to })
				await offers.moved({ connectionId: connection, place, path }, to)
				return null
			},
		}),
		'requests.remove': method({
			params: file,
			run: async ({ connection, place, path }) => {
				await requests.remove(await whose(connection), place, path)
				await offers.withdraw({ connectionId: connection, place, path })
				return null
			},
		}),
		/** The values of `{{name}}` on a connection. */
		'variables.read': method({
			params: onConnection,
			run: async ({ connection }) => variables.value[connections.get(connection).id] ?? {},
		}),
		'variables.write': method({
			params: onConnection.extend({ values: valuesSchema }),
			run: async ({ connection, values }) => {
				const { id } = connections.get(connection)
				await variables.update(all => ({ ...all, [id]: values }))
				return null
			},
		}),
		/** The past runs in the consoles of a connection, the latest first. */
		'history.list': method({
			params: onConnection,
			run: async ({ connection }) => history.list(connections.get(connection).id),
		}),
		'history.add': method({
			params: onConnection.extend({ run: pastRunSchema }),
			run: async ({ connection, run }) => {
				await history.add(connections.get(connection).id, run)
				return null
			},
		}),
	}
}
