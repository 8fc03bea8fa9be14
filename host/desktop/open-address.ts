import { spawn } from 'node:child_process'
import { isLoopbackHost } from '../../base/loopback.ts'

const answerTimeoutMs = 5_000

/**
 * Delivers an answer to the program that asked: fetches a loopback address, or opens another scheme, which the
 * operating system resolves to the program. The pairing has refused remote addresses.
 */
export async function openAddress(address: string): Promise<void> {
	const url = new URL(address)
	if (url.protocol === 'http:' && isLoopbackHost(url.hostname)) {
		// The program may close the connection without an answer; it has the code then.
		await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => {})
		return
	}
	if (url.protocol === 'http:' || url.protocol === 'https:') return
	const [command, ...args] = opener(url.href)
	spawn(command, args, { stdio: 'ignore', detached: true })
		.on('error', () => {})
		.unref()
}

function opener(address: string): [string, ...string[]] {
	if (process.platform === 'darwin') return ['open', address]
	// `start` interprets & and ^; rundll32 takes the address as it is.
	return process.platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', address] : ['xdg-open', address]
}
