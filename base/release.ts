import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { layout } from './layout.ts'

/** SHA-256 of a file, in hexadecimal digits. */
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Facts that a release fixes for its whole life: `dist/release.json`, written by `scripts/release.ts`. */
const releaseSchema = z.object({
	version: z.string(),
	/** When the release was made. */
	date: z.iso.datetime(),
	channel: z.string(),
	/** The official plugin registry: its address, and the SHA-256 of its first root. */
	registry: z.object({ name: z.string(), url: z.string(), rootSha256: sha256 }),
	/**
	 * The drivers that come with the release: path below `dist/drivers` to length, digests and description, in the form of
	 * a registry's targets.
	 */
	drivers: z.record(
		z.string(),
		z.object({
			length: z.int(),
			hashes: z.record(z.string(), z.string()),
			custom: z.record(z.string(), z.json()).optional(),
		}),
	),
})
export type ReleaseFacts = z.infer<typeof releaseSchema>

/** Returns the facts of an installed release, or `undefined` in a checkout, which is none. */
export function releaseFacts(): ReleaseFacts | undefined {
	if (!existsSync(layout.release)) return undefined
	return releaseSchema.parse(JSON.parse(readFileSync(layout.release, 'utf8')))
}

/** Returns a command as a person types it on this machine: that of a checkout is in no folder of programs. */
export const typedCommand = (words: string): string =>
	`${existsSync(layout.release) ? '' : 'npx --no '}roundhouse ${words}`
