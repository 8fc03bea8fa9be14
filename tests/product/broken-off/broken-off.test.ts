import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { bundleProgram } from '../../support/bundle-program.ts'
import { someOf } from '../../support/cases.ts'
import { openDrivers } from '../../support/plugin-loader.ts'
import { TestRegistry, workingDriver } from '../../support/test-registry.ts'

/** If an installation or update is interrupted at any point, either the previous or the new state works. */

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

interface Interruption {
	readonly KILL_AT?: string
	readonly DISK_FULL_AT?: string
}

/**
 * Runs the installation, and interrupts it.
 * @returns the number of interruption points that the installation passed, or `undefined` if it was killed
 */
async function install(home: string, at: Interruption = {}): Promise<number | undefined> {
	const { url, fingerprint } = registry.source
	const child: ChildProcess = spawn(
		process.execPath,
		['--import', join(programs, 'break-at.js'), join(programs, 'install.js'), home, url, fingerprint],
		{
			env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...at },
			stdio: ['ignore', 'pipe', at.DISK_FULL_AT ? 'ignore' : 'inherit'],
		},
	)
	const [output] = await Promise.all([child.stdout ? text(child.stdout) : '', once(child, 'exit')])
	if (child.signalCode === 'SIGKILL') return undefined
	// The disk may become full too late to have an effect.
	expect(at.DISK_FULL_AT ? [0, 1] : [0]).toContain(child.exitCode)
	return Number(output)
}

/**
 * Checks that either no driver is installed, or that every byte of the installed driver matches the signed metadata.
 */
async function checkState(home: string, allowed: readonly (string | undefined)[], isThorough: boolean): Promise<void> {
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

	/**
	 * Interrupts `count` runs, each at a different point. The points are evenly distributed, and three runs are
	 * concurrent.
	 */
	async function interruptEach(count: number, at: (point: string) => Interruption): Promise<void> {
		const indices = someOf(
			Array.from({ length: count }, (_, index) => index),
			20,
		)
		const next = indices.entries()
		const worker = async () => {
			for (const [position, index] of next) {
				const home = join(folder, `${after}-${index}`)
				await cp(start, home, { recursive: true })
				await install(home, at(String(1 + Math.floor((index * points) / count))))
				await checkState(home, [before, after], position % 10 === 0)
				await rm(home, { recursive: true })
			}
		}
		await Promise.all([worker(), worker(), worker()])
	}

	test(`that is killed leaves a working state, at ${kills} points or a sample of them`, async () => {
		await interruptEach(kills, KILL_AT => ({ KILL_AT }))
	})

	test(`on a full disk leaves a working state, at ${disks} points or a sample of them`, async () => {
		await interruptEach(disks, DISK_FULL_AT => ({ DISK_FULL_AT }))
	})
})
