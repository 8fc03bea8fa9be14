import { mkdir, readdir, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { TargetFile } from '@tufjs/models'
import { fingerprintOf } from '../format/digests.ts'
import { registryErrors } from '../format/errors.ts'
import { metadataFolder, targetsFolder } from '../format/format.ts'
import { parse } from '../format/metadata-schema.ts'
import { type Published, readPublished } from './published.ts'
import { replaceFile } from './replace-file.ts'
import { Source } from './source.ts'
import { targetFile } from './target-files.ts'
import { fetchTarget } from './verify.ts'

/** Far above the size of any timestamp or first root. */
const sizeLimitBytes = 512_000

/**
 * Copies the published state into `folder`, which may contain an earlier copy. Everything is verified during the copy.
 * Readers of the copy see the previous state until the new one is complete.
 * @throws HostError `registry/not_whole`, `registry/no_place`
 */
export async function mirrorRegistry(source: Source, folder: string, fingerprint?: string): Promise<Published> {
	const copy = new Source(folder)
	if (copy.url.href === source.url.href)
		throw registryErrors.make('no_place', { folder, reason: 'it is the registry itself' })
	const before = await stateOf(copy)
	if (!before) await mustBeFree(folder)
	const published = await readWhole(source, fingerprint ?? before?.fingerprint)
	if (before && timestampOf(published) < before.timestamp)
		throw registryErrors.make('older', {
			place: source.url.href,
			seen: before.timestamp,
			version: timestampOf(published),
		})
	for (const target of published.targets) {
		const isThere = await fetchTarget(copy, target).catch(() => undefined)
		if (!isThere) await write(join(folder, targetFile(target)), await fetchWhole(source, target))
	}
	for (const name of inOrder(published.metadata)) {
		const bytes = published.metadata.get(name)
		if (bytes) await write(join(folder, metadataFolder, name), bytes)
	}
	return published
}

/** Rejects a folder with other files. It may contain an interrupted copy and the lock of the running command. */
async function mustBeFree(folder: string): Promise<void> {
	const other = (await readdir(folder).catch(() => [])).find(
		name => ![metadataFolder, targetsFolder, '.lock'].includes(name),
	)
	if (other)
		throw registryErrors.make('no_place', { folder, reason: `it contains ${other}, so it is not a copy of a registry` })
}

interface State {
	readonly fingerprint: string
	readonly timestamp: number
}

/** Reads which registry a copy is of, and its state. Returns `undefined` if there is no copy yet. */
async function stateOf(copy: Source): Promise<State | undefined> {
	const read = (name: string) => copy.read(`${metadataFolder}/${name}`, sizeLimitBytes).catch(() => undefined)
	const [root, timestamp] = [await read('1.root.json'), await read('timestamp.json')]
	return root && timestamp && { fingerprint: fingerprintOf(root), timestamp: parse.timestamp(timestamp).signed.version }
}

const timestampOf = ({ metadata }: Published) =>
	parse.timestamp(metadata.get('timestamp.json') ?? Buffer.of()).signed.version

/** Removes from a copy what is no longer published. A reader in the middle of a refresh starts again. */
export async function pruneMirror(folder: string, { metadata, targets }: Published): Promise<void> {
	const kept = new Set([
		...[...metadata.keys()].map(name => join(metadataFolder, name)),
		...targets.map(target => targetFile(target)),
	])
	for (const part of [metadataFolder, targetsFolder]) {
		for (const entry of await readdir(join(folder, part), { recursive: true, withFileTypes: true })) {
			const file = join(entry.parentPath, entry.name)
			if (entry.isFile() && !kept.has(relative(folder, file))) await rm(file)
		}
	}
}

/** Reads a registry and rejects it if there are findings. @throws HostError `registry/not_whole` */
export async function readWhole(source: Source, fingerprint?: string): Promise<Published> {
	const published = await readPublished(source, fingerprint)
	const findings = published.findings.map(({ where, reason }) => `${where}: ${reason}`).join('; ')
	if (findings) throw registryErrors.make('not_whole', { place: source.url.href, findings })
	return published
}

/** Fetches a target. @throws HostError `registry/not_whole` */
export async function fetchWhole(source: Source, target: TargetFile): Promise<Buffer> {
	return fetchTarget(source, target).catch(error => {
		const findings = `${target.path}: ${error instanceof Error ? error.message : ''}`
		throw registryErrors.make('not_whole', { place: source.url.href, findings }, { cause: error })
	})
}

/**
 * Returns the names in the order in which `publish` writes them: the first root, what a timestamp refers to, the
 * timestamp, the later roots.
 */
function inOrder(metadata: ReadonlyMap<string, Buffer>): string[] {
	const place = (name: string) =>
		name === '1.root.json' ? 0 : name === 'timestamp.json' ? 2 : name.endsWith('.root.json') ? 3 : 1
	const version = (name: string) => Number.parseInt(name, 10) || 0
	return [...metadata.keys()].sort((a, b) => place(a) - place(b) || version(a) - version(b))
}

async function write(file: string, bytes: Buffer): Promise<void> {
	await mkdir(dirname(file), { recursive: true })
	await replaceFile(file, bytes)
}
