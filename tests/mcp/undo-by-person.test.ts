import { join } from 'node:path'
import type { JsonObject } from '@roundhouse/kit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ActivityLog, ActivityRecord } from '../../host/activity/activity-log.ts'
import type { CallContext } from '../../host/api/methods/method.ts'
import { undoMethods } from '../../host/api/methods/undo.ts'
import { Reviews } from '../../host/api/reviews.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** A person takes back at the window what a client changed (drivers/shop). */

let fixture: EndpointFixture
let connection: string
let methods: ReturnType<typeof undoMethods>
const records: ActivityRecord[] = []
beforeAll(async () => {
	fixture = await startEndpoint({
		drivers: [join(import.meta.dirname, 'drivers', 'shop')],
		desk: { ask: async () => ({ decision: 'approved' }) },
	})
	const { connections, sessions, keptChanges } = fixture
	// The part of the log that an undo uses.
	const activity = { record: async (record: ActivityRecord) => void records.push(record) } as unknown as ActivityLog
	methods = undoMethods({ connections, sessions, keptChanges, activity })
})
afterAll(() => fixture[Symbol.asyncDispose]())
beforeEach(async () => {
	connection = (await fixture.addConnection({ name: 'Shop', driverId: 'shop', settings: {} })).id
	records.length = 0
})

const orders = 'shop.public.orders'
const call = async (name: string, args: JsonObject) =>
	(await fixture.callTool(name, { connection_id: connection, ...args })).json.result.structuredContent
const set = async (state: string, id = '1'): Promise<string> =>
	(await call('update_rows', { table: orders, updates: [{ row_id: id, set: { state } }] })).change_id
const stateOf = async () => (await call('browse_table', { table: orders, columns: ['state'] })).rows[0][0]
const { signal } = new AbortController()
// An undo uses no grids, consoles and imports.
const context = { signal, reviews: new Reviews() } as unknown as CallContext
const manifest = () => {
	const [shop] = fixture.drivers.installed()
	if (!shop) throw new Error('The driver is not installed.')
	return shop
}

test('a person sees what was replaced, what the undo sends, and takes it back once', async () => {
	await set('new')
	const change = await set('sent')
	const of = { connection, change }
	expect(await methods['undo.change'].run(of, context)).toMatchObject({
		table: orders,
		count: 1,
		undone: 0,
		canUndo: true,
		rows: [{ kind: 'update', id: '1', values: [{ name: 'state', before: '"new"', after: '"sent"' }] }],
	})
	const shown = await methods['undo.preview'].run(of, context)
	expect(shown).toMatchObject({ requests: [`update ${orders}`], rows: 1, stays: [], isDestructive: false })
	expect(await methods['undo.apply'].run({ ...of, review: shown.review }, context)).toMatchObject({ rows: 1, lost: [] })
	expect(await stateOf()).toBe('new')
	expect(records).toMatchObject([{ action: 'change.undone', outcome: 'success', rows: 1, change: expect.any(String) }])
	expect(await methods['undo.change'].run(of, context)).toMatchObject({ undone: 1, canUndo: false })
	await expect(methods['undo.preview'].run(of, context)).rejects.toMatchObject({ code: 'undo/nothing' })
	// The undo is a change too.
	const again = { connection, change: records[0]?.change ?? '' }
	const { review } = await methods['undo.preview'].run(again, context)
	await methods['undo.apply'].run({ ...again, review }, context)
	expect(await stateOf()).toBe('sent')
})

test('what was not shown as it is now is not sent', async () => {
	const change = await set('paid')
	const of = { connection, change }
	const unshown = { ...of, review: 'none' }
	await expect(methods['undo.apply'].run(unshown, context)).rejects.toMatchObject({ code: 'undo/outdated' })
	const { review } = await methods['undo.preview'].run(of, context)
	await set('sent')
	await expect(methods['undo.apply'].run({ ...of, review }, context)).rejects.toMatchObject({ code: 'undo/nothing' })
	expect(await stateOf()).toBe('sent')
})

test('an undo that would do more than was shown, such as to rows of others that refer to the row, is not sent', async () => {
	const { change_id: change } = await call('insert_rows', { table: orders, rows: [{ customer: 1 }] })
	let comment = 'This also deletes 1 row of notes.'
	const sessions = {
		open: async (...asked: Parameters<typeof fixture.sessions.open>) => {
			const session = await fixture.sessions.open(...asked)
			const answer = (method: 'previewChanges', ...others: [never, never]) =>
				method === 'previewChanges' ? Promise.resolve([comment]) : session.call(method, ...others)
			return { call: answer, wrongAnswer: session.wrongAnswer }
		},
	} as unknown as typeof fixture.sessions
	const others = undoMethods({ ...fixture, sessions, activity: { record: async () => {} } as unknown as ActivityLog })
	const of = { connection, change }
	const { review } = await others['undo.preview'].run(of, context)
	comment = 'This also deletes 2 rows of notes.'
	await expect(others['undo.apply'].run({ ...of, review }, context)).rejects.toMatchObject({ code: 'undo/outdated' })
	const again = await others['undo.preview'].run(of, context)
	expect(await others['undo.apply'].run({ ...of, review: again.review }, context)).toMatchObject({ rows: 1 })
})

test('a connection that is read-only, or that leads elsewhere now, takes no undo, and production asks for the name', async () => {
	const { change_id: change } = await call('insert_rows', { table: orders, rows: [{ customer: 1 }] })
	const of = { connection, change }
	const update = (changes: object) =>
		fixture.connections.update(connection, { ...fixture.connections.get(connection), ...changes }, manifest())
	await update({ safeMode: 'read-only' })
	await expect(methods['undo.preview'].run(of, context)).rejects.toMatchObject({ code: 'write/read_only' })
	await update({ safeMode: 'ask', isProduction: true })
	const { review, isDestructive } = await methods['undo.preview'].run(of, context)
	expect(isDestructive).toBe(true)
	await expect(methods['undo.apply'].run({ ...of, review }, context)).rejects.toMatchObject({
		code: 'write/name_needed',
	})
	await update({ isSample: true })
	await expect(methods['undo.preview'].run(of, context)).rejects.toMatchObject({ code: 'undo/moved' })
	await fixture.connections.remove(connection)
	expect(await methods['undo.change'].run({ connection, change: '../x' }, context)).toBeNull()
})
