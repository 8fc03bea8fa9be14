import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

const secret = 'tr0ub4dor-and-3'

test('a password given on stdin is in no argument, list, error or file', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.json(['plugin', 'install', 'search-engine'])
	const added = await roundhouse.run(
		[
			...['connection', 'add', '--driver', 'search-engine', '--name', 'Secret', '--json'],
			...['--set', 'hosts=127.0.0.1:1', '--set', 'username=me', '--secrets-stdin'],
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

test('secrets that are not one JSON object are refused, and nothing is saved', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.json(['plugin', 'install', 'search-engine'])
	const args = ['connection', 'add', '--driver', 'search-engine', '--name', 'x', '--secrets-stdin']
	const { code, stderr } = await roundhouse.run(args, 'password')
	expect(code).toBe(1)
	expect(stderr).toContain('--secrets-stdin reads one JSON object')
	expect(await roundhouse.json(['connection', 'list'])).toEqual([])
})
