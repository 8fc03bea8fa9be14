import type { Cluster } from '../store/cluster.ts'
import { bookMapping, books } from './books.ts'
import { eventMapping, events } from './events.ts'
import { placeDocuments, placeMapping } from './places.ts'

/** The indices of the sample. `.internal` is hidden from the sidebar, as the engine's own are. */
export function fillSample(cluster: Cluster) {
	cluster.create('books', bookMapping).fill(books(3_000))
	cluster.create('places', placeMapping).fill(placeDocuments(2_500))
	// Half of a start's time, and many a visit never looks at them.
	cluster.create('events', eventMapping).fillLater(24_000, () => events(24_000))
	const internal = cluster.create('.internal', {}, { hidden: true })
	internal.fill([{ id: 'settings', source: { note: 'Not for people.' } }])
	cluster.aliases.set('library', new Set(['books']))
}
