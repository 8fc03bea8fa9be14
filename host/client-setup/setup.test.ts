import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { type AiClient, aiClients, genericSnippet, type Surroundings } from './clients.ts'
import { jsonConfig } from './json-config.ts'
import { apply, planInstall, planUninstall } from './setup.ts'

const bridge = { command: '/opt/node', args: ['roundhouse.mjs', 'mcp'], env: {} }

async function withHome(run: (client: (id: string) => AiClient) => Promise<void>): Promise<void> {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-clients-'))
	try {
		await run(id => {
			const client = aiClients({ home, platform: 'linux', env: {} }).find(client => client.id === id)
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
const filesBeside = ({ path }: AiClient) => readdir(dirname(path))
const install = async (client: AiClient) => apply(client, await planInstall(client, bridge), 'install')
const uninstall = async (client: AiClient) => apply(client, await planUninstall(client, bridge), 'uninstall')

const all = aiClients({ home: '/home/me', platform: 'linux', env: {} })
const ids = all.filter(({ form }) => form === jsonConfig).map(({ id }) => id)

test.each(ids)('%s: without a file, one is made; taking it back leaves none', id =>
	withHome(async client => {
		await install(client(id))
		const { place } = client(id)
		const written = JSON.parse((await read(client(id))) ?? '')
		expect(written[place[0]].roundhouse).toEqual(client(id).entry(bridge))
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
		expect(JSON.parse((await read(client('cursor'))) ?? '')).toEqual({ later: true })
	}))

test('a person who added nothing finds no trace, however often it was installed', () =>
	withHome(async client => {
		const moved = { ...bridge, command: '/another/node' }
		await install(client('cursor'))
		await apply(client('cursor'), await planInstall(client('cursor'), moved), 'install')
		await uninstall(client('cursor'))
		expect(await filesBeside(client('cursor'))).toEqual([])
		await write(client('cursor'), '{"mine":1}')
		await install(client('cursor'))
		await apply(client('cursor'), await planInstall(client('cursor'), moved), 'install')
		expect(await read(client('cursor'))).toContain('/another/node')
		// By a Roundhouse that lies elsewhere again.
		await uninstall(client('cursor'))
		expect(await read(client('cursor'))).toBe('{"mine":1}')
		expect(await filesBeside(client('cursor'))).toEqual(['mcp.json'])
	}))

test('an entry that the person took out by hand leaves no copy behind', () =>
	withHome(async client => {
		await write(client('cursor'), '{"mine":1}')
		await install(client('cursor'))
		await write(client('cursor'), '{"mine":2}')
		await uninstall(client('cursor'))
		expect(await read(client('cursor'))).toBe('{"mine":2}')
		expect(await filesBeside(client('cursor'))).toEqual(['mcp.json'])
	}))

test('a file of ours in which the person changed only spaces goes whole', () =>
	withHome(async client => {
		await install(client('kiro'))
		await write(client('kiro'), `${await read(client('kiro'))}\n\n`)
		await uninstall(client('kiro'))
		expect(await filesBeside(client('kiro'))).toEqual([])
	}))

test('a section that the person had stays, and one with others in it', () =>
	withHome(async client => {
		await write(client('cursor'), '{ "mcpServers": {} }')
		await install(client('cursor'))
		await write(client('cursor'), `${await read(client('cursor'))}\n`)
		await uninstall(client('cursor'))
		expect(JSON.parse((await read(client('cursor'))) ?? '')).toEqual({ mcpServers: {} })
		await write(client('kiro'), '{}')
		await install(client('kiro'))
		const other = ((await read(client('kiro'))) ?? '').replace('"roundhouse"', '"other": {"command":"x"}, "roundhouse"')
		await write(client('kiro'), other)
		await uninstall(client('kiro'))
		expect(JSON.parse((await read(client('kiro'))) ?? '')).toEqual({ mcpServers: { other: { command: 'x' } } })
	}))

test.each([
	['a byte-order mark', '\uFEFF{\n  "mine": 1\n}\n'],
	['a byte-order mark alone', '\uFEFF'],
	['comments alone', '// Servers go here.\n'],
	['a comment without a line end', '/* Servers go here. */'],
	['a section that is null', '{ "mcpServers": null, "mine": 1 }'],
	['a comma at the end', '{\n  "mine": 1,\n}\n'],
	['a comma at the end of the section', '{ "mcpServers": { "a": {}, }, }'],
])('%s: our entry goes in, and everything comes back', (_name, text) =>
	withHome(async client => {
		await write(client('cursor'), text)
		await install(client('cursor'))
		const after = (await read(client('cursor'))) ?? ''
		expect(after.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
		const faults: ParseError[] = []
		const value = parseJsonc(after.replace('\uFEFF', ''), faults, { allowTrailingComma: true })
		expect(faults).toEqual([])
		expect(value.mcpServers.roundhouse).toEqual(client('cursor').entry(bridge))
		if (text.includes('here')) expect(after).toContain('Servers go here.')
		expect((await planInstall(client('cursor'), bridge)).diff).toBe('')
		await uninstall(client('cursor'))
		expect((await read(client('cursor'))) ?? '').toBe(text === '\uFEFF' ? '' : text)
	}))

test.each(['{ "mcpServers": [] }', '{ "mcpServers": "x" }', '[]', 'null', '{ "a": }'])('%s is left as it is', text =>
	withHome(async client => {
		await write(client('cursor'), text)
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('was left as it is')
		// What there is to add is said.
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('/opt/node')
	}))

test('a link stays one, also where it leads to nothing yet', () =>
	withHome(async client => {
		const { path } = client('cursor')
		const kept = join(dirname(dirname(path)), 'dotfiles', 'cursor.json')
		await mkdir(dirname(path), { recursive: true })
		await symlink('../dotfiles/cursor.json', path)
		await install(client('cursor'))
		expect(await readFile(kept, 'utf8')).toContain('roundhouse')
		expect(await readlink(path)).toBe('../dotfiles/cursor.json')
		await uninstall(client('cursor'))
		expect(await readlink(path)).toBe('../dotfiles/cursor.json')
		await expect(stat(kept)).rejects.toThrow('ENOENT')
		await writeFile(kept, '{"mine":1}')
		await install(client('cursor'))
		await uninstall(client('cursor'))
		expect(await readFile(kept, 'utf8')).toBe('{"mine":1}')
		expect(await readlink(path)).toBe('../dotfiles/cursor.json')
	}))

test('where the files lie: by the system, and by what the person set', () => {
	const paths = (surroundings: Partial<Surroundings>) =>
		new Map(aiClients({ home: '/h', platform: 'linux', env: {}, ...surroundings }).map(({ id, path }) => [id, path]))
	const set = paths({
		env: { XDG_CONFIG_HOME: '/x', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/codex', COPILOT_HOME: '/copilot' },
	})
	expect(Object.fromEntries(set)).toEqual({
		'claude-desktop': '/x/Claude/claude_desktop_config.json',
		'claude-code': '/c/.claude.json',
		cursor: '/h/.cursor/mcp.json',
		vscode: '/x/Code/User/mcp.json',
		windsurf: '/h/.codeium/windsurf/mcp_config.json',
		zed: '/x/zed/settings.json',
		codex: '/codex/config.toml',
		'gemini-cli': '/h/.gemini/settings.json',
		'copilot-cli': '/copilot/mcp-config.json',
		junie: '/h/.junie/mcp/mcp.json',
		opencode: '/x/opencode/opencode.json',
		cline: '/x/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
		continue: '/h/.continue/mcpServers/roundhouse.json',
		goose: '/x/goose/config.yaml',
		'lm-studio': '/h/.lmstudio/mcp.json',
		kiro: '/h/.kiro/settings/mcp.json',
	})
	const usual = paths({})
	expect(usual.get('claude-code')).toBe('/h/.claude.json')
	expect(usual.get('vscode')).toBe('/h/.config/Code/User/mcp.json')
	expect(usual.get('codex')).toBe('/h/.codex/config.toml')
	// The specification has relative paths ignored.
	expect(paths({ env: { XDG_CONFIG_HOME: 'x' } }).get('goose')).toBe('/h/.config/goose/config.yaml')
	const mac = paths({ platform: 'darwin' })
	expect(mac.get('cline')).toContain('/h/Library/Application Support/Code/User/globalStorage/')
	expect(mac.get('goose')).toBe('/h/.config/goose/config.yaml')
	expect(paths({ platform: 'win32', env: { APPDATA: '/a' } }).get('goose')).toBe('/a/Block/goose/config/config.yaml')
})

test('a file that is not JSON is left as it is', () =>
	withHome(async client => {
		await write(client('cursor'), '{ broken')
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('was left as it is: it is not a JSON object')
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
