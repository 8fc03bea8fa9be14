import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SupportDirectory } from '../base/support-directory.ts'
import { connectToHost, type HostClient } from '../ui-server/client.ts'

/** How the host is started as a process of its own. */
export interface HostProgram {
	/** The Node that the host runs under. */
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
 * @param idleSeconds how long it stays when this process is gone without stopping it and nobody uses it: AI clients that
 * are at work keep it, and the next window finds it
 * @throws Error where it ends instead; it has said why on stderr
 */
export async function startHostProcess(
	{ node, launcher, registry }: HostProgram,
	idleSeconds = 30,
): Promise<HostProcess> {
	const command = ['serve', '--while-used', String(idleSeconds), ...registry]
	const child = spawn(node, ['--disable-sigusr1', launcher, ...command], {
		// It sees its end of the pipe close when this process ends, whatever ended it.
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
 * The host that runs, or one that is started for it. `stop` lets go of it, and stops it where it was started here.
 * @throws Error where there is none to be had
 */
export async function findOrStartHost(
	support: SupportDirectory,
	program: HostProgram,
): Promise<{ readonly host: HostClient; stop(): Promise<void> }> {
	const running = await connectToHost(support)
	let fault: unknown
	const started = running
		? undefined
		: await startHostProcess(program).catch(error => {
				fault = error
			})
	// A program that started one at the same time may have been faster; ours has left it the place.
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
