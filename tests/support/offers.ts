import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OfferedTool, RequestOffers } from '../../host/requests/offers.ts'

/** Saved requests that a user offers as tools. Their texts are in a map by path. */
export async function openOffers() {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-offers-'))
	const texts = new Map<string, string>()
	const offers = await RequestOffers.open(join(folder, 'offers.json'), async ({ path }) => {
		const text = texts.get(path)
		if (text === undefined) throw new Error('It is not there.')
		return { text }
	})
	return {
		offers,
		texts,
		/** Offers a text under the name of its tool. */
		async offer(
			connectionId: string,
			text: string,
			tool: Partial<OfferedTool> & { name: string },
			access: 'read' | 'write',
		) {
			texts.set(tool.name, text)
			const whole = { description: 'A tool of a test.', parameters: [], ...tool }
			await offers.offer({ connectionId, place: 'own', path: tool.name }, whole, { text, access })
		},
		[Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
	}
}
