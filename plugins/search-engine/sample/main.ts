import type { Sample, SampleContext } from '@roundhouse/kit'
import { bookMapping, books } from './data/books.ts'
import { eventMapping, events } from './data/events.ts'
import { placeDocuments, placeMapping } from './data/places.ts'
import { serve } from './rest/server.ts'
import { Cluster } from './store/cluster.ts'

/**
 * Starts the sample: a small search engine with several ten thousand documents, on loopback. It is a first cluster for
 * new users, and the test double.
 */
export async function startSample(
	context: Pick<SampleContext, 'listen'>,
	options: { readonly port?: number; readonly version?: string } = {},
): Promise<Sample> {
	const cluster = new Cluster(options.version ?? '8.13.4')
	fillSample(cluster)
	const server = await serve(cluster, context.listen, options.port)
	return {
		settings: { hosts: server.url, auth: 'none', sslMode: 'Disabled' },
		url: server.url,
		close: () => server.close(),
	}
}

/** Fills the indices of the sample. `.internal` is hidden from the sidebar, like the engine's system indices. */
function fillSample(cluster: Cluster): void {
	// Filled on demand, because this takes most of the start time, and many sessions never read them all.
	cluster.create('books', bookMapping).fillLater(3_003, () => books(3_000))
	cluster.create('places', placeMapping).fillLater(2_500, () => placeDocuments(2_500))
	cluster.create('events', eventMapping).fillLater(24_000, () => events(24_000))
	const internal = cluster.create('.internal', {}, { hidden: true })
	internal.fill([{ id: 'settings', source: { note: 'Not for people.' } }])
	cluster.aliases.set('library', new Set(['books']))
}
