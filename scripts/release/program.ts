import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Metafile } from 'esbuild'
import type { ReleaseFacts } from '../../base/release.ts'
import { buildApps, buildDriverFiles, buildHost, buildTemplates, buildUi } from '../build-parts.ts'
import { inCheckout } from '../layout.ts'
import type { ReleaseConfig } from './config.ts'
import { packDrivers } from './drivers.ts'

/** The program of a release: host, window, drivers and the facts that it fixes, in the layout of a checkout. */
export interface Program {
	readonly folder: string
	readonly facts: ReleaseFacts
	/** What is really inside, for notices and the list of parts. */
	readonly metafiles: readonly Metafile[]
}

/** Builds the program into an empty folder. */
export async function buildProgram(config: ReleaseConfig, folder: string): Promise<Program> {
	const { version, date, channel, registry } = config
	const dist = join(folder, 'dist')
	await mkdir(dist, { recursive: true })
	const [host, ui, apps] = await Promise.all([
		buildHost({ folder: join(dist, 'host'), version, sourcemap: false }),
		buildUi({ folder: join(dist, 'ui'), version, sourcemap: false }),
		buildApps({ folder: join(dist, 'apps') }),
		buildTemplates({ folder: join(dist, 'templates') }),
		buildDriverFiles(),
	])
	const drivers = await packDrivers(config, join(dist, 'drivers'))
	const facts: ReleaseFacts = { version, date, channel, registry, drivers }
	await writeFile(join(dist, 'release.json'), `${JSON.stringify(facts, undefined, 2)}\n`)
	await cp(inCheckout('host', 'bin'), join(folder, 'host', 'bin'), { recursive: true })
	await cp(inCheckout('LICENSE'), join(folder, 'LICENSE'))
	return { folder, facts, metafiles: [...host, ...ui, apps] }
}
