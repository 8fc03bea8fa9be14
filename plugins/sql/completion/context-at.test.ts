import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { completingIn } from '../../mariadb/console/complete.ts'
import { completing as postgres } from '../../postgres/console/complete.ts'
import { contextAt } from './context-at.ts'

const dialects = [postgres.dialect, completingIn('shop').dialect]
const texts = readFileSync(fileURLToPath(import.meta.resolve('./positions.txt')), 'utf8')
	.split('\n')
	.flatMap(line => (/ => /.test(line) ? [line.replace(/ => .*/, '').replace('|', '')] : []))

/** Numbers from 0 to 1, the same in each run. */
function* numbers(): Generator<number, never> {
	for (let seed = 1; ; seed = (seed * 48_271) % 2_147_483_647) yield seed / 2_147_483_647
}

test('a place is found in texts that end anywhere', () => {
	let count = 0
	for (const text of texts)
		for (let end = 0; end <= text.length; end++) {
			const dialect = dialects[count % dialects.length]
			if (!dialect) continue
			const place = contextAt(text.slice(0, end), end, dialect)
			expect(place.start).toBeLessThanOrEqual(end)
			count++
		}
	expect(count).toBeGreaterThan(10_000)
})

test('a place is found in texts whose words are in any order', () => {
	const random = numbers()
	const next = (below: number) => Math.floor(random.next().value * below)
	const words = texts.flatMap(text => text.split(/\b/))
	for (let count = 0; count < 2_000; count++) {
		const text = Array.from({ length: 40 }, () => words[next(words.length)] ?? '').join('')
		const offset = next(text.length + 1)
		for (const dialect of dialects) expect(contextAt(text, offset, dialect).start).toBeLessThanOrEqual(offset)
	}
})

test.each([
	['brackets', '(', ')'],
	['queries', 'select * from (', ') x'],
	['calls', 'lower(', ')'],
	['cases', 'case when a then ', ' end'],
	['lists', 'a in (select ', ')'],
	['queries of WITH', 'with a as (', ')'],
	['signs', '- ', ''],
	['explanations', 'explain ', ''],
	['statements of a function', 'create function f() as $a$ ', '$a$'],
])('3,000 %s in each other do not overflow the stack', (_, open, close) => {
	for (const dialect of dialects) {
		const text = `select ${open.repeat(3_000)}1${close.repeat(3_000)}`
		for (const at of [7, text.length >> 1, text.length]) expect(contextAt(text, at, dialect).kind).toBeDefined()
		expect(contextAt(open.repeat(3_000), open.length * 3_000, dialect).kind).toBeDefined()
	}
})
