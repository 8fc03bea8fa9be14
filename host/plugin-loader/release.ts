import type { Manifest } from '@roundhouse/kit/manifest'
import type { ReleaseDocument } from '@roundhouse/registry/format'
import type { ListedRelease } from './registry/listing.ts'
import type { ReadDocument } from './registry/registry-client.ts'

/** A release with all that its registry says of it: everything but its package. */
export interface Release {
	readonly publisher: string
	readonly id: string
	readonly version: string
	readonly manifest: Manifest
	readonly files: ReleaseDocument['files']
	readonly license: string
	readonly publishedAt: string
	readonly package: { readonly sizeBytes: number; readonly sha512: string }
	/** The text of its document, whose digest the registry signed. */
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
		// A release without this digest is not listed.
		package: { sizeBytes: length, sha512: hashes.sha512 ?? '' },
		document: text,
		listed,
	}
}
