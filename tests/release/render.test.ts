import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { extract, list } from 'tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { announceHost } from '../../registry/publisher/host-releases.ts'
import { inCheckout } from '../../scripts/layout.ts'
import { isAllowed } from '../../scripts/release/bundled.ts'
import { openPoints, readConfig } from '../../scripts/release/config.ts'
import { nodePackages } from '../../scripts/release/node-platforms.ts'
import { openBrowser } from '../support/browser.ts'
import { TestRegistry } from '../support/test-registry.ts'
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

test('another umask and time zone make the same sample of PostgreSQL', async () => {
	const file = join(release.folder, 'sample.tar.br')
	const words = [process.execPath, inCheckout('plugins', 'postgres', 'sample', 'write-image.ts'), file]
	const env = { ...process.env, TZ: 'Asia/Tokyo', LC_ALL: 'C' }
	await promisify(execFile)('sh', ['-c', 'umask 077; exec "$@"', 'sh', ...words], { env })
	const built = await readFile(inCheckout('plugins', 'postgres', 'generated', 'sample.tar.br'))
	expect((await readFile(file)).equals(built)).toBe(true)
	await rm(file)
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
class Installation implements AsyncDisposable {
	readonly folder: string
	readonly launcher: string

	private constructor(folder: string, launcher: string) {
		this.folder = folder
		this.launcher = launcher
	}

	static async of({ folder, version }: Rendered): Promise<Installation> {
		const root = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
		const modules = join(root, 'lib', 'node_modules')
		await mkdir(join(modules, '@roundhouse', 'node-linux-x64'), { recursive: true })
		await extract({ file: join(folder, `roundhouse-db-${version}.tgz`), cwd: modules })
		await cp(join(modules, 'package'), join(modules, 'roundhouse-db'), { recursive: true })
		for (const name of await readdir(inCheckout('node_modules')))
			if (/^(fs-native-extensions|@napi-rs|node-|require-addon|bare-|which-runtime)/.test(name))
				await symlink(inCheckout('node_modules', name), join(modules, name))
		return new Installation(root, join(modules, 'roundhouse-db', 'host', 'bin', 'roundhouse.mjs'))
	}

	/** Runs a command with a HOME of this name. */
	async run(home: string, ...args: readonly string[]): Promise<Result> {
		const options = await this.#options(home)
		return run(process.execPath, [this.launcher, ...args], options).then(
			({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
			error => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
		)
	}

	/** Starts a host. Resolves when it is ready. */
	async serve(home: string): Promise<ChildProcess> {
		const words = [this.launcher, 'serve', '--mcp-port', '0', '--ui-port', '0']
		const child = spawn(process.execPath, words, { ...(await this.#options(home)), stdio: ['pipe', 'pipe', 'inherit'] })
		await once(child.stdout ?? child, 'data')
		return child
	}

	async #options(home: string) {
		const { PATH = '' } = process.env
		const env = { PATH, HOME: join(this.folder, home), ROUNDHOUSE_WINDOW: 'none', ROUNDHOUSE_SECRETS: 'file' }
		await mkdir(env.HOME, { recursive: true })
		return { cwd: env.HOME, env }
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.folder, { recursive: true, force: true })
	}
}

test('the command and the window show a newer release that the registry names', async () => {
	await using registry = await TestRegistry.make()
	const root = { name: 'Test', url: registry.source.url, rootSha256: registry.fingerprint }
	await using own = await render({ change: { registry: root } })
	await using installation = await Installation.of(own)
	const check = async () => (await installation.run('update', '--version', '--check')).stdout.trim()
	expect(await check()).toBe(`${own.version}. It is the newest.`)
	const newest = { version: '9.1.0', releasedAt: new Date().toISOString() }
	await registry.edit(mine => announceHost(mine, 'next', { ...newest, version: '9.2.0' }))
	await registry.edit(mine => announceHost(mine, 'stable', newest))
	const text = 'Roundhouse 9.1.0 is available. Run: npm install --global roundhouse-db@9.1.0'
	expect(await check()).toBe(`${own.version}. ${text}`)
	const host = await installation.serve('update')
	const browser = await openBrowser()
	try {
		const page = await browser.newPage()
		await page.goto(JSON.parse((await installation.run('update', 'open', '--json')).stdout).fallbackUrl)
		await page.getByRole('status').filter({ hasText: text }).waitFor()
	} finally {
		await browser.close()
		host.kill()
		await once(host, 'exit')
	}
})

describe('installed outside of a checkout', () => {
	let installation: Installation
	beforeAll(async () => {
		installation = await Installation.of(release)
	})
	afterAll(() => installation?.[Symbol.asyncDispose]())

	test('a first run without a network installs the driver that came with it, and opens its sample', async () => {
		const browsed = await installation.run('first', 'plugin', 'browse', '--json')
		const offered = JSON.parse(browsed.stdout)
		expect(offered).toContainEqual(expect.objectContaining({ id: 'search-engine', state: 'available' }))
		expect(browsed.stderr).toContain('Only the drivers that came with Roundhouse are listed')
		const sample = ['connection', 'add', '--driver', 'search-engine', '--name', 'Sample', '--sample', '--json']
		const { id } = JSON.parse((await installation.run('first', ...sample)).stdout)
		expect(JSON.parse((await installation.run('first', 'connection', 'test', id, '--json')).stdout)).toMatchObject({
			ok: true,
		})
		expect((await installation.run('first', 'mcp', 'test')).stdout).toContain('The bridge reaches roundhouse')
		const doctor = await installation.run('first', 'doctor')
		expect(doctor).toEqual({ code: 0, stdout: expect.stringContaining('search-engine'), stderr: '' })
	})

	test('a command writes nothing into its package, and keeps compiled code in the cache of the user', async () => {
		const before = await readdir(join(installation.launcher, '..', '..', '..', 'dist', 'host'))
		await installation.run('cached', '--version')
		expect(await readdir(join(installation.launcher, '..', '..', '..', 'dist', 'host'))).toEqual(before)
		expect(await readdir(join(installation.folder, 'cached', '.cache', 'Roundhouse'))).toEqual(['compiled'])
	})

	test('an AI client is set up with the path of the installation', async () => {
		await installation.run('client', 'mcp', 'install', 'cursor', '--yes')
		const { mcpServers } = JSON.parse(
			await readFile(join(installation.folder, 'client', '.cursor', 'mcp.json'), 'utf8'),
		)
		expect(mcpServers.roundhouse.args).toContain(installation.launcher)
		expect(JSON.stringify(mcpServers)).not.toMatch(/_npx|\.cache|\.npm/)
	})

	test('an address of a registry without its fingerprint is refused', async () => {
		const { code, stderr } = await installation.run('other', 'plugin', 'browse', '--registry', 'https://drivers.test/')
		expect(code).toBe(1)
		expect(stderr).toContain('needs the fingerprint')
	})

	test('a driver folder is refused, and the message says where it can be packed', async () => {
		await installation.run('author', 'driver', 'new', 'shelf')
		const { stderr } = await installation.run('author', 'driver', 'pack', 'shelf')
		expect(stderr).toContain('Use a checkout of Roundhouse.')
	})
})
