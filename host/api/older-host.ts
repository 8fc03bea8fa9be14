import { setTimeout as sleep } from 'node:timers/promises'
import { lt } from 'semver'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { hostVersion } from '../../base/version.ts'
import { connectToHost, type HostClient } from './client.ts'

/** A command or window that is newer than the running host tells the user, and can replace the host. */

const pollMs = 100

/** Whether a running host is older than this program. */
export function isOlderHost({ version }: Pick<HostClient, 'version'>): boolean {
	return version !== undefined && lt(version, hostVersion)
}

/** Returns a sentence about a host that is older than this program, or `undefined`. */
export function olderHostNotice(host: Pick<HostClient, 'version'>): string | undefined {
	if (!isOlderHost(host)) return undefined
	return `Roundhouse ${host.version} is running, and this is ${hostVersion}. To replace it: roundhouse stop`
}

/**
 * Stops a host when its running work is done, and waits for that.
 * @param onWait called if other work runs
 */
export async function stopHost(support: SupportDirectory, host: HostClient, onWait?: () => void): Promise<void> {
	const { stops } = await host.call('app.stop', {})
	if (stops === 'after_running_work') onWait?.()
	await host[Symbol.asyncDispose]()
	for (;;) {
		const next = await connectToHost(support)
		if (!next) return
		await next[Symbol.asyncDispose]()
		await sleep(pollMs)
	}
}
