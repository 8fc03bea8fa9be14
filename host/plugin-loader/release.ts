import type { Manifest } from '@roundhouse/kit/manifest'
import type { ReleaseDocument } from '@roundhouse/registry/format/format'
import type { ListedRelease } from '../../registry/client/listing.ts'
import type { ReadDocument } from '../../registry/client/registry-client.ts'

/** A release with its metadata, without its package. */
export interface Release {
	readonly publisher: string
	readonly id: string
	readonly version: string
	readonly manifest: Manifest
	readonly files: ReleaseDocument['files']
	readonly license: string
	readonly publishedAt: string
	readonly package: { readonly sizeBytes: number; readonly sha512: string }
	/** The text of its release document. The registry signed its digest. */
	readonly document: string
	readonly listed: ListedRelease
}

export function releaseOf(listed: ListedRelease, { manifest, files, text }: ReadDocument): Release {
	const { publisher, id, version, summary } = listed
	const { length, hashes } = listed.package
	return {
		publisher,
		id,
		version,
		manifest,
		files,
		license: summary.license,
		publishedAt: summary.publishedAt,
		// Every listed release has this digest.
		package: { sizeBytes: length, sha512: hashes.sha512 ?? '' },
		document: text,
		listed,
	}
}
