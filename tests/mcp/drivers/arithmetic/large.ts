import { type Console, encodeWithRaw, type WholeRow } from '@roundhouse/kit'

/** Documents and answers of a requested size. */

/** Returns the JSON of a deeply nested object, similar to engine responses, of about 1 kB. */
function piece(index: number): string {
	const leaf = (depth: number): string =>
		depth === 0
			? `{"value":${index}.50,"text":"piece ${index} says what it has to say","flags":[true,null,${index}]}`
			: `{"level":${depth},"name":"level ${depth} of ${index}","inner":${leaf(depth - 1)},"tags":["a","b",{"c":${depth}}]}`
	return leaf(8)
}

function listOf(megabytes: number): string {
	const pieces: string[] = []
	for (let size = 0; size < megabytes * 1e6; ) {
		const next = piece(pieces.length)
		pieces.push(next)
		size += next.length + 1
	}
	return `[${pieces.join(',')}]`
}

const keys = (count: number) =>
	`{${Array.from({ length: count }, (_, index) => `"key ${index}":"value of ${index}"`).join(',')}}`

const documents: Readonly<Record<string, () => string>> = {
	r0: () => keys(100_000),
	r1: () => `{"first":"of many megabytes","items":${listOf(20)}}`,
	r2: () => `{"first":"one long text","text":"${'x'.repeat(20_000_000)}"}`,
}

const made = new Map<string, Buffer>()
/** Cached, so that a measurement does not include the creation. */
function once(name: string, make: () => string): Buffer {
	const bytes = made.get(name) ?? Buffer.from(make())
	made.set(name, bytes)
	return bytes
}

export function largeDocument(id: string): WholeRow {
	return { id, meta: { id }, raw: once(id, documents[id] ?? (() => '{"first":"small"}')) }
}

/** `answer 50` returns fifty megabytes. */
export const largeAnswers: Console = {
	analyse: text =>
		[...text.matchAll(/^answer (\d+)$/gm)].map(({ index, 0: summary }) => ({
			start: index,
			end: index + summary.length,
			access: 'read',
			summary,
		})),
	run: async ({ text }) =>
		encodeWithRaw({
			status: 'Done',
			tookMs: 1,
			notices: [],
			body: { view: 'json' },
			raw: once(text, () => `{"first":"of the answer","items":${listOf(Number(text.slice('answer '.length)))}}`),
		}),
}
