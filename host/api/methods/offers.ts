import type { Manifest } from '@roundhouse/kit/manifest'
import { z } from 'zod'
import type { SavedConnections } from '../../connections/saved-connections.ts'
import type { Sessions } from '../../connections/sessions.ts'
import { namesIn } from '../../mcp/index.ts'
import { offerErrors } from '../../requests/errors.ts'
import { offeredToolSchema, type RequestOffers } from '../../requests/offers.ts'
import type { SavedRequests } from '../../requests/saved-requests.ts'
import { judged, requireFitting, requireFree, sameVerdict } from '../offer-verdict.ts'
import { method } from './method.ts'

const file = z.object({ connection: z.string(), place: z.enum(['own', 'shared']), path: z.string().max(2_000) })

export type OfRequest = z.output<typeof file>

interface OfferServices {
	readonly connections: SavedConnections
	readonly sessions: Sessions
	readonly requests: SavedRequests
	readonly offers: RequestOffers
	installed(): readonly Manifest[]
	manifestOf(driverId: string): Promise<Manifest>
}

/** Saved requests that a user offers to AI clients as tools. */
export function offerMethods(services: OfferServices) {
	const { connections, sessions, requests, offers } = services
	async function read({ connection, place, path }: OfRequest) {
		const { id, driverId } = connections.get(connection)
		return requests.read({ connection: id, language: (await services.manifestOf(driverId)).console }, place, path)
	}
	const found = ({ connection, place, path }: OfRequest) =>
		offers.all().find(offer => offer.connectionId === connection && offer.place === place && offer.path === path)
	const isLive = (id: string) => offers.list().some(live => live.id === id)
	return {
		/** The saved requests of a connection that AI clients get as tools. */
		'offers.list': method({
			params: file.pick({ connection: true }),
			run: async ({ connection }) => {
				await offers.look()
				return offers
					.all()
					.filter(({ connectionId }) => connectionId === connection)
					.map(({ id, place, path, name }) => ({ place, path, name, isChanged: !isLive(id) }))
			},
		}),
		/** Describes a request as a tool: its parameters and the driver's verdict. */
		'offers.look': method({
			params: file,
			run: async (params, context) => {
				const { text, version } = await read(params)
				await offers.look()
				const offer = found(params)
				const names = namesIn(text)
				return {
					text,
					version,
					names,
					...(await judged({ sessions, connection: params.connection, text }, names, context)),
					...(offer && {
						offer: { name: offer.name, description: offer.description, parameters: offer.parameters },
						isChanged: !isLive(offer.id),
					}),
				}
			},
		}),
		/** Offers a request as shown (`OfferView.version`), in place of an earlier offer. */
		'offers.make': method({
			params: file.extend({ seen: z.string(), tool: offeredToolSchema }),
			run: async ({ seen, tool, ...params }, context) => {
				const { text, version } = await read(params)
				if (version !== seen) throw offerErrors.make('changed')
				requireFree(tool.name, services.installed())
				requireFitting(tool.parameters, namesIn(text))
				const access = await sameVerdict({ sessions, connection: params.connection, text }, tool.parameters, context)
				const { connection: connectionId, place, path } = params
				await offers.offer({ connectionId, place, path }, tool, { text, access })
				return null
			},
		}),
		'offers.withdraw': method({
			params: file,
			run: async ({ connection: connectionId, place, path }) => {
				await offers.withdraw({ connectionId, place, path })
				return null
			},
		}),
	}
}
