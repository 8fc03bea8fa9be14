import { objectOf } from '../../transport/answer.ts'
import type { Transport } from '../../transport/transport.ts'

/** A word that the cluster itself names, with its description. */
export interface LiveWord {
	readonly name: string
	readonly info: string
}

const mostBytes = 4_000_000

/** Words that each cluster has differently. Read once in a connection, when they are needed. */
export class LiveWords {
	readonly #transport: Pick<Transport, 'send'>
	readonly #read = new Map<string, readonly LiveWord[]>()

	constructor(transport: Pick<Transport, 'send'>) {
		this.#transport = transport
	}

	/** Returns the columns of a table of `_cat`. @throws DriverError if the cluster does not say */
	catColumns(table: string, signal: AbortSignal): Promise<readonly LiveWord[]> {
		return this.#once({ path: `/_cat/${encodeURIComponent(table)}`, search: 'help', signal }, text =>
			text.split('\n').flatMap(line => {
				const [name = '', , info = ''] = line.split('|').map(part => part.trim())
				return name === '' ? [] : [{ name, info }]
			}),
		)
	}

	/** Returns all settings of the cluster, with their dots. @throws DriverError if the cluster does not say */
	clusterSettings(signal: AbortSignal): Promise<readonly LiveWord[]> {
		const search = 'include_defaults=true&flat_settings=true'
		return this.#once({ path: '/_cluster/settings', search, signal }, text =>
			Object.values(objectOf(JSON.parse(text))).flatMap(group =>
				Object.entries(objectOf(group)).map(([name, value]) => ({
					name,
					info: `Now: ${JSON.stringify(value).slice(0, 100)}`,
				})),
			),
		)
	}

	async #once(
		{ path, search, signal }: { readonly path: string; readonly search: string; readonly signal: AbortSignal },
		wordsIn: (text: string) => readonly LiveWord[],
	): Promise<readonly LiveWord[]> {
		const known = this.#read.get(path)
		if (known) return known
		const request = { method: 'GET', path, search, isRead: true, maxAnswerBytes: mostBytes } as const
		const words = wordsIn((await this.#transport.send(request, signal)).text)
		this.#read.set(path, words)
		return words
	}
}
