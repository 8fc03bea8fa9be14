import { registryClientErrors } from '@roundhouse/registry/client/errors'
import { fingerprintOf } from '@roundhouse/registry/format/digests'
import { metadataFolder } from '@roundhouse/registry/format/format'
import { parse } from '@roundhouse/registry/format/metadata-schema'
import { MetadataKind } from '@tufjs/models'
import { messageOf } from '../../base/errors.ts'
import { registryUrl } from '../../registry/client/address.ts'
import type { RegistrySource } from '../../registry/client/registry-client.ts'
import { type ReadOptions, read } from '../../registry/client/request.ts'
import { pluginErrors } from './errors.ts'

type RequestOptions = Pick<ReadOptions, 'agent' | 'signal'>

const maxBytes = 512_000
const limits = { stallMs: 10_000, totalMs: 30_000 }

/**
 * Fetches the first root of a registry. It is not trusted: the user compares its fingerprint with the publisher's.
 * @throws HostError `plugin/registry_address`, `registry_unreachable`, `no_registry`
 */
export async function firstRootAt(address: string, options: RequestOptions = {}): Promise<RegistrySource> {
	const url = registryUrl(address)
	const bytes = await fetchFirstRoot(url, options).catch(error => {
		options.signal?.throwIfAborted()
		throw registryClientErrors.make(
			'registry_unreachable',
			{ registry: url.href, reason: messageOf(error) },
			{ cause: error },
		)
	})
	try {
		const root = parse.root(bytes)
		root.verifyDelegate(MetadataKind.Root, root)
		return { url: url.href, fingerprint: fingerprintOf(bytes) }
	} catch (error) {
		throw pluginErrors.make('no_registry', { registry: url.href }, { cause: error })
	}
}

async function fetchFirstRoot(url: URL, options: RequestOptions): Promise<Buffer> {
	const { status, body } = await read(new URL(`${metadataFolder}/1.root.json`, url), { ...options, maxBytes, limits })
	if (status === 404) return Buffer.alloc(0)
	if (status !== 200) throw new Error(`it answered ${status}`)
	const chunks: Buffer[] = []
	for await (const chunk of body) chunks.push(chunk)
	return Buffer.concat(chunks)
}
