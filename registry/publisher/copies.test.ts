import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainManifest } from '../../tests/support/manifest.ts'
import { bundleDrivers } from './bundle.ts'
import { changesSince } from './changes.ts'
import { createRegistry } from './create.ts'
import { delegatePublisher } from './delegations.ts'
import { makeKey, openKeys } from './key-folder.ts'
import { mirrorRegistry } from './mirror.ts'
import { packDriver } from './pack.ts'
import { addRelease, releasesOf, yankRelease } from './releases.ts'
import { Repository } from './repository.ts'
import { type RegistryServer, serveRegistry } from './serve.ts'
import { Source } from './source.ts'
import { verifyRegistry } from './verify.ts'

/** Reading a registry without its keys: checks, mirrors and bundles. */

let root: string
let server: RegistryServer
const at = (...path: string[]) => join(root, ...path)

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), 'roundhouse-copies-'))
	await createRegistry({ folder: at('registry'), keyFolder: at('keys'), name: 'Test', rootKeys: 1, rootThreshold: 1 })
	const key = await makeKey(at('keys'), 'acme')
	await edit(async mine => {
		delegatePublisher(mine, 'acme', { publicKeys: [key.publicKey], threshold: 1 })
		await addRelease(mine, await pack('1.0.0'), { publisher: 'acme' })
	})
	server = await serveRegistry(at('registry'))
})

afterEach(async () => {
	await server.close()
	await rm(root, { recursive: true, force: true })
})

async function edit(change: (mine: Repository) => void | Promise<void>): Promise<void> {
	const mine = await Repository.open(at('registry'), { keys: await openKeys(at('keys')) })
	await change(mine)
	await mine.publish()
}

async function pack(version: string, manifest: object = {}) {
	const source = at('source', version)
	await mkdir(source, { recursive: true })
	await writeFile(join(source, 'driver.ts'), `export default { version: '${version}' }`)
	const roundhouse = { ...plainManifest, id: 'tiny', displayName: 'Tiny', ...manifest }
	await writeFile(join(source, 'package.json'), JSON.stringify({ name: 'tiny', version, license: 'MIT', roundhouse }))
	return packDriver(source, { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() })
}

const packages = () => readdir(at('registry/targets/acme/tiny'))
const findings = async () => (await verifyRegistry(new Source(server.url))).findings.map(({ where }) => where)

test('an unaltered registry has no findings, in its folder and behind an address', async () => {
	expect(await findings()).toEqual([])
	const { roles, findings: none } = await verifyRegistry(new Source(at('registry')))
	expect(none).toEqual([])
	expect(roles.map(({ role }) => role)).toEqual(['root', 'timestamp', 'snapshot', 'targets', 'revocations', 'acme'])
})

test('rejects a registry with another fingerprint', async () => {
	await expect(verifyRegistry(new Source(server.url), 'f'.repeat(64))).rejects.toThrow(/not the requested registry/)
})

test('reports an altered package, a missing document and a forged role', async () => {
	const name = (await packages()).find(file => file.endsWith('.tgz')) ?? ''
	const bytes = await readFile(at('registry/targets/acme/tiny', name))
	await writeFile(at('registry/targets/acme/tiny', name), bytes.fill(0, 100, 110))
	expect(await findings()).toEqual(['acme/tiny/1.0.0.tgz'])
	for (const file of await packages()) if (file.endsWith('.json')) await rm(at('registry/targets/acme/tiny', file))
	expect(await findings()).toEqual(['acme/tiny/1.0.0.json', 'acme/tiny/1.0.0.tgz'])
	const role = await readFile(at('registry/metadata/1.acme.json'), 'utf8')
	await writeFile(at('registry/metadata/1.acme.json'), role.replace('"MIT"', '"GPL"'))
	expect(await findings()).toEqual(['acme'])
})

test('a mirror has all that a reader needs, and can be updated', async () => {
	await mirrorRegistry(new Source(server.url), at('copy'))
	expect((await verifyRegistry(new Source(at('copy')))).findings).toEqual([])
	await edit(async mine => addRelease(mine, await pack('1.1.0'), { publisher: 'acme' }))
	const { targets } = await mirrorRegistry(new Source(server.url), at('copy'))
	expect(targets.map(({ path }) => path)).toContain('acme/tiny/1.1.0.tgz')
	expect((await verifyRegistry(new Source(at('copy')))).findings).toEqual([])
})

test('a mirror takes nothing from a broken, an older or another registry', async () => {
	await cp(at('registry'), at('older'), { recursive: true })
	await edit(mine => yankRelease(mine, 'acme/tiny/1.0.0'))
	await mirrorRegistry(new Source(server.url), at('copy'))
	const before = await readdir(at('copy/metadata'))
	await expect(mirrorRegistry(new Source(at('older')), at('copy'))).rejects.toThrow(/older state/)

	await createRegistry({ folder: at('other'), keyFolder: at('others'), name: 'Other', rootKeys: 1, rootThreshold: 1 })
	await expect(mirrorRegistry(new Source(at('other')), at('copy'))).rejects.toThrow(/not the requested registry/)

	await edit(async mine => addRelease(mine, await pack('1.1.0'), { publisher: 'acme' }))
	const added = (await packages()).find(file => file.endsWith('.1.1.0.tgz')) ?? ''
	await writeFile(at('registry/targets/acme/tiny', added), 'something else')
	await expect(mirrorRegistry(new Source(server.url), at('copy'))).rejects.toThrow(/acme\/tiny\/1\.1\.0\.tgz/)
	expect(await readdir(at('copy/metadata'))).toEqual(before)
})

test('ignores what a publisher lists under the name of another publisher', async () => {
	await edit(mine =>
		mine.changeTargets('acme', ({ targets }) => {
			const own = targets['acme/tiny/1.0.0.tgz']
			if (own) targets['other/tiny/1.0.0.tgz'] = own
		}),
	)
	const { targets } = await verifyRegistry(new Source(server.url))
	expect(targets.map(({ path }) => path)).not.toContain('other/tiny/1.0.0.tgz')
	const mine = await Repository.open(at('registry'), { keys: new Map() })
	expect(releasesOf(mine).map(({ name }) => name)).toEqual(['acme/tiny/1.0.0'])
})

test('a bundle contains the newest release that is not withdrawn, or the named one', async () => {
	await edit(async mine => {
		await addRelease(mine, await pack('1.10.0'), { publisher: 'acme' })
		await addRelease(mine, await pack('1.9.0'), { publisher: 'acme' })
		await addRelease(mine, await pack('2.0.0'), { publisher: 'acme' })
		yankRelease(mine, 'acme/tiny/2.0.0')
	})
	const releases = async (...drivers: string[]) => (await bundleDrivers(new Source(server.url), drivers)).releases
	expect(await releases('tiny')).toEqual(['acme/tiny/1.10.0'])
	expect(await releases('acme/tiny@2.0.0')).toEqual(['acme/tiny/2.0.0'])
	await expect(releases('acme/none')).rejects.toThrow(/no release acme\/none/)
})

test('the content of a bundle is a valid registry', async () => {
	const { zip } = await bundleDrivers(new Source(server.url), ['tiny'])
	for (const [path, bytes] of Object.entries(unzipSync(zip))) {
		await mkdir(join(at('unpacked', path), '..'), { recursive: true })
		await writeFile(at('unpacked', path), bytes)
	}
	expect((await verifyRegistry(new Source(at('unpacked')))).findings).toEqual([])
})

test('lists what changed since the previous release', async () => {
	const mine = await Repository.open(at('registry'), { keys: new Map() })
	const changes = await changesSince(mine, 'acme', await pack('1.1.0', { permissions: { network: 'connections' } }))
	expect(changes).toMatchObject({ since: '1.0.0', files: { added: [], changed: ['driver.js', 'package.json'] } })
	expect(changes?.terms).toEqual([
		{
			name: 'permissions',
			before: { network: 'none', memoryMb: 512 },
			after: { network: 'connections', memoryMb: 512 },
		},
	])
})

test('rejects a mirror in the folder of its registry, or in a folder with other files', async () => {
	await expect(mirrorRegistry(new Source(at('registry')), at('registry'))).rejects.toThrow('the registry itself')
	await mkdir(at('letters'))
	await writeFile(at('letters/one.txt'), 'Dear')
	await expect(mirrorRegistry(new Source(server.url), at('letters'))).rejects.toThrow('it contains one.txt')
	expect(await readdir(at('letters'))).toEqual(['one.txt'])
})
