import { open, readFile, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineErrors } from './errors.ts'
import type { SupportDirectory } from './support-directory.ts'

export const lockErrors = defineErrors('lock', {
	held: 'Another Roundhouse (process {pid}) works on {path}. Stop it, or use another ROUNDHOUSE_HOME.',
})

/**
 * One writer a support directory: the host while it runs, or a command while it works. A lock whose process is gone is
 * taken over. @throws HostError `lock/held`
 */
export async function lockSupport(support: SupportDirectory, waitMs = 0): Promise<AsyncDisposable> {
	const path = support.file('lock')
	for (const deadline = Date.now() + waitMs; ; await sleep(50)) {
		try {
			const file = await open(path, 'wx', 0o600)
			await file.write(String(process.pid))
			await file.close()
			return { [Symbol.asyncDispose]: () => rm(path, { force: true }) }
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
		}
		const pid = Number(await readFile(path, 'utf8').catch(() => ''))
		if (pid > 0 && !isAlive(pid)) await rm(path, { force: true })
		else if (Date.now() >= deadline) throw lockErrors.make('held', { pid, path: support.path })
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0)
		return true
	} catch (error) {
		return (error as NodeJS.ErrnoException).code === 'EPERM'
	}
}
