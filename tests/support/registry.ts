import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { built } from '../../scripts/layout.ts'

/** The default registry of this checkout, as `npm start` serves it. */
export async function builtRegistry(): Promise<{ readonly folder: string; readonly fingerprint: string }> {
	return { folder: built.registry, fingerprint: (await readFile(join(built.registry, 'root.sha256'), 'utf8')).trim() }
}
