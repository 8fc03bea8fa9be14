import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { extract } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inCheckout } from '../../scripts/layout.ts'
import { render } from './rendered.ts'

/**
 * The package outside of any checkout, with another HOME. Its dependencies are links to those of the checkout; the walk
 * (walk.test.ts) installs them from a registry.
 */

let person: string
let launcher: string
const run = promisify(execFile)

beforeAll(async () => {
	person = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
	const modules = join(person, 'lib', 'node_modules')
	await mkdir(join(modules, '@roundhouse', 'node-linux-x64'), { recursive: true })
	await using release = await render()
	await extract({ file: join(release.folder, `roundhouse-db-${release.version}.tgz`), cwd: modules })
	await cp(join(modules, 'package'), join(modules, 'roundhouse-db'), { recursive: true })
	for (const name of await readdir(inCheckout('node_modules')))
		if (/^(fs-native-extensions|@napi-rs|node-|require-addon|bare-|which-runtime)/.test(name))
			await symlink(inCheckout('node_modules', name), join(modules, name))
	launcher = join(modules, 'roundhouse-db', 'host', 'bin', 'roundhouse.mjs')
})
afterAll(() => rm(person, { recursive: true, force: true }))

interface Result {
	readonly code: number
	readonly stdout: string
	readonly stderr: string
}

async function roundhouse(
	home: string,
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
): Promise<Result> {
	const { PATH = '' } = process.env
	const environment = { PATH, HOME: join(person, home), ROUNDHOUSE_WINDOW: 'none', ROUNDHOUSE_SECRETS: 'file', ...env }
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
	expect(doctor.stdout).toContain('search-engine')
	expect(doctor.code).toBe(0)
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
