import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Kills its process at the n-th thing that is done to a file, before it is done; of a write, when half of it is. What
 * never gets that far says how many there were.
 */

const point = Number(process.env.KILL_AT ?? 0)
let done = Number.NEGATIVE_INFINITY

function reached(): boolean {
	done++
	return done === point
}

const die = () => process.kill(process.pid, 'SIGKILL')

const changing = [
	...['open', 'write', 'writeFile', 'rename', 'rm', 'rmdir', 'mkdir', 'mkdtemp', 'copyFile', 'unlink', 'fsync', 'sync'],
	...['openSync', 'writeSync', 'writeFileSync', 'renameSync', 'rmSync', 'mkdirSync', 'unlinkSync', 'ftruncateSync'],
]

type Functions = Record<string, ((...args: unknown[]) => unknown) | undefined>

function watch(functions: Functions): void {
	for (const name of changing) {
		const original = functions[name]
		if (!original) continue
		functions[name] = function (this: unknown, ...args) {
			if (!reached()) return original.apply(this, args)
			const [path, data] = args
			// As the kernel leaves it when the process goes between two pages.
			if (/^writeFile/.test(name) && typeof path === 'string' && (typeof data === 'string' || Buffer.isBuffer(data)))
				fs.appendFileSync(path, data.slice(0, data.length / 2))
			die()
		}
	}
}

// The functions of these modules are of many shapes; each is passed on as it is called.
watch(fs as unknown as Functions)
watch(fs.promises as unknown as Functions)
syncBuiltinESMExports()
const handle = await fs.promises.open(import.meta.filename)
watch(Object.getPrototypeOf(handle))
await handle.close()
done = 0

process.on('exit', () => fs.writeSync(1, `${done}\n`))
