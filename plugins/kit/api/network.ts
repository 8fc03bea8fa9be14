import type { Socket } from 'node:net'

/** Where an engine listens. */
export interface Address {
	/** A name or an IP address, without brackets. */
	readonly host: string
	readonly port: number
}

export interface ConnectOptions {
	/** Fires when nobody waits any more. */
	readonly signal?: AbortSignal
	/** How long the other side may take to answer. The time that a person takes to allow the address is not counted. */
	readonly timeoutMs?: number
}

/**
 * Opens a TCP connection. A driver's process has no right to the network: the host opens the connection, where the
 * person's settings or the person allow it, and passes the socket. It is Node's own, for TLS, `node:http`, undici's
 * `connect` hook or anything that takes a stream.
 *
 * @throws Error with Node's `code`, for example `ECONNREFUSED`; `ERR_ACCESS_DENIED` where it is not allowed; `ETIMEDOUT`;
 * the signal's reason
 */
export type Connect = (address: Address, options?: ConnectOptions) => Promise<Socket>

/** What listens on this machine's loopback until it is closed. */
export interface Listener {
	readonly port: number
	/** Takes no more connections; those that are open stay. */
	close(): Promise<void>
}

/** Listens on loopback, on `port` if that is free, and passes each connection that is made. */
export type Listen = (onConnection: (socket: Socket) => void, options?: { readonly port?: number }) => Promise<Listener>
