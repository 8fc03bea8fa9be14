import { z } from 'zod'
import type { Showings } from '../showings.ts'
import type { Methods } from './method.ts'

/** What AI clients offer to show. */
export const showingMethods = (
	running: () => { readonly showings: Showings },
): Methods<Extract<keyof Methods, `showings.${string}`>> => ({
	'showings.pending': { params: z.object({}), run: async () => running().showings.pending() },
	'showings.take': { params: z.object({ id: z.string() }), run: async ({ id }) => running().showings.take(id) ?? null },
})
