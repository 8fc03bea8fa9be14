import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type AiClient, aiClients, genericSnippet } from './clients.ts'
import { apply, planInstall, planUninstall } from './setup.ts'

const bridge = { command: '/opt/node', args: ['roundhouse.mjs', 'mcp'], env: {} }

async function withHome(run: (client: (id: string) => AiClient) => Promise<void>): Promise<void> {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-clients-'))
	try {
		await run(id => {
			const client = aiClients(home, 'linux').find(client => client.id === id)
			if (!client) throw new Error(`no client ${id}`)
			return client
		})
	} finally {
		await rm(home, { recursive: true, force: true })
	}
}
const write = async ({ path }: AiClient, text: string) => {
	await mkdir(dirname(path), { recursive: true })
	await writeFile(path, text)
}
const read = ({ path }: AiClient) => readFile(path, 'utf8').catch(() => undefined)
const install = async (client: AiClient) => apply(client, await planInstall(client, bridge), 'install')
const uninstall = async (client: AiClient) => apply(client, await planUninstall(client, bridge), 'uninstall')

const ids = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf', 'zed']

test.each(ids)('%s: without a file, one is made; taking it back leaves none', id =>
	withHome(async client => {
		await install(client(id))
		const { place } = client(id)
		const written = JSON.parse((await read(client(id))) ?? '')
		expect(written[place[0] ?? ''].roundhouse).toMatchObject({ command: '/opt/node', args: ['roundhouse.mjs', 'mcp'] })
		await uninstall(client(id))
		expect(await read(client(id))).toBeUndefined()
	}))

test.each(ids)('%s: the rest of the file stays byte for byte, and comes back whole', id =>
	withHome(async client => {
		const text =
			'{\r\n\t// mine\r\n\t"theme": "dark",   "odd" : [1,2 ,3],\r\n\t"mcpServers": { "other": {"command":"x"} }\r\n}\r\n'
		await write(client(id), text)
		await install(client(id))
		const after = (await read(client(id))) ?? ''
		for (const kept of ['\t// mine\r\n\t"theme": "dark",   "odd" : [1,2 ,3],', '"other": {"command":"x"}'])
			expect(after).toContain(kept)
		expect(after).toContain('roundhouse')
		await uninstall(client(id))
		expect(await read(client(id))).toBe(text)
	}))

test('twice does no harm', () =>
	withHome(async client => {
		await write(client('cursor'), '{ "mcpServers": {} }')
		await install(client('cursor'))
		const once = await read(client('cursor'))
		const again = await planInstall(client('cursor'), bridge)
		expect(again.before).toBe(again.after)
		await install(client('cursor'))
		expect(await read(client('cursor'))).toBe(once)
		await uninstall(client('cursor'))
		await uninstall(client('cursor'))
		expect(await read(client('cursor'))).toBe('{ "mcpServers": {} }')
	}))

test('what the person added since stays when our entry goes', () =>
	withHome(async client => {
		await write(client('cursor'), '{}')
		await install(client('cursor'))
		await write(client('cursor'), ((await read(client('cursor'))) ?? '').replace('{', '{ "later": true,'))
		await uninstall(client('cursor'))
		expect(JSON.parse((await read(client('cursor'))) ?? '')).toMatchObject({ later: true, mcpServers: {} })
	}))

test('a file that is not JSON is left as it is', () =>
	withHome(async client => {
		await write(client('cursor'), '{ broken')
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('is not JSON')
		expect(await read(client('cursor'))).toBe('{ broken')
	}))

test('a file that changed while the person looked is not written', () =>
	withHome(async client => {
		await write(client('cursor'), '{}')
		const planned = await planInstall(client('cursor'), bridge)
		await write(client('cursor'), '{"new":1}')
		await expect(apply(client('cursor'), planned, 'install')).rejects.toThrow('changed while you looked')
		expect(await read(client('cursor'))).toBe('{"new":1}')
	}))

test('the change is shown as lines before it is made', () =>
	withHome(async client => {
		await write(client('cursor'), '{\n  "a": 1\n}\n')
		const { diff } = await planInstall(client('cursor'), bridge)
		expect(diff).toContain('+   "mcpServers": {')
		expect(diff).not.toContain('"command": "x"')
	}))

test('any other client gets a snippet', () => {
	expect(JSON.parse(genericSnippet(bridge))).toEqual({
		mcpServers: { roundhouse: { command: '/opt/node', args: ['roundhouse.mjs', 'mcp'] } },
	})
})
