import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { overHttp } from '../support/clients.ts'
import { Roundhouse } from '../support/roundhouse.ts'

const secret = 'tr0ub4dor-and-3'

test('a password from stdin appears in no argument, list, error or file', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const added = await roundhouse.run(
		[
			'connection',
			'add',
			'--driver',
			'search-engine',
			'--name',
			'Secret',
			'--json',
			'--set',
			'hosts=127.0.0.1:1',
			'--set',
			'username=me',
			'--secrets-stdin',
		],
		JSON.stringify({ password: secret }),
	)
	const { id } = JSON.parse(added.stdout)
	const outputs = [
		added,
		await roundhouse.run(['connection', 'list', '--json']),
		await roundhouse.run(['connection', 'test', id]),
		await roundhouse.run(['doctor']),
	]
	expect(outputs[2]?.stderr).toMatch(/Connection failed: /)
	for (const { stdout, stderr } of outputs) expect(stdout + stderr).not.toContain(secret)
	for (const name of await readdir(roundhouse.home, { recursive: true, withFileTypes: true })) {
		if (!name.isFile()) continue
		const bytes = await readFile(join(name.parentPath, name.name))
		for (const form of [secret, Buffer.from(secret).toString('base64')])
			expect(bytes.includes(form), name.name).toBe(false)
	}
})

test('a secret among the arguments is refused, because other users can read them, and the message does not repeat it', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const add = ['connection', 'add', '--driver', 'search-engine', '--name', 'Secret', '--set', 'hosts=127.0.0.1:1']
	for (const given of [`password=${secret}`, `apiKey=${secret}`, 'password=']) {
		const refused = await roundhouse.run([...add, '--set', given])
		expect(refused.code, given).toBe(1)
		expect(refused.stderr).toContain('--secrets-stdin')
		expect(refused.stderr + refused.stdout).not.toContain(secret)
	}
	expect(await roundhouse.json(['connection', 'list'])).toEqual([])
	const { id } = await roundhouse.json<{ id: string }>(add)
	const refused = await roundhouse.run(['connection', 'set', id, '--set', `password=${secret}`])
	expect([refused.code, refused.stdout]).toEqual([1, ''])
	expect(refused.stderr).not.toContain(secret)
	expect(await roundhouse.json(['connection', 'list'])).toMatchObject([{ secretKeys: [] }])
	const broken = await roundhouse.run([...add, '--set', `=${secret}`])
	expect(broken.stderr).not.toContain(secret)
})

test('an exported file adds its connections to another list, and a file of another version adds none', async () => {
	await using roundhouse = await Roundhouse.make()
	const id = await roundhouse.addSample()
	const file = await roundhouse.json<object>(['connection', 'export'])
	const path = join(roundhouse.home, 'exported.json')
	await writeFile(path, JSON.stringify(file))
	const again = await roundhouse.run(['connection', 'import', path])
	expect(again.stdout).toContain('not imported: it is there already')
	await roundhouse.json(['connection', 'remove', id])
	const unasked = await roundhouse.run(['connection', 'import', path])
	expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('Nothing was imported. Say --yes')])
	await roundhouse.json(['connection', 'import', path, '--yes'])
	await writeFile(path, JSON.stringify({ ...file, version: 2 }))
	const refused = await roundhouse.run(['connection', 'import', path])
	expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('No connection was imported')])
	expect(await roundhouse.json(['connection', 'list'])).toMatchObject([{ name: 'Sample' }])
})

test('a file of another program is shown first, and its password is stored only with the option for it', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const path = join(roundhouse.home, '.env')
	await writeFile(path, `ELASTICSEARCH_URL=http://ann:${secret}@127.0.0.1:1\n`)
	const unasked = await roundhouse.run(['connection', 'import', path])
	expect(unasked.code).toBe(1)
	expect(unasked.stdout).toContain('+  ELASTICSEARCH_URL  Elasticsearch  127.0.0.1:1 as ann')
	expect(unasked.stdout).toContain('has a password in clear: --with-passwords stores it')
	expect(unasked.stdout + unasked.stderr).not.toContain(secret)
	expect(await roundhouse.json(['connection', 'list'])).toEqual([])
	const added = await roundhouse.json(['connection', 'import', path, '--yes', '--with-passwords'])
	expect(added).toMatchObject([{ name: 'ELASTICSEARCH_URL', safeMode: 'ask', secretKeys: ['password'] }])
	expect(JSON.stringify(added)).not.toContain(secret)
})

test('secrets that are not one JSON object are refused, and nothing is saved', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const args = ['connection', 'add', '--driver', 'search-engine', '--name', 'x', '--secrets-stdin']
	const { code, stderr } = await roundhouse.run(args, 'password')
	expect(code).toBe(1)
	expect(stderr).toContain('--secrets-stdin reads one JSON object')
	expect(await roundhouse.json(['connection', 'list'])).toEqual([])
})

test('a secret that the engine echoes does not reach an AI client, and the document keeps it', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.install()
	const sample = roundhouse.spawn(['sample'])
	roundhouse.onDispose(() => sample.kill('SIGTERM'))
	const [line] = await once(sample.stdout ?? sample, 'data')
	const { url } = JSON.parse(String(line))
	const body = JSON.stringify({ title: `it is ${secret}`, isbn: 1 })
	await fetch(`${url}/books/_doc/leak?refresh=true`, {
		method: 'PUT',
		body,
		headers: { 'content-type': 'application/json' },
	})
	const { id } = await roundhouse.json<{ id: string }>(
		[
			'connection',
			'add',
			'--driver',
			'search-engine',
			'--name',
			'Secret',
			'--ai-policy',
			'allow',
			'--set',
			`hosts=${url}`,
			'--set',
			'auth=basic',
			'--set',
			'username=me',
			'--secrets-stdin',
		],
		JSON.stringify({ password: secret }),
	)
	const token = await roundhouse.addToken('read-only')
	const ready = await roundhouse.serve()
	const client = await overHttp(ready.mcp.url, token)
	const query = 'GET /books/_doc/leak'
	const result = await client.callTool({ name: 'execute_query', arguments: { connection_id: id, query } })
	await client.close()
	expect(JSON.stringify(result)).toContain('it is [redacted]')
	expect(JSON.stringify(result)).not.toContain(secret)
	expect(await (await fetch(`${url}/books/_doc/leak`)).text()).toContain(secret)
})
