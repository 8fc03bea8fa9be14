import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SavedConnections } from '../../host/connections/saved-connections.ts'
import { openSecretStore } from '../../host/connections/secrets.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { temporarySupport } from '../support/support-directory.ts'

/** The next host removes the files of a killed host, and does not touch files of others. */

test('the next start removes scratch folders of a killed host, and keeps those of a running host', async () => {
	const temporary = await mkdtemp(join(tmpdir(), 'roundhouse-tmp-'))
	try {
		await using living = await Roundhouse.make({ TMPDIR: temporary })
		await using roundhouse = await Roundhouse.make({ TMPDIR: temporary })
		const open = async (home: Roundhouse) => {
			const id = await home.addSample()
			await home.serve()
			await home.json(['connection', 'test', id])
			return id
		}
		await open(living)
		const theirs = await readdir(temporary)
		const id = await open(roundhouse)
		await roundhouse.stop('SIGKILL')
		const left = (await readdir(temporary)).filter(name => !theirs.includes(name))
		expect(left.length).toBeGreaterThan(0)
		await mkdir(join(temporary, 'roundhouse-driver-of-another-kind'))

		await roundhouse.serve()
		const now = await readdir(temporary)
		expect(now.filter(name => left.includes(name))).toEqual([])
		for (const name of [...theirs, 'roundhouse-driver-of-another-kind']) expect(now).toContain(name)
		// The driver of the running host can still use its folder.
		const [saved] = await living.json<{ id: string }[]>(['connection', 'list'])
		expect(await living.json(['connection', 'test', saved?.id ?? ''])).toMatchObject({ ok: true })
		expect(await roundhouse.json(['connection', 'test', id])).toMatchObject({ ok: true })
		expect(await roundhouse.stop()).toBe(0)
		expect(await living.stop()).toBe(0)
		expect(await readdir(temporary)).toEqual(['roundhouse-driver-of-another-kind'])
	} finally {
		await rm(temporary, { recursive: true, force: true })
	}
})

test('partial files are removed, and no others', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.addSample()
	const driver = join(roundhouse.home, 'plugins', 'search-engine')
	const torn = [
		join(roundhouse.home, 'tokens.json.3896581879'),
		join(roundhouse.home, 'secrets.key.12'),
		join(driver, 'current.json.3896581879'),
	]
	const kept = [
		join(roundhouse.home, 'tokens.json.bak'),
		join(roundhouse.home, 'notes.2026'),
		join(roundhouse.home, '12'),
	]
	for (const path of [...torn, ...kept]) await writeFile(path, '{')
	await roundhouse.serve()
	for (const path of torn) await expect(readFile(path), path).rejects.toThrow('ENOENT')
	for (const path of kept) expect(await readFile(path, 'utf8'), path).toBe('{')
	expect(await roundhouse.json(['plugin', 'verify'])).toEqual({ 'search-engine': null })
})

test('a browser profile of a killed command is removed at the next start', async () => {
	await using roundhouse = await Roundhouse.make()
	await mkdir(join(roundhouse.home, 'window-abcdef', 'files', 'profile'), { recursive: true })
	await writeFile(join(roundhouse.home, 'window-abcdef', 'lock'), '999999999')
	await roundhouse.serve()
	expect(await readdir(roundhouse.home)).not.toContain('window-abcdef')
})

test('a secret without a connection, as after a kill between two writes, is deleted', async () => {
	await using support = await temporarySupport()
	const secrets = await openSecretStore(support.file)
	await secrets.set('a-connection-that-is-gone/password', 'correct horse')
	await SavedConnections.open(support.file('connections.json'), secrets)
	expect(await secrets.get('a-connection-that-is-gone/password')).toBeUndefined()
	expect(await readFile(support.file('secrets.json'), 'utf8')).not.toContain('gone')
})
