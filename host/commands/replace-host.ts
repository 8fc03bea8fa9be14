import { createInterface } from 'node:readline/promises'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { HostClient } from '../api/client.ts'
import { olderHostNotice, stopHost } from '../api/older-host.ts'

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
	await stopHost(support, host, sayWaiting)
	return true
}

export const sayWaiting = () => void process.stderr.write('roundhouse: Work is running. Waiting for its end …\n')
