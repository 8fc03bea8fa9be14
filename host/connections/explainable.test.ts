import type { Explained, Statement } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { explainable, withReason } from './explainable.ts'

const statement = (access: Statement['access']): Statement => ({
	text: 'delete from orders',
	start: 0,
	end: 18,
	summary: 'delete',
	access,
})
const session = { console: { canPlan: true } } as Parameters<typeof explainable>[0]
const plan: Explained = { wasRun: false, steps: [], notices: ['kept'] }
const reason = 'A statement that may change data is not run to explain it.'

test('a plan in place of a run says that the statement may change data', () => {
	const what = explainable(session, statement('destructive'))
	expect(withReason(plan, what).notices).toEqual(['kept', reason])
})

test('a plan that the user asked for, and that of a statement that reads, have no reason', () => {
	expect(withReason(plan, explainable(session, statement('write'), true), true)).toBe(plan)
	expect(withReason(plan, explainable(session, statement('read')))).toBe(plan)
})
