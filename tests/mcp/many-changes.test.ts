import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listedOutcomes } from '../../host/mcp/exposed/tools/changes.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** What a client learns of a change of more rows than an answer lists (drivers/shop). */

let fixture: EndpointFixture
beforeAll(async () => {
	fixture = await startEndpoint({
		drivers: [join(import.meta.dirname, 'drivers', 'shop')],
		desk: { ask: async () => ({ decision: 'approved' }) },
	})
	await fixture.addConnection({ driverId: 'shop', settings: {} })
})
afterAll(() => fixture[Symbol.asyncDispose]())

const table = 'shop.public.orders'
const change = async (name: string, args: object) =>
	(await fixture.callTool(name, { table, ...args })).json.result.structuredContent

const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 3))

test('every row of a large change is in a range, and new rows have their ids', async () => {
	const rows = Array.from({ length: 60 }, () => ({ customer: 1 }))
	expect(await change('insert_rows', { rows })).toMatchObject({
		applied: 60,
		outcomes: [],
		outcomes_hint: `Applied rows: 0-59. Their new ids in this order: ${JSON.stringify(ids(60))}.`,
	})
	const updates = ids(60).map(id => ({ row_id: id, set: { state: 'paid' } }))
	expect(await change('update_rows', { updates })).toMatchObject({
		applied: 60,
		outcomes: [],
		outcomes_hint: 'Applied rows: 0-59.',
	})
})

test('rows that were not applied are listed, and the ranges leave them out', () => {
	const all = Array.from({ length: 30 }, (_, row) =>
		[3, 4, 29].includes(row) ? { row, status: 'conflict', message: 'changed' } : { row, status: 'applied' },
	)
	const { outcomes, outcomes_hint: hint } = listedOutcomes(all)
	expect([outcomes.map(({ row }) => row), hint]).toEqual([[3, 4, 29], 'Applied rows: 0-2, 5-28.'])
})

test('ids that do not fit are counted, and the answer keeps its size', async () => {
	const rows = Array.from({ length: 500 }, (_, row) => ({ id: 10 ** 14 + row, customer: 1 }))
	const answer = await change('insert_rows', { rows })
	expect(answer.outcomes_hint).toMatch(
		/^Applied rows: 0-499\. Their new ids in this order: .* \d+ more ids are not listed\.$/,
	)
	expect(JSON.stringify(answer).length).toBeLessThan(24_000)
})
