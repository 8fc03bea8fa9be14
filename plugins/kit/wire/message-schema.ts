import { z } from 'zod'
import type { DriverMessage } from './messages.ts'
import { tied } from './tied.ts'
import { errorCode, faultDetails, handle, shortText } from './values.ts'

/** Schema of a driver process's messages. The driver is not trusted: the host ends it after an invalid message. */
export const driverMessageSchema = tied<DriverMessage>()(
	z.discriminatedUnion('kind', [
		z.object({ kind: z.literal('hello'), kit: z.string().max(40), hasSample: z.boolean() }),
		z.object({ kind: z.literal('loadFailed'), reason: z.string().max(2000) }),
		z.object({ kind: z.literal('beat') }),
		z.object({ kind: z.literal('log'), message: z.string().max(4000) }),
		z.object({
			kind: z.literal('progress'),
			id: handle,
			progress: z.object({
				done: z.number(),
				total: z.number().exactOptional(),
				message: z.string().max(1000).exactOptional(),
			}),
		}),
		z.object({ kind: z.literal('result'), id: handle, value: z.unknown() }),
		z.object({ kind: z.literal('bytes'), id: handle }),
		z.object({ kind: z.literal('error'), id: handle, code: errorCode, message: shortText, ...faultDetails }),
		z.object({
			kind: z.literal('dial'),
			id: handle,
			reach: handle,
			address: z.union([
				z.strictObject({ host: z.string().min(1).max(253), port: z.int().min(1).max(65_535) }),
				z.strictObject({ path: z.string().min(1).max(4096) }),
			]),
			timeoutMs: z.int().positive().max(3_600_000).exactOptional(),
		}),
		z.object({ kind: z.literal('listen'), id: handle, port: z.int().min(0).max(65_535).exactOptional() }),
		z.object({ kind: z.literal('letGo'), id: handle }),
		z.object({ kind: z.literal('taken') }),
	]),
)
