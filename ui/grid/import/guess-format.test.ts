import { expect, test } from 'vitest'
import { guessFormat } from './guess-format.ts'

test('the name decides, and for JSON the first character', () => {
	expect(guessFormat('a.ndjson', '')).toEqual({ format: 'ndjson' })
	expect(guessFormat('a.JSONL', '[')).toEqual({ format: 'ndjson' })
	expect(guessFormat('a.json', '\ufeff\n[{')).toEqual({ format: 'json' })
	expect(guessFormat('a.json', '{"a":1}\n{"a":2}')).toEqual({ format: 'ndjson' })
})

test('the delimiter is the most frequent one of the first line', () => {
	const csv = (delimiter: string) => ({ format: 'csv', delimiter, hasHeader: true })
	expect(guessFormat('a.csv', 'a;b;c,d\n1,2,3,4,5')).toEqual(csv(';'))
	expect(guessFormat('a.tsv', 'a\tb\n')).toEqual(csv('\t'))
	expect(guessFormat('a.txt', 'a|b')).toEqual(csv('|'))
	for (const head of ['', 'a']) expect(guessFormat('a.csv', head)).toEqual(csv(','))
})
