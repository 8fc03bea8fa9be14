import { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { TargetFile } from '@tufjs/models'
import { messageOf } from '../host/base/errors.ts'
import { releaseDocumentSchema, releaseSummarySchema } from './format.ts'
import { readPackage } from './package.ts'
import { type Finding, type Published, readPublished } from './published.ts'
import type { Source } from './source.ts'
import { targetFile } from './target-files.ts'

/** Everything that a host would look at before it runs a driver of this registry. */
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

/** A publisher may say any length, and it is read into memory. */
const sizeLimitBytes = 256 * 1024 * 1024

/** The bytes of a target, as it was signed. @throws Error where the file is missing or altered */
export async function fetchTarget(source: Source, target: TargetFile): Promise<Buffer> {
	if (target.length > sizeLimitBytes) throw new Error('it is larger than any package may be')
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
	// A release for hosts to come; those of today pass it over.
	if (!summary.data) return
	const listed = targets.get(target.path.replace(/\.tgz$/, '.json'))
	if (listed?.hashes.sha512 !== summary.data.document) throw new Error('its document is not the one that it names')
	const document = releaseDocumentSchema.parse(JSON.parse((await fetchTarget(source, listed)).toString('utf8')))
	const packed = await readPackage(bytes, summary.data, target.path)
	const inside = releaseDocumentSchema.parse(JSON.parse(packed.document.toString('utf8')))
	if (!isDeepStrictEqual(inside.files, document.files)) throw new Error('its files are not those of its document')
	if (!isDeepStrictEqual(inside.manifest, document.manifest))
		throw new Error('its manifest is not the one of its document')
	if (!target.path.endsWith(`/${packed.id}/${packed.version}.tgz`))
		throw new Error('it holds another release than its name says')
}
