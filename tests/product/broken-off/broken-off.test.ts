import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { shareOf } from '../../../scripts/share.ts'
import { bundleProgram } from '../../support/bundle-program.ts'
import { openDrivers } from '../../support/plugin-loader.ts'
import { TestRegistry, workingDriver } from '../../support/test-registry.ts'

/** Wherever an installation or an update is interrupted, either the previous state or the new one works. */

let folder: string
let registry: TestRegistry
let programs: string

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-broken-off-'))
	registry = await TestRegistry.withDriver()
	programs = join(import.meta.dirname, '..', '..', '..', 'dist', `broken-off-${process.pid}`)
	await bundleProgram(
		['install.ts', 'break-at.ts'].map(name => join(import.meta.dirname, name)),
		programs,
	)
})
afterAll(async () => {
	await registry?.[Symbol.asyncDispose]()
	await rm(programs, { recursive: true, force: true })
	await rm(folder, { recursive: true, force: true })
})

interface Break {
	readonly KILL_AT?: string
	readonly FULL_AT?: string
}

/**
 * Runs the installation, and interrupts it.
 * @returns how many points it passed, if it was not killed
 */
async function install(home: string, at: Break = {}): Promise<number | undefined> {
	const { url, fingerprint } = registry.source
	const child: ChildProcess = spawn(
		process.execPath,
		['--import', join(programs, 'break-at.js'), join(programs, 'install.js'), home, url, fingerprint],
		{
			env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...at },
			stdio: ['ignore', 'pipe', at.FULL_AT ? 'ignore' : 'inherit'],
		},
	)
	const [said] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
	if (child.signalCode === 'SIGKILL') return undefined
	// The disk may become full too late to have an effect.
	expect(at.FULL_AT ? [0, 1] : [0]).toContain(child.exitCode)
	return Number(said)
}

/** Checks the remaining files: none, or a driver that its registry has signed, byte by byte. */
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
	{ what: 'an installation', before: undefined, after: '1.0.0', kills: 110, disks: 12 },
	{ what: 'an update', before: '1.0.0', after: '1.1.0', kills: 90, disks: 12 },
])('$what', ({ before, after, kills, disks }) => {
	let start: string
	let points = 0

	beforeAll(async () => {
		start = join(folder, `start-${after}`)
		await openSupportDirectory(start)
		if (before) {
			await install(start)
			await registry.add(workingDriver, after)
		}
		const whole = join(folder, `whole-${after}`)
		await cp(start, whole, { recursive: true })
		points = (await install(whole)) ?? 0
		expect(points).toBeGreaterThanOrEqual(kills)
	})

	/** Interrupts a run at this many points, spread over all points, three at a time. */
	async function breakEach(count: number, at: (point: string) => Break): Promise<void> {
		const indices = shareOf(Array.from({ length: count }, (_, index) => index))
		const next = indices.entries()
		const line = async () => {
			for (const [place, index] of next) {
				const home = join(folder, `${after}-${index}`)
				await cp(start, home, { recursive: true })
				await install(home, at(String(1 + Math.floor((index * points) / count))))
				await lookAt(home, [before, after], place % 10 === 0)
				await rm(home, { recursive: true })
			}
		}
		await Promise.all([line(), line(), line()])
	}

	test(`that is killed leaves the last good state, at ${kills} points or a share of them`, {
		timeout: 300_000,
	}, async () => {
		await breakEach(kills, KILL_AT => ({ KILL_AT }))
	})

	test(`on a full disk leaves the last good state, at ${disks} points or a share of them`, {
		timeout: 120_000,
	}, async () => {
		await breakEach(disks, FULL_AT => ({ FULL_AT }))
	})
})
