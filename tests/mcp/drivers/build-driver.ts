import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Manifest, manifestSchema } from '@roundhouse/kit/manifest'
import { build } from 'esbuild'
import type { DriverProgram } from '../../../host/driver-runtime/driver-process.ts'
import { commonJsBanner } from '../../../registry/publisher/common-js.ts'

/** Builds a driver of the tests into a separate folder, like a package. */
export interface BuiltDriver extends AsyncDisposable {
	readonly manifest: Manifest
	readonly program: DriverProgram
}

/** Bundles `<folder>/driver.ts`. Its manifest is `<folder>/manifest.json`, or a part of its `package.json`. */
export async function buildDriver(source: string): Promise<BuiltDriver> {
	const manifest = manifestSchema.parse(await readManifest(source))
	const folder = await mkdtemp(join(tmpdir(), `roundhouse-test-${manifest.id}-`))
	const entry = join(folder, 'driver.mjs')
	await build({
		entryPoints: [join(source, 'driver.ts')],
		outfile: entry,
		bundle: true,
		platform: 'node',
		format: 'esm',
		mainFields: ['module', 'main'],
		banner: { js: commonJsBanner },
		logLevel: 'error',
	})
	// What the driver's build has made beside its code.
	const generated = join(source, 'generated')
	if (existsSync(generated)) await cp(generated, join(folder, 'generated'), { recursive: true })
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

async function readManifest(source: string): Promise<unknown> {
	const file = join(source, 'manifest.json')
	if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
	return JSON.parse(await readFile(join(source, 'package.json'), 'utf8')).roundhouse
}
