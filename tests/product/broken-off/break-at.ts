import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Interrupts its process at the n-th file operation. `KILL_AT` kills the process before the operation, or, for a write,
 * after half of it. With `DISK_FULL_AT` the disk is full from that operation on. If the process does not get that far, it
 * reports the number of operations.
 */

const killAt = Number(process.env.KILL_AT ?? 0)
const fullAt = Number(process.env.DISK_FULL_AT ?? 0)
/** Operations before the start of the program are not counted. */
let done = Number.NEGATIVE_INFINITY

const needingRoom = [
	'write',
	'writeFile',
	'mkdir',
	'mkdtemp',
	'copyFile',
	'writeSync',
	'writeFileSync',
	'mkdirSync',
	'appendFileSync',
]
const changing = [
	...needingRoom,
	'open',
	'rename',
	'rm',
	'rmdir',
	'unlink',
	'fsync',
	'sync',
	'openSync',
	'renameSync',
	'rmSync',
	'unlinkSync',
	'ftruncateSync',
]

type Functions = Record<string, ((...args: unknown[]) => unknown) | undefined>
type Failing = 'throws' | 'rejects'

const isFull = (name: string, flags: unknown) =>
	fullAt > 0 &&
	done >= fullAt &&
	(needingRoom.includes(name) || (name.startsWith('open') && typeof flags === 'string' && /[wa+]/.test(flags)))

function watch(functions: Functions, failing: Failing): void {
	for (const name of changing) {
		const original = functions[name]
		if (!original) continue
		functions[name] = function (this: unknown, ...args) {
			done++
			if (done === killAt) die(name, args)
			if (isFull(name, args[1])) return fail(failing, args.at(-1))
			return original.apply(this, args)
		}
	}
}

function die(name: string, [path, data]: readonly unknown[]): void {
	// The state that the kernel leaves if the process ends between two pages.
	if (/^writeFile/.test(name) && typeof path === 'string' && (typeof data === 'string' || Buffer.isBuffer(data)))
		append(path, data.slice(0, data.length / 2))
	process.kill(process.pid, 'SIGKILL')
}

function fail(failing: Failing, last: unknown): unknown {
	const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
	if (failing === 'rejects') return Promise.reject(error)
	if (typeof last !== 'function') throw error
	process.nextTick(last, error)
}

const { appendFileSync: append, writeSync: say } = fs
// The functions of these modules have many shapes; each call is passed on unchanged.
watch(fs as unknown as Functions, 'throws')
watch(fs.promises as unknown as Functions, 'rejects')
syncBuiltinESMExports()
const handle = await fs.promises.open(import.meta.filename)
watch(Object.getPrototypeOf(handle), 'rejects')
await handle.close()
done = 0

process.on('exit', () => say(1, `${done}\n`))
