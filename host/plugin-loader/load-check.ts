import { sha512Of } from '@roundhouse/registry/format/digests'
import { messageOf } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { readDocument } from '../../registry/client/registry-client.ts'
import type { DriverProgram } from '../driver-runtime/driver-process.ts'
import { pluginErrors } from './errors.ts'
import { programOf } from './install.ts'
import type { Installation } from './installed.ts'
import type { Registries } from './registries.ts'
import { faultOfTree } from './unpack.ts'

/**
 * Checks a driver at each load, also without a network: its registry still lists it under its publisher's keys, it is
 * not revoked, and its files match the signed list.
 * @throws HostError `plugin/not_listed`, `replaced`, `revoked`, `altered_on_disk`
 */
export async function checkLoad(
	installation: Installation,
	{ folder, registries, log }: { readonly folder: string; readonly registries: Registries; readonly log: Log },
): Promise<DriverProgram> {
	const { release, document, registry: fingerprint } = installation
	const { id, version, package: pack } = release
	const registry = registries.of(fingerprint)
	const notListed = (reason: string) =>
		pluginErrors.make('not_listed', { driver: id, version, registry: registry?.source.url ?? 'Its registry', reason })
	if (!registry) throw notListed('you have removed that registry')
	await registry.refreshIfStale()

	const listed = await registry.find(release).catch(error => {
		throw notListed(messageOf(error))
	})
	// A driver that came with another version of the host stays trusted until its registry has been read for the first
	// time.
	const isSeeded = installation.isSeeded === true && (await registry.refreshedAt()) === undefined
	if (!listed && !isSeeded) throw notListed('the publisher removed it')
	const revocation = (await registry.revocations()).get(pack.sha512)
	if (revocation?.action === 'stop')
		throw pluginErrors.make('revoked', { driver: id, version, reason: revocation.reason })
	if (revocation) log.warn(`driver ${id} ${version}: its registry warns of it: ${revocation.reason}`)
	if (listed && listed.package.hashes.sha512 !== pack.sha512)
		throw pluginErrors.make('replaced', { driver: id, version, registry: registry.source.url })

	const altered = (reason: string) => pluginErrors.make('altered_on_disk', { driver: id, reason })
	if (listed && sha512Of(document) !== listed.summary.document)
		throw altered('its list of files differs from the signed one')
	const { files, manifest } = readDocument(document, { id, version, registry: registry.source.url })
	const fault = await faultOfTree(folder, files)
	if (fault) throw altered(fault)
	return programOf(folder, { manifest })
}
