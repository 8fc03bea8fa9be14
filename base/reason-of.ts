import { z } from 'zod'
import { messageOf } from './errors.ts'

/** Returns the message of any thrown value. For a schema error, lists each path with its issue, on one line. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof z.ZodError)) return messageOf(error)
	return error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
}
