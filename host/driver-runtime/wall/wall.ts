import { layout } from '../../../base/layout.ts'
import { findFlaw } from './canary.ts'
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
}

/** Returns the strongest wall that a canary process cannot pass on this machine. */
export async function findWall(platform: NodeJS.Platform = process.platform): Promise<FoundWall> {
	const flaws: string[] = []
	for (const wall of candidates(platform)) {
		const flaw = await findFlaw(wall)
		if (flaw === undefined) return { wall, flaws }
		flaws.push(`${wall.name}: ${flaw}`)
	}
	return { wall: noWall, flaws }
}

let found: Promise<FoundWall> | undefined

/** Returns the wall of this machine. It is determined once; later a driver that cannot use it does not start. */
export function machineWall(): Promise<FoundWall> {
	found ??= findWall()
	return found
}

/** Describes for a user how drivers are confined. */
export function describeWall({ wall, flaws }: FoundWall): string {
	const node = `Node ${process.versions.node}'s permission model`
	if (wall.protectsFiles) return `Drivers are confined by the operating system (${wall.name}) and by ${node}.`
	const other = wall.name === 'none' ? '' : ` and by the operating system's ${wall.name}`
	const reason = flaws.length === 0 ? '' : ` (${flaws.join('; ')})`
	return `Drivers are confined by ${node}${other}. A flaw in Node's permissions would expose your files to a driver. Linux 5.19 or newer closes this${reason}.`
}
