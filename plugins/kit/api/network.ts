import type { Socket } from 'node:net'

/** Where an engine listens on a network. */
export interface TcpAddress {
	/** A name or an IP address, without brackets. */
	readonly host: string
	/** 1 to 65,535. */
	readonly port: number
}

/** A Unix socket of this machine. */
export interface UnixAddress {
	/** The path as a form field with `isSocketPath` contains it. */
	readonly path: string
}

/** Where an engine listens. */
export type Address = TcpAddress | UnixAddress

/** How long a connection attempt may take. */
export interface ConnectOptions {
	/** Aborts when no caller needs the connection any more. */
	readonly signal?: AbortSignal
	/** Longest wait for the other side. The time that the user takes to allow the address does not count. */
	readonly timeoutMs?: number
}

/**
 * Opens a connection over TCP or a Unix socket. A driver's process has no network permission. The host opens the
 * connection if the settings or the user allow it, and passes the socket. It asks the user for no Unix socket: only the
 * settings name them. The socket is Node's, so it works with TLS, `node:http`, undici's
 * `connect` hook and anything that takes a stream.
 *
 * @throws Error with Node's `code`, for example `ECONNREFUSED`; `ERR_ACCESS_DENIED` if it is not allowed; `ETIMEDOUT`;
 * the signal's reason
 */
export type Connect = (address: Address, options?: ConnectOptions) => Promise<Socket>

/** A listener on this machine's loopback address. */
export interface Listener {
	/** The port on which it listens. */
	readonly port: number
	/** Accepts no more connections. Open connections stay. */
	close(): Promise<void>
}

/** Listens on loopback, on `port` if that is free, and passes on each connection. */
export type Listen = (onConnection: (socket: Socket) => void, options?: { readonly port?: number }) => Promise<Listener>
