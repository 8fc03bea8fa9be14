import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

/** A connection goes to a colleague by the folder of a project. Its password is read elsewhere on each machine. */
test('a project is saved at one machine and opened at another', async () => {
	const folder = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-project-')))
	const add = ['connection', 'add', '--driver', 'search-engine', '--name', 'Shop']
	const form = ['--set', 'hosts=https://db.example:9200', '--set', 'auth=basic', '--set', 'username=ann']
	try {
		await using mine = await Roundhouse.make()
		await mine.install()
		const wrong = await mine.run([...add, ...form, '--secret-from', 'password=shell:echo'])
		expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('--secret-from takes KEY=command:') })
		const led = await mine.run([...add, ...form, '--ssh', 'bastion'])
		expect(led).toMatchObject({ code: 1, stderr: expect.stringContaining('takes no SSH tunnel.') })
		const { id, secretSources } = await mine.json<{ id: string; secretSources: object }>([
			...add,
			...form,
			'--secret-from',
			'password=command:op read op://vault/shop',
		])
		expect(secretSources).toEqual({
			password: { from: 'command', command: 'op read op://vault/shop', keptMinutes: 10 },
		})
		await mine.json(['connection', 'hide', 'Shop', 'people', 'salary'])
		const saved = await mine.run(['project', 'save', folder, 'shop'])
		expect(saved).toMatchObject({ code: 0, stdout: 'Wrote Shop. What stays on this machine: Password.\n' })
		const text = await readFile(join(folder, 'roundhouse.json'), 'utf8')
		expect(text).not.toContain('op read')
		const later = ['connection', 'set', id, '--secret-from', 'password=variable:SHOP_PASSWORD']
		expect((await mine.json<{ secretSources: object }>(later)).secretSources).toEqual({
			password: { from: 'environment', name: 'SHOP_PASSWORD' },
		})

		await using theirs = await Roundhouse.make()
		await theirs.install()
		expect((await theirs.run(['project', 'open', folder])).code).not.toBe(0)
		const [opened] = await theirs.json<{ id: string }[]>(['project', 'open', folder, '--yes'])
		const [found] = await theirs.json<object[]>(['connection', 'list'])
		expect(found).toMatchObject({
			id: opened?.id,
			name: 'Shop',
			settings: { hosts: 'https://db.example:9200', username: 'ann' },
			secretSources: {},
			hiddenColumns: [{ table: 'people', column: 'salary' }],
		})
	} finally {
		await rm(folder, { recursive: true, force: true })
	}
})
