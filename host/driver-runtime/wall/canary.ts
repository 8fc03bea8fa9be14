import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { messageOf } from '../../../base/errors.ts'
import { layout } from '../../../base/layout.ts'
import type { Wall } from './confinement.ts'

const canaryTimeoutMs = 10_000

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

/** Starts a canary process behind the wall. @returns the flaw of the wall, or `undefined` if it holds */
export async function findFlaw(wall: Wall): Promise<string | undefined> {
	await using server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
	await once(server, 'listening')
	// A TCP server that listens has a port.
	const { port } = server.address() as AddressInfo
	const args = ['-e', canary, layout.driverRuntime, join(layout.ui, 'index.html'), String(port)]
	const confinement = { args, read: [layout.driverRuntime], readWrite: [], memoryMb: 128 }
	try {
		const { file, args } = wall.command(confinement)
		const child = spawn(file, args, {
			env: {},
			stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'ipc'],
			signal: AbortSignal.timeout(canaryTimeoutMs),
			killSignal: 'SIGKILL',
		})
		await once(child, 'spawn')
		child.on('error', () => {})
		using _held = wall.hold?.(child.pid ?? 0, confinement)
		const [printed, complaints] = await Promise.all(
			[child.stdout, child.stderr].map(stream => (stream ? text(stream) : '')),
		)
		return flawIn(wall, printed ?? '', complaints ?? '')
	} catch (error) {
		return messageOf(error)
	}
}

function flawIn(wall: Wall, printed: string, complaints: string): string | undefined {
	// No schema needed: the script above printed this.
	const outcome: { given: string; other: string; connected: string } | undefined = /^{.*}$/m.test(printed)
		? JSON.parse(printed)
		: undefined
	if (!outcome) return complaints.trim().split('\n').at(-1) || 'it did not start'
	if (outcome.given !== 'done') return `a granted file cannot be read (${outcome.given})`
	if (wall.protectsFiles && outcome.other === 'done') return 'it can read other files'
	if (wall.protectsNetwork && outcome.connected === 'done') return 'it can open connections'
	return undefined
}
