import type { Progress } from '../api/call.ts'
import type { Access } from '../api/console.ts'
import type { DriverErrorCode } from '../api/errors.ts'
import type { Address } from '../api/network.ts'
import type { DriverMethod } from './methods.ts'

/**
 * What host and driver process say to each other, in the frames of frames.ts. Both ends come from the same build of the
 * host: only the driver API is public, so this may change with any release.
 *
 * Values that hold raw JSON numbers travel as JSON text or bytes, so that the wire's own parser never meets them.
 */

/** The pipe between host and driver, as the driver's file descriptor. Not Node's IPC: its messages have no limit. */
export const channelFd = 3

/** Host to driver. */
export type HostMessage =
	| {
			readonly kind: 'call'
			readonly id: number
			readonly method: DriverMethod
			readonly params: unknown
			/** What the call may do at most. */
			readonly permitted: Access
			/** As `DriverContext.costLimitRows` has it. */
			readonly costLimitRows?: number
	  }
	| { readonly kind: 'cancel'; readonly id: number }
	| { readonly kind: 'stop' }
	/** A `listen` was granted. */
	| { readonly kind: 'listening'; readonly id: number; readonly port: number }
	/** A `dial` or a `listen` came to nothing; `code` is Node's. */
	| { readonly kind: 'failed'; readonly id: number; readonly code: string; readonly message: string }

/** Driver to host. */
export type DriverMessage =
	| { readonly kind: 'hello'; readonly kit: string; readonly hasSample: boolean }
	| { readonly kind: 'beat' }
	| { readonly kind: 'log'; readonly message: string }
	| { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
	| { readonly kind: 'result'; readonly id: number; readonly value: unknown }
	/** A result that is the bytes attached to the frame. */
	| { readonly kind: 'bytes'; readonly id: number }
	| { readonly kind: 'error'; readonly id: number; readonly code: DriverErrorCode; readonly message: string }
	/** Asks for a socket to an address, for the connection that holds this reach. */
	| (Address & {
			readonly kind: 'dial'
			readonly id: number
			readonly reach: number
			readonly timeoutMs?: number
	  })
	/** Asks for a place on loopback that others reach. */
	| { readonly kind: 'listen'; readonly id: number; readonly port?: number }
	/** Nobody waits for this dial, or serves this listener, any more. */
	| { readonly kind: 'letGo'; readonly id: number }

/**
 * Sockets come by Node's own channel, which can carry them, with one of these beside each. `head` is what had arrived
 * before the socket was passed, as base64. The driver sends nothing there; what it sends ends it.
 */
export interface GivenSocket {
	/** The `dial` it answers, or the `listen` it came to. */
	readonly id: number
	readonly head?: string
}

/** How often a driver process says that it lives, in milliseconds. */
export const beatIntervalMs = 1000
