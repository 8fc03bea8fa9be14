import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileLock, tryFileLock } from '../../base/file-lock.ts'
import { lockHeldError, tryLockSupport } from '../../base/host-lock.ts'
import { bundleProgram } from '../support/bundle-program.ts'
import { someOf } from '../support/cases.ts'
import { Roundhouse } from '../support/roundhouse.ts'
import { temporarySupport } from '../support/support-directory.ts'

/** A support directory has one writer, whatever a crash, a full disk or a reused process id has left behind. */

let holder: string
beforeAll(async () => {
	// One bundled file starts in half the time. It must be in the folder of the native module.
	const folder = join(import.meta.dirname, '..', '..', 'dist', `lock-holder-${process.pid}`)
	await bundleProgram(join(import.meta.dirname, 'lock-holder.ts'), folder)
	holder = join(folder, 'lock-holder.js')
})
afterAll(() => rm(join(holder, '..'), { recursive: true, force: true }))

const hold = (path: string, way: 'release' | 'die') => spawn(process.execPath, [holder, path, way], { stdio: 'ignore' })
const ending = async (child: ChildProcess) => {
	const [code, signal] = await once(child, 'exit')
	return signal ?? code
}

/** How many processes want the lock. */
const wanting = someOf(Array.from({ length: 100 })).length

const ways = ['release', 'die'] as const
test.each(ways)('of many processes that want the lock, each holds it alone: they %s', async way => {
	await using support = await temporarySupport()
	const path = support.file('lock')
	let left = wanting
	const ends: (string | number)[] = []
	// As many concurrent processes as a machine can run; another process follows each that ends.
	const line = async () => {
		while (left-- > 0) ends.push(await ending(hold(path, way)))
	}
	await Promise.all(Array.from({ length: 12 }, line))
	expect([...new Set(ends)]).toEqual([way === 'die' ? 'SIGKILL' : 0])
	expect(ends).toHaveLength(wanting)
})

test.each([
	['is empty, as after a full disk', ''],
	['names a process that lives, as when numbers are used again', `${process.pid}`],
	['names a process that is gone', '999999999'],
	['holds something else', 'x'.repeat(5000)],
])('a lock file that %s blocks no process', async (_, content) => {
	await using support = await temporarySupport()
	await writeFile(support.file('lock'), content)
	using lock = tryLockSupport(support)
	expect(lock).toBeDefined()
	expect(tryLockSupport(support)).toBeUndefined()
	expect(lockHeldError(support).message).toContain(`process ${process.pid}`)
})

test('a full disk does not prevent a lock', async () => {
	await using support = await temporarySupport()
	const path = support.file('lock')
	// Every write fails, and no signal ends the process for it.
	const full = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`
	const child = spawn('sh', ['-c', full, process.execPath, holder, path, 'die'], { stdio: 'ignore' })
	expect(await ending(child)).toBe('SIGKILL')
	expect(await readFile(path, 'utf8')).toBe('')
})

test('a lock is taken through no link', async () => {
	await using support = await temporarySupport()
	await writeFile(support.file('other'), 'kept')
	await symlink(support.file('other'), support.file('lock'))
	expect(() => tryFileLock(support.file('lock'))).toThrow('ELOOP')
	expect(await readFile(support.file('other'), 'utf8')).toBe('kept')
})

test('a waiting process gets the lock when it is free, and no file is left at the end', async () => {
	await using support = await temporarySupport()
	const path = support.file('lock')
	const first = tryFileLock(path)
	const second = fileLock(path, 60_000)
	expect(await fileLock(path, 100)).toBeUndefined()
	first?.[Symbol.dispose]()
	const lock = await second
	expect(lock).toBeDefined()
	lock?.[Symbol.dispose]()
	expect(existsSync(path)).toBe(false)
})

test('of two hosts that start together over a stale lock, one serves and the other reports the reason', async () => {
	await using roundhouse = await Roundhouse.make()
	await writeFile(join(roundhouse.home, 'lock'), '999999999')
	const hosts = Array.from({ length: 4 }, () => roundhouse.spawn(['serve', '--mcp-port', '0', '--ui-port', '0']))
	const ready: ChildProcess[] = []
	const said = await Promise.all(
		hosts.map(async host => {
			const [first] = await Promise.race([once(host.stdout ?? host, 'data'), once(host.stderr ?? host, 'data')])
			if (String(first).includes('"ready":true')) ready.push(host)
			return String(first)
		}),
	)
	expect(ready, said.join('')).toHaveLength(1)
	expect(said.filter(text => text.includes('Another Roundhouse'))).toHaveLength(3)
	const [host] = ready
	if (host) {
		host.kill('SIGTERM')
		expect(await ending(host)).toBe(0)
	}
})
