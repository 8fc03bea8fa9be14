import { expect, test } from 'vitest'
import { aiClients, type Bridge } from './clients.ts'
import { linkedClients, linkFor } from './links.ts'

const bridge: Bridge = { command: '/opt/my node', args: ['a&b "c".mjs', 'mcp'], env: { ROUNDHOUSE_HOME: '/tmp/ä' } }
const config = { command: bridge.command, args: bridge.args, env: bridge.env }
const linkOf = (client: string, of = bridge) => new URL(linkFor(client, of) ?? '')

test.each(['cursor', 'lm-studio'])('the link for %s contains the bridge as base64', client => {
	const parameters = linkOf(client).searchParams
	expect(parameters.get('name')).toBe('roundhouse')
	expect(JSON.parse(Buffer.from(parameters.get('config') ?? '', 'base64').toString())).toEqual(config)
})

test('the links for VS Code and Kiro contain it as JSON', () => {
	expect(JSON.parse(decodeURIComponent(linkOf('vscode').search.slice(1)))).toEqual({ name: 'roundhouse', ...config })
	expect(JSON.parse(linkOf('kiro').searchParams.get('config') ?? '')).toEqual(config)
	expect(linkOf('kiro').origin).toBe('https://kiro.dev')
})

test('the link for Goose contains each argument, and there is none if the bridge needs a variable', () => {
	const plain = linkOf('goose', { ...bridge, env: {} })
	expect(plain.href).toMatch(/^goose:\/\/extension\?cmd=/)
	expect(plain.searchParams.get('cmd')).toBe(bridge.command)
	expect(plain.searchParams.getAll('arg')).toEqual(bridge.args)
	expect(linkFor('goose', bridge)).toBeUndefined()
})

test('every linked client can also be set up by file; other clients have no link', () => {
	const known = aiClients().map(({ id }) => id)
	expect(linkedClients.filter(id => !known.includes(id))).toEqual([])
	expect(linkFor('zed', bridge)).toBeUndefined()
	expect(linkFor('constructor', bridge)).toBeUndefined()
})
