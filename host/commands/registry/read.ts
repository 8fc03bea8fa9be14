import { registryErrors } from '@roundhouse/registry/format/errors'
import { bundleDrivers } from '@roundhouse/registry/publisher/bundle'
import { mirrorRegistry } from '@roundhouse/registry/publisher/mirror'
import { type RoleReport, readFirstRoot } from '@roundhouse/registry/publisher/published'
import { serveRegistry } from '@roundhouse/registry/publisher/serve'
import { Source } from '@roundhouse/registry/publisher/source'
import { verifyRegistry } from '@roundhouse/registry/publisher/verify'
import writeFileAtomic from 'write-file-atomic'
import { type CommandContext, print } from '../context.ts'
import { untilStopped } from '../until-stopped.ts'
import { alone } from './keeper.ts'

/** Commands of readers: none needs a key. */

/** @throws HostError `registry/findings`, after it printed them */
export async function verify(context: CommandContext, source: string, pinned?: string): Promise<void> {
	const { fingerprint, roles, targets, findings } = await verifyRegistry(new Source(source), pinned)
	const text = [
		`Fingerprint: ${fingerprint}`,
		...roles.map(line),
		`${targets.length} targets.`,
		...findings.map(({ where, reason }) => `! ${where}: ${reason}`),
	]
	print(context, { fingerprint, roles, targets: targets.map(({ path }) => path), findings }, text.join('\n'))
	if (findings.length > 0) throw registryErrors.make('findings', { place: source, count: findings.length })
}

const line = ({ role, version, expires, threshold, keys }: RoleReport) =>
	`${role.padEnd(20)} version ${String(version).padEnd(6)} until ${expires}  ${threshold} of ${keys} keys`

export async function mirror(
	context: CommandContext,
	{
		source,
		folder,
		pinned,
	}: { readonly source: string; readonly folder: string; readonly pinned?: string | undefined },
): Promise<void> {
	const { fingerprint, targets } = await alone(folder, () => mirrorRegistry(new Source(source), folder, pinned))
	print(
		context,
		{ folder, fingerprint, targets: targets.length },
		`${folder} is a copy of ${source}, with ${targets.length} targets.\nFingerprint: ${fingerprint}`,
	)
}

interface BundleOptions {
	readonly registry: string
	readonly drivers: readonly string[]
	readonly out: string
	readonly fingerprint?: string
}

export async function bundle(context: CommandContext, options: BundleOptions): Promise<void> {
	const { registry, drivers, out } = options
	const { zip, releases, published } = await bundleDrivers(new Source(registry), drivers, options.fingerprint)
	await writeFileAtomic(out, Buffer.from(zip))
	const { fingerprint } = published
	print(
		context,
		{ file: out, sizeBytes: zip.length, releases, fingerprint },
		`${out} holds ${releases.join(', ')}.\nFingerprint: ${fingerprint}`,
	)
}

export async function serve(context: CommandContext, folder: string, port: number): Promise<void> {
	await readFirstRoot(new Source(folder))
	const server = await serveRegistry(folder, port)
	print(context, { url: server.url, folder }, `${folder} is served at ${server.url} until you stop this.`)
	await untilStopped()
	await server.close()
}
