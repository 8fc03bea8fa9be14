import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { extract, list } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { isAllowed } from '../../scripts/release/bundled.ts'
import { openPoints, readConfig } from '../../scripts/release/config.ts'
import { nodePackages } from '../../scripts/release/node-platforms.ts'
import { type Rendered, render } from './rendered.ts'

/** What `npm run release` writes, and how it runs on another machine. */

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

const run = promisify(execFile)

interface Result {
	readonly code: number
	readonly stdout: string
	readonly stderr: string
}

/**
 * The package outside of any checkout, with another HOME. Its dependencies are links to those of the checkout; the walk
 * (walk.test.ts) installs them from a registry.
 */
describe('installed outside of a checkout', () => {
	let person: string
	let launcher: string

	beforeAll(async () => {
		person = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
		const modules = join(person, 'lib', 'node_modules')
		await mkdir(join(modules, '@roundhouse', 'node-linux-x64'), { recursive: true })
		await extract({ file: join(release.folder, `roundhouse-db-${release.version}.tgz`), cwd: modules })
		await cp(join(modules, 'package'), join(modules, 'roundhouse-db'), { recursive: true })
		for (const name of await readdir(inCheckout('node_modules')))
			if (/^(fs-native-extensions|@napi-rs|node-|require-addon|bare-|which-runtime)/.test(name))
				await symlink(inCheckout('node_modules', name), join(modules, name))
		launcher = join(modules, 'roundhouse-db', 'host', 'bin', 'roundhouse.mjs')
	})
	afterAll(() => rm(person, { recursive: true, force: true }))

	async function roundhouse(
		home: string,
		args: readonly string[],
		env: Readonly<Record<string, string>> = {},
	): Promise<Result> {
		const { PATH = '' } = process.env
		const environment = {
			PATH,
			HOME: join(person, home),
			ROUNDHOUSE_WINDOW: 'none',
			ROUNDHOUSE_SECRETS: 'file',
			...env,
		}
		await mkdir(environment.HOME, { recursive: true })
		return run(process.execPath, [launcher, ...args], { cwd: environment.HOME, env: environment }).then(
			({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
			error => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
		)
	}

	test('a first run without a network installs the driver that came with it, and opens its sample', async () => {
		const browsed = await roundhouse('first', ['plugin', 'browse', '--json'])
		const offered = JSON.parse(browsed.stdout)
		expect(offered).toContainEqual(expect.objectContaining({ id: 'search-engine', state: 'available' }))
		expect(browsed.stderr).toContain('Only the drivers that came with Roundhouse are listed')
		const sample = ['connection', 'add', '--driver', 'search-engine', '--name', 'Sample', '--sample', '--json']
		const { id } = JSON.parse((await roundhouse('first', sample)).stdout)
		expect(JSON.parse((await roundhouse('first', ['connection', 'test', id, '--json'])).stdout)).toMatchObject({
			ok: true,
		})
		expect((await roundhouse('first', ['mcp', 'test'])).stdout).toContain('The bridge reaches roundhouse')
		const doctor = await roundhouse('first', ['doctor'])
		expect(doctor).toEqual({ code: 0, stdout: expect.stringContaining('search-engine'), stderr: '' })
	})

	test('a command writes nothing into its package, and keeps compiled code in the cache of the user', async () => {
		const before = await readdir(join(launcher, '..', '..', '..', 'dist', 'host'))
		await roundhouse('cached', ['--version'])
		expect(await readdir(join(launcher, '..', '..', '..', 'dist', 'host'))).toEqual(before)
		expect(await readdir(join(person, 'cached', '.cache', 'Roundhouse'))).toEqual(['compiled'])
	})

	test('an AI client is set up with the path of the installation', async () => {
		await roundhouse('client', ['mcp', 'install', 'cursor', '--yes'])
		const { mcpServers } = JSON.parse(await readFile(join(person, 'client', '.cursor', 'mcp.json'), 'utf8'))
		expect(mcpServers.roundhouse.args).toContain(launcher)
		expect(JSON.stringify(mcpServers)).not.toMatch(/_npx|\.cache|\.npm/)
	})

	test('an address of a registry without its fingerprint is refused', async () => {
		const { code, stderr } = await roundhouse('other', ['plugin', 'browse', '--registry', 'https://drivers.test/'])
		expect(code).toBe(1)
		expect(stderr).toContain('needs the fingerprint')
	})

	test('a driver folder is refused with the way to get a bundler', async () => {
		await roundhouse('author', ['driver', 'new', 'shelf'])
		const { stderr } = await roundhouse('author', ['driver', 'pack', 'shelf'])
		expect(stderr).toContain('npm install --save-dev esbuild')
	})
})
