import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rememberSecret } from '../../base/redaction.ts'
import { RunHistory } from './history.ts'

let folder = ''
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-history-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (statement: string, at = 1) => ({ statement, at, status: '200 OK', tookMs: 3, sizeBytes: 40 })

test('the last run comes first, each statement is listed once, and another process reads the same list', async () => {
	const history = new RunHistory(folder)
	for (const [index, text] of ['GET /a', 'GET /b', 'GET /a'].entries()) await history.add('one', run(text, index))
	expect(await new RunHistory(folder).list('one')).toEqual([run('GET /a', 2), run('GET /b', 1)])
	expect(await history.list('two')).toEqual([])
	void history.add('one', run('GET /c', 3))
	expect((await history.list('one'))[0]).toEqual(run('GET /c', 3))
})

test('the history keeps at most five hundred statements, and fewer long ones', async () => {
	const history = new RunHistory(folder)
	for (let index = 0; index < 510; index++) await history.add('many', run(`GET /${index}`))
	expect(await history.list('many')).toHaveLength(500)
	for (let index = 0; index < 60; index++) await history.add('long', run(`${'x'.repeat(19_000)}${index}`))
	expect(await history.list('long')).toHaveLength(52)
	await history.add('long', run('x'.repeat(20_001)))
	expect((await history.list('long'))[0]?.statement.endsWith('59')).toBe(true)
})

test('credentials are not stored in the history', async () => {
	rememberSecret('kept-by-the-store')
	const history = new RunHistory(folder)
	await history.add(
		'secret',
		run('PUT /_security/user/x\n{"password" : "hunter\\"2", "metadata": {"api_key":"""\nabc\n"""}}'),
	)
	await history.add(
		'secret',
		run('POST /_reindex\n{"source":{"remote":{"host":"http://u:p4ss@h:1","headers":{"Authorization":"ApiKey YWJj"}}}}'),
	)
	await history.add('secret', run('GET /x?access_token=12345&q=kept-by-the-store'))
	await history.add('secret', run('PUT /y\n{"analysis":{"tokenizer":"standard"},"token_count":"keep"}'))
	const written = await readFile(join(folder, 'secret.json'), 'utf8')
	for (const secret of ['hunter', 'abc', 'p4ss', 'YWJj', '12345', 'kept-by-the-store'])
		expect(written).not.toContain(secret)
	expect(written).toContain('standard')
	expect(written).toContain('keep')
})

test('the history of a connection is removed with the connection', async () => {
	const history = new RunHistory(folder)
	await history.forget(id => id === 'one')
	expect(await history.list('many')).toEqual([])
	expect(await history.list('one')).toHaveLength(3)
})
