import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Handshake, handshakeFileName, handshakeFormat } from '../wire/handshake-file.ts'
import { isObject } from '../wire/parameter-headers.ts'
import { type Address, connectToEndpoint, ProvenAgent } from './proven-socket.ts'

/** A verified host and the connections to it. */
export interface Host extends Address {
	readonly agent: ProvenAgent
}

const pollMs = 100
const startTimeoutMs = 20_000
/** A started host exits if another host, which is just stopping, still has the lock. So the start is repeated once. */
const restartAfterMs = 3_000

/** A host that was started in the background. It is disposed of, which does not end it, once it is found or given up. */
export interface StartedHost extends Partial<Disposable> {
	/** Settles with the reason if it ends. */
	readonly ended: Promise<string>
}

/**
 * Starts a host, or expects one that another program starts. @param isRunning whether one runs by now @throws Error with the
 * reason for the user
 */
export type StartHost = (
	isRunning: () => Promise<boolean>,
) => Promise<StartedHost | undefined> | StartedHost | undefined

/**
 * Finds the running host by its handshake file, or starts one. Another process may have written the file or taken over
 * the port, so the host must prove that it knows the token before the bridge sends it.
 * @throws Error if no host starts in time, or if two that were started have ended
 */
export async function findHost(supportPath: string, startHost: StartHost): Promise<Host> {
	const running = await findRunning(supportPath)
	if (running) return running
	const ends: string[] = []
	using started = new DisposableStack()
	const start = async () => {
		const host = await startHost(async () => {
			const found = await connectToRunning(supportPath)
			found?.socket.destroy()
			return found !== undefined
		})
		void host?.ended.then(reason => ends.push(reason))
		started.defer(() => host?.[Symbol.dispose]?.())
		return Date.now()
	}
	let startedAt = await start()
	for (const end = startedAt + startTimeoutMs; Date.now() < end; ) {
		const host = await findRunning(supportPath)
		if (host) return host
		await sleep(pollMs)
		const [, reason] = ends
		if (reason !== undefined) throw new Error(`it does not start. ${reason}`)
		if (ends.length > 0 || Date.now() - startedAt >= restartAfterMs) startedAt = await start()
	}
	throw new Error('Roundhouse did not start. Start it yourself, or run `roundhouse doctor`.')
}

async function findRunning(supportPath: string): Promise<Host | undefined> {
	const found = await connectToRunning(supportPath)
	return found && { ...found.address, agent: new ProvenAgent(found.address, found.socket) }
}

async function connectToRunning(supportPath: string) {
	const handshake = await readHandshake(supportPath)
	if (!handshake) return undefined
	const address = { port: handshake.port, token: handshake.bridgeToken }
	try {
		return { address, socket: await connectToEndpoint(address) }
	} catch {
		// No process listens, or another program does.
		return undefined
	}
}

/**
 * Reads the handshake file. Ignores a file that another user could have written.
 * @throws Error if a newer host runs, which this bridge does not understand
 */
async function readHandshake(supportPath: string): Promise<Handshake | undefined> {
	const path = join(supportPath, handshakeFileName)
	let value: unknown
	try {
		if (!(await isPrivate(supportPath)) || !(await isPrivate(path))) return undefined
		value = JSON.parse(await readFile(path, 'utf8'))
	} catch {
		// The file is missing, incomplete or not readable.
		return undefined
	}
	if (isOfNewerHost(value)) throw new Error(needsNewer(value.host))
	return isHandshake(value) && Date.parse(value.expiresAt) > Date.now() ? value : undefined
}

const needsNewer = (host: unknown) => {
	const version = typeof host === 'string' && /^[\w.+-]{1,50}$/.test(host) ? host : 'of a later version'
	return `Roundhouse ${version} is running. This needs Roundhouse ${version} or newer. Update it for this client, too.`
}

/** Whether a running host wrote the file in a newer format. A killed one leaves its file behind. */
function isOfNewerHost(value: unknown): value is { readonly host?: unknown } {
	if (!isObject(value) || typeof value.version !== 'number' || value.version <= handshakeFormat) return false
	try {
		return Number.isInteger(value.pid) && process.kill(Number(value.pid), 0)
	} catch {
		return false
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
		value.version === handshakeFormat &&
		Number.isInteger(value.port) &&
		Number(value.port) > 0 &&
		Number(value.port) < 65_536 &&
		typeof value.bridgeToken === 'string' &&
		/^[\w-]+$/.test(value.bridgeToken) &&
		typeof value.expiresAt === 'string'
	)
}
