import { Socket } from 'node:net'
import { kitVersion } from '../api/version.ts'
import { encodeFrame, FrameReader } from '../wire/frames.ts'
import { beatIntervalMs, channelFd, type DriverMessage, type HostMessage, type HostWatch } from '../wire/messages.ts'
import { Calls } from './calls.ts'
import { dropCapabilities } from './capabilities.ts'
import { logDenials } from './denials.ts'
import { DriverMethods } from './driver-methods.ts'
import { endWithHost } from './end-with-host.ts'
import { LoadFailure, loadDriver } from './load-driver.ts'
import { PassedSockets } from './passed-sockets.ts'
import { Permission } from './permission.ts'
import { restrictModulesTo } from './restrict-modules.ts'

/**
 * The program of a driver process: loads the driver named on its command line and answers the host over a pipe. It runs
 * with Node's permission flags and an empty environment (host/driver-runtime/driver-process.ts).
 */

const [entry, scratchFolder, watched] = process.argv.slice(2)
if (!entry || !scratchFolder || !watched) throw new Error('Only the Roundhouse host may start this program.')
const watch: HostWatch = JSON.parse(watched)
await endWithHost(watch)
// The host starts a driver in the driver's folder.
restrictModulesTo([process.cwd(), scratchFolder])
dropCapabilities()

const channel = new Socket({ fd: channelFd, readable: true, writable: true })
function send(message: DriverMessage, attached?: Uint8Array): void {
	channel.cork()
	for (const piece of encodeFrame(message, attached)) channel.write(piece)
	channel.uncork()
}

if (watch.logsDenials) logDenials(message => send({ kind: 'log', message }))
const driver = await loadDriver(entry).catch((error: unknown) => {
	if (!(error instanceof LoadFailure)) throw error
	send({ kind: 'loadFailed', reason: error.message.slice(0, 2000) })
	// The host ends the process when it has read the reason.
	return new Promise<never>(() => channel.on('close', () => process.exit(1)))
})
const sockets = new PassedSockets(send)
const log = (message: string) => send({ kind: 'log', message: message.slice(0, 4000) })
const permission = new Permission()
const methods = new DriverMethods(driver, { surroundings: { scratchFolder, log }, sockets, permission })
const calls = new Calls(methods, permission, send)

const reader = new FrameReader({ jsonBytes: Infinity, attachedBytes: 0 }, received => {
	// The host is from the same build.
	const message = received as HostMessage
	if (message.kind === 'call') return void calls.run(message)
	if (message.kind === 'cancel') return calls.cancel(message.id)
	if (message.kind === 'listening' || message.kind === 'failed') return sockets.receive(message)
	calls.cancelAll()
	void methods.closeAll().then(() => process.exit(0))
})
channel.on('data', (chunk: Buffer) => reader.push(chunk))
// The host has closed the pipe or died.
channel.on('error', () => process.exit(0)).on('close', () => process.exit(0))
setInterval(() => send({ kind: 'beat' }), beatIntervalMs)
send({ kind: 'hello', kit: kitVersion, hasSample: driver.startSample !== undefined })
