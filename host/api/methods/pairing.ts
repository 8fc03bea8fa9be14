import { z } from 'zod'
import { levelNames } from '../../mcp/index.ts'
import type { PairingDesk } from '../pairing-desk.ts'
import { method } from './method.ts'

const byId = z.object({ id: z.string() })

/** A program that asks for a token, and the user's answer (docs/mcp.md, "Pairing"). */
export const pairingMethods = (running: () => { readonly pairing: PairingDesk }) => ({
	/** Shows a `roundhouse://pair` link to the user. */
	'pairing.begin': method({ params: z.object({ link: z.string() }), run: ({ link }) => running().pairing.begin(link) }),
	'pairing.pending': method({ params: z.object({}), run: async () => running().pairing.pending() }),
	/** Approves. The user copies the code if the program gave no address for it. */
	'pairing.approve': method({
		params: byId.extend({
			level: z.enum(levelNames),
			connections: z.array(z.string()).readonly().exactOptional(),
			expires: z.string().exactOptional(),
		}),
		run: ({ id, ...grant }) => running().pairing.approve(id, grant),
	}),
	'pairing.refuse': method({
		params: byId,
		run: async ({ id }) => {
			running().pairing.refuse(id)
			return null
		},
	}),
	'pairing.exchange': method({
		params: z.object({ code: z.string(), verifier: z.string() }),
		run: ({ code, verifier }) => running().pairing.exchange(code, verifier),
	}),
})
