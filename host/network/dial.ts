import type { LookupAddress } from 'node:dns'
import { connect, isIP, type Socket } from 'node:net'
import type { TcpAddress } from '@roundhouse/kit'
import { isLocal, isMetadata } from '../../base/forbidden-addresses.ts'
import { labelOf } from './address.ts'
import { networkErrors } from './errors.ts'
import type { NameLookups } from './name-lookups.ts'
import { openThrough } from './proxy.ts'

export interface DialOptions {
	readonly signal: AbortSignal
	readonly timeoutMs?: number | undefined
}

/** The current settings for connections of drivers. */
export interface DialPolicy {
	/** Ports of this host's servers, which no driver may reach. */
	readonly ownPorts: () => readonly number[]
	readonly proxyFor: (address: TcpAddress) => URL | undefined
	/** All addresses are behind it, and the far side resolves their names. */
	readonly tunnel?: { dial(address: TcpAddress, signal: AbortSignal): Promise<Socket> } | undefined
}

const defaultTimeoutMs = 30_000

/**
 * Opens a TCP connection: resolves the name, checks the addresses, and connects only to those, which prevents DNS
 * rebinding. A proxy and the far side of a tunnel resolve names themselves, so then only an address can be checked. The
 * socket is paused, so that the receiver gets its first byte.
 * @throws HostError `network/forbidden`, `network/proxy_…`, `network/ssh_failed`; Error with Node's `code`; the signal's
 * reason
 */
export async function dial(
	address: TcpAddress,
	policy: DialPolicy,
	{ signal, timeoutMs, names }: DialOptions & { names: NameLookups },
): Promise<Socket> {
	const { tunnel } = policy
	if (tunnel) {
		if (isIP(address.host)) refuseForbidden(address, [address.host], [])
		// The user may be asked for a passphrase, so its opening has no limit but the caller's patience.
		return await tunnel.dial(address, signal)
	}
	const timeout = AbortSignal.timeout(timeoutMs ?? defaultTimeoutMs)
	const either = AbortSignal.any([signal, timeout])
	try {
		const proxy = policy.proxyFor(address)
		if (proxy) {
			if (isIP(address.host)) refuseForbidden(address, [address.host], [])
			return await openThrough(proxy, address, either)
		}
		const found = await names.find(address.host, either)
		const ips = found.map(one => one.address)
		refuseForbidden(address, ips, policy.ownPorts())
		return await connectTo(found, address.port, either)
	} catch (error) {
		if (timeout.aborted && !signal.aborted) throw timedOut(address)
		throw error
	}
}

function refuseForbidden(address: TcpAddress, ips: readonly string[], ownPorts: readonly number[]): void {
	const refuse = (reason: string) => networkErrors.make('forbidden', { address: labelOf(address), reason })
	if (ips.some(isMetadata))
		throw refuse('it is a link-local address, where cloud metadata services provide credentials')
	if (ownPorts.includes(address.port) && ips.some(isLocal)) throw refuse('it is a port of Roundhouse itself')
}

async function connectTo(found: readonly LookupAddress[], port: number, signal: AbortSignal): Promise<Socket> {
	// With an already aborted signal, Node fails the socket but still connects it.
	signal.throwIfAborted()
	return new Promise((resolve, reject) => {
		const [first] = found
		const socket = connect({
			// Never resolved: `lookup` returns the checked addresses.
			host: 'checked.invalid',
			port,
			lookup: (_, options, done) => {
				if (options.all) done(null, [...found])
				else done(null, first?.address ?? '', first?.family)
			},
			autoSelectFamily: true,
			signal,
		})
		// Before it is connected; otherwise Node reads bytes that are for the receiver.
		socket.pause()
		socket.once('connect', () => {
			socket.removeListener('error', reject)
			resolve(socket)
		})
		socket.once('error', error => reject(signal.aborted ? signal.reason : rootOf(error)))
	})
}

/** Returns the last error of several attempts, which is that of the more common address family. */
function rootOf(error: unknown): unknown {
	return error instanceof AggregateError ? error.errors.at(-1) : error
}

function timedOut(address: TcpAddress): Error {
	return Object.assign(new Error(`${labelOf(address)} did not answer in time.`), { code: 'ETIMEDOUT' })
}
