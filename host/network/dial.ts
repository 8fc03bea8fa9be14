import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import type { Address } from '@roundhouse/kit'
import { settledOr } from '../base/settled-or.ts'
import { labelOf } from './address.ts'
import { networkErrors } from './errors.ts'
import { isLocal, isMetadata } from './forbidden.ts'
import { openThrough } from './proxy.ts'

export interface DialOptions {
	readonly signal: AbortSignal
	readonly timeoutMs?: number | undefined
}

/** How a driver's connections are opened, by the settings in force. */
export interface Ways {
	/** Ports of this host's own servers, which no driver reaches. */
	readonly ownPorts: () => readonly number[]
	readonly proxyFor: (address: Address) => URL | undefined
}

const defaultTimeoutMs = 30_000

/**
 * Opens a TCP connection: finds the name, checks what was found, and connects to that and nothing else, so that a name
 * that means another thing a moment later helps nobody. Through a proxy the name is found there, and only an address
 * can be checked. The socket is paused: its first byte is its taker's.
 * @throws HostError `network/forbidden`, `network/proxy_…`; Error with Node's `code`; the signal's reason
 */
export async function dial(address: Address, ways: Ways, { signal, timeoutMs }: DialOptions): Promise<Socket> {
	const timeout = AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs)
	const either = AbortSignal.any([signal, timeout])
	try {
		const proxy = ways.proxyFor(address)
		if (proxy) {
			if (isIP(address.host)) refuseForbidden(address, [address.host], [])
			return await openThrough(proxy, address, either)
		}
		const found = await settledOr(find(address.host), either)
		const ips = found.map(one => one.address)
		refuseForbidden(address, ips, ways.ownPorts())
		return await connectTo(found, address.port, either)
	} catch (error) {
		if (timeout.aborted && !signal.aborted) throw timedOut(address)
		throw error
	}
}

/** Looks that are under way. The system's cannot be called off, and only a few run at once, for everybody. */
const finding = new Map<string, Promise<readonly LookupAddress[]>>()

function find(name: string): Promise<readonly LookupAddress[]> {
	const looking = finding.get(name) ?? lookup(name, { all: true }).finally(() => finding.delete(name))
	finding.set(name, looking)
	return looking
}

function refuseForbidden(address: Address, ips: readonly string[], ownPorts: readonly number[]): void {
	const refuse = (reason: string) => networkErrors.make('forbidden', { address: labelOf(address), reason })
	if (ips.some(isMetadata)) throw refuse('it is link-local, where clouds hand out credentials')
	if (ownPorts.includes(address.port) && ips.some(isLocal)) throw refuse('Roundhouse itself listens there')
}

async function connectTo(found: readonly LookupAddress[], port: number, signal: AbortSignal): Promise<Socket> {
	// With a signal that was aborted before, Node fails the socket and connects it all the same.
	signal.throwIfAborted()
	return new Promise((resolve, reject) => {
		const [first] = found
		const socket = connect({
			// Never looked up: `lookup` answers with what was checked.
			host: 'checked.invalid',
			port,
			lookup: (_, options, done) => {
				if (options.all) done(null, [...found])
				else done(null, first?.address ?? '', first?.family)
			},
			autoSelectFamily: true,
			signal,
		})
		// Before it is connected, or Node reads what is not for this process.
		socket.pause()
		socket.once('connect', () => {
			socket.removeListener('error', reject)
			resolve(socket)
		})
		socket.once('error', error => reject(signal.aborted ? signal.reason : rootOf(error)))
	})
}

/** Of several tries the last is told: the one of the family that everybody has. */
function rootOf(error: unknown): unknown {
	return error instanceof AggregateError ? error.errors.at(-1) : error
}

function timedOut(address: Address): Error {
	return Object.assign(new Error(`${labelOf(address)} did not answer in time.`), { code: 'ETIMEDOUT' })
}
