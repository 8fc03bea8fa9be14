import { createHash } from 'node:crypto'
import { packageSchema } from '@roundhouse/kit/manifest'
import { messageOf } from '../../base/errors.ts'
import { reasonOf } from '../../base/reason-of.ts'
import { sha512Of } from '../format/digests.ts'
import { registryErrors } from '../format/errors.ts'
import { packageLimits, type ReleaseDocument, type ReleaseSummary, releaseDocumentSchema } from '../format/format.ts'
import { archiveLimit, readEntries } from '../format/package-entries.ts'

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
	if (tarball.length > packageLimits.packageBytes)
		throw malformed(`it is larger than ${packageLimits.packageBytes.toLocaleString('en')} bytes`)
	const { files, packageJson } = await filesOf(tarball).catch(error => {
		throw malformed(messageOf(error), error)
	})
	if (!packageJson) throw malformed('it has no package.json')
	try {
		const {
			version,
			license = 'UNLICENSED',
			roundhouse: manifest,
		} = packageSchema.parse(JSON.parse(packageJson.toString('utf8')))
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

/** Reads the plain files of a package. Any other entry, for example a link, is an error. */
async function filesOf(tarball: Buffer): Promise<{ files: ReleaseDocument['files']; packageJson: Buffer | undefined }> {
	const files: ReleaseDocument['files'] = {}
	const packageJson: Buffer[] = []
	await readEntries(slicesOf(tarball), {
		maxBytes: archiveLimit([Math.min(tarball.length * packageLimits.ratio, packageLimits.unpackedBytes)]),
		onFile: (name, sizeBytes) => {
			if (name === 'package.json' && sizeBytes > packageLimits.documentBytes) throw new Error(`${name} is too large`)
			const hash = createHash('sha512')
			return {
				write: chunk => {
					hash.update(chunk)
					if (name === 'package.json') packageJson.push(chunk)
				},
				end: () => {
					files[name] = { sizeBytes, sha512: hash.digest('hex') }
				},
			}
		},
	})
	return { files, packageJson: Object.hasOwn(files, 'package.json') ? Buffer.concat(packageJson) : undefined }
}

const sliceBytes = 64 * 1024

async function* slicesOf(bytes: Buffer) {
	for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}
