import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

/** Commands, bridges and hosts of different versions meet in one support directory. */

async function rewrite(roundhouse: Roundhouse, name: string, change: Readonly<Record<string, unknown>>): Promise<void> {
	const path = join(roundhouse.home, name)
	const before = JSON.parse(await readFile(path, 'utf8'))
	await writeFile(path, JSON.stringify({ ...before, ...change }), { mode: 0o600 })
}

test.each([
	{ version: 3, host: '9.1.0', port: undefined },
	{ api: 2, host: '9.1.0' },
])('a command names the version it needs for a newer host: %j', async newer => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	await rewrite(roundhouse, 'control.json', newer)
	const { code, stderr } = await roundhouse.run(['connection', 'list'])
	expect(code).toBe(1)
	expect(stderr).toContain('Roundhouse 9.1.0 is running')
	expect(stderr).toContain('This needs Roundhouse 9.1.0 or newer.')
})

test('a command works with an older host, says so, and can stop it', async () => {
	await using roundhouse = await Roundhouse.make()
	const { pid } = await roundhouse.serve()
	await rewrite(roundhouse, 'control.json', { host: '0.0.9' })
	const listed = await roundhouse.run(['connection', 'list', '--json'])
	expect(JSON.parse(listed.stdout)).toEqual([])
	expect(listed.stderr).toContain('Roundhouse 0.0.9 is running, and this is 0.1.0. To replace it: roundhouse stop')
	expect(await roundhouse.json(['stop'])).toEqual({ stopped: true, version: '0.0.9' })
	await expect.poll(() => roundhouse.hasEnded).toBe(true)
	expect(await roundhouse.json(['stop'])).toEqual({ stopped: false })
	expect((await roundhouse.serve()).pid).not.toBe(pid)
})

test('a bridge names the version it needs for a newer host', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	await rewrite(roundhouse, 'mcp-handshake.json', { version: 2, host: '9.1.0', port: undefined })
	const { code, stderr, stdout } = await roundhouse.run(['mcp'])
	expect(code).toBe(1)
	expect(stderr).toContain('This needs Roundhouse 9.1.0 or newer.')
	expect(JSON.parse(stdout).error.message).toContain('This needs Roundhouse 9.1.0 or newer.')
})

test('files of a newer version are named, and stay as they are', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.run(['connection', 'list'])
	await rewrite(roundhouse, 'newest-host.json', { host: '9.1.0' })
	const path = join(roundhouse.home, 'connections.json')
	const text = JSON.stringify({ version: 2, connections: { changed: 'shape' } })
	await writeFile(path, text, { mode: 0o600 })
	const { code, stderr } = await roundhouse.run(['connection', 'list'])
	expect(code).toBe(1)
	expect(stderr).toContain('This needs Roundhouse 9.1.0 or newer')
	expect(stderr).not.toContain('invalid')
	expect(await readFile(path, 'utf8')).toBe(text)
})
