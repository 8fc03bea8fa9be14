import { join } from 'node:path'
import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActivityRecord } from '../../host/activity/activity-log.ts'
import { form, yes } from '../exploits/consent.ts'
import { type EndpointFixture, type MessageOptions, startEndpoint } from './endpoint.ts'

/** A client takes back what it changed (drivers/shop). */

let fixture: EndpointFixture
let connection: string
let keepsReplaced = true
/** What happens while the user is asked. */
let meanwhile: () => Promise<unknown> = async () => {}
const records: ActivityRecord[] = []
beforeAll(async () => {
	fixture = await startEndpoint({
		drivers: [join(import.meta.dirname, 'drivers', 'shop')],
		desk: {
			ask: async () => {
				const act = meanwhile
				meanwhile = async () => {}
				await act()
				return { decision: 'approved' }
			},
		},
		activity: { record: async record => void records.push(record) },
		get keepsReplaced() {
			return keepsReplaced
		},
	})
	connection = (await fixture.addConnection({ driverId: 'shop', settings: {} })).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const orders = 'shop.public.orders'
const call = async (name: string, args: JsonObject = {}, message?: MessageOptions) =>
	(await fixture.callTool(name, { connection_id: connection, ...args }, message)).json.result
const rows = async () => (await call('browse_table', { table: orders })).structuredContent.rows
const pay = async (id = '1', state = 'paid') =>
	(await call('update_rows', { table: orders, updates: [{ row_id: id, set: { state } }] })).structuredContent
const undo = async (id: string, message?: MessageOptions) => call('undo_change', { change_id: id }, message)
const text = (result: { content: readonly { text: string }[] }) => result.content[0]?.text

test('an update, an insertion and a deletion have a change_id, by which each is undone and done again', async () => {
	const before = await rows()
	const made = [
		await pay(),
		(await call('insert_rows', { table: orders, rows: [{ customer: 1 }] })).structuredContent,
		(await call('delete_rows', { table: orders, rows: [{ row_id: '2' }] })).structuredContent,
	]
	const after = await rows()
	const undone = []
	for (const { change_id: id } of made.toReversed()) undone.push((await undo(id)).structuredContent)
	expect(await rows()).toEqual(before)
	expect(undone).toMatchObject([{ table: orders, applied: 1 }, { applied: 1 }, { applied: 1 }])
	for (const { change_id: id } of undone.toReversed()) await undo(id)
	expect(await rows()).toEqual(after)
	for (const { change_id: id } of undone) expect(text(await undo(id))).toContain('Everything is as it was')
})

test('the user is asked with what the undo sends, in the client or in the window', async () => {
	const { change_id: id } = await pay('1', 'sent')
	const args = { connection_id: connection, change_id: id }
	const asked = (await fixture.call('tools/call', { name: 'undo_change', arguments: args }, { capabilities: form }))
		.json.result
	const { message } = asked.inputRequests.approve_statement.params
	expect(message).toContain(`Undo a change of 1 row of ${orders}`)
	expect(message).toContain(`update ${orders}`)
	expect(message).toMatch(new RegExp(`${orders}:\n  changed: .*"1".*, state "sent" → `))
	const answer = { name: 'undo_change', arguments: args, requestState: asked.requestState, inputResponses: yes }
	const done = (await fixture.call('tools/call', answer, { capabilities: form })).json.result
	expect(done.structuredContent).toMatchObject({ applied: 1 })
})

test('the user sees what an update replaces, and is asked again if that is another value when they agree', async () => {
	const args = { connection_id: connection, table: orders, updates: [{ row_id: '3', set: { state: 'lost' } }] }
	const send = async (more: JsonObject = {}) =>
		(await fixture.call('tools/call', { name: 'update_rows', arguments: args, ...more }, { capabilities: form })).json
			.result
	const asked = await send()
	const message = (result: JsonObject) => JSON.stringify(result.inputRequests)
	expect(message(asked)).toContain('state \\"new\\" → \\"lost\\"')
	await pay('3', 'held')
	const again = await send({ requestState: asked.requestState, inputResponses: yes })
	expect(again.resultType).toBe('input_required')
	expect(message(again)).toContain('state \\"held\\" → \\"lost\\"')
	const done = await send({ requestState: again.requestState, inputResponses: yes })
	expect(done.structuredContent).toMatchObject({ applied: 1 })
	await pay('3', 'new')
})

test('a row that others changed since stays, and is named', async () => {
	const { change_id: id } = await pay('1', 'new')
	await pay('1', 'sent')
	expect(text(await undo(id))).toMatch(/^query_failed: Nothing was undone\. Row 0: The row was changed since\./)
	const both = await call('update_rows', {
		table: orders,
		updates: ['1', '3'].map(row_id => ({ row_id, set: { state: 'paid' } })),
	})
	await pay('3', 'sent')
	expect((await undo(both.structuredContent.change_id)).structuredContent).toMatchObject({
		applied: 1,
		outcomes: [
			{ row: 0, row_id: '1', status: 'applied' },
			{ row: 1, row_id: '3', status: 'conflict', message: 'The row was changed since.' },
		],
	})
})

test('another token, another connection and a token that only reads undo nothing', async () => {
	const { change_id: id } = await pay('1', 'sent')
	const other = await fixture.tokens.create({ name: 'other', level: 'full' })
	const gone = 'not_found: What this change replaced is not kept any more, so it cannot be undone.'
	expect(text(await undo(id, { token: other.token }))).toBe(gone)
	expect(text(await undo('0'.repeat(32)))).toBe(gone)
	const second = await fixture.addConnection({ name: 'Second', driverId: 'shop', settings: {} })
	expect(text(await call('undo_change', { connection_id: second.id, change_id: id }))).toBe(gone)
	const reader = await fixture.tokens.create({ name: 'reader', level: 'read-only' })
	const refused = await fixture.callTool('undo_change', { connection_id: connection, change_id: id }, reader)
	expect(refused.json.error.code).toBe(-33007)
	const listed = (await fixture.call('tools/list', {}, reader)).json.result.tools
	expect(listed.map(({ name }: { name: string }) => name)).not.toContain('undo_change')
	await fixture.connections.remove(second.id)
})

test('the activity has the id of a change, or why it cannot be undone', async () => {
	records.length = 0
	const { change_id: id } = await pay('1', 'new')
	keepsReplaced = false
	const unkept = await pay('1', 'sent')
	expect(unkept.change_id).toBeUndefined()
	expect(unkept.outcomes_hint).toMatch(/^It cannot be undone\. What clients replace is not kept/)
	keepsReplaced = true
	const ended = records.filter(({ action }) => action === 'tool.update_rows')
	expect(ended).toMatchObject([
		{ outcome: 'success', change: id },
		{ outcome: 'success', detail: expect.stringMatching(/^It cannot be undone\. What clients replace is not kept/) },
	])
	expect(ended[1]?.change).toBeUndefined()
})

test('a yes is for the undo that was shown: what others change while the user is asked makes it another one', async () => {
	const both = await call('update_rows', {
		table: orders,
		updates: ['1', '3'].map(row_id => ({ row_id, set: { state: 'paid' } })),
	})
	const before = await rows()
	meanwhile = () => pay('3', 'new')
	expect(text(await undo(both.structuredContent.change_id))).toMatch(
		/^query_failed: What the undo would do has changed/,
	)
	await pay('3', 'paid')
	expect(await rows()).toEqual(before)
})

test('two calls at once undo a change once, and an answer of the client is taken once', async () => {
	const deleted = (await call('delete_rows', { table: orders, rows: [{ row_id: '3' }] })).structuredContent
	const both = await Promise.all([undo(deleted.change_id), undo(deleted.change_id)])
	expect(both.filter(({ structuredContent }) => structuredContent?.applied === 1)).toHaveLength(1)

	const { change_id: id } = (await call('delete_rows', { table: orders, rows: [{ row_id: '3' }] })).structuredContent
	const args = { connection_id: connection, change_id: id }
	const asked = (await fixture.call('tools/call', { name: 'undo_change', arguments: args }, { capabilities: form }))
		.json.result
	const answer = { name: 'undo_change', arguments: args, requestState: asked.requestState, inputResponses: yes }
	const answered = () => fixture.call('tools/call', answer, { capabilities: form })
	expect((await answered()).json.result.structuredContent).toMatchObject({ applied: 1 })
	await call('delete_rows', { table: orders, rows: [{ row_id: '3' }] })
	const left = await rows()
	expect((await answered()).json.error.code).toBe(-32602)
	expect(text(await undo(id))).toContain('Everything is as it was')
	expect(await rows()).toEqual(left)
	await pay('1', 'new')
})

test('a token that is revoked while the user is asked undoes nothing', async () => {
	const own = await fixture.tokens.create({ name: 'short', level: 'full', groups: ['core', 'write'] })
	const made = await call('update_rows', { table: orders, updates: [{ row_id: '1', set: { state: 'sent' } }] }, own)
	expect(made.structuredContent.change_id).toMatch(/^[0-9a-f]{32}$/)
	const before = await rows()
	meanwhile = () => fixture.tokens.revoke(own.id)
	const { json } = await fixture.callTool(
		'undo_change',
		{ connection_id: connection, change_id: made.structuredContent.change_id },
		own,
	)
	expect(json.result?.structuredContent).toBeUndefined()
	expect(await rows()).toEqual(before)
})

test('a change that the engine refuses is not sent again with newer versions, and one of a changed row is', async () => {
	const pays = async (row: { row_id: string; version?: string }) =>
		text(await call('update_rows', { table: orders, updates: [{ ...row, set: { state: 'paid' } }] }))
	expect(await pays({ row_id: '99' })).toMatch(
		/^query_failed: No row was changed\. Row 0 \("?99"?\): There is no row 99\.$/,
	)
	expect(await pays({ row_id: '1', version: 'old' })).toMatch(/Read the rows again first\.$/)
})
