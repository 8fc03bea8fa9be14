import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An endpoint that Elasticsearch Serverless offers. */
export interface ServerlessEndpoint {
	readonly methods: readonly string[]
	/** For example `/{index}/_search`. */
	readonly path: string
}

/** Returns the endpoints of `serverless-endpoints.txt`, which names its source. */
export function serverlessEndpoints(): readonly ServerlessEndpoint[] {
	const lines = readFileSync(join(import.meta.dirname, 'serverless-endpoints.txt'), 'utf8').split('\n')
	return lines
		.filter(line => line !== '' && !line.startsWith('#'))
		.map(line => {
			const words = line.split(' ')
			return { methods: words.slice(0, -1), path: words.at(-1) ?? '' }
		})
}

/** Returns a path without the names of its parameters, which differ between Elastic's sources. */
export function shapeOf(path: string): string {
	return path.replaceAll(/\{\w+\}/g, '{}')
}
