import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { serveRegistry } from '../../registry/publisher/serve.ts'
import { installedFiles, openDrivers } from '../../tests/support/plugin-loader.ts'
import { isRunning } from '../../tests/support/process.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { TestRegistry, workingDriver } from '../../tests/support/test-registry.ts'
import { Drivers } from './drivers.ts'

const loggingDriver = `console.log('started ' + process.pid)\n${workingDriver}`

/** Returns a log that records the process ids which {@link loggingDriver} prints. */
function recordStarts() {
	const started: number[] = []
	const warn = (text: string) =>
		void started.push(...[...text.matchAll(/started (\d+)/g)].map(([, pid]) => Number(pid)))
	return { started, log: { ...silentLog, warn } }
}

/** Requests the driver's process repeatedly until `work` settles. */
async function whileRequested(drivers: Drivers, work: Promise<unknown>): Promise<void> {
	let isOver = false
	const done = work.finally(() => {
		isOver = true
	})
	const asked: Promise<unknown>[] = []
	while (!isOver) {
		asked.push(drivers.process('tiny').catch(() => undefined))
		await setImmediate()
	}
	await done
	await Promise.all(asked)
}

describe('installing a driver', () => {
	test('offers it first, reports the progress in bytes, and starts it afterwards', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		const before = await drivers.browse()
		expect(before.offers).toMatchObject([
			{ manifest: { id: 'tiny' }, state: 'available', available: { version: '1.0.0' } },
		])

		const progress: number[] = []
		const { current } = await drivers.install('tiny', { onProgress: ({ done }) => progress.push(done) })
		expect(progress.at(-1)).toBe(current.release.package.sizeBytes)
		expect((await drivers.browse()).offers).toMatchObject([{ state: 'installed', installedVersion: '1.0.0' }])
		const process = await drivers.process('tiny')
		const { connection, info } = await process.call('connect', { settings: {}, isReadOnly: false, reach: 0 })
		expect(info.product).toBe('Tiny')
		expect(await process.call('listTables', { connection })).toEqual([{ name: 'only' }])
	})

	test('starts it once if a connection needs it, and stops it after a plain installation', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(loggingDriver)
		const { log, started } = recordStarts()
		await using drivers = await openDrivers(support, registry, log)
		await drivers.ensure('tiny')
		const running = await drivers.process('tiny')
		expect(started).toEqual([running.pid])
		await drivers.remove('tiny')
		await drivers.install('tiny')
		expect(started).toHaveLength(2)
		expect(started.map(isRunning)).toEqual([false, false])
	})

	test('leaves no process behind if the registry binding cannot be stored', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(loggingDriver)
		const { log, started } = recordStarts()
		const drivers = await Drivers.open(support, [registry.source], { log })
		// A file cannot replace a folder.
		await mkdir(support.file('registry-bindings.json'))
		await expect(drivers.ensure('tiny')).rejects.toThrow()
		await drivers.stopAll()
		expect(started.map(isRunning)).toEqual([false])
	})

	test('leaves no process behind if another caller starts the driver meanwhile', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(loggingDriver)
		const { log, started } = recordStarts()
		const drivers = await Drivers.open(support, [registry.source], { log })
		await whileRequested(drivers, drivers.ensure('tiny'))
		await drivers.stopAll()
		expect(started.filter(isRunning)).toEqual([])
	})

	test.each([
		['switched off', (drivers: Drivers) => drivers.setEnabled('tiny', false)],
		['removed', (drivers: Drivers) => drivers.remove('tiny')],
	] as const)('does not run after it is %s, even if callers request it meanwhile', async (_, end) => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(loggingDriver)
		const { log, started } = recordStarts()
		await using drivers = await openDrivers(support, registry, log)
		await drivers.ensure('tiny')
		await whileRequested(drivers, end(drivers))
		expect(started.filter(isRunning)).toEqual([])
	})

	test('accepts a driver whose modules and CommonJS dependencies import the same built-in modules', async () => {
		const source = `import { createRequire } from 'node:module'\nimport { fileURLToPath } from 'node:url'
			createRequire(import.meta.url)('node:fs'); fileURLToPath(import.meta.url)\n${workingDriver}`
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver(source)
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	})

	test('concurrent callers share one installation', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		const [first, second] = await Promise.all([drivers.install('tiny'), drivers.install('tiny')])
		expect(first).toBe(second)
	})

	test('a cancelled download leaves nothing behind', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		const abort = new AbortController()
		const installing = drivers.install('tiny', { signal: abort.signal, onProgress: () => abort.abort() })
		await expect(installing).rejects.toThrow('was cancelled')
		expect(await installedFiles(support)).toEqual([])
	})

	test('a driver that does not start is not installed, and the previous version stays in use', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		const files = await installedFiles(support)
		await registry.add('throw new Error("broken")', '1.1.0')
		await expect(drivers.install('tiny')).rejects.toThrow('1.0.0 stays in use')
		expect(await installedFiles(support)).toEqual(files)
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	})

	test('an update keeps the previous version on disk', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		await registry.add(workingDriver, '1.1.0')
		await drivers.install('tiny')
		const versions = (await installedFiles(support)).filter(name => name.endsWith('driver.js'))
		expect(versions.map(name => name.split('/')[1]?.slice(0, 5))).toEqual(['1.0.0', '1.1.0'])
	})

	test('a release that needs a newer driver API is not offered', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.make()
		await registry.add(workingDriver, '2.0.0', { engines: { roundhouse: '^9.0.0' } })
		await using drivers = await openDrivers(support, registry)
		expect((await drivers.browse()).offers[0]?.incompatibility).toContain('needs driver API ^9.0.0')
		await expect(drivers.install('tiny')).rejects.toThrow('No release of tiny fits')
	})

	test('the saved list is shown while the registry is unreachable, but nothing is installed from it', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		const server = await serveRegistry(registry.folder)
		const source = { url: server.url, fingerprint: registry.fingerprint }
		const drivers = await Drivers.open(support, [source], { log: silentLog })
		expect((await drivers.browse()).offers).toHaveLength(1)
		await server.close()
		const { offers, notices } = await drivers.browse()
		expect(offers).toHaveLength(1)
		expect(notices[0]).toContain('Showing the saved plugin list')
		await expect(drivers.install('tiny')).rejects.toThrow('cannot be reached')
	})
})

test('a version that no longer starts is rolled back, for all concurrent callers', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await using drivers = await openDrivers(support, registry)
	const installedFrom = Date.now()
	await drivers.install('tiny')
	// On a busy machine, the installation of the second version takes longer too.
	const breaksAt = Date.now() + 1_000 + 4 * (Date.now() - installedFrom)
	await registry.add(`if (Date.now() > ${breaksAt}) throw new Error('worn out')\n${workingDriver}`, '1.1.0')
	await drivers.install('tiny')
	await new Promise(resolve => setTimeout(resolve, breaksAt - Date.now() + 50))
	const [one, other] = await Promise.all([drivers.process('tiny'), drivers.process('tiny')])
	expect(one.isAlive).toBe(true)
	expect(other).toBe(one)
	expect((await drivers.browse()).offers).toMatchObject([{ installedVersion: '1.0.0' }])
})

test('a version that is stopped while it starts is not rolled back', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const { started, log } = recordStarts()
	await using drivers = await openDrivers(support, registry, log)
	await drivers.install('tiny')
	const slow = `await new Promise(resolve => setTimeout(resolve, 600))`
	await registry.add(`console.log('started ' + process.pid)\n${slow}\n${workingDriver}`, '1.1.0')
	await drivers.install('tiny')
	const starting = drivers.process('tiny').catch(() => undefined)
	await expect.poll(() => started.length).toBe(2)
	await drivers.setEnabled('tiny', false)
	await starting
	expect((await drivers.browse()).offers).toMatchObject([{ installedVersion: '1.1.0' }])
})

describe('an installed driver', () => {
	test('that was altered on disk does not start', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		const { current } = await drivers.install('tiny')
		await appendFile(join(support.file('plugins'), 'tiny', current.folder, 'driver.js'), '\n')
		await expect(drivers.process('tiny')).rejects.toThrow('was altered on disk: driver.js differs')
		expect(await drivers.verifyAll()).toEqual({ tiny: expect.stringContaining('driver.js differs') })
	})

	test('with an additional file does not start', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		const { current } = await drivers.install('tiny')
		await symlink('/etc', join(support.file('plugins'), 'tiny', current.folder, 'etc'))
		await expect(drivers.process('tiny')).rejects.toThrow('etc is not part of the package')
	})

	test('that is switched off does not start, and is not listed', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		await drivers.setEnabled('tiny', false)
		expect(drivers.installed()).toEqual([])
		await expect(drivers.process('tiny')).rejects.toThrow('is disabled')
	})

	test('loads after a restart without the registry', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		{
			await using drivers = await openDrivers(support, registry)
			await drivers.install('tiny')
		}
		await rm(registry.folder, { recursive: true })
		await using drivers = await openDrivers(support, registry)
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	})

	test('whose folder was removed is reinstalled without confirmation', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		await rm(join(support.file('plugins'), 'tiny'), { recursive: true })
		expect((await drivers.ensure('tiny')).id).toBe('tiny')
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	})
})

describe('a driver that is installed again', () => {
	test('stays unchanged, with its previous version, if the reinstallation is cancelled during the first start', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		const slow = `await new Promise(resolve => setTimeout(resolve, 400)); ${workingDriver}`
		await registry.add(slow, '1.1.0')
		await drivers.install('tiny')
		const files = await installedFiles(support)
		const abort = new AbortController()
		const again = drivers.install('tiny', {
			signal: abort.signal,
			// After the last byte come unpacking and the first start.
			onProgress: ({ done, total }) => done === total && setTimeout(() => abort.abort(), 300),
		})
		await expect(again).rejects.toThrow('was cancelled')
		expect(await installedFiles(support)).toEqual(files)
		expect((await drivers.process('tiny')).isAlive).toBe(true)
	})

	test('keeps the previous version', async () => {
		await using support = await temporarySupport()
		await using registry = await TestRegistry.withDriver()
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
		await registry.add(workingDriver, '1.1.0')
		await drivers.install('tiny')
		const again = await drivers.install('tiny')
		expect([again.current.release.version, again.previous?.release.version]).toEqual(['1.1.0', '1.0.0'])
		expect((await installedFiles(support)).filter(name => /^tiny\/1\.\d\.0-[^/]*$/.test(name))).toHaveLength(2)
	})
})

test('concurrent changes of one driver run one after the other', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	await registry.add(workingDriver, '2.0.0')
	await using drivers = await openDrivers(support, registry)
	const [first, second] = await Promise.all([
		drivers.install('tiny', { range: '1.0.0' }),
		drivers.install('tiny', { range: '2.0.0' }),
	])
	expect([first, second].map(({ current }) => current.release.version)).toEqual(['1.0.0', '2.0.0'])
	const again = drivers.install('tiny')
	await Promise.all([again, drivers.setEnabled('tiny', false), drivers.setEnabled('tiny', true)])
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	const last = drivers.install('tiny')
	await drivers.remove('tiny')
	await last
	expect(drivers.installed()).toEqual([])
	expect(await installedFiles(support)).toEqual([])
})

test('the next start removes the files of an interrupted installation', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	{
		await using drivers = await openDrivers(support, registry)
		await drivers.install('tiny')
	}
	const files = await installedFiles(support)
	await mkdir(support.file('plugins/tiny/2.0.0-half'))
	await writeFile(support.file('plugins/tiny/2.0.0-half/driver.js'), '')
	await mkdir(support.file('plugins/.staging/tiny-00'), { recursive: true })
	await mkdir(support.file('plugins/first/1.0.0-whole'), { recursive: true })
	await using drivers = await openDrivers(support, registry)
	expect(await installedFiles(support)).toEqual(files)
	expect(drivers.installed()).toHaveLength(1)
})

test.runIf(process.platform !== 'win32')('a version that cannot be removed does not undo an update', async () => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.withDriver()
	const said: string[] = []
	await using drivers = await openDrivers(support, registry, { info: () => {}, warn: text => void said.push(text) })
	await drivers.install('tiny')
	// A path that is too long for the system is made from within.
	const name = 'x'.repeat(250)
	const deepen = `for (let i = 0; i < 20; i++) { fs.mkdirSync('${name}'); process.chdir('${name}') }`
	const cwd = support.file('plugins/tiny')
	execFileSync(process.execPath, ['-e', `const fs = require('node:fs'); ${deepen}`], { cwd })
	await registry.add(workingDriver, '1.1.0')
	await drivers.install('tiny')
	execFileSync('rm', ['-rf', join(cwd, name)])
	expect((await drivers.process('tiny')).isAlive).toBe(true)
	expect(drivers.lock().drivers.tiny?.version).toBe('1.1.0')
	expect(said.join()).toContain('ENAMETOOLONG')
})

test.each([
	['removed', (drivers: Drivers) => drivers.remove('tiny')],
	['switched off', (drivers: Drivers) => drivers.setEnabled('tiny', false)],
])('the sample process ends when its driver is %s', async (_name, end) => {
	await using support = await temporarySupport()
	await using registry = await TestRegistry.make()
	const startSample = `async startSample() {
		return { settings: {}, url: 'http://127.0.0.1/' + process.pid, close: async () => {} }
	},`
	const source = workingDriver.replace('export default {', `export default { ${startSample}`)
	await registry.add(source, '1.0.0', { hasSample: true })
	await using drivers = await openDrivers(support, registry)
	await drivers.install('tiny')
	const pid = Number((await drivers.sample('tiny')).url.split('/').at(-1))
	expect(isRunning(pid)).toBe(true)
	await end(drivers)
	expect(isRunning(pid)).toBe(false)
})
