import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { call, openSample } from '../../test/fixture.ts'

/** Completion at every place of `positions.txt`, on each version that the driver supports. */

interface Position {
	readonly text: string
	readonly offset: number
	readonly since: string
	readonly offered: readonly string[]
	readonly refused: string | undefined
}

/** The last `|` before the arrow is the cursor. */
function positionOf(line: string): Position {
	const [, since = '7.0', marked = '', offered = '', refused] =
		/^(?:(\d+\.\d+) )?(.*?)(?: → (.*?))?(?: ✗ (.*))?$/.exec(line) ?? []
	const cursor = marked.lastIndexOf('|')
	const text = `${marked.slice(0, cursor)}${marked.slice(cursor + 1)}`
	const plain = (part: string) => part.replaceAll(' ⏎ ', '\n')
	return {
		text: plain(text),
		offset: plain(marked.slice(0, cursor)).length,
		since,
		offered: offered.split(', ').filter(Boolean),
		refused: refused?.trim(),
	}
}

const lines = (await readFile(join(import.meta.dirname, 'positions.txt'), 'utf8'))
	.split('\n')
	.filter(line => line !== '' && !line.startsWith('##'))
const numberOf = (version: string) =>
	version
		.split('.')
		.map(Number)
		.reduce((all, part) => all * 1000 + part, 0)

test('there are at least 300 places', () => expect(lines.length).toBeGreaterThanOrEqual(300))

describe.each(['7.17.29', '8.19.0', '9.2.0'])('on %s', version => {
	const ours = numberOf(version.split('.').slice(0, 2).join('.'))

	test('offers what a user expects at each place', async () => {
		await using sample = await openSample({}, version)
		const wrong: string[] = []
		for (const line of lines) {
			const { text, offset, since, offered, refused } = positionOf(line)
			if (numberOf(since) > ours) continue
			const ask = async () => {
				const found = await sample.connection.console.complete?.(text, offset, call())
				return (found?.options ?? []).map(({ label }) => label)
			}
			const missingIn = (labels: readonly string[]) => offered.filter(label => !labels.includes(label))
			let labels = await ask()
			// A busy machine may take longer than the time that completion waits for the cluster.
			if (missingIn(labels).length > 0) labels = await ask()
			const missing = missingIn(labels)
			const isEmpty = offered.length === 0 && refused === undefined
			if (missing.length > 0 || (refused !== undefined && labels.includes(refused)) || (isEmpty && labels.length > 0)) {
				wrong.push(`${line}   [missing: ${missing.join(', ')}; got: ${labels.slice(0, 8).join(', ')}]`)
			}
		}
		expect(wrong).toEqual([])
	})
})
