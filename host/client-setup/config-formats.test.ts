import { expect, test } from 'vitest'
import { type ConfigPath, UnreadableConfig } from './config-format.ts'
import { tomlConfig } from './toml-config.ts'
import { yamlConfig } from './yaml-config.ts'

/** Entries added to and removed from texts of other programs and users. */

const none = { section: false, file: false }

const codex: ConfigPath = ['mcp_servers', 'roundhouse']
const entry = { command: '/opt/node', args: ['a "b".mjs', 'mcp'], env: { ROUNDHOUSE_HOME: 'C:\\x' } }
const table = [
	'[mcp_servers.roundhouse]',
	'command = "/opt/node"',
	'args = ["a \\"b\\".mjs", "mcp"]',
	'env = { "ROUNDHOUSE_HOME" = "C:\\\\x" }',
	'',
].join('\n')

test.each([
	['nothing', ''],
	['settings', 'model = "x"\n\n[tui]\ntheme = "dark"\n'],
	['other servers', '[mcp_servers.other]\ncommand = "npx"\n\n[mcp_servers.other.env]\nA = "1"\n'],
	['a separate section', '[mcp_servers]\n\n[mcp_servers."other one"] # mine\ncommand = "npx"\n'],
	['lists of several lines', 'notify = [\n  "a", # [mcp_servers.roundhouse]\n  "b]",\n]\n'],
	['texts of several lines', 'note = """\n[mcp_servers.roundhouse]\n"quoted" \\""""\nother = \'\'\'\n[x\n\'\'\'\n'],
	['tables in lists', '[[profiles]]\nname = "a"\n\n[[profiles]]\nname = "b"\n'],
])('TOML with %s: a table is appended and the rest is unchanged', (_name, text) => {
	const after = tomlConfig.write(text, codex, entry)
	expect(after).toBe(text === '' ? table : `${text}\n${table}`)
	expect(tomlConfig.write(after, codex, entry)).toBe(after)
	expect(tomlConfig.read(after, codex)).toBe(table)
	expect(tomlConfig.remove(after, codex, none)).toBe(text)
	const later = `${after}\n# Mine, later.\n[later]\na = 1\n`
	expect(tomlConfig.remove(later, codex, none)).toBe(`${text}\n# Mine, later.\n[later]\na = 1\n`)
})

test('TOML: an existing Roundhouse entry is replaced with all its tables', () => {
	const old =
		'a = 1\n\n[mcp_servers.roundhouse]\ncommand = "old"\n\n[mcp_servers.roundhouse.env]\nA = "1"\n\n[b]\nc = 2\n'
	expect(tomlConfig.write(old, codex, entry)).toBe(`a = 1\n\n[b]\nc = 2\n\n${table}`)
	expect(tomlConfig.remove(old, codex, none)).toBe('a = 1\n\n[b]\nc = 2\n')
})

test('TOML with CRLF line ends keeps them', () => {
	const text = 'a = 1\r\n'
	const after = tomlConfig.write(text, codex, entry)
	expect(after.replaceAll('\r\n', '')).not.toContain('\n')
	expect(tomlConfig.remove(after, codex, none)).toBe(text)
})

test.each([
	'mcp_servers = { other = { command = "x" } }',
	'mcp_servers.other.command = "x"',
	'[mcp_servers]\nroundhouse = { command = "x" }',
	'[[mcp_servers]]\na = 1',
	'a = "open',
	'a = """open',
	'a = [1, 2',
	'[broken',
])('TOML with unsupported syntax is refused: %s', text => {
	expect(() => tomlConfig.write(text, codex, entry)).toThrow(UnreadableConfig)
})

const goose: ConfigPath = ['extensions', 'roundhouse']
const extension = { enabled: true, cmd: '/opt/node', args: ['a: #b', 'mcp'], envs: { A: 'x' } }
const block = (spaces: string) =>
	[
		`${spaces}roundhouse:`,
		`${spaces}  enabled: true`,
		`${spaces}  cmd: "/opt/node"`,
		`${spaces}  args: ["a: #b", "mcp"]`,
		`${spaces}  envs: {"A": "x"}`,
		'',
	].join('\n')

test.each([
	['nothing', '', `extensions:\n${block('  ')}`],
	['settings', 'GOOSE_MODEL: x\n', `GOOSE_MODEL: x\nextensions:\n${block('  ')}`],
	['an end without a line end', 'a: b', `a: b\nextensions:\n${block('  ')}`],
	[
		'other extensions',
		'a: b\nextensions:\n  developer:\n    enabled: true\nz: |\n  extensions:\n    no\n',
		`a: b\nextensions:\n${block('  ')}  developer:\n    enabled: true\nz: |\n  extensions:\n    no\n`,
	],
	[
		'deeper indents and comments',
		'# top\nextensions: # mine\n\n    # first\n    developer:\n        enabled: true\n',
		`# top\nextensions: # mine\n${block('    ')}\n    # first\n    developer:\n        enabled: true\n`,
	],
	['an empty section', 'extensions: {} # mine\nb: 1\n', `extensions: # mine\n${block('  ')}b: 1\n`],
	['a section at the end', 'b: 1\nextensions:', `b: 1\nextensions:\n${block('  ')}`],
	['a section that is null', 'extensions:\nb: 1\n', `extensions:\n${block('  ')}b: 1\n`],
])('YAML with %s', (_name, text, expected) => {
	const after = yamlConfig.write(text, goose, extension)
	expect(after).toBe(expected)
	expect(yamlConfig.write(after, goose, extension)).toBe(after)
	const left = yamlConfig.remove(after, goose, { section: !yamlConfig.hasSection(text, goose), file: text === '' })
	expect(yamlConfig.read(left, goose)).toBeUndefined()
	if (yamlConfig.hasSection(text, goose)) expect(left).toBe(text.endsWith('\n') ? text : `${text}\n`)
})

test('YAML: an entry that the client has reformatted is found and replaced', () => {
	const text =
		'extensions:\n  a:\n    b: 1\n  "roundhouse":\n    cmd: old\n    args:\n    - x\n    - y\n  # of z\n  z:\n    b: 2\n'
	expect(yamlConfig.remove(text, goose, none)).toBe('extensions:\n  a:\n    b: 1\n  # of z\n  z:\n    b: 2\n')
	expect(yamlConfig.write(text, goose, extension)).toBe(
		`extensions:\n  a:\n    b: 1\n${block('  ')}  # of z\n  z:\n    b: 2\n`,
	)
})

test.each([
	'extensions: { a: {} }',
	'extensions:\n- a\n',
	'extensions:\n  - a\n',
	'extensions:\n  text\n',
	'  a: 1\n  b: 2\n',
	'extensions: &x\n  a: 1\n',
	'--- \na: 1\n',
	'{"a": 1}',
	'a:\n\tb: 1\n',
])('YAML with unsupported syntax is refused: %s', text => {
	expect(() => yamlConfig.write(text, goose, extension)).toThrow(UnreadableConfig)
})
