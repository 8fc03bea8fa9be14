import { expect, test } from 'vitest'
import { guessFormat } from './guess-format.ts'

test('the name decides, and for JSON the first character', () => {
	expect(guessFormat('a.ndjson', '')).toEqual({ format: 'ndjson' })
	expect(guessFormat('a.JSONL', '[')).toEqual({ format: 'ndjson' })
	expect(guessFormat('a.json', '\ufeff\n[{')).toEqual({ format: 'json' })
	expect(guessFormat('a.json', '{"a":1}\n{"a":2}')).toEqual({ format: 'ndjson' })
})

test('the delimiter is the most frequent one of the first line', () => {
	const csv = (delimiter: string) => ({ format: 'csv', delimiter, hasHeader: true, isGuarded: false })
	expect(guessFormat('a.csv', 'a;b;c,d\n1,2,3,4,5')).toEqual(csv(';'))
	expect(guessFormat('a.tsv', 'a\tb\n')).toEqual(csv('\t'))
	expect(guessFormat('a.txt', 'a|b')).toEqual(csv('|'))
	for (const head of ['', 'a']) expect(guessFormat('a.csv', head)).toEqual(csv(','))
})

test('an export that is guarded against formulas is recognized', () => {
	const isGuarded = (head: string) => guessFormat('a.csv', head)
	const guarded = { isGuarded: true }
	expect(isGuarded(`id,phone\n1,'+49 30 123\n-2,"'=1+1"\n3,-infinity\n4,"a, =b"\n`)).toMatchObject(guarded)
	expect(isGuarded(`@timestamp,a\n1,'-5 C\n`)).toMatchObject(guarded)
	for (const head of ['a\n-1\n', "a\nit's\n", "a\n'=1\n=1\n", "a,b\n'-x,+x\n"])
		expect(isGuarded(head)).toMatchObject({ isGuarded: false })
})
