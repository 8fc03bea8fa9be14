import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { extract, list } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { isAllowed } from '../../scripts/release/bundled.ts'
import { openPoints, readConfig } from '../../scripts/release/config.ts'
import { nodePackages } from '../../scripts/release/node-platforms.ts'
import { type Rendered, render } from './rendered.ts'

/** What `npm run release` writes. */

let release: Rendered
let again: Rendered
/** The unpacked npm package. */
let unpacked: string
beforeAll(async () => {
	const elsewhere = { umask: '077', env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' } }
	;[release, again] = await Promise.all([render(), render(elsewhere)])
	unpacked = release.folder
	await extract({ file: join(unpacked, `roundhouse-db-${release.version}.tgz`), cwd: unpacked })
	unpacked = join(unpacked, 'package')
})
afterAll(async () => {
	await release?.[Symbol.asyncDispose]()
	await again?.[Symbol.asyncDispose]()
})

const json = async (...path: string[]) => JSON.parse(await readFile(join(unpacked, ...path), 'utf8'))

test('another umask, folder and time zone give the same bytes', async () => {
	const names = (await readdir(again.folder)).sort()
	expect(names).toEqual(
		[`roundhouse-db-${release.version}.tgz`, 'roundhouse.mcpb', 'sbom.cdx.json', 'server.json', 'SHA256SUMS'].sort(),
	)
	for (const name of names) expect((await release.read(name)).equals(await again.read(name)), name).toBe(true)
})

test('the checksums are those of the files', async () => {
	const lines = (await release.read('SHA256SUMS')).toString().trim().split('\n')
	expect(lines.length).toBe(4)
	for (const line of lines) {
		const [digest, name = ''] = line.split('  ')
		expect(
			createHash('sha256')
				.update(await release.read(name))
				.digest('hex'),
		).toBe(digest)
	}
})

test('the package has the command roundhouse, and nothing of the checkout', async () => {
	const manifest = await json('package.json')
	expect(manifest).toMatchObject({ name: 'roundhouse-db', bin: { roundhouse: 'host/bin/roundhouse.mjs' } })
	expect(Object.keys(manifest.optionalDependencies)).toContain('@roundhouse/node-linux-x64')
	const modes = new Map<string, number>()
	await list({
		file: join(release.folder, `roundhouse-db-${release.version}.tgz`),
		onReadEntry: ({ path, mode = 0 }) => modes.set(path, mode & 0o777),
	})
	expect(modes.get('package/host/bin/roundhouse.mjs')).toBe(0o755)
	expect(modes.get('package/package.json')).toBe(0o644)
	expect([...modes.keys()].filter(path => path.endsWith('.map') || path.includes('/registry/'))).toEqual([])
	for (const path of modes.keys()) {
		const text = await readFile(join(unpacked, path.replace('package/', '')), 'latin1')
		expect(text.includes(inCheckout()), path).toBe(false)
	}
})

test('the release fixes the registry, and the digest of each driver that it includes', async () => {
	const facts = await json('dist', 'release.json')
	const config = await readConfig()
	expect(facts).toMatchObject({ version: config.version, registry: config.registry })
	const paths = Object.keys(facts.drivers)
	expect(paths.filter(path => path.startsWith('roundhouse/search-engine/')).length).toBe(2)
	for (const path of paths) {
		const bytes = await readFile(join(unpacked, 'dist', 'drivers', path))
		expect(createHash('sha512').update(bytes).digest('hex')).toBe(facts.drivers[path].hashes.sha512)
	}
})

test('the notices name what is inside, and the list of parts too', async () => {
	const notices = await readFile(join(unpacked, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
	const sbom = await json('sbom.cdx.json')
	const parts = sbom.components.map(({ group, name }: { group?: string; name: string }) =>
		group ? `${group}/${name}` : name,
	)
	for (const name of ['solid-js', 'tuf-js', 'commander', 'ws', 'zod']) {
		expect(notices).toMatch(new RegExp(`^${name} \\d.*\\(`, 'm'))
		expect(parts).toContain(name)
	}
	expect(parts).toContain('fs-native-extensions')
	expect(notices).toMatch(/permission notice shall be included/)
	expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
})

test('licences that ask for more than their text are refused', () => {
	for (const license of ['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND MIT']) expect(isAllowed(license)).toBe(true)
	for (const license of ['GPL-3.0-only', 'MIT AND LGPL-2.1-only', 'unknown', 'SEE LICENSE IN X'])
		expect(isAllowed(license)).toBe(false)
})

test('release.json has the version of every part that is released together', async () => {
	const { version } = await readConfig()
	const read = async (...path: string[]) => JSON.parse(await readFile(inCheckout(...path), 'utf8'))
	const versions = [
		(await read('package.json')).version,
		(await read('host', 'package.json')).version,
		(await read('server.json')).version,
	]
	expect(versions).toEqual(versions.map(() => version))
	const { optionalDependencies } = await read('package.json')
	const { node } = await readConfig()
	expect(nodePackages.map(({ source }) => optionalDependencies[source])).toEqual(nodePackages.map(() => node))
})

test('a release is not publishable before its registry has a root and an address', async () => {
	const config = await readConfig()
	const set = {
		...config,
		downloads: 'https://downloads.test/',
		nodeSums: 'b'.repeat(64),
		registry: { ...config.registry, url: 'https://drivers.test/', rootSha256: 'a'.repeat(64) },
	}
	expect(openPoints(set)).toEqual([])
	const unset = { ...set, registry: { ...set.registry, rootSha256: '0'.repeat(64) } }
	expect(openPoints(unset).join()).toContain('key ceremony')
	await expect(render({ args: ['--final'] })).rejects.toThrow('cannot be published')
})
