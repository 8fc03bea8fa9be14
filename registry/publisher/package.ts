import { packageSchema } from '@roundhouse/kit/manifest'
import { Parser } from 'tar'
import { messageOf } from '../../base/errors.ts'
import { reasonOf } from '../../base/reason-of.ts'
import { sha512Of } from '../format/digests.ts'
import { registryErrors } from '../format/errors.ts'
import { packagePrefix, type ReleaseDocument, type ReleaseSummary, releaseDocumentSchema } from '../format/format.ts'

/** A packed driver, with its description in a registry. */
export interface PackedRelease {
	readonly id: string
	readonly version: string
	readonly tarball: Buffer
	/** Bytes of its `ReleaseDocument`. */
	readonly document: Buffer
	readonly summary: ReleaseSummary
}

export interface ReleaseTerms {
	/** Oldest host version that can run it. */
	readonly minHostVersion: string
	readonly publishedAt: string
}

/**
 * Derives the description of a release from its package alone, so that it does not depend on who packed it.
 * @throws HostError `registry/package_malformed`
 */
export async function readPackage(tarball: Buffer, terms: ReleaseTerms, file = 'The file'): Promise<PackedRelease> {
	const malformed = (reason: string, cause?: unknown) =>
		registryErrors.make('package_malformed', { file, reason }, { cause })
	const contents = await filesOf(tarball).catch(error => {
		throw malformed(messageOf(error), error)
	})
	const stray = [...contents.keys()].find(path => !path.startsWith(packagePrefix))
	if (stray) throw malformed(`"${stray}" is outside ${packagePrefix}`)
	const packageJson = contents.get(`${packagePrefix}package.json`)
	if (!packageJson) throw malformed('it has no package.json')
	try {
		const {
			version,
			license = 'UNLICENSED',
			roundhouse: manifest,
		} = packageSchema.parse(JSON.parse(packageJson.toString('utf8')))
		const files: ReleaseDocument['files'] = {}
		for (const [path, data] of contents)
			files[path.slice(packagePrefix.length)] = { sizeBytes: data.length, sha512: sha512Of(data) }
		const document = Buffer.from(JSON.stringify(releaseDocumentSchema.parse({ manifest, files })))
		const { engines, permissions } = manifest
		const summary = {
			document: sha512Of(document),
			api: engines.roundhouse,
			permissions,
			license,
			isYanked: false,
			...terms,
		}
		return { id: manifest.id, version, tarball, document, summary }
	} catch (error) {
		throw malformed(`in its package.json, ${reasonOf(error)}`, error)
	}
}

/** The largest expansion that hosts accept when a package is unpacked. */
const ratioLimit = 200

/** Reads the plain files of a package. Any other entry, for example a link, is an error. */
async function filesOf(tarball: Buffer): Promise<Map<string, Buffer>> {
	const files = new Map<string, Buffer>()
	const { promise: read, resolve, reject } = Promise.withResolvers<void>()
	const parser = new Parser({
		strict: true,
		maxDecompressionRatio: ratioLimit,
		onReadEntry: entry => {
			const { path, type } = entry
			if (!['File', 'OldFile'].includes(type) || files.has(path))
				reject(new Error(`${path} is not a plain file, or occurs twice`))
			const chunks: Buffer[] = []
			files.set(path, Buffer.alloc(0))
			entry.on('data', chunk => chunks.push(chunk))
			entry.on('end', () => files.set(path, Buffer.concat(chunks)))
		},
	})
	parser.on('error', reject)
	parser.on('end', resolve)
	parser.end(tarball)
	await read
	return files
}
