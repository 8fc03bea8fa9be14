import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { TargetFile } from '@tufjs/models'
import { messageOf } from '../../base/errors.ts'
import { packageLimits, releaseDocumentSchema, releaseSummarySchema } from '../format/format.ts'
import { parseSigned } from '../format/signed-json.ts'
import { readPackage } from './package.ts'
import { type Finding, type Published, readPublished } from './published.ts'
import type { Source } from './source.ts'
import { targetFile } from './target-files.ts'

/** Performs every check that a host performs before it runs a driver of this registry. */
export async function verifyRegistry(source: Source, fingerprint?: string): Promise<Published> {
	const published = await readPublished(source, fingerprint)
	const findings: Finding[] = [...published.findings]
	const documents = new Map(published.targets.map(target => [target.path, target]))
	for (const target of published.targets) {
		try {
			await verifyTarget(source, target, documents)
		} catch (error) {
			findings.push({ where: target.path, reason: messageOf(error) })
		}
	}
	return { ...published, findings }
}

/** Fetches a target and compares it with its signed digest. @throws Error if the file is missing or altered */
export async function fetchTarget(source: Source, target: TargetFile): Promise<Buffer> {
	// A publisher may claim any length, and the file is read into memory.
	if (target.length > packageLimits.packageBytes) throw new Error('it is larger than the limit for packages')
	const bytes = await source.read(targetFile(target), target.length)
	await target.verify(Readable.from([bytes]))
	return bytes
}

async function verifyTarget(
	source: Source,
	target: TargetFile,
	targets: ReadonlyMap<string, TargetFile>,
): Promise<void> {
	const bytes = await fetchTarget(source, target)
	if (!target.path.endsWith('.tgz')) return
	const summary = releaseSummarySchema.safeParse(target.custom)
	// A release in a newer format. Current hosts skip it.
	if (!summary.data) return
	const listed = targets.get(target.path.replace(/\.tgz$/, '.json'))
	if (listed?.hashes.sha512 !== summary.data.document) throw new Error('its document does not match its digest')
	const document = parseSigned(await fetchTarget(source, listed), releaseDocumentSchema).value
	const packed = await readPackage(bytes, summary.data, target.path)
	const inside = parseSigned(packed.document, releaseDocumentSchema).value
	if (!isDeepStrictEqual(inside.files, document.files)) throw new Error('its files differ from its document')
	if (!isDeepStrictEqual(inside.manifest, document.manifest)) throw new Error('its manifest differs from its document')
	if (!target.path.endsWith(`/${packed.id}/${packed.version}.tgz`))
		throw new Error('it contains another release than its name says')
}
