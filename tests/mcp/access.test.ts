import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer, Question } from '../../host/mcp/index.ts'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, startEndpoint } from './endpoint.ts'

let fixture: EndpointFixture
let connectionId: string
const asked: Question[] = []
let answer: Answer = { decision: 'unattended' }
beforeAll(async () => {
	const ask = async (question: Question) => {
		asked.push(question)
		return answer
	}
	fixture = await startEndpoint({ desk: { ask } })
	connectionId = (await fixture.addConnection()).id
})
afterAll(() => fixture[Symbol.asyncDispose]())

const discover = (token: string | null, headers = {}) => fixture.call('server/discover', {}, { token, headers })

describe('authentication', () => {
	test(proves('A.auth.missing', 'a request without a token is answered with a challenge'), async () => {
		const answer = await discover(null)
		expect(answer.status).toBe(401)
		expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -33009 } })
		expect(answer.headers['www-authenticate']).toBe('Bearer realm="Roundhouse"')
	})

	test(
		proves(
			'A.auth.unknown',
			'refuses malformed and unknown tokens, a token with one different letter, and another scheme',
		),
		async () => {
			const other = fixture.token.replace(/.$/, last => (last === 'a' ? 'b' : 'a'))
			for (const authorization of ['Bearer x', `Bearer ${other}`, `Basic ${fixture.token}`, fixture.token, 'Bearer']) {
				const answer = await discover(null, { Authorization: authorization })
				expect([answer.status, answer.json.error.code]).toEqual([401, -33009])
				expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
			}
			fixture.clock.advance(61_000)
		},
	)

	test(proves('A.auth.unknown', 'refuses a revoked token immediately'), async () => {
		const { id, token } = await fixture.tokens.create({ name: 'gone', level: 'full' })
		expect((await discover(token)).status).toBe(200)
		await fixture.tokens.revoke(id)
		const answer = await discover(token)
		expect([answer.status, answer.json.error.code]).toEqual([401, -33009])
		expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
	})

	test(proves('A.auth.expired', 'distinguishes an expired token from an unknown one'), async () => {
		const { token } = await fixture.tokens.create({ name: 'brief', level: 'full', expires: '90s' })
		expect((await discover(token)).status).toBe(200)
		fixture.clock.advance(90_000)
		const answer = await discover(token)
		expect([answer.status, answer.json.error.code]).toEqual([401, -33008])
		expect(answer.headers['www-authenticate']).toContain('error_description="token expired"')
	})

	test('no file of the support directory contains a token', async () => {
		const file = await readFile(fixture.support.file('tokens.json'), 'utf8')
		expect(file).not.toContain(fixture.token)
		expect(fixture.token).toMatch(/^rh_[0-9A-Za-z]{49}$/)
	})

	test('two Authorization headers are not accepted as a token', async () => {
		const { raw } = await import('./wire.ts')
		const text = await raw(
			fixture.port,
			`POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${fixture.token}\r\nAuthorization: Bearer x\r\nContent-Length: 2\r\n\r\n{}`,
		)
		expect(text).toMatch(/^HTTP\/1\.1 401 /)
	})

	test(
		proves(
			'A.auth.off',
			'with authentication off, requests without a token may only read, and a wrong token is still refused',
		),
		async () => {
			fixture.endpoint.configure({ authentication: false })
			const { tools } = (await fixture.call('tools/list', {}, { token: null })).json.result
			expect(tools.map(({ name }: { name: string }) => name)).not.toContain('insert_rows')
			expect((await discover('rh_wrong')).status).toBe(401)
			expect((await fixture.callTool('insert_rows', {}, { token: null })).json.error.code).toBe(-33007)
			fixture.endpoint.configure({ authentication: true })
		},
	)
})

describe('scopes', () => {
	test(proves('A.auth.scope', 'a refusal names the required scopes'), async () => {
		const { token } = await fixture.tokens.create({ name: 'reader', level: 'read-only' })
		const answer = await fixture.callTool('confirm_destructive_operation', {}, { token })
		expect(answer.status).toBe(403)
		expect(answer.json.error).toMatchObject({
			code: -33007,
			data: { requiredScopes: ['tools:read', 'tools:destructive'] },
		})
		expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope"')
	})

	test(proves('A.auth.scope', 'a write through execute_query requires the write scope'), async () => {
		const { token } = await fixture.tokens.create({ name: 'reader', level: 'read-only' })
		const answer = await fixture.callTool('execute_query', { connection_id: connectionId, query: 'put 1' }, { token })
		expect([answer.status, answer.json.error.data.requiredScopes]).toEqual([403, ['tools:write']])
	})

	test.each(['read-only', 'read-write', 'full'] as const)(
		proves('A.auth.filtered', 'a token of level %s can call exactly the tools that its list contains'),
		async level => {
			const { token } = await fixture.tokens.create({ name: level, level })
			const names = async (of?: string) =>
				(await fixture.call('tools/list', {}, of ? { token: of } : {})).json.result.tools.map(
					({ name }: { name: string }) => name,
				)
			const listed = await names(token)
			// Two of the ledger's tools end their driver, or never end.
			for (const name of (await names()).filter((name: string) => !/crash|wait/.test(name))) {
				const { status } = await fixture.callTool(name, {}, { token })
				expect([name, status === 403]).toEqual([name, !listed.includes(name)])
			}
		},
	)
})

describe('connection policy', () => {
	const list = (id: string, token?: string) =>
		fixture.callTool('list_tables', { connection_id: id }, token ? { token } : {})

	test.each([
		[{ externalAccess: 'blocked' }, /External access of "Shut" is "blocked"/],
		[{ aiPolicy: 'never' }, /AI policy of "Shut" is "never"/],
	] as const)(
		proves('A.auth.policy', 'with %j, a connection is not listed, and is refused by name'),
		async (policy, words) => {
			const { id } = await fixture.addConnection({ name: 'Shut', ...policy })
			const answer = await list(id)
			expect([answer.status, answer.json.error.code]).toEqual([403, -33007])
			expect(answer.json.error.message).toMatch(words)
			expect((await fixture.callTool('list_connections')).text).not.toContain(id)
			const read = await fixture.call('resources/read', { uri: `roundhouse://connections/${id}/tables` })
			expect(read.json.error.code).toBe(-33007)
		},
	)

	test(
		proves('A.auth.policy', 'a token reaches the connections of its list, for tools and for resources'),
		async () => {
			const { token } = await fixture.tokens.create({ name: 'narrow', level: 'full', connections: [] })
			expect((await list(connectionId, token)).json.error).toMatchObject({ code: -33007, message: /"narrow"/ })
			const uri = `roundhouse://connections/${connectionId}/tables`
			expect((await fixture.call('resources/read', { uri }, { token })).json.error.code).toBe(-33007)
			const connections = await fixture.call('resources/read', { uri: 'roundhouse://connections' }, { token })
			expect(connections.text).not.toContain(connectionId)
			const prompt = { name: 'explain_table', arguments: { connection: connectionId, table: 'accounts' } }
			expect((await fixture.call('prompts/get', prompt, { token })).json.error.code).toBe(-33007)
		},
	)

	test(proves('A.auth.policy', 'a read-only connection refuses writes, whichever tool sends them'), async () => {
		const { id } = await fixture.addConnection({ name: 'Frozen', externalAccess: 'read-only' })
		for (const [name, args] of [
			['execute_query', { query: 'put 1' }],
			['insert_rows', { table: 'accounts', rows: [{}] }],
			['confirm_destructive_operation', { query: 'drop 1' }],
			['ledger_wipe', {}],
		] as const) {
			const answer = await fixture.callTool(name, { connection_id: id, ...args })
			expect([name, answer.status, answer.json.error?.code]).toEqual([name, 403, -33007])
			expect(answer.json.error.message).toContain('"read-only"')
		}
		expect(
			(await fixture.callTool('execute_query', { connection_id: id, query: 'read 1' })).json.result.isError,
		).toBeUndefined()
	})

	test('"ask" refuses while no user can be asked', async () => {
		const { id } = await fixture.addConnection({ name: 'Shy', aiPolicy: 'ask' })
		const refused = await list(id)
		expect([refused.status, refused.json.error.code]).toEqual([403, -33007])
		expect(refused.json.error.message).toMatch(/"Shy" is "ask".*open the Roundhouse window/)
	})

	test('"ask" asks once, merges questions and stores the answer, which can be revoked', async () => {
		const { id } = await fixture.addConnection({ name: 'Asks', aiPolicy: 'ask' })
		asked.length = 0
		answer = { decision: 'approved' }
		const both = await Promise.all([list(id), list(id)])
		expect(both.map(({ status }) => status)).toEqual([200, 200])
		await list(id)
		expect(asked).toEqual([
			{
				kind: 'access',
				asker: { client: 'Unknown client', token: 'full' },
				connection: { id, name: 'Asks', driverId: 'ledger' },
			},
		])
		const [grant] = fixture.endpoint.accessGrants.list().filter(({ connectionId }) => connectionId === id)
		await fixture.endpoint.accessGrants.revoke(grant?.grantee ?? '', id)
		answer = { decision: 'refused' }
		expect((await list(id)).status).toBe(403)
		answer = { decision: 'approved' }
		expect((await list(id)).json.error.message).toContain('refused')
		fixture.clock.advance(60_000)
		expect((await list(id)).status).toBe(200)
		expect(asked).toHaveLength(3)
		answer = { decision: 'unattended' }
	})
})

describe('rates', () => {
	test(proves('A.limits.rates', 'refuses requests over the rate, for that token only'), async () => {
		fixture.endpoint.configure({ ratePerMinute: 3 })
		const { token } = await fixture.tokens.create({ name: 'eager', level: 'full' })
		const codes = []
		for (let count = 0; count < 4; count++) codes.push((await discover(token)).status)
		expect(codes).toEqual([200, 200, 200, 429])
		const answer = await discover(token)
		expect(answer.json.error.code).toBe(-33010)
		expect(answer.headers['retry-after']).toBe('60')
		expect((await discover(fixture.token)).status).toBe(200)
		fixture.clock.advance(60_000)
		expect((await discover(token)).status).toBe(200)
		fixture.endpoint.configure({ ratePerMinute: 0 })
	})

	test(
		proves('A.limits.rates', 'refuses simultaneous requests over the limit; a subscription does not count'),
		async () => {
			fixture.endpoint.configure({ concurrentPerToken: 1 })
			const { token } = await fixture.tokens.create({ name: 'busy', level: 'full' })
			using listening = await fixture.stream('subscriptions/listen', { notifications: {} }, { token, id: 'l' })
			await listening.next()
			const params = { name: 'ledger_wait', arguments: { progress: [1] } }
			using stream = await fixture.stream('tools/call', params, { token, id: 'w', meta: { progressToken: 1 } })
			await stream.next()
			let refused: Awaited<ReturnType<typeof discover>> | undefined
			const asked = discover(token).then(answer => {
				refused = answer
			})
			// The request first waits in the queue.
			await expect
				.poll(() => {
					fixture.clock.advance(1000)
					return refused?.status
				})
				.toBe(429)
			await asked
			expect([refused?.headers['retry-after'], refused?.json.error.data]).toEqual(['1', { retryAfterSeconds: 1 }])
			await fixture.notify('notifications/cancelled', { requestId: 'w' }, { token })
			await stream.next()
			expect((await discover(token)).status).toBe(200)
			fixture.endpoint.configure({ concurrentPerToken: 0 })
		},
	)

	test(
		proves('A.limits.lockout', 'five failures lock the presented token for five minutes, and no other token'),
		async () => {
			for (let count = 0; count < 5; count++) expect((await discover('rh_guess')).status).toBe(401)
			const locked = await discover('rh_guess')
			expect([locked.status, locked.json.error.code, locked.headers['retry-after']]).toEqual([429, -33010, '300'])
			expect((await discover('rh_other')).status).toBe(401)
			expect((await discover(fixture.token)).status).toBe(200)
			fixture.clock.advance(300_000)
			expect((await discover('rh_guess')).status).toBe(401)
		},
	)

	test('a missing header does not count as a failure', async () => {
		for (let count = 0; count < 8; count++) expect((await discover(null)).status).toBe(401)
	})
})

test(proves('A.errors.disabled', 'a server that is switched off reports that'), async () => {
	fixture.endpoint.configure({ enabled: false })
	const answer = await discover(null)
	expect([answer.status, answer.json.error.code]).toEqual([503, -33006])
	fixture.endpoint.configure({ enabled: true })
})

test('a refusal by the machine policy is reported, and no setting removes it', async () => {
	await using refused = await startEndpoint({
		refusal: 'The policy of this machine switches off AI access.',
		drivers: [],
	})
	refused.endpoint.configure({ enabled: true })
	const answer = await refused.call('server/discover')
	expect([answer.status, answer.json.error]).toEqual([
		503,
		{ code: -33006, message: 'The policy of this machine switches off AI access.' },
	])
})

test(proves('A.tool-error.redacted', 'a password that the engine echoes does not reach the client'), async () => {
	const { id } = await fixture.addConnection({ settings: { password: 'Pa$$w0rd/with+signs' } })
	const answer = await fixture.callTool('execute_query', { connection_id: id, query: 'leak it' })
	expect(answer.json.result.content[0].text).toMatch(/^query_failed: Ledger says: «login failed for \[redacted\]/)
	expect(answer.text).not.toContain('Pa$$w0rd')
})

test(proves('A.errors.internal', 'an internal error does not reveal its cause'), async () => {
	const lines: string[] = []
	await using other = await startEndpoint({
		desk: {
			ask: () => {
				throw new Error('secret cause in /home/someone/file.ts')
			},
		},
		log: { info: () => {}, warn: line => void lines.push(line) },
	})
	const { id } = await other.addConnection({ aiPolicy: 'ask' })
	const answer = await other.call('resources/read', { uri: `roundhouse://connections/${id}/tables` })
	expect([answer.status, answer.json.error.code]).toEqual([500, -32603])
	expect(answer.text).not.toMatch(/secret cause|\.ts/)
	expect(lines.join()).toContain('secret cause')
})

test('a crash of a driver fails its call, and the next call succeeds', async () => {
	const crashed = await fixture.callTool('ledger_crash')
	expect(crashed.json.result.content[0].text).toMatch(/^not_connected: /)
	expect((await fixture.callTool('ledger_echo', { text: 'again' })).json.result.isError).toBeUndefined()
})

test('tokens that may only read use a session in which the engine refuses writes, separate from that of writers', async () => {
	await using fixture = await startEndpoint()
	const { id } = await fixture.addConnection({ externalAccess: 'read-only' })
	const manifest = await fixture.drivers.ensure('ledger')
	const session = async () => {
		const { json } = await fixture.callTool('execute_query', { connection_id: id, query: 'session' })
		return JSON.stringify(json)
	}
	expect(await session()).toContain('it only reads')
	expect(fixture.sessions.state(id).status).toBe('connected')
	const own = await fixture.sessions.open(id)
	const statement = { text: 'session', start: 0, end: 7, access: 'read', summary: '' } as const
	await expect(own.call('runConsole', { statement, maxRows: 1 })).rejects.toThrow('it may write')
	expect(await session()).toContain('it only reads')
	await fixture.connections.update(id, { externalAccess: 'read-write' }, manifest)
	expect(await session()).toContain('it may write')
	// So does the user of a connection whose safe mode is read-only.
	await fixture.connections.update(id, { safeMode: 'read-only' }, manifest)
	const readOnly = await fixture.sessions.open(id)
	await expect(readOnly.call('runConsole', { statement, maxRows: 1 })).rejects.toThrow('it only reads')
	await fixture.sessions.close(id)
	expect(fixture.sessions.state(id)).toEqual({ status: 'closed' })
})
