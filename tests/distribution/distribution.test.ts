import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Ajv } from 'ajv'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { inCheckout } from '../../scripts/layout.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** Published artifacts: the bundle with the bridge, and the entry for the registry of MCP servers. */

const json = async (...path: string[]) => JSON.parse(await readFile(inCheckout(...path), 'utf8'))

let folder: string
/** The folder into which a client unpacked the bundle. */
let unpacked: string
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-bundle-'))
	unpacked = join(folder, 'unpacked')
	for (const [name, bytes] of Object.entries(unzipSync(await readFile(await bundle(folder))))) {
		await mkdir(dirname(join(unpacked, name)), { recursive: true })
		await writeFile(join(unpacked, name), bytes)
	}
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The command of the manifest, with the client's folder in place of the variable. */
async function bridge(): Promise<{ readonly command: string; readonly args: string[] }> {
	const { server } = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'))
	expect(server.mcp_config.command).toBe('node')
	const args = (server.mcp_config.args as string[]).map(arg => arg.replace(/\$\{__dirname\}/, unpacked))
	return { command: process.execPath, args }
}

test('server.json matches the schema of the registry of MCP servers', async () => {
	// The schema uses annotations that draft 7 does not define.
	const ajv = new Ajv({ strict: false, validateFormats: false })
	const isValid = ajv.validate(await json('tests', 'distribution', 'server.schema.json'), await json('server.json'))
	expect(ajv.errors).toBeNull()
	expect(isValid).toBe(true)
})

test('all published files have the same version, and the same name in the registry', async () => {
	const { version, mcpName, name } = await json('host', 'package.json')
	const server = await json('server.json')
	const lock = await json('package-lock.json')
	const said = {
		workspace: (await json('package.json')).version,
		lock: lock.packages.host.version,
		server: server.version,
		package: server.packages[0].version,
		bundle: JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8')).version,
	}
	expect(Object.values(said)).toEqual(Object.keys(said).map(() => version))
	expect([server.name, server.packages[0].identifier]).toEqual([mcpName, name])
})

test('the bundle contains only the bridge, and no data of this machine', async () => {
	const files = await readdir(unpacked, { recursive: true, withFileTypes: true })
	const names = files
		.filter(file => file.isFile())
		.map(file => join(file.parentPath, file.name).slice(unpacked.length + 1))
	expect(names.sort()).toEqual(['LICENSE', 'manifest.json', join('server', 'bridge.mjs')])
	const { user_config } = JSON.parse(await readFile(join(unpacked, 'manifest.json'), 'utf8'))
	expect(user_config).toBeUndefined()
	expect(await readFile(join(unpacked, 'server', 'bridge.mjs'), 'utf8')).not.toContain(inCheckout())
})

test('the unpacked bundle connects a client to the running host', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const client = new Client({ name: 'bundled', version: '1' })
	await client.connect(
		new StdioClientTransport({ ...(await bridge()), cwd: unpacked, env: { ROUNDHOUSE_HOME: roundhouse.home } }),
	)
	try {
		const { tools } = await client.listTools()
		expect(tools.map(({ name }) => name)).toContain('list_connections')
	} finally {
		await client.close()
	}
})

test('without a host the bridge reports that to its client, leaves no files, and uses a host that starts later', async () => {
	await using roundhouse = await Roundhouse.make()
	await rm(roundhouse.home, { recursive: true })
	const { command, args } = await bridge()
	const child = spawn(command, args, { cwd: unpacked, env: { ROUNDHOUSE_HOME: roundhouse.home } })
	const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
	const ask = async (id: number) => {
		const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
		child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'server/discover', params: { _meta } })}\n`)
		return JSON.parse((await lines.next()).value ?? '{}')
	}
	const { id, error } = await ask(1)
	expect(id).toBe(1)
	expect(error.message).toMatch(/^Roundhouse cannot be reached: it is not running on this machine\. Start it/)
	await expect(readdir(roundhouse.home)).rejects.toThrow('ENOENT')
	await roundhouse.serve()
	expect((await ask(2)).error?.message ?? '').not.toMatch('cannot be reached')
	child.stdin.end()
	if (child.exitCode === null) await once(child, 'exit')
})
