import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DriverError } from '@roundhouse/kit'
import { type DriverMethod, driverMethods } from '@roundhouse/kit/wire/methods'
import { DriverCalls } from '../../host/driver-runtime/driver-calls.ts'
import { DriverChannel } from '../../host/driver-runtime/driver-channel.ts'
import { DriverNetwork } from '../../host/driver-runtime/driver-network.ts'
import { nowhere } from '../support/network-access.ts'
import { underWatch } from './watch.ts'

/**
 * The host's end of a driver's pipe as a separate program. Each connection is a driver with one call of every method in
 * progress. After it has sent everything, it receives the outcome as JSON.
 */

export interface DriverChannelUnderFuzz {
	readonly path: string
	/** Calls are numbered from 1 in this order. */
	readonly methods: readonly DriverMethod[]
}

/** The host's reaction to all messages of one driver. */
export interface Verdict {
	readonly messages: number
	readonly settled: number
	/** The reason for which the host would end the driver. */
	readonly fault?: string | undefined
}

if (import.meta.main) {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-fuzz-'))
	const path = join(folder, 'pipe')
	// The keys of the table are its methods.
	const methods = Object.keys(driverMethods) as DriverMethod[]
	const server = createServer({ allowHalfOpen: true }, socket => {
		let [messages, settled] = [0, 0]
		let fault: string | undefined
		const calls = new DriverCalls(
			'fuzzed',
			() => {},
			(_, fault) => new DriverError('internal_failure', fault),
		)
		const network = new DriverNetwork({ pass: async () => true }, () => {})
		network.addDialer(nowhere)
		new DriverChannel(socket, 'fuzzed', {
			message: (message, attached) => {
				messages++
				if (message.kind === 'dial' || message.kind === 'listen' || message.kind === 'letGo') network.receive(message)
				else if ('id' in message) fault ??= calls.receive(message, attached)
			},
			fault: reason => {
				fault ??= reason
			},
			closed: () => {},
		})
		const settle = () => void settled++
		// The fuzzer answers by number. Of the parameters only permissions are read.
		const params = { statement: { access: 'read' } } as never
		for (const method of methods) void calls.call(method, params, {}).then(settle, settle)
		socket.on('end', () =>
			setImmediate(() => {
				socket.end(JSON.stringify({ messages, settled, fault } satisfies Verdict))
				calls.end(new DriverError('not_connected', 'The fuzzer hung up.'))
			}),
		)
	})
	server.listen(path)
	await once(server, 'listening')
	underWatch<DriverChannelUnderFuzz>({ path, methods }, async () => {
		server.close()
		await rm(folder, { recursive: true, force: true })
	})
}
