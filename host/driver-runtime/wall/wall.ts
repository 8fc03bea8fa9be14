import { layout } from '../../../base/layout.ts'
import { findFlaw, SilentCanaryError } from './canary.ts'
import { noWall, type Wall } from './confinement.ts'
import { macosProfile } from './macos.ts'
import type { WallParts, WallSpec } from './spec.ts'
import { holdInJob } from './windows.ts'

/** Returns a wall that starts drivers through a launcher, which restricts itself before `execve` (launcher.ts). */
function linuxWall(parts: WallParts): Wall {
	return {
		name: parts.files ? 'landlock and seccomp' : 'seccomp',
		protectsFiles: parts.files,
		protectsNetwork: true,
		endsWithHost: true,
		command: confinement => {
			const spec: WallSpec = { ...confinement, hostPid: process.pid, parts }
			const flags = ['--no-warnings', '--experimental-ffi', '--disable-sigusr1']
			return { file: process.execPath, args: [...flags, layout.driverLauncher, JSON.stringify(spec)] }
		},
	}
}

const macosWall: Wall = {
	name: 'sandbox-exec',
	protectsFiles: true,
	protectsNetwork: true,
	endsWithHost: false,
	command: ({ args, ...files }) => ({
		file: '/usr/bin/sandbox-exec',
		args: ['-p', macosProfile(process.execPath, files), process.execPath, '--openssl-config=/dev/null', ...args],
	}),
}

const windowsWall: Wall = {
	...noWall,
	name: 'job object',
	endsWithHost: true,
	hold: (pid, { memoryMb }) => holdInJob(pid, memoryMb),
}

/** The walls to try on a system, strongest first. */
function candidates(platform: NodeJS.Platform): readonly Wall[] {
	switch (platform) {
		case 'linux':
			return [linuxWall({ files: true, calls: true }), linuxWall({ files: false, calls: true })]
		case 'darwin':
			return [macosWall]
		case 'win32':
			return [windowsWall]
		default:
			return []
	}
}

export interface FoundWall {
	readonly wall: Wall
	/** Why each stronger wall does not hold on this machine. */
	readonly flaws: readonly string[]
	/** Set if no canary of the strongest wall answered, for example on a very busy machine. Then the wall is `noWall`. */
	readonly silence?: string
}

/** Time for each attempt, in milliseconds. */
const attemptsMs = [10_000, 20_000, 40_000]

interface Search {
	readonly walls?: readonly Wall[]
	readonly attemptsMs?: readonly number[]
}

/** Returns the strongest wall that a canary process cannot pass on this machine. */
export async function findWall(
	platform: NodeJS.Platform = process.platform,
	{ walls = candidates(platform), ...search }: Search = {},
): Promise<FoundWall> {
	const flaws: string[] = []
	for (const wall of walls) {
		const { flaw, silence } = await tried(wall, search.attemptsMs ?? attemptsMs)
		// A weaker wall, or none, would take the place of one that may hold.
		if (silence !== undefined) return { wall: noWall, flaws, silence: `${wall.name}: ${silence}` }
		if (flaw === undefined) return { wall, flaws }
		flaws.push(`${wall.name}: ${flaw}`)
	}
	return { wall: noWall, flaws }
}

async function tried(
	wall: Wall,
	attemptsMs: readonly number[],
): Promise<{ readonly flaw?: string | undefined; readonly silence?: string }> {
	let silence = 'it was not tried'
	for (const timeoutMs of attemptsMs) {
		try {
			return { flaw: await findFlaw(wall, timeoutMs) }
		} catch (error) {
			if (!(error instanceof SilentCanaryError)) throw error
			silence = error.message
		}
	}
	return { silence }
}

let found: Promise<FoundWall> | undefined

/**
 * Returns the wall of this machine. It is determined once; later a driver that cannot use it does not start. If no
 * canary answered, the next call tries again.
 */
export async function machineWall(): Promise<FoundWall> {
	found ??= findWall()
	const finding = found
	const wall = await finding
	if (wall.silence !== undefined && found === finding) found = undefined
	return wall
}

/** Environment variable by which the user allows drivers without the wall, if it cannot be tried. */
const allowance = 'ROUNDHOUSE_DRIVERS_WITHOUT_WALL'

/** Returns the wall for drivers, or `undefined` if no canary answered and the user has not allowed to go without. */
export function usableWall({ wall, silence }: FoundWall): Wall | undefined {
	return silence === undefined || process.env[allowance] === '1' ? wall : undefined
}

/** Describes for a user how drivers are confined. */
export function describeWall({ wall, flaws, silence }: FoundWall): string {
	const node = `Node ${process.versions.node}'s permission model`
	if (silence !== undefined)
		return process.env[allowance] === '1'
			? `Drivers are confined by ${node} alone, as ${allowance} allows. The test of the operating system's part did not answer (${silence}).`
			: `Drivers are refused: the test whether the operating system confines them did not answer (${silence}). The next start of a driver tries again.`
	if (wall.protectsFiles) return `Drivers are confined by the operating system (${wall.name}) and by ${node}.`
	const other = wall.name === 'none' ? '' : ` and by the operating system's ${wall.name}`
	const reason = flaws.length === 0 ? '' : ` (${flaws.join('; ')})`
	return `Drivers are confined by ${node}${other}. A flaw in Node's permissions would expose your files to a driver. Linux 5.19 or newer closes this${reason}.`
}
