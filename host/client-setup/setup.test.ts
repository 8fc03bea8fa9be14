import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { type AiClient, aiClients, type Environment, genericSnippet } from './clients.ts'
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
const ids = all.filter(({ format }) => format === jsonConfig).map(({ id }) => id)

test.each(ids)('%s: a missing file is created, and removed again', id =>
	withHome(async client => {
		await install(client(id))
		const { entryPath } = client(id)
		const written = JSON.parse((await read(client(id))) ?? '')
		expect(written[entryPath[0]].roundhouse).toEqual(client(id).entry(bridge))
		await uninstall(client(id))
		expect(await read(client(id))).toBeUndefined()
	}))

test.each(['', '\n'])('a file that was empty is empty again after the removal: %j', text =>
	withHome(async client => {
		for (const id of ['cursor', 'codex', 'goose']) {
			await write(client(id), text)
			await install(client(id))
			await install(client(id))
			expect(await read(client(id))).toContain('roundhouse')
			await uninstall(client(id))
			expect([id, await read(client(id)), (await filesBeside(client(id))).length]).toEqual([id, text, 1])
		}
	}))

test.each(ids)('%s: the rest of the file is unchanged, and the removal restores the file', id =>
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

test('installing and removing twice is idempotent', () =>
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

test('later changes of the user stay when the entry is removed', () =>
	withHome(async client => {
		await write(client('cursor'), '{}')
		await install(client('cursor'))
		await write(client('cursor'), ((await read(client('cursor'))) ?? '').replace('{', '{ "later": true,'))
		await uninstall(client('cursor'))
		expect(JSON.parse((await read(client('cursor'))) ?? '')).toEqual({ later: true })
	}))

test('without other changes, repeated installations leave no trace after the removal', () =>
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
		// Removed by an installation at another path.
		await uninstall(client('cursor'))
		expect(await read(client('cursor'))).toBe('{"mine":1}')
		expect(await filesBeside(client('cursor'))).toEqual(['mcp.json'])
	}))

test('the backup is removed if the user has removed the entry manually', () =>
	withHome(async client => {
		await write(client('cursor'), '{"mine":1}')
		await install(client('cursor'))
		await write(client('cursor'), '{"mine":2}')
		await uninstall(client('cursor'))
		expect(await read(client('cursor'))).toBe('{"mine":2}')
		expect(await filesBeside(client('cursor'))).toEqual(['mcp.json'])
	}))

test('a file that Roundhouse created is deleted even if the user changed whitespace', () =>
	withHome(async client => {
		await install(client('kiro'))
		await write(client('kiro'), `${await read(client('kiro'))}\n\n`)
		await uninstall(client('kiro'))
		expect(await filesBeside(client('kiro'))).toEqual([])
	}))

test('a section of the user stays, and so does a section with other entries', () =>
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
])('%s: the entry is added, and its removal restores the file', (_name, text) =>
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

test.each(['{ "mcpServers": [] }', '{ "mcpServers": "x" }', '[]', 'null', '{ "a": }'])('%s is not changed', text =>
	withHome(async client => {
		await write(client('cursor'), text)
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('was not changed')
		// The message contains the entry to add manually.
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('/opt/node')
	}))

test('a symbolic link stays a link, even if its target does not exist yet', () =>
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

test('paths of the files depend on the system and on environment variables', () => {
	const paths = (environment: Partial<Environment>) =>
		new Map(aiClients({ home: '/h', platform: 'linux', env: {}, ...environment }).map(({ id, path }) => [id, path]))
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
		'cline-cli': '/h/.cline/data/settings/cline_mcp_settings.json',
		continue: '/h/.continue/mcpServers/roundhouse.json',
		goose: '/x/goose/config.yaml',
		'lm-studio': '/h/.lmstudio/mcp.json',
		kiro: '/h/.kiro/settings/mcp.json',
	})
	for (const [env, path] of [
		[{ CLINE_DIR: '/cline' }, '/cline/data/settings/cline_mcp_settings.json'],
		[{ CLINE_DIR: '/cline', CLINE_DATA_DIR: '/data' }, '/data/settings/cline_mcp_settings.json'],
		[{ CLINE_DATA_DIR: '/data', CLINE_MCP_SETTINGS_PATH: '/mine.json' }, '/mine.json'],
	] as const)
		expect(paths({ env }).get('cline-cli')).toBe(path)
	const usual = paths({})
	expect(usual.get('claude-code')).toBe('/h/.claude.json')
	expect(usual.get('vscode')).toBe('/h/.config/Code/User/mcp.json')
	expect(usual.get('codex')).toBe('/h/.codex/config.toml')
	// The XDG specification requires to ignore relative paths.
	expect(paths({ env: { XDG_CONFIG_HOME: 'x' } }).get('goose')).toBe('/h/.config/goose/config.yaml')
	const mac = paths({ platform: 'darwin' })
	expect(mac.get('cline')).toContain('/h/Library/Application Support/Code/User/globalStorage/')
	expect(mac.get('goose')).toBe('/h/.config/goose/config.yaml')
	expect(paths({ platform: 'win32', env: { APPDATA: '/a' } }).get('goose')).toBe('/a/Block/goose/config/config.yaml')
})

test('a file that is not JSON is not changed', () =>
	withHome(async client => {
		await write(client('cursor'), '{ broken')
		await expect(planInstall(client('cursor'), bridge)).rejects.toThrow('was not changed: it is not a JSON object')
		expect(await read(client('cursor'))).toBe('{ broken')
	}))

test('a file that changed after the preview is not written', () =>
	withHome(async client => {
		await write(client('cursor'), '{}')
		const planned = await planInstall(client('cursor'), bridge)
		await write(client('cursor'), '{"new":1}')
		await expect(apply(client('cursor'), planned, 'install')).rejects.toThrow('has changed since the preview')
		expect(await read(client('cursor'))).toBe('{"new":1}')
	}))

test('the preview shows the changed lines', () =>
	withHome(async client => {
		await write(client('cursor'), '{\n  "a": 1\n}\n')
		const { diff } = await planInstall(client('cursor'), bridge)
		expect(diff).toContain('+   "mcpServers": {')
		expect(diff).not.toContain('"command": "x"')
	}))

test('there is a snippet for other clients', () => {
	expect(JSON.parse(genericSnippet(bridge))).toEqual({
		mcpServers: { roundhouse: { command: '/opt/node', args: ['roundhouse.mjs', 'mcp'] } },
	})
})

test.each([
	'install',
	'uninstall',
] as const)('%s refuses a file that is not UTF-8, and changes none of its bytes', kind =>
	withHome(async client => {
		const latin1 = Buffer.from('{ "name": "caf\xe9", "mcpServers": {} }', 'latin1')
		await write(client('cursor'), '')
		await writeFile(client('cursor').path, latin1)
		const plan = kind === 'install' ? planInstall : planUninstall
		await expect(plan(client('cursor'), bridge)).rejects.toThrow('bytes that are not UTF-8 text')
		expect(await readFile(client('cursor').path)).toEqual(latin1)
		expect(await filesBeside(client('cursor'))).toEqual(['mcp.json'])
	}))

test.each([
	['cursor', '{ "mcpServers": { "roundhouse": {"command":"mine"} } }', '{ "later": 1,'],
	['goose', 'extensions:\n  roundhouse:\n    cmd: mine\n', '# later\n'],
])('%s: an earlier entry of the user with the same name is restored', (id, text, later) =>
	withHome(async client => {
		await write(client(id), text)
		await install(client(id))
		expect(await read(client(id))).not.toContain('mine')
		await uninstall(client(id))
		expect(await read(client(id))).toBe(text)
		// Also if the user changed something else meanwhile.
		await install(client(id))
		const installed = (await read(client(id))) ?? ''
		await write(client(id), id === 'goose' ? later + installed : installed.replace('{', later))
		await uninstall(client(id))
		expect(await read(client(id))).toContain('mine')
		expect(await read(client(id))).toContain('later')
	}))

test('goose: an entry with an anchor is not changed', () =>
	withHome(async client => {
		const text = 'extensions:\n  roundhouse: &shared\n    cmd: mine\n  other: *shared\n'
		await write(client('goose'), text)
		await expect(planInstall(client('goose'), bridge)).rejects.toThrow('contains an anchor')
		expect(await read(client('goose'))).toBe(text)
	}))
