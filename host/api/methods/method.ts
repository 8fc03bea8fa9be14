import type { z } from 'zod'
import type { CallOptions } from '../../driver-runtime/driver-calls.ts'
import type { ConsoleSessions } from '../console-sessions.ts'
import type { Grids } from '../grids.ts'
import type { Imports } from '../imports.ts'
import type { Reviews } from '../reviews.ts'

/** What a method knows of the call and the caller. */
export interface CallContext extends CallOptions {
	readonly signal: AbortSignal
	/** The caller's open grids; they close with it. */
	readonly grids: Grids
	/** The engine sessions of the caller's consoles; they close with it. */
	readonly consoles: ConsoleSessions
	/** The caller's running imports; they are cancelled with it. */
	readonly imports: Imports
	/** The writes that the caller was shown. */
	readonly reviews: Reviews
}

/** One method of the host API: its schema and its implementation. Both are its declaration (host/api/api.ts). */
export interface Method<Params, Answer> {
	readonly params: z.ZodType<Params>
	run(params: Params, context: CallContext): Promise<Answer>
}

/** Infers the types of a method. */
export const method = <Params, Answer>(declared: Method<Params, Answer>): Method<Params, Answer> => declared
