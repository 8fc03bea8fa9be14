import { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import type { Driver } from '../api/driver.ts'
import { kitVersion } from '../api/version.ts'
import { encodeFrame, FrameReader } from '../wire/frames.ts'
import { beatIntervalMs, channelFd, type DriverMessage, type HostMessage } from '../wire/messages.ts'
import { Calls } from './calls.ts'
import { DriverMethods } from './driver-methods.ts'
import { GivenSockets } from './given-sockets.ts'
import { Permission } from './permission.ts'
import { giveUpPowers } from './powers.ts'

/**
 * The program of a driver process: loads the driver named on its command line and answers the host over a pipe.
 * It runs with Node's permission flags and an empty environment (host/driver-runtime/driver-process.ts).
 */

const [entry, scratchFolder] = process.argv.slice(2)
if (!entry || !scratchFolder) throw new Error('This program is started by the Roundhouse host.')
giveUpPowers()

const channel = new Socket({ fd: channelFd, readable: true, writable: true })
function send(message: DriverMessage, attached?: Uint8Array): void {
	channel.cork()
	for (const piece of encodeFrame(message, attached)) channel.write(piece)
	channel.uncork()
}

const { default: driver } = (await import(pathToFileURL(entry).href)) as { readonly default: Driver }
const sockets = new GivenSockets(send)
const log = (message: string) => send({ kind: 'log', message: message.slice(0, 4000) })
const permission = new Permission()
const methods = new DriverMethods(driver, { scratchFolder, log }, sockets, permission)
const calls = new Calls(methods, permission, send)

const reader = new FrameReader({ jsonBytes: Infinity, attachedBytes: 0 }, received => {
	// The host is the other half of this build.
	const message = received as HostMessage
	if (message.kind === 'call') return void calls.run(message)
	if (message.kind === 'cancel') return calls.cancel(message.id)
	if (message.kind === 'listening' || message.kind === 'failed') return sockets.receive(message)
	calls.cancelAll()
	void methods.closeAll().then(() => process.exit(0))
})
channel.on('data', (chunk: Buffer) => reader.push(chunk))
// The host is gone: nobody is left to serve.
channel.on('error', () => process.exit(0)).on('close', () => process.exit(0))
setInterval(() => send({ kind: 'beat' }), beatIntervalMs)
send({ kind: 'hello', kit: kitVersion, hasSample: driver.startSample !== undefined })
