import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Metadata, Root, TargetFile, Targets } from '@tufjs/models'
import { type Fetcher, Updater } from 'tuf-js'
import { messageOf } from '../../base/errors.ts'
import { fingerprintOf } from '../format/digests.ts'
import { registryErrors } from '../format/errors.ts'
import { maxDelegations, metadataFolder, revocationsRole, revocationsTarget } from '../format/format.ts'
import { maxMetadataBytes, parse, parseMetadata } from '../format/metadata-schema.ts'
import { metadataLimits, ReadingBudget } from '../format/reading-budget.ts'
import { validityFault } from '../format/validity.ts'
import { signersOf } from './signatures.ts'
import type { Source } from './source.ts'
import { hasFile } from './target-files.ts'

export interface RoleReport {
	readonly role: string
	readonly version: number
	readonly expires: string
	/** How many of the keys must sign. */
	readonly threshold: number
	readonly keys: number
}

/** Something that a reader would reject, and where. */
export interface Finding {
	/** A role, or the path of a target. */
	readonly where: string
	readonly reason: string
}

/** The current state of a registry for a reader of The Update Framework. */
export interface Published {
	readonly fingerprint: string
	readonly roles: readonly RoleReport[]
	/** Every file of `metadata/` that a new reader needs, by name. */
	readonly metadata: ReadonlyMap<string, Buffer>
	readonly targets: readonly TargetFile[]
	readonly findings: readonly Finding[]
}

const rootLimitBytes = 512_000

/**
 * Reads a registry from its first root on, with the same client library that hosts use.
 * @param fingerprint any other registry is rejected
 * @throws HostError `registry/not_a_registry`, `registry/other_registry`
 */
export async function readPublished(source: Source, fingerprint?: string): Promise<Published> {
	const place = source.url.href
	const firstRoot = await readFirstRoot(source)
	const found = fingerprintOf(firstRoot)
	if (fingerprint && fingerprint !== found) throw registryErrors.make('other_registry', { place, found, fingerprint })
	const cache = await mkdtemp(join(tmpdir(), 'roundhouse-registry-'))
	try {
		await writeFile(join(cache, 'root.json'), firstRoot)
		return { fingerprint: found, ...(await walk(source, cache, firstRoot)) }
	} finally {
		await rm(cache, { recursive: true, force: true })
	}
}

/** Reads the first root of a registry. @throws HostError `registry/not_a_registry` */
export async function readFirstRoot(source: Source): Promise<Buffer> {
	return source.read(`${metadataFolder}/1.root.json`, rootLimitBytes).catch(error => {
		throw registryErrors.make('not_a_registry', { place: source.url.href, reason: messageOf(error) }, { cause: error })
	})
}

async function walk(source: Source, cache: string, firstRoot: Buffer): Promise<Omit<Published, 'fingerprint'>> {
	const metadata = new Map([['1.root.json', firstRoot]])
	const findings: Finding[] = []
	const note = (where: string) => (error: unknown) =>
		void findings.push({ where, reason: withRemedy(messageOf(error)) })
	const updater = await start(source, cache, metadata).catch(note('registry'))
	if (!updater) return { roles: [], metadata, targets: [], findings }

	const root = newestRoot(metadata)
	const file = (name: string) => metadata.get(name) ?? Buffer.of()
	const timestamp = parse.timestamp(file('timestamp.json'))
	const snapshot = parse.snapshot(file(`${timestamp.signed.snapshotMeta.version}.snapshot.json`))
	const versionOf = (role: string) => snapshot.signed.meta[`${role}.json`]?.version
	const top = parse.targets(file(`${versionOf('targets')}.targets.json`))
	const roles = [
		report('root', root, root),
		report('timestamp', timestamp, root),
		report('snapshot', snapshot, root),
		report('targets', top, root),
	]
	const targets = Object.values(top.signed.targets)
	for (const delegation of Object.values(top.signed.delegations?.roles ?? {})) {
		const role = delegation.name
		// The role has never signed anything.
		if (versionOf(role) === undefined) continue
		const path = role === revocationsRole ? revocationsTarget : `${role}/any/any`
		const isThere = await updater.getTargetInfo(path).then(() => true, note(role))
		if (!isThere) continue
		const delegated = parse.targets(file(`${versionOf(role)}.${role}.json`))
		roles.push(report(role, delegated, top))
		// A reader finds only targets on the role's delegated paths, whatever else it lists.
		targets.push(...Object.values(delegated.signed.targets).filter(({ path }) => delegation.isDelegatedPath(path)))
	}
	const now = new Date()
	for (const { role, expires } of roles) {
		const fault = validityFault(expires, now)
		if (fault !== undefined) findings.push({ where: role, reason: `it ${fault}` })
	}
	const stray = targets.filter(target => !hasFile(target))
	for (const { path } of stray)
		findings.push({ where: path, reason: 'this is not a path of plain names with a SHA-512' })
	return { roles, metadata, targets: targets.filter(hasFile), findings }
}

/** Reads the roots, the timestamp, the snapshot and the targets, and adds every file that was read to `metadata`. */
async function start(source: Source, cache: string, metadata: Map<string, Buffer>): Promise<Updater> {
	const budget = new ReadingBudget(metadataLimits)
	const fetcher: Fetcher = {
		downloadBytes: async (url, maxBytes) => {
			const bytes = await source.read(url, Math.min(maxBytes, maxMetadataBytes))
			if (!budget.take(1, bytes.length)) throw new Error('its metadata is more than a host reads')
			parseMetadata(bytes)
			metadata.set(basename(new URL(url).pathname), bytes)
			return bytes
		},
		downloadFile: () => Promise.reject(new Error('This reader fetches metadata only.')),
	}
	const metadataBaseUrl = new URL(metadataFolder, source.url).href
	const updater = new Updater({ metadataDir: cache, metadataBaseUrl, fetcher, config: { maxDelegations } })
	await updater.refresh()
	return updater
}

/** Adds the remedy to the reason: the keeper of the registry signs expired roles again. */
const withRemedy = (reason: string) =>
	/ is expired$/.test(reason) ? `${reason}; its keeper can run \`roundhouse registry sign\`` : reason

function newestRoot(metadata: ReadonlyMap<string, Buffer>): Metadata<Root> {
	const roots = [...metadata].filter(([name]) => name.endsWith('.root.json')).map(([, bytes]) => parse.root(bytes))
	return roots.reduce((newest, root) => (root.signed.version > newest.signed.version ? root : newest))
}

function report(
	role: string,
	{ signed }: { readonly signed: { readonly version: number; readonly expires: string } },
	delegator: Metadata<Root> | Metadata<Targets>,
): RoleReport {
	const { threshold = 0, keyIDs = [] } = signersOf(delegator, role) ?? {}
	return { role, version: signed.version, expires: signed.expires, threshold, keys: keyIDs.length }
}
