import { type ChildProcess, spawn } from 'node:child_process'
import type { HostWatch } from '@roundhouse/kit/wire/messages'
import { layout } from '../../base/layout.ts'
import { type FileGrants, noGrants } from './file-grants.ts'
import { hardCeilingBytes } from './resident-memory.ts'
import type { Confinement, Wall } from './wall/confinement.ts'

/** Parameters of a driver process. All paths are real paths, because the permission model compares those. */
export interface DriverStart {
	/** Absolute path of the driver's module. */
	readonly entry: string
	/** The installed package's folder. */
	readonly folder: string
	/** The folder that the process may write. */
	readonly scratch: string
	readonly grants: FileGrants | undefined
	readonly memoryMb: number
	readonly development?: Development | undefined
}

/** How the process of a driver under development differs: it logs what is denied, and a debugger may attach. */
export interface Development {
	readonly inspects: boolean
}

/**
 * Starts Node as a driver process: with an empty environment, under Node's permission flags, and behind the wall.
 * @returns the process; on Windows also a handle that must stay open while it runs
 * @throws Error if the wall cannot confine the started process; the process is killed then
 */
export function spawnDriver(start: DriverStart, wall: Wall): { child: ChildProcess; held: Disposable | undefined } {
	const confinement = confinementOf(start, wall)
	const { file, args } = wall.command(confinement)
	const child = spawn(file, args, {
		cwd: start.folder,
		env: {},
		stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
	})
	try {
		return { child, held: child.pid === undefined ? undefined : wall.hold?.(child.pid, confinement) }
	} catch (error) {
		child.kill('SIGKILL')
		throw error
	}
}

/** Turns off the modules that Node's permission model does not cover. */
export const uncoveredModules: readonly string[] = ['--no-experimental-sqlite', '--no-experimental-ffi']

function confinementOf(
	{ entry, folder, scratch, grants = noGrants, memoryMb, development }: DriverStart,
	{ endsWithHost }: Wall,
): Confinement {
	const read = [layout.driverRuntime, folder, ...grants.read]
	const readWrite = [scratch, ...grants.readWrite]
	const flags = [
		'--permission',
		...[...read, ...readWrite].map(path => `--allow-fs-read=${path}`),
		...readWrite.map(path => `--allow-fs-write=${path}`),
		...uncoveredModules,
		`--max-old-space-size=${memoryMb}`,
		'--disallow-code-generation-from-strings',
		'--disable-sigusr1',
		'--freeze-flags-after-init',
		// A stack names the driver's own files.
		'--enable-source-maps',
		'--no-warnings',
		// The runtime watches the host in a worker, then drops this permission (plugins/kit/runtime/end-with-host.ts).
		...(endsWithHost ? [] : ['--allow-worker']),
		...(development?.inspects ? ['--inspect=127.0.0.1:0', '--allow-inspector'] : []),
	]
	const watched: HostWatch = {
		hostPid: process.pid,
		mostBytes: hardCeilingBytes(memoryMb),
		logsDenials: development !== undefined,
	}
	return { args: [...flags, layout.driverRuntime, entry, scratch, JSON.stringify(watched)], read, readWrite, memoryMb }
}
