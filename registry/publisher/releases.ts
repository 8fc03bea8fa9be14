import type { TargetFile } from '@tufjs/models'
import { registryErrors } from '../format/errors.ts'
import { type ReleaseSummary, releaseSummarySchema, releaseTargets, revocationsRole } from '../format/format.ts'
import type { TargetsDraft } from './drafts.ts'
import type { PackedRelease } from './package.ts'
import type { Repository } from './repository.ts'
import { writeTarget } from './target-files.ts'

/** A release as its publisher's role lists it. */
export interface Release {
	/** `<publisher>/<id>/<version>` */
	readonly name: string
	readonly publisher: string
	readonly id: string
	readonly version: string
	/** SHA-512 and size of the package. */
	readonly sha512: string
	readonly sizeBytes: number
	readonly summary: ReleaseSummary
}

/** Returns the releases among the targets of a publisher. Releases in a newer format are skipped. */
export function releasesAmong(targets: Iterable<TargetFile>): Release[] {
	return [...targets].flatMap(({ path, length, hashes, custom }) => {
		const [, name, publisher, id, version] = /^(([^/]+)\/([^/]+)\/([^/]+))\.tgz$/.exec(path) ?? []
		const { data: summary } = releaseSummarySchema.safeParse(custom)
		if (!name || !publisher || !id || !version || !summary || !hashes.sha512) return []
		return [{ name, publisher, id, version, sha512: hashes.sha512, sizeBytes: length, summary }]
	})
}

export function releasesOf(repository: Repository): Release[] {
	return repository.delegations
		.filter(role => role !== revocationsRole)
		.flatMap(role => {
			const releases = releasesAmong(Object.values(repository.role(role)?.targets ?? {}))
			// Readers ignore what a publisher lists under the name of another.
			return releases.filter(({ publisher }) => publisher === role)
		})
}

/** @throws HostError `registry/release_unknown` */
export function findRelease(repository: Repository, name: string): Release {
	const found = releasesOf(repository).find(release => release.name === name)
	if (!found) throw registryErrors.make('release_unknown', { release: name })
	return found
}

interface Listing {
	readonly publisher: string
	readonly replaces?: boolean
	readonly isDryRun?: boolean
}

/**
 * Lists a packed driver under a publisher.
 * @throws HostError `registry/publisher_unknown`, `registry/release_exists`
 */
export async function addRelease(
	repository: Repository,
	{ id, version, tarball, document, summary }: PackedRelease,
	{ publisher, replaces = false, isDryRun = false }: Listing,
): Promise<void> {
	if (publisher === revocationsRole || !repository.delegations.includes(publisher))
		throw registryErrors.make('publisher_unknown', { publisher })
	const targets = releaseTargets(publisher, id, version)
	if (!replaces && repository.role(publisher)?.targets[targets.package])
		throw registryErrors.make('release_exists', { release: `${publisher}/${id}/${version}` })
	if (isDryRun) return
	await writeTarget(repository, { role: publisher, path: targets.document, data: document })
	await writeTarget(repository, { role: publisher, path: targets.package, data: tarball, custom: summary })
}

/** Withdraws a release, or makes it available again. A withdrawn release stays installed, but cannot be installed. */
export function yankRelease(repository: Repository, name: string, isYanked = true): void {
	const { publisher, id, version } = findRelease(repository, name)
	const path = releaseTargets(publisher, id, version).package
	repository.changeTargets(publisher, ({ targets }: TargetsDraft) => {
		const target = targets[path]
		if (target) target.custom = { ...target.custom, isYanked }
	})
}
