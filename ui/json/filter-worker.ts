import { parseJson } from '@roundhouse/kit/json'
import { caveatOf, type Queryable, query, queryable } from './query.ts'

/** A worker of its own: parsing and searching an answer of many megabytes would stop the window. */

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
	// The types are those of a page, whose own function of this name takes an origin too.
	self.postMessage(message, { transfer })
}
