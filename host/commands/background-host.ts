import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, stat, truncate } from 'node:fs/promises'
import { Socket } from 'node:net'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { StartedHost } from '../mcp/bridge/index.ts'
import type { Launch } from './context.ts'

/** What hosts in the background print, for support. */
export const hostLogName = 'host.log'
const startLockName = 'starting'
/** A program that is stopped could keep the lock. */
const longestStartMs = 10_000
/** Size limit of the log. A longer log is emptied. */
const longestLogBytes = 1_000_000

interface Starting {
	/** How long an unused host stays. */
	readonly idleSeconds: number
	/** Whether a host runs by now. */
	readonly isRunning: () => Promise<boolean>
}

/**
 * Starts a host in the background, which outlives this process unless it is unused. Of many programs that need one, one
 * starts it: each host costs a second of work before it finds that another one runs.
 * @returns `undefined` if another program starts one
 */
export async function startBackgroundHost(
	launch: Launch,
	support: SupportDirectory,
	{ idleSeconds, isRunning }: Starting,
): Promise<StartedHost | undefined> {
	// Most bridges find a host, and never need the module.
	const { tryFileLock } = await import('../../base/file-lock.ts')
	const startLock = support.file(startLockName)
	using starting = new DisposableStack()
	const lock = tryFileLock(startLock)
	if (lock) starting.use(lock)
	else if (!(await isOld(startLock))) return undefined
	// Who held the lock before may have just found its host.
	if (await isRunning()) return undefined
	const path = support.file(hostLogName)
	const size = await stat(path).then(
		file => file.size,
		() => 0,
	)
	if (size > longestLogBytes) await truncate(path)
	await using log = await open(path, 'a', 0o600)
	const start = size > longestLogBytes ? 0 : size
	const serve = ['serve', '--while-used', String(idleSeconds)]
	const host = spawn(process.execPath, [...process.execArgv, launch.launcher, ...serve], {
		detached: true,
		// The host sees its end of the pipe close when this process ends, for whatever reason.
		stdio: ['pipe', 'ignore', log.fd],
	})
	const ended = once(host, 'exit').then(
		async () => (await printedSince(path, start)) || 'It ended without a reason.',
		(error: Error) => error.message,
	)
	const held = starting.move()
	const release = () => held.dispose()
	void ended.then(release)
	host.stdin?.on('error', () => {})
	host.unref()
	// An open pipe would keep this process running.
	if (host.stdin instanceof Socket) host.stdin.unref()
	return { ended, [Symbol.dispose]: release }
}

/** A file that is gone is not old: its holder has just released it. */
async function isOld(path: string): Promise<boolean> {
	const file = await stat(path).catch(() => undefined)
	return file !== undefined && Date.now() - file.mtimeMs > longestStartMs
}

/** Returns the last line that was printed after `start`, without the name of the program. */
async function printedSince(path: string, start: number): Promise<string> {
	await using log = await open(path, 'r')
	const { size } = await log.stat()
	const length = Math.min(Math.max(size - start, 0), 4000)
	const { buffer } = await log.read(Buffer.alloc(length), 0, length, size - length)
	const [last = ''] = buffer.toString('utf8').trim().split('\n').slice(-1)
	return last.replace(/^roundhouse: /, '')
}
