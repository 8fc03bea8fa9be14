import { isDeepStrictEqual } from 'node:util'
import { compare } from 'semver'
import { type ReleaseDocument, type ReleaseSummary, releaseDocumentSchema, releaseTargets } from '../format/format.ts'
import type { PackedRelease } from './package.ts'
import { releasesOf } from './releases.ts'
import type { Repository } from './repository.ts'
import { readTarget } from './target-files.ts'

/** The parts of a release that the user reviews before an installation. */
type Terms = Pick<ReleaseSummary, 'permissions' | 'api' | 'license' | 'minHostVersion'>

/** Which named things differ. */
export interface NamedChanges {
	readonly added: readonly string[]
	readonly removed: readonly string[]
	readonly changed: readonly string[]
}

/** What differs between a release and the previous one. */
export interface Changes {
	/** The previous version. */
	readonly since: string
	readonly terms: readonly { readonly name: keyof Terms; readonly before: unknown; readonly after: unknown }[]
	readonly files: NamedChanges
	/** Fields of the connection form, by key. */
	readonly form: NamedChanges
	/** Tools, by name. */
	readonly tools: NamedChanges
	/** Size of the package. */
	readonly sizeBytes: number
}

const termNames = ['permissions', 'api', 'license', 'minHostVersion'] as const

/** Compares with the newest release of the same driver by the same publisher. Returns `undefined` if there is none. */
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
	const [before, after] = [documentIn(await readTarget(repository.folder, target)), documentIn(packed.document)]
	return {
		since: last.version,
		terms: termNames
			.map(name => ({ name, before: last.summary[name], after: packed.summary[name] }))
			.filter(({ before, after }) => !isDeepStrictEqual(before, after)),
		files: namedChanges(before.files, after.files),
		form: namedChanges(byName(before.manifest.form, 'key'), byName(after.manifest.form, 'key')),
		tools: namedChanges(byName(before.manifest.tools, 'name'), byName(after.manifest.tools, 'name')),
		sizeBytes: packed.tarball.length - last.sizeBytes,
	}
}

const documentIn = (document: Buffer): ReleaseDocument =>
	releaseDocumentSchema.parse(JSON.parse(document.toString('utf8')))

export const filesIn = (document: Buffer): ReleaseDocument['files'] => documentIn(document).files

type Named = Readonly<Record<string, unknown>>

function byName<K extends string>(items: readonly { readonly [name in K]: string }[], name: K): Named {
	return Object.fromEntries(items.map(item => [item[name], item]))
}

function namedChanges(before: Named, after: Named): NamedChanges {
	return {
		added: Object.keys(after).filter(name => !Object.hasOwn(before, name)),
		removed: Object.keys(before).filter(name => !Object.hasOwn(after, name)),
		changed: Object.keys(after).filter(
			name => Object.hasOwn(before, name) && !isDeepStrictEqual(before[name], after[name]),
		),
	}
}
