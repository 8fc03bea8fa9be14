import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Updater } from 'tuf-js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainManifest } from '../../tests/support/manifest.ts'
import { createRegistry } from './create.ts'
import { delegatePublisher, dropPublisher } from './delegations.ts'
import { makeKey, openKeys } from './key-folder.ts'
import { packDriver } from './pack.ts'
import { addRelease, releasesOf, yankRelease } from './releases.ts'
import { Repository } from './repository.ts'
import { revocationsOf, revokeRelease } from './revocations.ts'
import { rotateKeys } from './rotation.ts'
import { serveRegistry } from './serve.ts'
import { Source } from './source.ts'
import { verifyRegistry } from './verify.ts'

let root: string
let folder: string
let keyFolder: string
let server: Awaited<ReturnType<typeof serveRegistry>>
let now: Date

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'roundhouse-repository-'))
	folder = join(root, 'registry')
	keyFolder = join(root, 'keys')
	now = new Date()
	await createRegistry({ folder, keyFolder, name: 'Test', rootKeys: 2, rootThreshold: 2, now: () => now })
	server = await serveRegistry(folder)
})

afterEach(async () => {
	await server.close()
	await rm(root, { recursive: true, force: true })
})

const open = async (...keyFolders: string[]) =>
	Repository.open(folder, { keys: await openKeys(...(keyFolders.length ? keyFolders : [keyFolder])), now: () => now })

async function pack(version: string) {
	const source = join(root, 'source', version)
	await mkdir(source, { recursive: true })
	await writeFile(join(source, 'driver.ts'), `export default { version: '${version}' }`)
	const roundhouse = { ...plainManifest, id: 'tiny', displayName: 'Tiny' }
	await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version, license: 'MIT', roundhouse }))
	return packDriver(source, { minHostVersion: '0.1.0', publishedAt: now.toISOString() })
}

/** A reader that follows the specification, without code of this project. */
class Reader {
	readonly #folder: string

	constructor(name: string) {
		this.#folder = join(root, name)
	}

	async updater(): Promise<Updater> {
		const [metadataDir, targetDir] = [join(this.#folder, 'metadata'), join(this.#folder, 'targets')]
		await mkdir(metadataDir, { recursive: true })
		await mkdir(targetDir, { recursive: true })
		const trusted = join(metadataDir, 'root.json')
		await copyFile(join(folder, 'metadata', '1.root.json'), trusted, 1).catch(() => {})
		const [metadataBaseUrl, targetBaseUrl] = [`${server.url}metadata`, `${server.url}targets`]
		return new Updater({ metadataDir, targetDir, metadataBaseUrl, targetBaseUrl })
	}

	async find(path: string) {
		return (await this.updater()).getTargetInfo(path)
	}
}

test('a reader that follows the specification finds and downloads a release of a publisher', async () => {
	const mine = await open()
	delegatePublisher(mine, 'acme', { publicKeys: [(await makeKey(keyFolder, 'acme')).publicKey], threshold: 1 })
	await mine.publish()
	const acme = await open()
	const packed = await pack('1.0.0')
	await addRelease(acme, packed, { publisher: 'acme' })
	await acme.publish()

	const updater = await new Reader('reader').updater()
	const found = await updater.getTargetInfo('acme/tiny/1.0.0.tgz')
	expect(found?.custom).toMatchObject({ api: '^0.1.0', license: 'MIT', isYanked: false })
	if (!found) return
	expect(await readFile(await updater.downloadTarget(found))).toEqual(packed.tarball)
	const document = await updater.getTargetInfo('acme/tiny/1.0.0.json')
	expect(document?.hashes.sha512).toBe(packed.summary.document)
	expect(await updater.getTargetInfo('acme/tiny/2.0.0.tgz')).toBeUndefined()
})

/** Adds the publisher `acme` and its release 1.0.0 to the registry. */
async function withRelease(): Promise<void> {
	const key = await makeKey(keyFolder, 'acme')
	const mine = await open()
	delegatePublisher(mine, 'acme', { publicKeys: [key.publicKey], threshold: 1 })
	await addRelease(mine, await pack('1.0.0'), { publisher: 'acme' })
	await mine.publish()
}

test('marks a yanked and a revoked release, and never changes a released version', async () => {
	await withRelease()
	const mine = await open()
	await expect(addRelease(mine, await pack('1.0.0'), { publisher: 'acme' })).rejects.toThrow(/already published/)
	yankRelease(mine, 'acme/tiny/1.0.0')
	await revokeRelease(mine, 'acme/tiny/1.0.0', { reason: 'It leaks.', action: 'stop', at: now })
	await mine.publish()

	const again = await open()
	expect(releasesOf(again).map(({ name, summary }) => [name, summary.isYanked])).toEqual([['acme/tiny/1.0.0', true]])
	expect(await revocationsOf(again)).toMatchObject([
		{ release: 'acme/tiny/1.0.0', reason: 'It leaks.', action: 'stop' },
	])
	const found = await new Reader('reader').find('acme/tiny/1.0.0.tgz')
	expect(found?.custom).toMatchObject({ isYanked: true })
})

test('a publisher signs with separate keys, and readers see its role when the registry includes it', async () => {
	const theirKeys = join(root, 'their-keys')
	const theirs = await makeKey(theirKeys, 'acme')
	const mine = await open()
	delegatePublisher(mine, 'acme', { publicKeys: [theirs.publicKey], threshold: 1 })
	await mine.publish()

	const acme = await open(theirKeys)
	await addRelease(acme, await pack('1.0.0'), { publisher: 'acme' })
	expect(await acme.publish()).toMatchObject({ signed: [{ role: 'acme', version: 1 }], waitsFor: ['snapshot'] })
	expect(await new Reader('early').updater().then(updater => updater.getTargetInfo('registry.json'))).toBeDefined()

	expect((await (await open()).publish()).takenIn).toEqual([{ role: 'acme', version: 1 }])
	expect(await new Reader('late').find('acme/tiny/1.0.0.tgz')).toBeDefined()
})

test('a publisher cannot sign for another publisher', async () => {
	await withRelease()
	const strangers = join(root, 'strangers')
	await makeKey(strangers, 'acme')
	const acme = await open(strangers)
	await addRelease(acme, await pack('2.0.0'), { publisher: 'acme' })
	await expect(acme.publish()).rejects.toThrow(/role acme needs 1 of its keys/)
})

test('a reader that missed every step follows all rotations', async () => {
	await withRelease()
	const old = new Reader('old')
	await old.find('acme/tiny/1.0.0.tgz')
	for (const role of ['timestamp', 'snapshot', 'targets', 'revocations', 'acme', 'root']) {
		const keys = [await makeKey(keyFolder, role), await makeKey(keyFolder, role)]
		const mine = await open()
		rotateKeys(mine, role, { publicKeys: keys.map(({ publicKey }) => publicKey), threshold: 2 })
		await mine.publish()
		expect(await new Reader(`after-${role}`).find('acme/tiny/1.0.0.tgz'), role).toBeDefined()
	}
	expect(await old.find('acme/tiny/1.0.0.tgz')).toBeDefined()
})

test("replaces a publisher's key without a moment in which no key is valid", async () => {
	const keyFolders = [join(root, 'old-key'), join(root, 'new-key')] as const
	const [old, next] = await Promise.all(keyFolders.map(async one => (await makeKey(one, 'acme')).publicKey))
	const path = 'acme/tiny/1.0.0.tgz'
	const delegate = async (...publicKeys: (string | undefined)[]) => {
		const mine = await open()
		delegatePublisher(mine, 'acme', { publicKeys: publicKeys.filter(key => key !== undefined), threshold: 1 })
		await mine.publish()
	}
	await delegate(old)
	const acme = await open(keyFolders[0])
	await addRelease(acme, await pack('1.0.0'), { publisher: 'acme' })
	await acme.publish()
	await (await open()).publish()
	await expect(delegate(next)).rejects.toThrow(/role acme needs 1 of its keys/)

	await delegate(old, next)
	expect(await new Reader('both').find(path)).toBeDefined()
	const again = await open(keyFolders[1])
	again.renew('acme')
	await again.publish()
	await delegate(next)
	expect(await new Reader('new').find(path)).toBeDefined()
})

test('a removed publisher is not found, and can be added again with another key', async () => {
	await withRelease()
	const reader = new Reader('reader')
	expect(await reader.find('acme/tiny/1.0.0.tgz')).toBeDefined()
	const mine = await open()
	dropPublisher(mine, 'acme')
	await mine.publish()
	expect(await reader.find('acme/tiny/1.0.0.tgz')).toBeUndefined()

	const key = await makeKey(keyFolder, 'acme')
	const again = await open()
	delegatePublisher(again, 'acme', { publicKeys: [key.publicKey], threshold: 1 })
	await addRelease(again, await pack('2.0.0'), { publisher: 'acme' })
	await again.publish()
	expect(await reader.find('acme/tiny/2.0.0.tgz')).toBeDefined()
	expect(await reader.find('acme/tiny/1.0.0.tgz')).toBeUndefined()
})

test('a root is rotated only with the threshold of old keys', async () => {
	const one = join(root, 'one')
	await mkdir(one)
	const name = (await readdir(keyFolder)).find(file => file.startsWith('root-')) ?? ''
	await copyFile(join(keyFolder, name), join(one, name))
	const mine = await open(one)
	rotateKeys(mine, 'root', { publicKeys: [(await makeKey(one, 'root')).publicKey], threshold: 1 })
	await expect(mine.publish()).rejects.toThrow(/role root needs 2 of its keys to sign, and 1 were found/)
	expect(await readdir(join(folder, 'metadata'))).not.toContain('2.root.json')
})

test('signs roles that expire soon again, and reports roles that cannot be signed', async () => {
	await withRelease()
	const before = await timestampVersion()
	expect((await (await open()).publish()).signed).toEqual([])
	now = new Date(now.getTime() + 20 * 3600 * 1000)
	expect(await (await open()).publish()).toEqual({
		signed: [{ role: 'timestamp', version: before + 1 }],
		takenIn: [],
		waitsFor: [],
	})
	now = new Date(now.getTime() + 300 * 24 * 3600 * 1000)
	const online = join(root, 'online')
	await mkdir(online)
	for (const name of await readdir(keyFolder))
		if (/^(snapshot|timestamp)-/.test(name)) await copyFile(join(keyFolder, name), join(online, name))
	const { signed, waitsFor } = await (await open(online)).publish()
	expect(signed.map(({ role }) => role)).toEqual(['snapshot', 'timestamp'])
	expect(waitsFor).toEqual(['root', 'targets', 'revocations', 'acme'])
})

test('versions increase also if the clock went back and a publication was interrupted', async () => {
	await withRelease()
	const before = await timestampVersion()
	now = new Date(now.getTime() - 365 * 24 * 3600 * 1000)
	await writeFile(join(folder, 'metadata', '9.acme.json'), '{"half')
	const mine = await open()
	yankRelease(mine, 'acme/tiny/1.0.0')
	const { signed } = await mine.publish()
	expect(signed).toContainEqual({ role: 'acme', version: 10 })
	expect(signed).toContainEqual({ role: 'timestamp', version: before + 1 })
})

test('versions increase also if the timestamp was lost', async () => {
	const reader = new Reader('reader')
	for (const hours of [20, 40, 60]) {
		now = new Date(Date.now() + hours * 3600 * 1000)
		await (await open()).publish()
	}
	now = new Date()
	await withRelease()
	expect(await reader.find('acme/tiny/1.0.0.tgz')).toBeDefined()
	await rm(join(folder, 'metadata', 'timestamp.json'))
	const mine = await open()
	yankRelease(mine, 'acme/tiny/1.0.0')
	await mine.publish()
	expect((await reader.find('acme/tiny/1.0.0.tgz'))?.custom).toMatchObject({ isYanked: true })
})

async function timestampVersion(): Promise<number> {
	return JSON.parse(await readFile(join(folder, 'metadata', 'timestamp.json'), 'utf8')).signed.version
}

test('at every step of a publication a reader sees the previous or the next generation', async () => {
	await withRelease()
	const reader = new Reader('reader')
	const before = await snapshotOfFolder()
	const key = await makeKey(keyFolder, 'timestamp')
	const mine = await open()
	yankRelease(mine, 'acme/tiny/1.0.0')
	rotateKeys(mine, 'timestamp', { publicKeys: [key.publicKey], threshold: 1 })
	const { signed } = await mine.publish()
	const after = await snapshotOfFolder()
	const names = signed.map(({ role, version }) => (role === 'timestamp' ? 'timestamp.json' : `${version}.${role}.json`))
	expect(names.at(-1)).toBe('2.root.json')

	// Restore the previous folder, then write file by file in the order of the publication.
	for (const name of after.keys()) await rm(join(folder, 'metadata', name))
	for (const [name, bytes] of before) await writeFile(join(folder, 'metadata', name), bytes)
	for (const [step, name] of names.entries()) {
		await writeFile(join(folder, 'metadata', name), after.get(name) ?? '')
		const isTimestampThere = step >= names.indexOf('timestamp.json')
		for (const who of [reader, new Reader(`fresh-${step}`)])
			expect((await who.find('acme/tiny/1.0.0.tgz'))?.custom, name).toMatchObject({ isYanked: isTimestampThere })
		// If the publication stops here, the next one completes it.
		const left = join(root, `left-${step}`)
		await cp(folder, left, { recursive: true })
		const next = await Repository.open(left, { keys: await openKeys(keyFolder) })
		yankRelease(next, 'acme/tiny/1.0.0')
		await next.publish()
		expect((await verifyRegistry(new Source(left))).findings, name).toEqual([])
	}
})

async function snapshotOfFolder(): Promise<Map<string, Buffer>> {
	const names = await readdir(join(folder, 'metadata'))
	return new Map(
		await Promise.all(names.map(async name => [name, await readFile(join(folder, 'metadata', name))] as const)),
	)
}

test('only the owner can read key files', async () => {
	expect((await stat(keyFolder)).mode & 0o777).toBe(0o700)
	for (const name of await readdir(keyFolder)) expect((await stat(join(keyFolder, name))).mode & 0o777).toBe(0o600)
})
