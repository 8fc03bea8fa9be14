import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { silentLog } from '../../../base/log.ts'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { Drivers } from '../../../host/plugin-loader/drivers.ts'
import { RegistryClient } from '../../../registry/client/registry-client.ts'
import { builtRegistry } from '../../support/registry.ts'

/**
 * Costs of verifying a driver at each load: the host verifies the registry's metadata from the pinned root, and
 * compares each file. The limit is one pass of SHA-512 over the same files.
 */

const rounds = 30

async function medianMs(work: () => Promise<unknown>): Promise<number> {
	const taken: number[] = []
	for (let round = 0; round < rounds + 5; round++) {
		const startedAt = performance.now()
		await work()
		if (round >= 5) taken.push(performance.now() - startedAt)
	}
	return taken.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0
}

async function hashTree(folder: string): Promise<void> {
	for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
		if (entry.isFile()) createHash('sha512').update(await readFile(join(entry.parentPath, entry.name)))
	}
}

export async function benchTrust(): Promise<void> {
	const home = await mkdtemp(join(tmpdir(), 'roundhouse-bench-'))
	const support = await openSupportDirectory(home)
	const { folder, fingerprint } = await builtRegistry()
	const source = { url: pathToFileURL(folder).href, fingerprint }
	const drivers = await Drivers.open(support, [source], { log: silentLog })
	await using registry = new RegistryClient(source, join(support.file('registries'), fingerprint))
	try {
		const { current } = await drivers.install('search-engine')
		const installed = join(support.file('plugins'), 'search-engine', current.folder)
		const results = {
			'SHA-512 of its files': await medianMs(() => hashTree(installed)),
			'finding it in the metadata that is here': await medianMs(() => registry.find(current.release)),
			'the whole check of a load': await medianMs(() => drivers.verifyAll()),
			'a refresh of the registry (a folder)': await medianMs(() => registry.refresh()),
			'check, start and stop': await medianMs(async () => {
				await drivers.process('search-engine')
				await drivers.setEnabled('search-engine', false)
				await drivers.setEnabled('search-engine', true)
			}),
		}
		console.log('| What | ms |\n| - | - |')
		for (const [name, ms] of Object.entries(results)) console.log(`| ${name} | ${ms.toFixed(2)} |`)
	} finally {
		await drivers.stopAll()
		await rm(home, { recursive: true, force: true })
	}
}
