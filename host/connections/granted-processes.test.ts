import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unattended } from '../../tests/support/network-access.ts'
import { noSecrets } from '../../tests/support/no-secrets.ts'
import { openDrivers } from '../../tests/support/plugin-loader.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry } from '../../tests/support/test-registry.ts'
import { SavedConnections } from './saved-connections.ts'
import { Sessions } from './sessions.ts'

/** A driver whose tables are the files of the granted folder, and whose server version is its process id. */
const files = `
	import fs from 'node:fs'
	export default {
		async connect({ folder = '.' }) {
			return {
				info: () => ({ product: 'Files', version: String(process.pid), notices: [] }),
				listTables: async () => fs.readdirSync(folder).map(name => ({ name })),
				close: async () => {},
			}
		},
	}`
const form = [{ key: 'folder', label: 'Folder', type: 'folder', access: 'read' }]

let outside: string
beforeEach(async () => {
	outside = await mkdtemp(join(tmpdir(), 'roundhouse-granted-'))
	for (const name of ['one', 'two']) {
		await mkdir(join(outside, name))
		await writeFile(join(outside, name, `file of ${name}`), '')
	}
})
afterEach(() => rm(outside, { recursive: true, force: true }))

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0)
	} catch {
		return false
	}
}

/** Installs the driver and opens the saved connections. */
async function installed() {
	await using lifetime = new AsyncDisposableStack()
	const support = lifetime.use(await temporarySupport())
	const registry = lifetime.use(await TestRegistry.make())
	await registry.add(files, '1.0.0', { form })
	const drivers = lifetime.use(await openDrivers(support, registry))
	const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
	const sessions = new Sessions({ saved, drivers, ...unattended(saved) })
	const manifest = await drivers.ensure('tiny')
	const kept = lifetime.move()
	return { saved, sessions, manifest, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test('connections with the same grants share a process, which ends with the last of them', async () => {
	await using world = await installed()
	const { saved, sessions, manifest } = world
	const opened = async (name: string, folder?: string) => {
		const settings = folder === undefined ? {} : { folder: join(outside, folder) }
		const { id } = await saved.add({ name, driverId: 'tiny', settings }, manifest)
		const session = await sessions.open(id)
		return { id, session, pid: Number(session.info.version) }
	}
	const plain = await opened('plain')
	const first = await opened('first', 'one')
	const second = await opened('second', 'one')
	const other = await opened('other', 'two')
	expect(second.pid).toBe(first.pid)
	expect(new Set([plain.pid, first.pid, other.pid]).size).toBe(3)
	expect(await first.session.call('listTables', {})).toEqual([{ name: 'file of one' }])
	expect(await other.session.call('listTables', {})).toEqual([{ name: 'file of two' }])

	await sessions.close(first.id)
	expect(await second.session.call('listTables', {})).toHaveLength(1)
	await sessions.close(second.id)
	expect(isRunning(first.pid)).toBe(false)
	expect(isRunning(other.pid)).toBe(true)
	expect(isRunning(plain.pid)).toBe(true)

	// A lost process is started again with the same grants.
	process.kill(other.pid, 'SIGKILL')
	while (other.session.isAlive) await sleep(10)
	const again = await sessions.open(other.id)
	expect(await again.call('listTables', {})).toEqual([{ name: 'file of two' }])
	await sessions.close(other.id)
	expect(isRunning(Number(again.info.version))).toBe(false)
	await sessions.close(plain.id)
	expect(isRunning(plain.pid)).toBe(false)
})

test('a missing folder fails its connection and leaves no process behind', async () => {
	await using world = await installed()
	const { saved, sessions, manifest } = world
	const settings = { folder: join(outside, 'three') }
	const { id } = await saved.add({ name: 'gone', driverId: 'tiny', settings }, manifest)
	await expect(sessions.open(id)).rejects.toThrow('Folder: ')
	expect(sessions.state(id)).toMatchObject({ status: 'failed' })
})

test('a rebuilt driver gets the grants of the connection that it was started for', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const checkout = { source: { ...registry.source, isCheckout: true } }
	await registry.add(files, '1.0.0', { form })
	const saved = await SavedConnections.open(support.file('connections.json'), noSecrets)
	{
		await using drivers = await openDrivers(support, checkout)
		const manifest = await drivers.ensure('tiny')
		await saved.add({ name: 'one', driverId: 'tiny', settings: { folder: join(outside, 'one') } }, manifest)
	}
	await registry.add(files.replace("'Files'", "'Files again'"), '1.0.0', { form })
	await using drivers = await openDrivers(support, checkout)
	const sessions = new Sessions({ saved, drivers, ...unattended(saved) })
	const session = await sessions.open(saved.list()[0]?.id ?? '')
	expect(session.info.product).toBe('Files again')
	expect(await session.call('listTables', {})).toEqual([{ name: 'file of one' }])
})
