import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FormField, Settings } from '@roundhouse/kit/manifest'
import { DoesNotApply } from '../findings.ts'

/** Addresses on this machine that an engine does not answer at. */

/** Returns the settings with another port on loopback in place of the engine's address. @throws DoesNotApply */
export function settingsAt(form: readonly FormField[], settings: Settings, port: number): Settings {
	const field = form.find(({ addresses }) => addresses !== undefined)
	if (!field?.addresses) throw new DoesNotApply('The form has no field with `addresses`.')
	const [scheme = ''] = /^[a-z][a-z0-9+.-]*:\/\//.exec(String(settings[field.key] ?? '')) ?? []
	const { portField } = field.addresses
	if (portField === undefined) return { ...settings, [field.key]: `${scheme}127.0.0.1:${port}` }
	return { ...settings, [field.key]: `${scheme}127.0.0.1`, [portField]: port }
}

/** A server that accepts connections and never answers. */
export async function silentServer() {
	const sockets = new Set<Socket>()
	const server = createServer(socket => {
		sockets.add(socket)
		socket.on('error', () => {}).on('close', () => sockets.delete(socket))
		// Without a reader, the end of the other side goes unnoticed.
		socket.resume()
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	return {
		// A TCP server that listens has a port.
		port: (server.address() as AddressInfo).port,
		get openSockets() {
			return sockets.size
		},
		[Symbol.asyncDispose]: async () => {
			for (const socket of sockets) socket.destroy()
			await new Promise(resolve => server.close(resolve))
		},
	}
}

/** Returns a port on loopback that was free a moment ago. */
export async function closedPort(): Promise<number> {
	await using server = await silentServer()
	return server.port
}

const patienceMs = 3_000

/** Waits for a condition, but not longer than {@link patienceMs}. */
export async function until(isTrue: () => boolean): Promise<void> {
	for (let waitedMs = 0; waitedMs < patienceMs && !isTrue(); waitedMs += 20) await sleep(20)
}
