import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Manifest, manifestSchema } from '@roundhouse/kit/manifest'
import { build } from 'esbuild'
import type { DriverProgram } from '../../../host/driver-runtime/driver-process.ts'

/** Builds a driver of the tests into a separate folder, like a package. */
export interface BuiltDriver extends AsyncDisposable {
	readonly manifest: Manifest
	readonly program: DriverProgram
}

/** Bundles `<folder>/driver.ts`; its manifest is `<folder>/manifest.json`. */
export async function buildDriver(source: string): Promise<BuiltDriver> {
	const manifest = manifestSchema.parse(JSON.parse(await readFile(join(source, 'manifest.json'), 'utf8')))
	const folder = await mkdtemp(join(tmpdir(), `roundhouse-test-${manifest.id}-`))
	const entry = join(folder, 'driver.mjs')
	await build({
		entryPoints: [join(source, 'driver.ts')],
		outfile: entry,
		bundle: true,
		platform: 'node',
		format: 'esm',
		logLevel: 'error',
	})
	return {
		manifest,
		program: {
			driverId: manifest.id,
			displayName: manifest.displayName,
			folder,
			entry,
			permissions: manifest.permissions,
		},
		[Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
	}
}
