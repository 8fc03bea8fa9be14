import { passwordFileSchema } from '@roundhouse/kit/manifest'
import { z } from 'zod'

/** Where the value of a secret field comes from at each use, in place of the secret store. */
export const secretSourceSchema = z.discriminatedUnion('from', [
	z.strictObject({
		from: z.literal('command'),
		/** A program with its arguments. No shell reads it. */
		command: z.string().trim().min(1).max(10_000),
		/** How long its output is used. A token may end earlier; the next use of a connection that failed asks again. */
		keptMinutes: z.int().min(0).max(10_080).default(10),
	}),
	z.strictObject({ from: z.literal('environment'), name: z.string().regex(/^[A-Za-z_]\w{0,199}$/) }),
	z.strictObject({ from: z.literal('file'), format: passwordFileSchema }),
])
export type SecretSource = Readonly<z.output<typeof secretSourceSchema>>
export type CommandSource = Extract<SecretSource, { from: 'command' }>
