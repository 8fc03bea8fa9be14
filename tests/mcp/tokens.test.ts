import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { Agent } from 'node:http'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { tokenDigest } from '../../host/mcp/access/token-format.ts'
import { Tokens } from '../../host/mcp/index.ts'
import { proves } from '../contract/proves.ts'
import { startEndpoint } from './endpoint.ts'
import { send } from './wire.ts'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const numberOf = (text: string) => [...text].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)

test(proves('A.auth.token', 'a token is recognizable by its prefix and its checksum'), async () => {
	await using fixture = await startEndpoint()
	const tokens = await Promise.all(
		Array.from({ length: 20 }, () => fixture.tokens.create({ name: 'x', level: 'read-only' })),
	)
	for (const { token } of tokens) {
		const [, secret = '', checksum = ''] = /^rh_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(token) ?? []
		expect(numberOf(checksum)).toBe(crc32(secret))
	}
	expect(new Set(tokens.map(({ token }) => token)).size).toBe(20)
})

test('a token is shown once; only its digest is stored, and lists contain neither', async () => {
	await using fixture = await startEndpoint()
	const { id, token } = await fixture.tokens.create({ name: 'once', level: 'read-only' })
	const file = await readFile(fixture.support.file('tokens.json'), 'utf8')
	expect(file).toContain(hash('sha256', token))
	expect(file).not.toContain(token)
	expect((await stat(fixture.support.file('tokens.json'))).mode & 0o777).toBe(0o600)
	const listed = JSON.stringify(fixture.tokens.list().find(info => info.id === id))
	expect(listed).not.toContain(token)
	expect(listed).not.toContain(hash('sha256', token))
})

test(proves('A.auth.token', 'scopes, expiry, connections and a revocation survive a restart'), async () => {
	await using fixture = await startEndpoint()
	const draft = {
		name: 'kept',
		level: 'custom',
		scopes: ['tools:read'],
		connections: ['c1'],
		expires: '30d',
	} as const
	const kept = await fixture.tokens.create(draft)
	const gone = await fixture.tokens.create({ name: 'gone', level: 'full' })
	await fixture.tokens.revoke(gone.id)
	const reopened = await Tokens.open(fixture.support.file('tokens.json'), fixture.clock)
	const accepted = reopened.authenticate(tokenDigest(kept.token))
	expect(accepted).toMatchObject({ status: 'accepted', caller: { name: 'kept' } })
	expect(accepted.status === 'accepted' && [...accepted.caller.scopes]).toEqual(['tools:read'])
	expect(accepted.status === 'accepted' && [...(accepted.caller.connections ?? [])]).toEqual(['c1'])
	expect(reopened.authenticate(tokenDigest(gone.token)).status).toBe('unknown')
	fixture.clock.advance(30 * 24 * 3_600_000)
	expect(reopened.authenticate(tokenDigest(kept.token)).status).toBe('expired')
	await reopened.flush()
})

test('the last use is stored at most once a minute', async () => {
	await using fixture = await startEndpoint()
	const { id, token } = await fixture.tokens.create({ name: 'used', level: 'read-only' })
	const lastUse = () => fixture.tokens.list().find(info => info.id === id)?.lastUsedAt
	expect(lastUse()).toBeNull()
	await fixture.call('server/discover', {}, { token })
	await expect.poll(lastUse).toBe(new Date(fixture.clock.now()).toISOString())
	const first = lastUse()
	fixture.clock.advance(59_000)
	await fixture.call('server/discover', {}, { token })
	expect(lastUse()).toBe(first)
	fixture.clock.advance(1000)
	await fixture.call('server/discover', {}, { token })
	await expect.poll(lastUse).toBe(new Date(fixture.clock.now()).toISOString())
})

test('a client without a token, or with a broken header, locks out no client with a token', async () => {
	await using fixture = await startEndpoint()
	const broken = { Authorization: 'Bearer' }
	for (let count = 0; count < 6; count++) {
		await fixture.call('server/discover', {}, { token: null, headers: broken })
	}
	expect((await fixture.call('server/discover', {}, { token: null, headers: broken })).status).toBe(429)
	expect((await fixture.call('server/discover')).status).toBe(200)
	// A client that was locked out without a token is served again once it sends one.
	const { token } = await fixture.tokens.create({ name: 'corrected', level: 'read-only' })
	expect((await fixture.call('server/discover', {}, { token })).status).toBe(200)
})

test('a flood of invented tokens locks out no other client', async () => {
	await using fixture = await startEndpoint()
	await Promise.all(
		Array.from({ length: 60 }, (_, index) => fixture.call('server/discover', {}, { token: `rh_made_up_${index % 6}` })),
	)
	expect((await fixture.call('server/discover')).status).toBe(200)
})

test('with authentication off an anonymous caller may only read, and no consent changes that', async () => {
	const asked: string[] = []
	const ask = async () => {
		asked.push('asked')
		return { decision: 'approved', forMinutes: 15 } as const
	}
	await using fixture = await startEndpoint({ settings: { authentication: false }, desk: { ask } })
	const { id } = await fixture.addConnection()
	const none = { token: null }
	const read = await fixture.callTool('execute_query', { connection_id: id, query: 'read 1' }, none)
	expect(read.json.result.structuredContent.status).toBe('OK')
	for (const [name, args] of [
		['execute_query', { query: 'put 1' }],
		['confirm_destructive_operation', { query: 'drop 1' }],
		['insert_rows', { table: 'accounts', rows: [{}] }],
		['ledger_wipe', {}],
	] as const) {
		const answer = await fixture.callTool(name, { connection_id: id, ...args }, none)
		expect([name, answer.status, answer.json.error?.code]).toEqual([name, 403, -33007])
	}
	expect(asked).toEqual([])
	for (const token of ['rh_wrong', '']) {
		const answer = await fixture.call(
			'server/discover',
			{},
			{ token: null, headers: { Authorization: `Bearer ${token}` } },
		)
		expect(answer.status).toBe(401)
	}
})

test('a refusal has the same message on every path to the connection', async () => {
	await using fixture = await startEndpoint()
	const { id } = await fixture.addConnection({ name: 'Shut', aiPolicy: 'never' })
	const uri = (rest: string) => `roundhouse://connections/${id}/${rest}`
	const answers = await Promise.all([
		fixture.callTool('list_tables', { connection_id: id }),
		fixture.callTool('execute_query', { connection_id: id, query: 'read 1' }),
		fixture.callTool('ledger_wipe', { connection_id: id }),
		fixture.call('resources/read', { uri: uri('schema') }),
		fixture.call('resources/read', { uri: uri('tables/accounts') }),
		fixture.call('resources/read', { uri: uri('history') }),
		fixture.call('prompts/get', { name: 'explain_schema', arguments: { connection: id } }),
	])
	expect(new Set(answers.map(({ status, json }) => `${status} ${json.error.code} ${json.error.message}`))).toEqual(
		new Set(['403 -33007 The AI policy of "Shut" is "never". It is changed in the connection\'s settings, AI access.']),
	)
	const completion = await fixture.call('completion/complete', {
		ref: { type: 'ref/prompt', name: 'explain_table' },
		argument: { name: 'connection', value: 'Sh' },
	})
	expect(completion.text).not.toContain('Shut')
})

test('each request is identified by its own token, also on a connection that another one was accepted on', async () => {
	await using fixture = await startEndpoint()
	const agent = new Agent({ keepAlive: true, maxSockets: 1 })
	const [reader, writer] = await Promise.all([
		fixture.tokens.create({ name: 'reader', level: 'read-only' }),
		fixture.tokens.create({ name: 'writer', level: 'full' }),
	])
	const sockets = new Set<unknown>()
	agent.on('free', socket => sockets.add(socket))
	const toolsOf = async (token: string | null) => {
		const { status, json } = await send(fixture.port, fixture.modernRequest('tools/list', {}, { token }), agent)
		return status === 200 ? json.result.tools.length : status
	}
	const [few, many] = [await toolsOf(reader.token), await toolsOf(writer.token)]
	expect(few).toBeLessThan(many)
	expect(await toolsOf(reader.token)).toBe(few)
	expect(await toolsOf(`${reader.token.slice(0, -1)}!`)).toBe(401)
	expect(await toolsOf(null)).toBe(401)
	expect(await toolsOf(reader.token)).toBe(few)
	await fixture.tokens.revoke(reader.id)
	expect(await toolsOf(reader.token)).toBe(401)
	expect(await toolsOf(writer.token)).toBe(many)
	expect(sockets.size).toBe(1)
	agent.destroy()
})
