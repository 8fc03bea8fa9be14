import { z } from 'zod'
import { levelNames } from '../../mcp/index.ts'
import type { PairingDesk } from '../pairing-desk.ts'
import type { Methods } from './method.ts'

const byId = z.object({ id: z.string() })

/** A program that asks for a token, and the user's answer (docs/mcp.md, "Pairing"). */
export const pairingMethods = (
	running: () => { readonly pairing: PairingDesk },
): Methods<Extract<keyof Methods, `pairing.${string}`>> => ({
	'pairing.begin': { params: z.object({ link: z.string() }), run: ({ link }) => running().pairing.begin(link) },
	'pairing.pending': { params: z.object({}), run: async () => running().pairing.pending() },
	'pairing.approve': {
		params: byId.extend({
			level: z.enum(levelNames),
			connections: z.array(z.string()).exactOptional(),
			expires: z.string().exactOptional(),
		}),
		run: ({ id, ...grant }) => running().pairing.approve(id, grant),
	},
	'pairing.refuse': {
		params: byId,
		run: async ({ id }) => {
			running().pairing.refuse(id)
			return null
		},
	},
	'pairing.exchange': {
		params: z.object({ code: z.string(), verifier: z.string() }),
		run: ({ code, verifier }) => running().pairing.exchange(code, verifier),
	},
})
