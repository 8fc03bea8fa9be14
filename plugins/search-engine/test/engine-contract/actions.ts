import { expect, test } from 'vitest'
import { call, statement } from '../fixture.ts'
import type { EngineUnderTest } from './subject.ts'

/** Contract of actions on tables, for a real cluster only: the sample closes no index. */
export function describeActions(engine: EngineUnderTest) {
	const run = (text: string) =>
		engine.connection.console.run(statement(engine.connection, text), { maxRows: 10 }, call())
	const offered = async (names: readonly string[]) => {
		await engine.connection.listTables(call())
		const actions = await engine.connection.tableActions(names, call())
		return Object.fromEntries(actions.map(({ label, text }) => [label, text]))
	}

	test('runs each action on two indices, and drafts as they are', async () => {
		const names = [`${engine.table}-a+1`, `${engine.table}-b`]
		for (const name of names) await engine.createTable(name, { properties: { title: { type: 'text' } } })
		try {
			const [, second = ''] = names
			const drafts = await offered([second])
			await run(drafts['Add a field …'] ?? '')
			const filled = { tables: [second], form: 'change-settings', values: { replicas: 0, refresh: '5s' } }
			const change = await engine.connection.fillAction(filled, call())
			expect(change).not.toContain('number_of_replicas')
			await run(change)
			const open = await offered(names)
			for (const label of ['Refresh 2 indices', 'Close 2 indices']) await run(open[label] ?? '')
			const shut = await offered(names)
			expect(Object.keys(shut)).toEqual(expect.arrayContaining(['Open 2 indices', 'Delete 2 indices']))
			await run(shut['Open 2 indices'] ?? '')
			await run(shut['Delete 2 indices'] ?? '')
			const left = (await engine.connection.listTables(call())).map(({ name }) => name)
			expect(left.filter(name => names.includes(name))).toEqual([])
		} finally {
			for (const name of names) await engine.request('DELETE', `/${encodeURIComponent(name)}`).catch(() => {})
		}
	})
}
