import type { Progress } from '../api/call.ts'
import type { Access } from '../api/console.ts'
import type { Fault } from '../api/errors.ts'
import type { HiddenColumns } from '../api/hidden-columns.ts'
import type { Address } from '../api/network.ts'
import type { DriverMethod } from './methods.ts'

/**
 * Messages between host and driver process, in the frames of frames.ts. Both ends come from the same build of the host.
 * Only the driver API is public, so this may change with any release.
 *
 * Values with raw JSON numbers are transferred as JSON text or bytes, so that the parser of the wire never reads them.
 */

/** File descriptor of the pipe in the driver process. Not Node's IPC, because its messages have no size limit. */
export const channelFd = 3

/** What a driver process monitors about itself, as JSON on its command line. */
export interface HostWatch {
	readonly hostPid: number
	/** Resident memory at which the process is killed. The host kills it earlier, unless the host is busy. */
	readonly mostBytes: number
	/** Time to stop what the process started, after its host is gone, in milliseconds. Default: 0. */
	readonly graceMs?: number
	/** Logs each permission that is denied, for the driver's author. */
	readonly logsDenials?: boolean
}

/** Host to driver. */
export type HostMessage =
	| {
			readonly kind: 'call'
			readonly id: number
			readonly method: DriverMethod
			readonly params: unknown
			/** What the call may do at most. */
			readonly permitted: Access
			/** See `DriverContext.costLimitRows`. */
			readonly costLimitRows?: number
			/** See `DriverContext.hiddenColumns`. */
			readonly hiddenColumns?: readonly HiddenColumns[]
	  }
	| { readonly kind: 'cancel'; readonly id: number }
	| { readonly kind: 'stop' }
	/** A `listen` succeeded. */
	| { readonly kind: 'listening'; readonly id: number; readonly port: number }
	/** A `dial` or a `listen` failed. `code` is Node's. */
	| { readonly kind: 'failed'; readonly id: number; readonly code: string; readonly message: string }

/** Driver to host. */
export type DriverMessage =
	| { readonly kind: 'hello'; readonly kit: string; readonly hasSample: boolean }
	/** Instead of the hello: the module cannot be used. `reason` continues "The driver X did not start:". */
	| { readonly kind: 'loadFailed'; readonly reason: string }
	| { readonly kind: 'beat' }
	| { readonly kind: 'log'; readonly message: string }
	| { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
	| { readonly kind: 'result'; readonly id: number; readonly value: unknown }
	/** A result that consists of the bytes attached to the frame. */
	| { readonly kind: 'bytes'; readonly id: number }
	| (Fault & { readonly kind: 'error'; readonly id: number })
	/** Requests a socket to an address, for the connection with this reach. */
	| {
			readonly kind: 'dial'
			readonly id: number
			readonly reach: number
			readonly address: Address
			readonly timeoutMs?: number
	  }
	/** Requests a listener on loopback. */
	| { readonly kind: 'listen'; readonly id: number; readonly port?: number }
	/** This dial or listener is no longer needed. */
	| { readonly kind: 'letGo'; readonly id: number }
	/** The socket that the host passed last has arrived; the host passes the next. */
	| { readonly kind: 'taken' }

/**
 * Message on Node's channel, which transfers sockets, beside each socket. `head` is what had arrived before the
 * transfer, as base64. The host does not read that channel.
 */
export interface SocketMessage {
	/** Id of the `dial` that it answers, or of the `listen` that accepted it. */
	readonly id: number
	readonly head?: string
}

/** Interval of the heartbeats of a driver process, in milliseconds. */
export const beatIntervalMs = 1000
