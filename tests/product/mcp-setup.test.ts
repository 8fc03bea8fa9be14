import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { lockHolder } from '../../base/host-lock.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import { Roundhouse } from '../support/roundhouse.ts'

test('a client that was set up can start the bridge by its configuration and reach the host', async () => {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-person-'))
	try {
		await using roundhouse = await Roundhouse.make({ HOME: home })
		const shown = await roundhouse.run(['mcp', 'install', 'cursor'])
		expect(shown.code).toBe(1)
		expect(shown.stdout).toContain('"roundhouse"')
		await expect(readFile(join(home, '.cursor', 'mcp.json'))).rejects.toThrow('ENOENT')

		expect(await roundhouse.json(['mcp', 'install', 'cursor', '--yes'])).toMatchObject({ changed: true })
		expect(await roundhouse.json(['mcp', 'install', 'cursor', '--yes'])).toMatchObject({ changed: false })
		const { mcpServers } = JSON.parse(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8'))
		expect(mcpServers.roundhouse.env).toEqual({ ROUNDHOUSE_HOME: roundhouse.home })
		// The link for Cursor contains the same command, and nothing else.
		const { link } = await roundhouse.json<{ link: string }>(['mcp', 'link', 'cursor'])
		const config = Buffer.from(new URL(link).searchParams.get('config') ?? '', 'base64').toString()
		expect(JSON.parse(config)).toEqual(mcpServers.roundhouse)

		const ready = await roundhouse.serve()
		const client = new Client({ name: 'cursor', version: '1' }, { versionNegotiation: { mode: 'auto' } })
		await client.connect(new StdioClientTransport(mcpServers.roundhouse))
		expect(client.getServerVersion()?.name).toBe('roundhouse')
		await client.close()
		expect(await roundhouse.json(['mcp', 'test'])).toMatchObject({ ok: true, server: { name: 'roundhouse' } })
		expect(ready.mcp.port).toBeGreaterThan(0)

		await roundhouse.json(['mcp', 'uninstall', 'cursor', '--yes'])
		await expect(readFile(join(home, '.cursor', 'mcp.json'))).rejects.toThrow('ENOENT')
	} finally {
		await rm(home, { recursive: true, force: true })
	}
})

test('an unknown client is reported with the known ones', async () => {
	await using roundhouse = await Roundhouse.make()
	const { code, stderr } = await roundhouse.run(['mcp', 'install', 'nothing', '--yes'])
	expect(code).toBe(1)
	expect(stderr).toContain('claude-desktop')
})

test('mcp test stops a host that it had to start, and does not stop a running one', async () => {
	await using roundhouse = await Roundhouse.make()
	expect(await roundhouse.json(['mcp', 'test'])).toMatchObject({ ok: true })
	await expect.poll(() => readdir(roundhouse.home)).not.toContain('lock')
	const { pid } = await roundhouse.serve()
	expect(await roundhouse.json(['mcp', 'test'])).toMatchObject({ ok: true })
	expect(lockHolder(await openSupportDirectory(roundhouse.home))).toBe(pid)
})

test('a host that cannot start is reported with its reason', async () => {
	const registry = { ROUNDHOUSE_REGISTRY: 'ftp://drivers.test/', ROUNDHOUSE_REGISTRY_KEY: '0'.repeat(64) }
	await using roundhouse = await Roundhouse.make(registry)
	const { code, stderr } = await roundhouse.run(['mcp', 'test'])
	expect(code).toBe(1)
	expect(stderr).toContain('it does not start.')
	expect(stderr).toContain('ftp://drivers.test/')
	expect(stderr).not.toContain('no answer within')
})
