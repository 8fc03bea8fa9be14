import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ExportFolder } from '../../host/exports/export-folder.ts'
import { startServer } from '../../plugins/postgres/servers/server.ts'
import { startEndpoint } from './endpoint.ts'

/** Stored JSON that the JSON of an answer or of a file cannot tell apart. */

const schema = `create table docs (id int primary key, written json, stored jsonb);
insert into docs values (1, '{"b":1,"a":1,"a":2}', 'null'), (2, null, null)`

test('equal keys and the null of JSON are kept, or an answer says what it lacks', async () => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-json-')))
	await using owned = new AsyncDisposableStack()
	owned.defer(() => rm(folder, { recursive: true, force: true }))
	const server = owned.use(await startServer({ schema }))
	const fixture = owned.use(
		await startEndpoint({
			drivers: [join(import.meta.dirname, '..', '..', 'plugins', 'postgres')],
			exports: new ExportFolder(() => ({ folder, asks: false })),
		}),
	)
	const { id } = await fixture.addConnection({ driverId: 'postgres', settings: server.settings })
	const call = async (name: string, args: object) =>
		(await fixture.callTool(name, { connection_id: id, ...args })).json.result.structuredContent
	const lost = [
		expect.stringContaining('only the last one'),
		expect.stringContaining('null of JSON in stored is shown as null'),
	]
	const browse = { table: 'public.docs', sort: [{ column: 'id' }] }
	expect((await call('browse_table', browse)).notices).toEqual(lost)
	const { hint } = await call('query', { query: 'select * from docs order by id' })
	expect(hint).toMatch(/only the last one.*null of JSON/)
	expect((await call('browse_table', { ...browse, columns: ['id'] })).notices).toBeUndefined()
	const exported = async (format: string, columns?: string[]) => {
		const { path, notices } = await call('export_data', { browse: { ...browse, ...(columns && { columns }) }, format })
		return { text: await readFile(path, 'utf8'), notices }
	}
	const lines = await exported('ndjson')
	expect(lines.text).toBe(
		'{"id":1,"written":{"b":1,"a":1,"a":2},"stored":null}\n{"id":2,"written":null,"stored":null}\n',
	)
	expect(lines.notices).toEqual([expect.stringContaining('CSV keeps them apart')])
	const table = await exported('csv')
	expect(table.text).toContain(',null\n2,,\n')
	expect(table.notices).toBeUndefined()
	expect((await exported('ndjson', ['id'])).notices).toBeUndefined()
})
