import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract } from 'tar'
import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

test('an archive for support contains no secret, no statement, no name and no address', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-archive-'))
	await using roundhouse = await Roundhouse.make({ ACME_API_TOKEN: 'canary-of-the-environment' })
	try {
		await roundhouse.install()
		const form = [
			'--set',
			'hosts=https://canary-host.test:9200',
			'--set',
			'auth=basic',
			'--set',
			'username=canary-user',
		]
		const add = ['connection', 'add', '--driver', 'search-engine', '--name', 'canary-name', ...form, '--secrets-stdin']
		await roundhouse.json(add, JSON.stringify({ password: 'canary-password' }))
		await roundhouse.json(['token', 'create', '--name', 'canary-token-name', '--level', 'read-only'])
		await roundhouse.serve()
		for (const [path, text] of [
			['requests/shared/canary-request.txt', 'GET /canary-index/_search'],
			['history/canary.jsonl', '{"text":"GET /canary-history"}'],
		] as const) {
			await mkdir(join(roundhouse.home, path, '..'), { recursive: true })
			await writeFile(join(roundhouse.home, path), text)
		}
		const { bridgeToken } = JSON.parse(await readFile(join(roundhouse.home, 'mcp-handshake.json'), 'utf8'))
		const control = JSON.parse(await readFile(join(roundhouse.home, 'control.json'), 'utf8'))
		const { key } = control
		// Other versions print it without spaces.
		await writeFile(join(roundhouse.home, 'control.json'), JSON.stringify(control))
		const said = [
			'login with canary-password failed',
			'Authorization: Bearer canary-bearer-value',
			'GET https://someone:canary-in-url@example.test/',
			`token ${bridgeToken}, key ${key}, variable canary-of-the-environment`,
			'A line that stays.',
		]
		await appendFile(join(roundhouse.home, 'host.log'), `${said.join('\n')}\n`)

		const archive = join(folder, 'support.tgz')
		const { stdout } = await roundhouse.run(['doctor', '--bundle', archive])
		for (const name of ['doctor.txt', 'drivers.lock.json', 'host.log']) expect(stdout).toContain(name)
		expect((await stat(archive)).mode & 0o777).toBe(0o600)
		const again = await roundhouse.run(['doctor', '--bundle', archive])
		expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('exists. Choose another name.')])
		await extract({ file: archive, cwd: folder })
		const names = await readdir(join(folder, 'roundhouse-support'))
		expect(names.sort()).toEqual(['doctor.txt', 'drivers.lock.json', 'host.log'])
		const texts = await Promise.all(names.map(name => readFile(join(folder, 'roundhouse-support', name), 'utf8')))
		const all = texts.join('\n')
		expect(all).not.toContain('canary')
		expect(all).not.toContain(bridgeToken)
		expect(all).not.toContain(key)
		expect(all).toContain('A line that stays.')
		expect(all).toMatch(/search-engine \d+\.\d+\.\d+/)
		expect(all).toContain('driver API')

		// A log that cannot be searched for the secrets stays on the machine.
		await writeFile(
			join(roundhouse.home, 'secrets.json'),
			'{"version": 1, "sealedBy": "another cipher", "secrets": {}}',
		)
		const other = join(folder, 'other.tgz')
		await roundhouse.run(['doctor', '--bundle', other])
		await extract({ file: other, cwd: folder })
		const log = await readFile(join(folder, 'roundhouse-support/host.log'), 'utf8')
		expect(log).toMatch(/^Left out: .* could not be read/)
	} finally {
		await rm(folder, { recursive: true, force: true })
	}
})
