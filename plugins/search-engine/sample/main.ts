import type { Sample, SampleContext } from '@roundhouse/kit'
import { fillSample } from './data/fill.ts'
import { serve } from './rest/server.ts'
import { Cluster } from './store/cluster.ts'

/**
 * Starts the sample: a small search engine with a few ten thousand documents, on loopback. It is a newcomer's first
 * cluster and the double in the tests.
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
