import type { Progress } from '../api/call.ts'
import type { DriverErrorCode } from '../api/errors.ts'
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
	| { readonly kind: 'call'; readonly id: number; readonly method: DriverMethod; readonly params: unknown }
	| { readonly kind: 'cancel'; readonly id: number }
	| { readonly kind: 'stop' }

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

/** How often a driver process says that it lives, in milliseconds. */
export const beatIntervalMs = 1000
