import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { abilities, cases, groups } from '@roundhouse/kit/conformance'
import { kitVersion } from '@roundhouse/kit/version'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overHttp } from '../support/clients.ts'
import { type CommandResult, Roundhouse } from '../support/roundhouse.ts'

/** The commands of a driver author, in an empty folder, as docs/drivers.md describes them. */

let folder: string
let author: Roundhouse

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-author-'))
	author = await Roundhouse.make()
})

afterEach(async () => {
	await author[Symbol.asyncDispose]()
	await rm(folder, { recursive: true, force: true })
})

const execute = promisify(execFile)

/** Runs a command in the author's folder. */
function run(args: readonly string[], { umask = '' } = {}): Promise<CommandResult> {
	const { command, args: all } = author.command(...args)
	const line = [command, ...all].map(word => `'${word}'`).join(' ')
	return new Promise(resolve =>
		execFile(
			'sh',
			['-c', `${umask && `umask ${umask};`} exec ${line}`],
			{ cwd: folder, env: author.environment },
			(error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
		),
	)
}

async function json(args: readonly string[]) {
	const { code, stdout, stderr } = await run([...args, '--json'])
	expect(code, stderr + stdout).toBe(0)
	return JSON.parse(stdout)
}

const at = (...path: string[]) => join(folder, ...path)

async function editManifest(edit: (manifest: Record<string, unknown>) => void): Promise<void> {
	const file = at('notes', 'package.json')
	const packageJson = JSON.parse(await readFile(file, 'utf8'))
	edit(packageJson)
	await writeFile(file, JSON.stringify(packageJson))
}

/** Packs the kit and the SQL layer, and what they and templates depend on, as a package registry would give them. */
async function packPackages(): Promise<readonly string[]> {
	const folder = at('packages')
	await execute(process.execPath, ['scripts/kit.ts', folder])
	const others = ['@types/node', 'undici-types', 'node-sqlite3-wasm'].map(name => resolve('node_modules', name))
	await execute('npm', ['pack', '--pack-destination', folder, ...others])
	return (await readdir(folder)).filter(name => name.endsWith('.tgz')).map(name => join(folder, name))
}

test('an author can start in an empty folder and get to an AI client of another host', async () => {
	const created = await run(['driver', 'new', 'notes'])
	expect(created.code, created.stderr).toBe(0)
	const files = await readdir(at('notes'))
	expect(files.length).toBeLessThanOrEqual(12)
	const commands = [...created.stdout.matchAll(/^ {2}(roundhouse driver \w+ notes.*)$/gm)].map(([, line]) => line)
	expect(commands).toEqual([
		'roundhouse driver dev notes',
		'roundhouse driver check notes',
		'roundhouse driver publish notes --registry FOLDER',
	])

	const packages = await packPackages()
	await execute('npm', ['install', '--save-dev', '--offline', '--no-audit', '--no-fund', ...packages], {
		cwd: at('notes'),
	})
	for (const template of ['http', 'sql']) {
		const { files, next } = await json(['driver', 'new', template, '--template', template])
		expect(files.length, template).toBeLessThanOrEqual(12)
		expect(next[0]).toBe(template === 'sql' ? 'npm install --prefix sql' : 'roundhouse driver dev http')
		await symlink(at('notes', 'node_modules'), at(template, 'node_modules'))
	}
	for (const name of ['notes', 'http', 'sql']) {
		await execute(resolve('node_modules/.bin/tsc'), ['--project', at(name)])
	}

	const report = await json(['driver', 'check', 'notes'])
	expect(report.findings).toEqual([])
	expect(report.driver).toMatchObject({ id: 'notes', version: '0.1.0' })
	expect(report.startMs).toBeGreaterThan(0)
	expect(report.tools).toMatchObject({ count: 1, tokens: expect.any(Number) })

	const packed = await json(['driver', 'pack', 'notes'])
	expect(Object.keys(packed.files)).toEqual([
		'CHANGELOG.md',
		'LICENSE',
		'README.md',
		'driver.js',
		'driver.js.map',
		'package.json',
	])
	expect((await readFile(at('notes', 'notes-0.1.0.tgz'))).length).toBe(packed.sizeBytes)

	const module = await execute('tar', ['-xzOf', at('notes', 'notes-0.1.0.tgz'), 'package/driver.js'])
	expect(module.stdout).toContain('// node_modules/@roundhouse/kit/api/encoded.js')

	const { fingerprint } = await json(['registry', 'init', 'shelf', '--name', 'Shelf', '--publisher', 'acme'])
	expect(await json(['driver', 'publish', 'notes', '--registry', 'shelf'])).toMatchObject({
		release: 'acme/notes/0.1.0',
		published: true,
		sizeBytes: packed.sizeBytes,
		changes: null,
	})

	await using other = await Roundhouse.make()
	const address = pathToFileURL(at('shelf')).href
	await other.json(['plugin', 'registries', 'add', address, '--fingerprint', fingerprint])
	await other.json(['plugin', 'install', 'notes'])
	const { id } = await other.json<{ id: string }>([
		'connection',
		'add',
		'--driver',
		'notes',
		'--name',
		'Mine',
		'--set',
		'owner=Ada',
		'--ai-policy',
		'allow',
	])
	const token = await other.addToken('read-only')
	const { mcp } = await other.serve()
	const client = await overHttp(mcp.url, token)
	const called = await client.callTool({ name: 'notes_count_notes', arguments: { connection_id: id } })
	expect(called.structuredContent).toEqual({ count: 5 })
	const browsed = await client.callTool({ name: 'browse_table', arguments: { connection_id: id, table: 'notes' } })
	expect(JSON.stringify(browsed.content)).toContain('Written by Ada')
	await client.close()
})

test('the template sql opens a database file in another host, for the window and AI clients', async () => {
	await json(['driver', 'new', 'lite', '--template', 'sql'])
	await cp('node_modules/node-sqlite3-wasm', at('lite', 'node_modules', 'node-sqlite3-wasm'), { recursive: true })
	await execute('npm', ['run', 'prepare'], { cwd: at('lite') })
	const { fingerprint } = await json(['registry', 'init', 'shelf', '--name', 'Shelf', '--publisher', 'acme'])
	await json(['driver', 'publish', 'lite', '--registry', 'shelf'])
	const database = new DatabaseSync(at('shop.db'))
	database.exec('create table big (id integer primary key, n); insert into big values (7, 9223372036854775807)')
	database.close()

	await using other = await Roundhouse.make()
	await other.json(['plugin', 'registries', 'add', pathToFileURL(at('shelf')).href, '--fingerprint', fingerprint])
	await other.json(['plugin', 'install', 'lite'])
	const add = ['connection', 'add', '--driver', 'lite', '--name', 'Mine', '--ai-policy', 'allow']
	const { id } = await other.json<{ id: string }>([...add, '--set', `file=${at('shop.db')}`])
	const { mcp } = await other.serve()
	const client = await overHttp(mcp.url, await other.addToken('read-only'))
	const call = async (name: string, more: object) =>
		JSON.stringify(await client.callTool({ name, arguments: { connection_id: id, ...more } }))
	expect(await call('browse_table', { table: 'big' })).toContain('9223372036854775807')
	expect(await call('execute_query', { query: 'select n from big where id = 7' })).toContain('9223372036854775807')
	expect(await call('execute_query', { query: 'delete from big' })).toContain('changes nothing')
	await client.close()
})

test('the commands in docs/drivers.md work as written', async () => {
	const page = await readFile('docs/drivers.md', 'utf8')
	const blocks = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
	expect(blocks.length).toBeGreaterThan(2)
	const { command, args } = author.command()
	const program = [command, ...args].map(word => `'${word}'`).join(' ')
	const shell = `roundhouse() { ${program} "$@"; }\n${blocks.join('')}`
	const { stdout } = await execute('sh', ['-euc', shell], { cwd: folder, env: author.environment })
	expect(stdout).toContain('Installed notes 0.1.0.')
	expect(await author.json(['plugin', 'list'])).toMatchObject([{ id: 'notes', installedVersion: '0.1.0' }])
})

test('docs/drivers.md lists every ability and every case', async () => {
	const page = await readFile('docs/drivers.md', 'utf8')
	const rows = [...page.matchAll(/^\| `([\w.-]+)` \| (.*?) \|/gm)].map(([, name, text]) => [name, text])
	const listed = (names: readonly string[]) => rows.filter(([name = '']) => names.includes(name))
	expect(listed(Object.keys(abilities))).toEqual(Object.entries(abilities))
	const isCase = (name: string) => groups.some(group => name.startsWith(`${group}.`))
	expect(rows.filter(([name = '']) => isCase(name))).toEqual(cases.map(({ id, rule }) => [id, rule]))
})

test('a package has the same bytes with any umask', async () => {
	await json(['driver', 'new', 'notes'])
	const packs: Buffer[] = []
	for (const umask of ['000', '077']) {
		expect((await run(['driver', 'pack', 'notes'], { umask })).code).toBe(0)
		packs.push(await readFile(at('notes', 'notes-0.1.0.tgz')))
	}
	expect(packs[0]?.equals(packs[1] ?? Buffer.of())).toBe(true)
})

test('a release lists the differences from the last one', async () => {
	await json(['driver', 'new', 'notes'])
	await json(['registry', 'init', 'shelf', '--name', 'Shelf', '--publisher', 'acme'])
	await json(['driver', 'publish', 'notes', '--registry', 'shelf'])
	await editManifest(packageJson => {
		packageJson.version = '0.2.0'
		const manifest = packageJson.roundhouse as Record<string, unknown>
		manifest.permissions = { network: 'connections', memoryMb: 256 }
		manifest.form = [{ key: 'host', label: 'Host', type: 'text' }]
		manifest.tools = []
	})
	const { code, stdout } = await run(['driver', 'publish', 'notes', '--registry', 'shelf', '--dry-run'])
	expect(code).toBe(0)
	expect(stdout).toContain('Would publish acme/notes/0.2.0')
	expect(stdout).toContain('permissions: {"network":"none","memoryMb":128} → {"network":"connections","memoryMb":256}')
	expect(stdout).toContain('form fields added: host')
	expect(stdout).toContain('form fields removed: owner')
	expect(stdout).toContain('tools removed: count_notes')
	expect(stdout).toContain('files changed: package.json')

	await json(['registry', 'init', 'pair', '--name', 'Pair', '--publisher', 'acme', '--publisher', 'zeta'])
	const unnamed = await run(['driver', 'publish', 'notes', '--registry', 'pair'])
	expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('--publisher')])
})

test('a driver for another driver API is packed and published with a warning, and not installed', async () => {
	await json(['driver', 'new', 'notes'])
	await editManifest(packageJson => {
		Object.assign(packageJson.roundhouse as object, { engines: { roundhouse: '^2.0.0' } })
	})
	const { fingerprint } = await json(['registry', 'init', 'shelf', '--name', 'Shelf', '--publisher', 'acme'])
	const fault = `needs driver API ^2.0.0, this is ${kitVersion}`
	for (const args of [
		['driver', 'pack', 'notes'],
		['driver', 'publish', 'notes', '--registry', 'shelf', '--dry-run'],
		['registry', 'add', 'notes', '--publisher', 'acme', '--registry', 'shelf'],
	]) {
		const { code, stdout, stderr } = await run(args)
		expect([code, stdout], stderr).toEqual([0, expect.stringContaining(`Warning: the driver ${fault}.`)])
	}
	const { findings } = JSON.parse((await run(['driver', 'check', 'notes', '--only', 'static', '--json'])).stdout)
	expect(findings).toMatchObject([{ id: 'static.api' }])
	await author.json(['plugin', 'registries', 'add', pathToFileURL(at('shelf')).href, '--fingerprint', fingerprint])
	const refused = await run(['plugin', 'install', 'notes'])
	expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`0.1.0 ${fault}`)])
})

test('commands exit with 1 for findings and with 2 for wrong arguments', async () => {
	for (const name of ['Red', 'red shelf', '../red', '']) {
		const { code, stderr } = await run(['driver', 'new', name])
		expect([code, stderr], name).toEqual([2, expect.stringContaining('lower-case letters')])
	}
	expect((await run(['driver', 'new', 'notes', '--template', 'cobol'])).code).toBe(2)
	await json(['driver', 'new', 'notes'])
	const again = await run(['driver', 'new', 'notes'])
	expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('The folder notes is not empty.')])

	const nothing = await run(['driver', 'check', 'nowhere'])
	expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringContaining('nowhere has no package.json')])

	const one = await json(['driver', 'check', 'notes', '--only', 'schema.list', '--only', 'tools'])
	expect(one.cases.map(({ id }: { id: string }) => id)).toEqual([
		'process.start',
		'schema.list',
		...cases.map(({ id }) => id).filter(id => id.startsWith('tools.')),
	])
	expect((await run(['driver', 'check', 'notes', '--only', 'schema.lists'])).code).toBe(2)

	const conformance = await readFile(at('notes', 'conformance.ts'), 'utf8')
	await writeFile(at('notes', 'conformance.ts'), `import './server.ts'\n${conformance}`)
	for (const [text, place, sentence] of [
		['const port = 1\nenum Reply {}\n', 'server.ts:2', 'enum'],
		["\nthrow new TypeError('no port')\n", 'server.ts:2', 'no port'],
		["\n\nimport './reply.ts'\n", 'server.ts:3', 'reply.ts'],
		['const port = 1\nconst port = 2\n', 'server.ts', 'port'],
	] as const) {
		await writeFile(at('notes', 'server.ts'), text)
		expect(JSON.parse((await run(['driver', 'check', 'notes', '--json'])).stdout).findings).toEqual([
			{ id: 'check.conformance', place, sentence: expect.stringContaining(sentence) },
		])
	}
	const driver = await readFile(at('notes', 'driver.ts'), 'utf8')
	await writeFile(at('notes', 'driver.ts'), `import './server.ts'\n${driver}`)
	await writeFile(at('notes', 'server.ts'), '\nconst port = = 1\n')
	const unbuilt = await run(['driver', 'check', 'notes'])
	expect((unbuilt.stdout + unbuilt.stderr).match(/Unexpected "="/g)).toHaveLength(1)
	expect(unbuilt.stdout).toContain('server.ts:2: Unexpected "=".')
	await writeFile(at('notes', 'driver.ts'), driver)

	const warning = expect.stringContaining('README.md still has the text of the template')
	expect((await json(['driver', 'pack', 'notes'])).warnings).toEqual([warning])
	await writeFile(at('notes', 'README.md'), '# Notes\n')
	expect((await json(['driver', 'pack', 'notes'])).warnings).toEqual([])

	await rm(at('notes', 'conformance.ts'))
	const untold = await run(['driver', 'check', 'notes', '--json'])
	expect(untold.code).toBe(1)
	expect(JSON.parse(untold.stdout).findings).toEqual([
		{ id: 'check.conformance', place: 'conformance.ts', sentence: expect.stringContaining('has no conformance.ts') },
	])

	await editManifest(packageJson => {
		Object.assign(packageJson.roundhouse as object, { colour: 'red' })
	})
	const malformed = await run(['driver', 'check', 'notes', '--json'])
	expect(malformed.code).toBe(1)
	expect(JSON.parse(malformed.stdout).findings).toEqual([
		{ id: 'check.pack', place: 'package.json', sentence: expect.stringContaining('Unrecognized key: "colour"') },
	])
	expect(malformed.stderr).toContain('notes has findings: 1.')
})
