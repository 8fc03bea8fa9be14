import { closeSync, openSync, rmSync } from 'node:fs'
import { fileLock } from '../../host/base/file-lock.ts'

/**
 * One of many that want a lock: takes it, makes sure that it is alone, and goes, by the way that it is told: `release`,
 * or `die` as one that was killed. Exits with 3 where somebody else was inside with it.
 */
const [path = '', way] = process.argv.slice(2)
const lock = await fileLock(path, 60_000)
if (!lock) process.exit(2)
try {
	closeSync(openSync(`${path}.inside`, 'wx'))
} catch {
	process.exit(3)
}
await new Promise(resolve => setTimeout(resolve, 2))
rmSync(`${path}.inside`)
if (way === 'die') process.kill(process.pid, 'SIGKILL')
lock[Symbol.dispose]()
