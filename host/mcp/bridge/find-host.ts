import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Handshake, handshakeFileName } from '../wire/handshake-file.ts'
import { isObject } from '../wire/parameter-headers.ts'
import { type Address, connectToEndpoint, ProvenAgent } from './proven-socket.ts'

/** A host whose identity was proved, and the connections to it. */
export interface Host extends Address {
	readonly agent: ProvenAgent
}

const pollMs = 100
const patienceMs = 20_000
/** A host that was started may have found the lock of one that is just ending, and have ended itself. */
const startAgainMs = 3_000

/**
 * Finds the running host by its handshake file; starts one where there is none. Whoever else may have written the
 * file, or taken over its port, does not get to see our token: the host proves first that it knows it.
 * @throws Error where no host comes up in time
 */
export async function findHost(supportPath: string, startHost: () => Promise<void> | void): Promise<Host> {
	const running = await findRunning(supportPath)
	if (running) return running
	await startHost()
	let startedAt = Date.now()
	for (const end = startedAt + patienceMs; Date.now() < end; ) {
		const host = await findRunning(supportPath)
		if (host) return host
		await sleep(pollMs)
		if (Date.now() - startedAt < startAgainMs) continue
		await startHost()
		startedAt = Date.now()
	}
	throw new Error('Roundhouse did not start. Start it once by hand, or run `roundhouse doctor`.')
}

async function findRunning(supportPath: string): Promise<Host | undefined> {
	const handshake = await readHandshake(supportPath)
	if (!handshake) return undefined
	const address = { port: handshake.port, token: handshake.bridgeToken }
	try {
		const socket = await connectToEndpoint(address)
		socket.destroy()
		return { ...address, agent: new ProvenAgent(address) }
	} catch {
		// Nobody listens, or somebody else does: either way that is not our host.
		return undefined
	}
}

/** The handshake, if only we and the person who owns this process can have written it. */
async function readHandshake(supportPath: string): Promise<Handshake | undefined> {
	const path = join(supportPath, handshakeFileName)
	try {
		if (!(await isPrivate(supportPath)) || !(await isPrivate(path))) return undefined
		const value: unknown = JSON.parse(await readFile(path, 'utf8'))
		return isHandshake(value) && Date.parse(value.expiresAt) > Date.now() ? value : undefined
	} catch {
		// Not there, half gone or not readable: there is no host to be found by it.
		return undefined
	}
}

async function isPrivate(path: string): Promise<boolean> {
	const stat = await lstat(path)
	if (stat.isSymbolicLink()) return false
	if (process.getuid === undefined) return true
	return stat.uid === process.getuid() && (stat.mode & 0o077) === 0
}

function isHandshake(value: unknown): value is Handshake {
	return (
		isObject(value) &&
		value.version === 1 &&
		Number.isInteger(value.port) &&
		Number(value.port) > 0 &&
		Number(value.port) < 65_536 &&
		typeof value.bridgeToken === 'string' &&
		/^[\w-]+$/.test(value.bridgeToken) &&
		typeof value.expiresAt === 'string'
	)
}
