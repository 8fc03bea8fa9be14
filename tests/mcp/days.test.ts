import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directContext } from '@roundhouse/kit/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { ExportFolder } from '../../host/exports/export-folder.ts'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { startSample } from '../../plugins/search-engine/sample/main.ts'
import { type DayCase, dayCases } from '../support/days.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

/** A day is the same day in filters, counts, groups and exports, on each engine and in each zone. */

/** An engine with a table of the moments of a case. */
interface Moments {
	/** Creates the table, and returns the settings of a connection whose zone is that of the case. */
	prepare(moments: DayCase): Promise<{ readonly table: string; readonly settings: Record<string, string | number> }>
	readonly driver: string
	/** Columns of instants. */
	readonly instants: readonly string[]
	/** Columns of days without a zone. */
	readonly days: readonly string[]
}

const owned = new AsyncDisposableStack()
afterAll(() => owned.disposeAsync())
const folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-days-')))
owned.defer(() => rm(folder, { recursive: true, force: true }))
const plugin = (name: string) => join(import.meta.dirname, '..', '..', 'plugins', name)
const fixture: EndpointFixture = owned.use(
	await startEndpoint({
		drivers: [plugin('postgres'), plugin('search-engine')],
		exports: new ExportFolder(() => ({ folder, asks: false })),
	}),
)

async function postgres(): Promise<Moments> {
	const server = owned.use(await startServer())
	return {
		driver: 'postgres',
		instants: ['at'],
		days: ['plain', 'day'],
		async prepare({ zone, moments }) {
			const rows = moments.map(({ id, at, plain, day }) => `(${id}, '${at}', '${plain}', '${day}')`)
			await server.sql(`drop table if exists moments;
				create table moments (id int primary key, at timestamptz, plain timestamp, day date);
				insert into moments values ${rows.join(', ')};
				alter role current_user set timezone = '${zone}'`)
			return { table: 'public.moments', settings: server.settings }
		},
	}
}

async function elasticsearch(): Promise<Moments> {
	const real = process.env.ROUNDHOUSE_TEST_ENGINES?.split(',')[0]
	const { url, close } = real ? { url: real, close: async () => {} } : await startSample(directContext())
	owned.defer(close)
	const send = async (method: string, path: string, body: string) => {
		const headers = { 'content-type': 'application/json' }
		expect((await fetch(url + path, { method, body, headers })).ok, `${method} ${path}`).toBe(true)
	}
	let made = 0
	return {
		driver: 'search-engine',
		instants: ['at', 'own', ...(real ? ['nanos'] : [])],
		days: ['day', 'german'],
		async prepare({ zone, moments }) {
			made += 1
			const table = `rh-days-${Date.now().toString(36)}-${made}`
			const properties = {
				id: { type: 'integer' },
				at: { type: 'date' },
				own: { type: 'date', format: 'yyyy-MM-dd HH:mm:ss.SSS||yyyy-MM-dd' },
				day: { type: 'date', format: 'yyyy-MM-dd' },
				german: { type: 'date', format: 'dd.MM.yyyy' },
				...(real && { nanos: { type: 'date_nanos' } }),
			}
			await send('PUT', `/${table}`, JSON.stringify({ mappings: { properties } }))
			owned.defer(() => send('DELETE', `/${table}`, ''))
			const lines = moments.flatMap(({ id, at, plain, day }) => {
				const german = day.split('-').reverse().join('.')
				const source = {
					id,
					at: `${at.slice(0, 23)}Z`,
					own: plain.slice(0, 23),
					day,
					german,
					...(real && { nanos: at }),
				}
				return [JSON.stringify({ index: { _id: String(id) } }), JSON.stringify(source)]
			})
			await send('POST', `/${table}/_bulk?refresh=true`, `${lines.join('\n')}\n`)
			return { table, settings: { hosts: url, auth: 'none', timeZone: zone } }
		},
	}
}

type Value = string | number | null

describe.each([
	['PostgreSQL', postgres],
	['Elasticsearch', elasticsearch],
])('%s', (_, start) => {
	const starting = start()
	test.each(dayCases.map(one => [one.zone, one.moments[0]?.day, one] as const))('%s, %s', async (zone, _day, one) => {
		const engine = await starting
		const { table, settings } = await engine.prepare(one)
		const connect = async () => (await fixture.addConnection({ driverId: engine.driver, settings })).id
		let connection_id = await connect()
		const call = async (name: string, args: object) => {
			const { result } = (await fixture.callTool(name, { connection_id, ...args })).json
			expect(result.isError, result.content?.[0]?.text).not.toBe(true)
			return result.structuredContent
		}
		const sort = [{ column: 'id' }]
		const browse = (filters: object[]) => call('browse_table', { table, filters, sort, columns: ['id'] })
		const count = async (filters: object[]) => (await call('count_rows', { table, filters })).count
		async function exported(filters: object[]) {
			const browse = { table, filters, sort, columns: ['id'] }
			const { path, notices } = await call('export_data', { browse, format: 'csv' })
			const [, ...lines] = (await readFile(path, 'utf8')).trim().split(/\r?\n/)
			return { ids: lines.map(Number), notices: String(notices) }
		}
		const groupsOf = async (column: string) => {
			const found = await call('aggregate', { table, group_by: [{ column, interval: 'day' }] })
			return { rows: found.rows as [string, number][], notices: String(found.notices) }
		}

		// A notice that a client has had is shortened.
		const inZone = `in ${zone.slice(0, 4)}`
		for (const column of engine.instants) {
			// A connection of AI clients opens a limited number of searches.
			connection_id = await connect()
			for (const [operator, values, ids] of one.found) {
				const filters = [{ column, operator, values }]
				const words = `${column} ${operator} ${values.join()}`
				const page = await browse(filters)
				expect(
					page.rows.map(([id]: Value[]) => id),
					words,
				).toEqual(ids)
				expect(await count(filters), words).toBe(ids.length)
				const file = await exported(filters)
				expect(file.ids, words).toEqual(ids)
				if (values.some(value => value.length > 10)) continue
				expect(String(page.notices), words).toContain(inZone)
				expect(file.notices, words).toContain(inZone)
				// Of an engine that has both.
				expect(file.notices.includes('absent value')).toBe(engine.driver === 'search-engine')
			}
			const { rows, notices } = await groupsOf(column)
			expect(rows.map(([start, count]) => [instantText(start), count])).toEqual(one.days)
			expect(notices).toContain(`one in ${zone}`)
			// The first ten characters are the day, because the text has the offset of the zone.
			for (const [start, size] of rows)
				expect(await count([{ column, operator: 'equals', values: [start.slice(0, 10)] }]), start).toBe(size)
		}
		for (const column of engine.days) {
			const days = Map.groupBy(one.moments, ({ day }) => day)
			const { rows } = await groupsOf(column)
			expect(rows.map(([day, count]) => [day.slice(0, 10), count])).toEqual(
				[...days].map(([day, own]) => [day, own.length]),
			)
			for (const [day, own] of days)
				expect(await count([{ column, operator: 'equals', values: [day] }]), `${column} ${day}`).toBe(own.length)
		}
	})
})

/** PostgreSQL writes an offset without its minutes. */
const instantText = (text: string) =>
	new Date(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00')).toISOString().replace('.000Z', 'Z')
