import { z } from 'zod'
import type { Showings } from '../showings.ts'
import { method } from './method.ts'

/** What AI clients offer to show. */
export const showingMethods = (running: () => { readonly showings: Showings }) => ({
	/** What AI clients offer to show. */
	'showings.pending': method({ params: z.object({}), run: async () => running().showings.pending() }),
	/** The user has answered: the offer is removed. `null` if another window took it. */
	'showings.take': method({
		params: z.object({ id: z.string() }),
		run: async ({ id }) => running().showings.take(id) ?? null,
	}),
})
