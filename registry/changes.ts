import { isDeepStrictEqual } from 'node:util'
import { compare } from 'semver'
import { type ReleaseDocument, type ReleaseSummary, releaseDocumentSchema, releaseTargets } from './format.ts'
import type { PackedRelease } from './package.ts'
import { releasesOf } from './releases.ts'
import type { Repository } from './repository.ts'
import { readTarget } from './target-files.ts'

/** What a release says that whoever installs it is asked about. */
type Terms = Pick<ReleaseSummary, 'permissions' | 'api' | 'license' | 'minHostVersion'>

/** What another release has otherwise than the one before it. */
export interface Changes {
	/** The version before. */
	readonly since: string
	readonly terms: readonly { readonly name: keyof Terms; readonly before: unknown; readonly after: unknown }[]
	readonly files: { readonly added: string[]; readonly removed: string[]; readonly changed: string[] }
	/** Of the package. */
	readonly sizeBytes: number
}

const termNames = ['permissions', 'api', 'license', 'minHostVersion'] as const

/** Compares with the newest release of the same driver by the same publisher; `undefined` where there is none. */
export async function changesSince(
	repository: Repository,
	publisher: string,
	packed: PackedRelease,
): Promise<Changes | undefined> {
	const last = releasesOf(repository)
		.filter(release => release.publisher === publisher && release.id === packed.id)
		.sort((a, b) => compare(a.version, b.version))
		.at(-1)
	const target = last && repository.role(publisher)?.targets[releaseTargets(publisher, last.id, last.version).document]
	if (!target) return undefined
	return {
		since: last.version,
		terms: termNames
			.map(name => ({ name, before: last.summary[name], after: packed.summary[name] }))
			.filter(({ before, after }) => !isDeepStrictEqual(before, after)),
		files: changedFiles(filesIn(await readTarget(repository.folder, target)), filesIn(packed.document)),
		sizeBytes: packed.tarball.length - last.sizeBytes,
	}
}

export const filesIn = (document: Buffer): ReleaseDocument['files'] =>
	releaseDocumentSchema.parse(JSON.parse(document.toString('utf8'))).files

function changedFiles(before: ReleaseDocument['files'], after: ReleaseDocument['files']): Changes['files'] {
	return {
		added: Object.keys(after).filter(path => !before[path]),
		removed: Object.keys(before).filter(path => !after[path]),
		changed: Object.keys(after).filter(path => before[path] && before[path].sha512 !== after[path]?.sha512),
	}
}
