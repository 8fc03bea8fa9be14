import { fingerprintOf } from '@roundhouse/registry/digests'
import { metadataFolder } from '@roundhouse/registry/format'
import { Metadata, MetadataKind } from '@tufjs/models'
import { messageOf } from '../base/errors.ts'
import { pluginErrors } from './errors.ts'
import { registryUrl } from './registry/address.ts'
import type { RegistrySource } from './registry/registry-client.ts'
import { type ReadOptions, read } from './registry/request.ts'

type Way = Pick<ReadOptions, 'agent' | 'signal'>

const maxBytes = 512_000
const limits = { stallMs: 10_000, totalMs: 30_000 }

/**
 * What a registry begins with, for the person to compare with what its publisher told: nothing of it is believed.
 * @throws HostError `plugin/registry_address`, `registry_unreachable`, `no_registry`
 */
export async function firstRootAt(address: string, way: Way = {}): Promise<RegistrySource> {
	const url = registryUrl(address)
	const bytes = await fetchFirstRoot(url, way).catch(error => {
		way.signal?.throwIfAborted()
		throw pluginErrors.make('registry_unreachable', { registry: url.href, reason: messageOf(error) }, { cause: error })
	})
	try {
		const root = Metadata.fromJSON(MetadataKind.Root, JSON.parse(bytes.toString('utf8')))
		root.verifyDelegate(MetadataKind.Root, root)
		return { url: url.href, fingerprint: fingerprintOf(bytes) }
	} catch (error) {
		throw pluginErrors.make('no_registry', { registry: url.href }, { cause: error })
	}
}

async function fetchFirstRoot(url: URL, way: Way): Promise<Buffer> {
	const { status, body } = await read(new URL(`${metadataFolder}/1.root.json`, url), { ...way, maxBytes, limits })
	if (status === 404) return Buffer.alloc(0)
	if (status !== 200) throw new Error(`it answered ${status}`)
	const chunks: Buffer[] = []
	for await (const chunk of body) chunks.push(chunk)
	return Buffer.concat(chunks)
}
