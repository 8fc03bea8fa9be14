import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSupportDirectory } from '../../../host/base/support-directory.ts'
import { commonJsBanner } from '../../../registry/common-js.ts'
import { openDrivers } from '../../support/plugin-loader.ts'
import { TestRegistry, workingDriver } from '../../support/test-registry.ts'

/** Wherever an installation or an update is killed, what was good before works, or what is new does. */

const pointsEach = 100
let folder: string
let registry: TestRegistry
let program: string

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-kill-points-'))
	registry = await TestRegistry.withDriver()
	program = join(import.meta.dirname, '..', '..', '..', 'dist', `kill-points-${process.pid}.js`)
	// One file starts in a third of the time; it looks for the driver's program where the product does.
	await build({
		entryPoints: [join(import.meta.dirname, 'install.ts')],
		outfile: program,
		bundle: true,
		platform: 'node',
		format: 'esm',
		target: 'node26',
		external: ['fs-native-extensions'],
		banner: { js: commonJsBanner },
		logLevel: 'warning',
	})
})
afterAll(async () => {
	await registry?.[Symbol.asyncDispose]()
	await rm(program, { force: true })
	await rm(folder, { recursive: true, force: true })
})

/** Runs the installation and kills it at a point. @returns how many points it passed, where it came to its end */
async function install(home: string, killAt = 0): Promise<number | undefined> {
	const { url, fingerprint } = registry.source
	const child: ChildProcess = spawn(
		process.execPath,
		['--import', join(import.meta.dirname, 'kill-at.ts'), program, home, url, fingerprint],
		{ env: { ...process.env, KILL_AT: String(killAt) }, stdio: ['ignore', 'pipe', 'inherit'] },
	)
	const [said] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
	expect([0, null]).toContain(child.exitCode)
	return child.signalCode === 'SIGKILL' ? undefined : Number(said)
}

/** Looks at what a kill left: nothing, or a driver that its registry vouches for, byte by byte. */
async function lookAt(home: string, allowed: readonly (string | undefined)[], isThorough: boolean): Promise<void> {
	await using drivers = await openDrivers(await openSupportDirectory(home), registry)
	const installed = drivers.lock().drivers.tiny?.version
	expect(allowed).toContain(installed)
	expect(await drivers.verifyAll()).toEqual(installed ? { tiny: null } : {})
	if (!isThorough) return
	if (installed) expect((await drivers.process('tiny')).isAlive).toBe(true)
	await drivers.install('tiny')
	expect((await drivers.process('tiny')).isAlive).toBe(true)
}

describe.each([
	{ what: 'an installation', before: undefined, after: '1.0.0' },
	{ what: 'an update', before: '1.0.0', after: '1.1.0' },
])('killed in mid-way, $what', ({ before, after }) => {
	test(`leaves the last good state, at each of ${pointsEach} points`, { timeout: 300_000 }, async () => {
		const start = join(folder, `start-${after}`)
		await openSupportDirectory(start)
		if (before) {
			await install(start)
			await registry.add(workingDriver, after)
		}
		const whole = join(folder, `whole-${after}`)
		await cp(start, whole, { recursive: true })
		const points = await install(whole)
		expect(points).toBeGreaterThan(pointsEach)
		let next = 0
		const line = async () => {
			for (let index = next++; index < pointsEach; index = next++) {
				const home = join(folder, `${after}-${index}`)
				await cp(start, home, { recursive: true })
				const killAt = 1 + Math.floor((index * (points ?? 0)) / pointsEach)
				await install(home, killAt)
				await lookAt(home, [before, after], index % 10 === 0)
				await rm(home, { recursive: true })
			}
		}
		await Promise.all([line(), line(), line()])
	})
})
