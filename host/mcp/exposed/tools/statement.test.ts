import type { ConsoleResult, ResultPart } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { answerBytes } from '../framework/fitted.ts'
import { describeResult } from './statement.ts'

const column = { name: 'a', type: 'text', kind: 'text', isKey: false, isReadOnly: false, isSortable: true } as const
const partOf = (status: string, length: number): ResultPart => ({
	status,
	affected: 1,
	notices: [],
	body: { view: 'rows', columns: [column], rows: [['x'.repeat(length)]], isTruncated: false },
})
const resultOf = (more: readonly ResultPart[]): ConsoleResult => ({ ...partOf('FIRST', 1), tookMs: 1, more })

test('further results have their rows while these fit', () => {
	const { more_results, ...first } = describeResult(resultOf([partOf('A', 3)]))
	expect(more_results).toMatchObject([{ status: 'A', affected_rows: 1, rows: [['xxx']], is_truncated: false }])
	expect(first).not.toHaveProperty('more_results_hint')
	expect(describeResult(resultOf([]))).not.toHaveProperty('more_results')
})

test('what further results did is said also where their rows do not fit', () => {
	const parts = Array.from({ length: 60 }, (_, at) => partOf(`PART ${at}`, 900))
	const answer = describeResult(resultOf(parts))
	const more = answer.more_results as readonly { readonly rows?: unknown; readonly is_truncated: boolean }[]
	expect(more).toHaveLength(60)
	expect(more.at(-1)).toEqual({ status: 'PART 59', affected_rows: 1, is_truncated: true })
	const left = more.filter(({ rows }) => rows === undefined)
	expect(left.every(part => part.is_truncated)).toBe(true)
	expect(answer.more_results_hint).toBe(
		`Of 60 more results, only the outcome of the last ${left.length} fits. Their statements have run.`,
	)
	expect(JSON.stringify(answer).length).toBeLessThan(answerBytes * 1.2)
})
