import { closeSync, openSync, rmSync } from 'node:fs'
import { fileLock } from '../../base/file-lock.ts'

/**
 * One of many processes that take a lock. It takes the lock, checks that it is the only holder, and ends by `release`,
 * or by `die` as if killed. Exits with 3 if another process held the lock too.
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
