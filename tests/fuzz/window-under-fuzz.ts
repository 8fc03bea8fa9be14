import { pathToFileURL } from 'node:url'
import { tryLockSupport } from '../../base/host-lock.ts'
import { silentLog } from '../../base/log.ts'
import { connectToHost } from '../../host/api/client.ts'
import { startHost } from '../../host/host.ts'
import { builtRegistry } from '../support/registry.ts'
import { temporarySupport } from '../support/support-directory.ts'
import { underWatch } from './watch.ts'

/** A whole host as a separate program, with a connection to the sample, and an address that admits the fuzzer. */

/** What the fuzzer needs to know about it. */
export interface WindowUnderFuzz {
	readonly entryUrl: string
	readonly connection: string
}

if (import.meta.main) {
	process.env.ROUNDHOUSE_SECRETS = 'file'
	const support = await temporarySupport()
	const lock = tryLockSupport(support)
	if (!lock) throw new Error('the lock of an empty folder is held')
	const { folder, fingerprint } = await builtRegistry()
	const registry = { url: pathToFileURL(folder).href, fingerprint }
	const host = await startHost({ support, lock, registry, log: silentLog, mcpPort: 0, uiPort: 0 })
	const client = await connectToHost(support)
	if (!client) throw new Error('the host does not answer')
	await client.call('drivers.install', { id: 'search-engine' })
	const sample = { name: 'Sample', driverId: 'search-engine', settings: {}, isSample: true }
	const { id: connection } = await client.call('connections.add', sample)
	// Opened now, so that no input of the run includes the start of the driver.
	await client.call('connections.open', { id: connection })
	await client[Symbol.asyncDispose]()
	underWatch<WindowUnderFuzz>({ entryUrl: host.entry().fallbackUrl, connection }, async () => {
		await host.stop()
		await support[Symbol.asyncDispose]()
	})
}
