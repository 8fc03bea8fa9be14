import { z } from 'zod'
import { messageOf } from './errors.ts'

/** The message of anything that was thrown; of what a schema refused, each place with what is wrong there, on one line. */
export function reasonOf(error: unknown): string {
	if (!(error instanceof z.ZodError)) return messageOf(error)
	return error.issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ')
}
