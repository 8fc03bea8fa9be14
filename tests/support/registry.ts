import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveRegistry } from '../../registry/publisher/serve.ts'
import { built } from '../../scripts/layout.ts'
import type { Roundhouse } from './roundhouse.ts'

/** The default registry of this checkout, as `npm start` serves it. */
export async function builtRegistry(): Promise<{ readonly folder: string; readonly fingerprint: string }> {
	return { folder: built.registry, fingerprint: (await readFile(join(built.registry, 'root.sha256'), 'utf8')).trim() }
}

/** Serves that registry, and starts a host whose default registry it is. */
export async function serveWithRegistry(roundhouse: Roundhouse): Promise<Awaited<ReturnType<typeof serveRegistry>>> {
	const { folder, fingerprint } = await builtRegistry()
	const registry = await serveRegistry(folder)
	await roundhouse.serve(['--registry', registry.url, '--registry-key', fingerprint])
	return registry
}
