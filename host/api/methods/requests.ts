import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import { pastRunSchema, type RunHistory } from '../../requests/history.ts'
import type { RequestOffers } from '../../requests/offers.ts'
import type { SavedRequests, Whose } from '../../requests/saved-requests.ts'
import { type VariablesStore, valuesSchema } from '../../requests/variables.ts'
import type { Methods } from './method.ts'

type RequestMethod = Extract<keyof Methods, `${'requests' | 'variables' | 'history'}.${string}`>

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
): Methods<RequestMethod> {
	/** The id names a folder, so it must be the id of an existing connection. */
	async function whose(connection: string): Promise<Whose> {
		const { id, driverId } = connections.get(connection)
		return { connection: id, language: (await manifestOf(driverId)).console }
	}
	return {
		'requests.list': {
			params: onConnection,
			run: async ({ connection }) => requests.list(await whose(connection)),
		},
		'requests.read': {
			params: file,
			run: async ({ connection, place, path }) => requests.read(await whose(connection), place, path),
		},
		'requests.add': {
			params: file.omit({ path: true }).extend({ name, text: z.string() }),
			run: async ({ connection, place, name, text }) => requests.add(await whose(connection), place, { name, text }),
		},
		'requests.write': {
			params: file.extend({ name, text: z.string(), seen: z.string() }),
			run: async ({ connection, place, ...request }) => requests.write(await whose(connection), place, request),
		},
		'requests.rename': {
			params: file.extend({ name }),
			run: async ({ connection, place, path, name }) => {
				const renamed = await requests.rename(await whose(connection), place, { path, name })
				await offers.moved({ connectionId: connection, place, path }, renamed.path)
				return renamed
			},
		},
		'requests.renameFolder': {
			params: file.extend({ to: name }),
			run: async ({ connection, place, path, to }) => {
				await requests.renameFolder(await whose(connection), place, { path, to })
				await offers.moved({ connectionId: connection, place, path }, to)
				return null
			},
		},
		'requests.remove': {
			params: file,
			run: async ({ connection, place, path }) => {
				await requests.remove(await whose(connection), place, path)
				await offers.withdraw({ connectionId: connection, place, path })
				return null
			},
		},
		'variables.read': {
			params: onConnection,
			run: async ({ connection }) => variables.value[connections.get(connection).id] ?? {},
		},
		'variables.write': {
			params: onConnection.extend({ values: valuesSchema }),
			run: async ({ connection, values }) => {
				const { id } = connections.get(connection)
				await variables.update(all => ({ ...all, [id]: values }))
				return null
			},
		},
		'history.list': {
			params: onConnection,
			run: async ({ connection }) => history.list(connections.get(connection).id),
		},
		'history.add': {
			params: onConnection.extend({ run: pastRunSchema }),
			run: async ({ connection, run }) => {
				await history.add(connections.get(connection).id, run)
				return null
			},
		},
	}
}
