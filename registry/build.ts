import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openKeys } from './keys.ts'
import { packDriver } from './pack.ts'
import { signIndex, signRoot } from './sign.ts'

export interface RegistryPlan {
	readonly name: string
	/** Folders of the drivers to publish. */
	readonly drivers: readonly string[]
	/** Where `root.jws`, `index.jws` and the packages go. */
	readonly output: string
	/** Where this machine keeps the signing keys and the last version. */
	readonly keys: string
	readonly minHostVersion: string
}

const day = 24 * 3600 * 1000
const indexLifetimeDays = 30
const rootLifetimeDays = 365

/** Builds and signs a registry; returns the root key's fingerprint, which hosts pin. */
export async function buildRegistry(plan: RegistryPlan, now = new Date()): Promise<{ readonly fingerprint: string }> {
	const keys = await openKeys(plan.keys)
	await rm(plan.output, { recursive: true, force: true })
	await mkdir(plan.output, { recursive: true })
	const releases = []
	for (const folder of plan.drivers) {
		const { fileName, tarball, release } = await packDriver(folder, {
			minHostVersion: plan.minHostVersion,
			publishedAt: now.toISOString(),
		})
		await writeFile(join(plan.output, fileName), tarball)
		releases.push(release)
	}
	const version = await nextVersion(join(plan.keys, 'version'), now)
	const expires = (days: number) => new Date(now.getTime() + days * day).toISOString()
	const root = await signRoot(
		{
			type: 'root',
			version: 1,
			expires: expires(rootLifetimeDays),
			rootKeys: [keys.root.publicJwk],
			indexKeys: [keys.index.publicJwk],
		},
		[keys.root],
	)
	const index = await signIndex(
		{ type: 'index', version, expires: expires(indexLifetimeDays), name: plan.name, releases },
		keys.index,
	)
	await writeFile(join(plan.output, 'root.jws'), root)
	await writeFile(join(plan.output, 'index.jws'), index)
	await writeFile(join(plan.output, 'fingerprint'), keys.root.id)
	return { fingerprint: keys.root.id }
}

/** Seconds since 1970, or one more than the last build's: it grows even where the clock went back. */
async function nextVersion(path: string, now: Date): Promise<number> {
	const last = Number(await readFile(path, 'utf8').catch(() => '0'))
	const version = Math.max(last + 1, Math.floor(now.getTime() / 1000))
	await writeFile(path, String(version))
	return version
}
