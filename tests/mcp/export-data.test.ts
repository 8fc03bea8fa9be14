import { chmod, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '@roundhouse/kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ExportFolder } from '../../host/exports/export-folder.ts'
import { form, startWithConsent, yes } from '../exploits/consent.ts'
import type { MessageOptions } from './endpoint.ts'

/**
 * `export_data` writes rows to a file in the folder that the user chose. It asks for consent unless the user has
 * switched that off.
 */

let folder = ''
beforeEach(async () => {
	folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-exports-')))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const start = (settings = { folder, asks: false }) => startWithConsent({ exports: new ExportFolder(() => settings) })

type Started = Awaited<ReturnType<typeof start>>

async function exported({ fixture }: Started, { browse, ...args }: JsonObject & { readonly browse?: JsonObject } = {}) {
	const all = { browse: { table: 'accounts', ...browse }, ...args }
	const { result } = (await fixture.callTool('export_data', all)).json
	return { answer: result.structuredContent, text: String(result.content[0].text), isError: result.isError === true }
}

test('the rows are in a new file, and the answer names its path, row count and content', async () => {
	await using scenario = await start()
	const { answer, text } = await exported(scenario)
	const path = join(folder, 'accounts.csv')
	const content = await readFile(path, 'utf8')
	expect(content.split('\n')).toHaveLength(4)
	expect(answer).toMatchObject({ path, exported: 3, bytes: Buffer.byteLength(content) })
	expect(answer.columns.map(({ name }: { name: string }) => name)).toHaveLength(answer.first_rows[0].length)
	expect(answer.first_rows.length).toBeLessThanOrEqual(3)
	expect(text).toBe(`3 rows, ${content.length} bytes, are in ${path}, to read at ${answer.uri}`)
	expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('an existing name gets a number, and no file is overwritten', async () => {
	await using scenario = await start()
	await writeFile(join(folder, 'Bericht 2026.ndjson'), 'mine')
	const args = { format: 'ndjson', file_name: 'Bericht 2026.NDJSON', browse: { raw: '5', max_rows: 2 } }
	expect((await exported(scenario, args)).answer).toMatchObject({
		path: join(folder, 'Bericht 2026 (2).ndjson'),
		exported: 2,
	})
	expect((await exported(scenario, args)).answer.path).toBe(join(folder, 'Bericht 2026 (3).ndjson'))
	expect(await readFile(join(folder, 'Bericht 2026.ndjson'), 'utf8')).toBe('mine')
	expect(await readdir(folder)).toHaveLength(3)
})

test.each(['отчёт', '売上 2026', 'تقرير', 'añо 😀'])('accepts a name in any script: %s', async name => {
	await using scenario = await start()
	expect((await exported(scenario, { file_name: name })).answer.path).toBe(join(folder, `${name}.csv`))
})

test('without a chosen folder an export is refused before any question, and the message names the setting', async () => {
	await using scenario = await start({ folder: '', asks: true })
	const { text, isError } = await exported(scenario)
	expect([isError, text]).toEqual([true, expect.stringMatching(/^denied: .*Settings, AI access, Exports/)])
	expect(scenario.asked).toEqual([])
})

test('the user is asked in the window or the client with content and target, and a refusal writes nothing', async () => {
	await using scenario = await start({ folder, asks: true })
	const asked = exported(scenario, { browse: { columns: ['balance'], max_rows: 2 } })
	await expect.poll(() => scenario.asked).toHaveLength(1)
	const { question } = scenario.asked[0] ?? {}
	expect(question).toMatchObject({
		kind: 'statement',
		access: 'read',
		summary: 'Export accounts as csv',
		grant: { target: 'exports of accounts', mostRows: 100 },
		affects: { value: 2, isExact: true },
		shown: expect.stringContaining(folder),
	})
	scenario.asked[0]?.answer({ decision: 'refused' })
	expect((await asked).text).toMatch(/^denied: /)
	expect(await readdir(folder)).toEqual([])

	const args = { name: 'export_data', arguments: { browse: { table: 'accounts' } } }
	const first = (await scenario.fixture.call('tools/call', args, { capabilities: form })).json.result
	expect(first.inputRequests.approve_statement.params.message).toMatch(/It reads 2 rows/)
	const more = { requestState: first.requestState, inputResponses: yes }
	const done = (await scenario.fixture.call('tools/call', { ...args, ...more }, { capabilities: form })).json.result
	expect(done.structuredContent.exported).toBe(3)
})

test('a temporary consent covers exports of one table, and no writes', async () => {
	await using scenario = await start({ folder, asks: true })
	const first = exported(scenario)
	await expect.poll(() => scenario.asked).toHaveLength(1)
	scenario.asked[0]?.answer({ decision: 'approved', forMinutes: 15 })
	await first
	expect((await exported(scenario)).answer.exported).toBe(3)
	expect(scenario.asked).toHaveLength(1)
	expect(scenario.fixture.endpoint.statementGrants.list()).toMatchObject([
		{ target: 'exports of accounts', access: 'read' },
	])
})

test('exports are allowed on a read-only connection, and for a token that only reads', async () => {
	await using scenario = await start()
	await scenario.fixture.addConnection({ name: 'Second', externalAccess: 'read-only' })
	const { token } = await scenario.fixture.tokens.create({ name: 'reader', level: 'read-only' })
	const args = { connection_id: 'Second', browse: { table: 'accounts' } }
	expect((await scenario.fixture.callTool('export_data', args, { token })).json.result.structuredContent.exported).toBe(
		3,
	)
})

test('an export of a hundred thousand rows reports its progress', async () => {
	await using scenario = await start()
	const params = { name: 'export_data', arguments: { browse: { table: 'accounts', raw: '100000' } } }
	using stream = await scenario.fixture.stream('tools/call', params, { meta: { progressToken: 1 } })
	const reported: number[] = []
	let last: JsonObject | undefined
	for (let message = await stream.next(); message !== undefined; message = await stream.next()) {
		if (message.method === 'notifications/progress') reported.push(Number((message.params as JsonObject).progress))
		last = message
	}
	expect(reported.length).toBeGreaterThan(3)
	expect(reported.at(-1)).toBe(100_000)
	expect(last).toMatchObject({ result: { structuredContent: { exported: 100_000 } } })
})

test('a cancelled export leaves no file', async () => {
	await using scenario = await start()
	const params = { name: 'export_data', arguments: { browse: { table: 'accounts', raw: 'stuck' } } }
	const pending = scenario.fixture.call('tools/call', params, { id: 'e' })
	await expect.poll(() => scenario.waiting()).toBe(1)
	expect(await readdir(folder)).toEqual([expect.stringMatching(/^\.roundhouse-.*\.part$/)])
	await scenario.fixture.notify('notifications/cancelled', { requestId: 'e' })
	expect((await pending).json.error.code).toBe(-33002)
	await expect.poll(() => readdir(folder)).toEqual([])
})

test('the error names a folder that was removed, or that cannot be written', async () => {
	await using scenario = await start()
	await chmod(folder, 0o500)
	// The root user can write there too.
	if (process.getuid?.() !== 0) expect((await exported(scenario)).text).toMatch(/could not be written.*EACCES/)
	await chmod(folder, 0o700)
	await rm(folder, { recursive: true })
	expect((await exported(scenario)).text).toMatch(/^denied: The folder for exports.*there is no such folder/)
})

test('the error names invalid arguments', async () => {
	await using scenario = await start()
	const text = async (browse: JsonObject) => (await exported(scenario, { browse })).text
	expect(await text({ limit: 3 })).toMatch(/^invalid_argument: browse: .*limit/)
	expect(await text({ columns: ['nope'] })).toMatch(/^invalid_argument: columns: .*nope/)
	expect(await text({ filters: [{ column: 'a', operator: 'like' }] })).toMatch(/browse\.filters\.0\.operator/)
	expect(await readdir(folder)).toEqual([])
})

describe('the file of an export, as a resource', () => {
	const read = ({ fixture }: Started, uri: string, options?: MessageOptions) =>
		fixture.call('resources/read', { uri }, options).then(({ json }) => json)

	test('has the text of the file', async () => {
		await using scenario = await start()
		const { answer } = await exported(scenario)
		const { contents } = (await read(scenario, answer.uri)).result
		expect(contents).toEqual([{ uri: answer.uri, mimeType: 'text/csv', text: await readFile(answer.path, 'utf8') }])
	})

	test('has pieces if it is large, each with the URI of the next one', async () => {
		await using scenario = await start()
		const { answer } = await exported(scenario, { format: 'ndjson', browse: { raw: '3000' } })
		let text = ''
		let pieces = 0
		for (let uri: string | undefined = answer.uri; uri !== undefined; pieces++) {
			const [piece, next]: readonly JsonObject[] = (await read(scenario, uri)).result.contents
			text += piece?.text
			uri = next && String(next.uri)
			if (next) expect(next.text).toContain('the number at its end is the byte to begin at')
		}
		expect(pieces).toBeGreaterThan(3)
		expect(text).toBe(await readFile(answer.path, 'utf8'))
		expect((await read(scenario, `${answer.uri}/${answer.bytes}`)).error.message).toMatch(/no such resource/)
	})

	test('belongs to the client that made it', async () => {
		await using scenario = await start()
		const { answer } = await exported(scenario)
		const { token } = await scenario.fixture.tokens.create({ name: 'other', level: 'read-only' })
		expect((await read(scenario, answer.uri, { token })).error.code).toBe(-32602)
		expect(await read(scenario, answer.uri.replace(/.$/, ''))).toMatchObject({ error: { code: -32602 } })
	})

	test('is refused after the user has hidden a column, or changed the file', async () => {
		await using scenario = await start()
		const { answer } = await exported(scenario)
		await writeFile(answer.path, 'mine')
		expect((await read(scenario, answer.uri)).error).toMatchObject({
			code: -32602,
			message: expect.stringMatching(/changed, moved or deleted/),
		})
		const { answer: second } = await exported(scenario)
		const [manifest] = scenario.fixture.drivers.installed()
		if (!manifest) throw new Error('The ledger is not installed.')
		const hiddenColumns = [{ table: 'accounts', column: 'balance' }]
		await scenario.fixture.connections.update(scenario.connectionId, { hiddenColumns }, manifest)
		expect((await read(scenario, second.uri)).error).toMatchObject({
			code: -33007,
			message: expect.stringMatching(/hidden columns of this connection have changed/),
		})
	})
})
