import { createInterface } from 'node:readline/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { lt } from 'semver'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { hostVersion } from '../../base/version.ts'
import { connectToHost, type HostClient } from '../api/client.ts'

/** A newer command meets an older host: it says so, and offers to replace the host. */

const pollMs = 100

/** Returns a sentence about a host that is older than this program, or `undefined`. */
export function olderHostNotice({ version }: Pick<HostClient, 'version'>): string | undefined {
	if (version === undefined || !lt(version, hostVersion)) return undefined
	return `Roundhouse ${version} is running, and this is ${hostVersion}. To replace it: roundhouse stop`
}

/** Asks the user of a terminal whether to replace an older host, and stops it if so. @returns whether it was stopped */
export async function offerReplacement(support: SupportDirectory, host: HostClient): Promise<boolean> {
	const notice = olderHostNotice(host)
	if (notice === undefined) return false
	process.stderr.write(`roundhouse: ${notice}\n`)
	if (!process.stdin.isTTY || !process.stderr.isTTY) return false
	const prompt = createInterface({ input: process.stdin, output: process.stderr })
	const answer = await prompt.question('Stop the running one when its work is done, and go on with this one? [Y/n] ')
	prompt.close()
	if (/^n/i.test(answer.trim())) return false
	await stopHost(support, host)
	return true
}

/** Stops a host when its running work is done, and waits for that. */
export async function stopHost(support: SupportDirectory, host: HostClient): Promise<void> {
	const { stops } = await host.call('app.stop', {})
	if (stops === 'after_running_work') process.stderr.write('roundhouse: Work is running. Waiting for its end …\n')
	await host[Symbol.asyncDispose]()
	for (;;) {
		const next = await connectToHost(support)
		if (!next) return
		await next[Symbol.asyncDispose]()
		await sleep(pollMs)
	}
}
