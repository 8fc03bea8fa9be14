import { parseJson } from '@roundhouse/kit/json'
import { caveatOf, type Queryable, query, queryable } from './query.ts'

/** A worker, because parsing and searching megabytes would block the window. */

export type FilterQuestion = { readonly json: Uint8Array } | { readonly expression: string }

export type FilterAnswer =
	| { readonly expression: string; readonly json: Uint8Array<ArrayBuffer>; readonly caveat: string | undefined }
	| { readonly expression: string; readonly fault: string }

let json = new Uint8Array()
let held: Queryable | undefined

self.addEventListener('message', ({ data }: MessageEvent<FilterQuestion>) => {
	if ('json' in data) {
		json = new Uint8Array(data.json)
		return
	}
	const { expression } = data
	try {
		held ??= queryable(parseJson(new TextDecoder().decode(json)))
		const found = new TextEncoder().encode(query(held, expression))
		answer({ expression, json: found, caveat: caveatOf(held, expression) }, [found.buffer])
	} catch (error) {
		answer({ expression, fault: error instanceof Error ? error.message : String(error) })
	}
})

function answer(message: FilterAnswer, transfer: Transferable[] = []): void {
	// The types describe a page, whose function of this name also takes an origin.
	self.postMessage(message, { transfer })
}
