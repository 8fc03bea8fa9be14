import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { apiFaultOf } from '../../host/plugin-loader/choose-release.ts'
import { inCheckout } from '../layout.ts'

/** `release.json`: everything that a release fixes. Nothing else names a version, a date or the official registry. */

/** A digest that no file has: a step of docs/releasing.md was not done yet. */
const unset = '0'.repeat(64)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const schema = z.strictObject({
	version: z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/),
	/** The time that every artefact shows. */
	date: z.iso.datetime(),
	channel: z.enum(['stable', 'next']),
	/** Range of the driver API that drivers of this release may ask for. */
	driverApi: z.string(),
	/** Version of the Node that comes with it. */
	node: z.string(),
	/** SHA-256 of its SHASUMS256.txt, whose signature a person has verified. */
	nodeSums: sha256,
	/** Publisher of the drivers that come with it, in the official registry. */
	publisher: z.string(),
	/** Where installers are published, below the version. */
	downloads: z.url(),
	registry: z.strictObject({
		name: z.string(),
		url: z.url(),
		/** SHA-256 of the first root. It never changes: an update would orphan every installed driver. */
		rootSha256: sha256,
	}),
})
export type ReleaseConfig = z.infer<typeof schema>

/** @throws Error if the file does not fit the kit of this checkout */
export async function readConfig(file = inCheckout('release.json')): Promise<ReleaseConfig> {
	const config = schema.parse(JSON.parse(await readFile(file, 'utf8')))
	const fault = apiFaultOf(config.driverApi)
	if (fault) throw new Error(`release.json ${fault}.`)
	return config
}

/** Returns what a published release still lacks. Artefacts of such a release are for rehearsals. */
export function openPoints({ registry, downloads, nodeSums }: ReleaseConfig): readonly string[] {
	const isPlaceholder = (url: string) => new URL(url).hostname.endsWith('.example')
	return [
		...(registry.rootSha256 === unset ? ['registry.rootSha256 is not set: hold the key ceremony first.'] : []),
		...(nodeSums === unset ? ['nodeSums is not set: verify the signature of SHASUMS256.txt.'] : []),
		...(isPlaceholder(registry.url) ? [`registry.url is a placeholder: ${registry.url}`] : []),
		...(isPlaceholder(downloads) ? [`downloads is a placeholder: ${downloads}`] : []),
	]
}
