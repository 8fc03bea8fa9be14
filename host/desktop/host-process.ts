import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { connectToHost, type HostClient } from '../api/client.ts'
import { isOlderHost, stopHost } from '../api/older-host.ts'

/** How the host is started as a separate process. */
export interface HostProgram {
	readonly node: string
	readonly launcher: string
	/** Names the default registry. */
	readonly registry: readonly string[]
}

interface HostProcess {
	/** Asks it to stop, and waits. */
	stop(): Promise<void>
}

/**
 * Starts the host and waits until it serves.
 * @param idleSeconds how long an unused host stays if this process ends without stopping it: AI clients keep it, and
 * the next window finds it
 * @throws Error if it ends; it has printed why on stderr
 */
export async function startHostProcess(
	{ node, launcher, registry }: HostProgram,
	idleSeconds = 30,
): Promise<HostProcess> {
	const command = ['serve', '--while-used', String(idleSeconds), ...registry]
	const child = spawn(node, ['--disable-sigusr1', launcher, ...command], {
		// It sees its end of the pipe close when this process ends, for whatever reason.
		stdio: ['pipe', 'pipe', 'inherit'],
	})
	child.stdin.on('error', () => {})
	const ended = once(child, 'exit')
	const isReady = await Promise.race([
		once(createInterface({ input: child.stdout }), 'line').then(() => true),
		ended.then(() => false),
	])
	if (!isReady) throw new Error('Roundhouse could not be started.')
	return {
		stop: async () => {
			child.kill('SIGTERM')
			await ended
		},
	}
}

/**
 * Returns the running host, or starts one. `stop` releases it, and stops it if it was started here.
 * @param mayReplace asks whether to stop an older host, whose version it gets, and to start this one
 * @throws Error if none can be started
 */
export async function findOrStartHost(
	support: SupportDirectory,
	program: HostProgram,
	mayReplace: (version: string) => Promise<boolean> = async () => false,
): Promise<{ readonly host: HostClient; stop(): Promise<void> }> {
	let running = await connectToHost(support)
	if (running?.version && isOlderHost(running) && (await mayReplace(running.version))) {
		await stopHost(support, running)
		running = undefined
	}
	let fault: unknown
	const started = running
		? undefined
		: await startHostProcess(program).catch(error => {
				fault = error
			})
	// Another program may have started one first; this one has then ended.
	const host = running ?? (await connectToHost(support))
	if (!host) {
		await started?.stop()
		throw new Error('Roundhouse could not be reached.', { cause: fault })
	}
	return {
		host,
		stop: async () => {
			await host[Symbol.asyncDispose]()
			await started?.stop()
		},
	}
}
