import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { messageOf } from '../../../base/errors.ts'
import { layout } from '../../../base/layout.ts'
import type { Wall } from './confinement.ts'

/**
 * Tries three actions without Node's permission model and prints the results: read a granted file, read another,
 * connect.
 */
const canary = `
const [given, other, port] = process.argv.slice(1)
const fs = require('node:fs')
const outcome = act => { try { act(); return 'done' } catch (error) { return error.code } }
const read = path => outcome(() => fs.readFileSync(path))
const socket = require('node:net').connect(Number(port), '127.0.0.1')
const print = connected => { console.log(JSON.stringify({ given: read(given), other: read(other), connected })); process.exit() }
socket.on('connect', () => print('done')).on('error', error => print(error.code))
`

/** The canary gave no answer within its time, or was killed. This says nothing about the wall. */
export class SilentCanaryError extends Error {}

/**
 * Starts a canary process behind the wall. @returns the flaw of the wall, or `undefined` if it holds
 * @throws SilentCanaryError
 */
export async function findFlaw(wall: Wall, timeoutMs: number): Promise<string | undefined> {
	await using server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	const args = ['-e', canary, layout.driverRuntime, join(layout.ui, 'index.html'), String(port)]
	const confinement = { args, read: [layout.driverRuntime], readWrite: [], memoryMb: 128 }
	const timeout = AbortSignal.timeout(timeoutMs)
	let printed: string
	let complaints: string
	let killedBy: NodeJS.Signals | null
	try {
		const { file, args } = wall.command(confinement)
		const child = spawn(file, args, {
			env: {},
			stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
			signal: timeout,
			killSignal: 'SIGKILL',
		})
		const ended = new Promise(resolve => child.once('close', resolve))
		await once(child, 'spawn')
		child.on('error', () => {})
		using _held = wall.hold?.(child.pid ?? 0, confinement)
		const streams = [child.stdout, child.stderr].map(stream => (stream ? text(stream) : ''))
		;[printed = '', complaints = ''] = await Promise.all(streams)
		await ended
		killedBy = child.signalCode
	} catch (error) {
		if (timeout.aborted) throw new SilentCanaryError(`it did not answer within ${timeoutMs / 1000} s`, { cause: error })
		return messageOf(error)
	}
	const outcome = outcomeIn(printed)
	if (outcome) return flawIn(wall, outcome)
	if (timeout.aborted) throw new SilentCanaryError(`it did not answer within ${timeoutMs / 1000} s`)
	// The system kills a process this way if memory is short.
	if (killedBy === 'SIGKILL') throw new SilentCanaryError('it was killed')
	return complaints.trim().split('\n').at(-1) || 'it did not start'
}

interface Outcome {
	readonly given: string
	readonly other: string
	readonly connected: string
}

function outcomeIn(printed: string): Outcome | undefined {
	// No schema needed: the script above printed this.
	return /^{.*}$/m.test(printed) ? JSON.parse(printed) : undefined
}

function flawIn(wall: Wall, { given, other, connected }: Outcome): string | undefined {
	if (given !== 'done') return `a granted file cannot be read (${given})`
	if (wall.protectsFiles && other === 'done') return 'it can read other files'
	if (wall.protectsNetwork && connected === 'done') return 'it can open connections'
	return undefined
}
