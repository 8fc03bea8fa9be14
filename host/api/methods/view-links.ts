import { z } from 'zod'
import { type ViewLinks, viewLinkPrefix } from '../view-links.ts'
import { method } from './method.ts'

/** Links to saved views that come from outside of the windows. */
export const viewLinkMethods = (
	running: () => { readonly viewLinks: ViewLinks; readonly desk: { readonly hasWindow: boolean } },
) => ({
	/** Passes a link to a window, which asks the user. `false` if none is open: the next one takes it. */
	'viewLinks.offer': method({
		params: z.object({ link: z.string().startsWith(viewLinkPrefix).max(100_000) }),
		run: async ({ link }) => {
			running().viewLinks.offer(link)
			return { hasWindow: running().desk.hasWindow }
		},
	}),
	/** Returns the link that waits, to one window; `null` if there is none. */
	'viewLinks.take': method({ params: z.object({}), run: async () => running().viewLinks.take() ?? null }),
})
