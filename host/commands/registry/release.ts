import { readFile, stat } from 'node:fs/promises'
import { type Changes, changesSince, filesIn } from '@roundhouse/registry/changes'
import type { Revocation } from '@roundhouse/registry/format'
import { openKeys } from '@roundhouse/registry/key-folder'
import { type PackedRelease, readPackage } from '@roundhouse/registry/package'
import { addRelease, yankRelease } from '@roundhouse/registry/releases'
import { Repository } from '@roundhouse/registry/repository'
import { revokeRelease } from '@roundhouse/registry/revocations'
import { type CommandContext, print } from '../context.ts'
import { alone, change, describePublication, type Keeping, keyFoldersOf } from './keeper.ts'

/** Commands of publishers. */

interface AddOptions extends Keeping {
	readonly publisher: string
	readonly minHost: string
	readonly dryRun: boolean
}

export async function addDriver(context: CommandContext, driver: string, options: AddOptions): Promise<void> {
	const { registry, publisher, dryRun } = options
	const packed = await pack(driver, options.minHost)
	const { changes, publication } = await alone(registry, async () => {
		const repository = await Repository.open(registry, { keys: await openKeys(...keyFoldersOf(options)) })
		const changes = await changesSince(repository, publisher, packed)
		await addRelease(repository, publisher, packed, { isDryRun: dryRun })
		return { changes, publication: dryRun ? undefined : await repository.publish() }
	})
	const { id, version, tarball, summary } = packed
	const release = `${publisher}/${id}/${version}`
	const files = filesIn(packed.document)
	const { permissions, api, license, minHostVersion } = summary
	const text = [
		`${dryRun ? 'Would publish' : 'Published'} ${release}, ${tarball.length} bytes, ${license}.`,
		`It needs driver API ${api} and Roundhouse ${minHostVersion}, and may: network ${permissions.network}, ${permissions.memoryMb} MiB of memory.`,
		...Object.entries(files).map(([path, { sizeBytes }]) => `  ${path}  ${sizeBytes} bytes`),
		...(changes ? describeChanges(changes) : ['It is the first release of this driver.']),
		...(publication ? [describePublication(publication)] : []),
	]
	print(
		context,
		{
			release,
			published: !dryRun,
			sizeBytes: tarball.length,
			...summary,
			files,
			changes: changes ?? null,
			...publication,
		},
		text.join('\n'),
	)
}

/** Sources are packed by the bundler, which only a checkout has; a package is taken as it is. */
async function pack(driver: string, minHostVersion: string): Promise<PackedRelease> {
	const terms = { minHostVersion, publishedAt: new Date().toISOString() }
	if (!(await stat(driver)).isDirectory()) return readPackage(await readFile(driver), terms, driver)
	const { packDriver } = await import('@roundhouse/registry/pack')
	return packDriver(driver, terms)
}

function describeChanges({ since, terms, files, sizeBytes }: Changes): string[] {
	const named = (verb: string, paths: readonly string[]) => (paths.length ? [`  ${verb}: ${paths.join(', ')}`] : [])
	return [
		`Since ${since}: ${sizeBytes >= 0 ? '+' : ''}${sizeBytes} bytes.`,
		...terms.map(({ name, before, after }) => `  ${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`),
		...named('added', files.added),
		...named('removed', files.removed),
		...named('changed', files.changed),
	]
}

interface YankOptions extends Keeping {
	readonly undo: boolean
}

export async function yank(context: CommandContext, release: string, options: YankOptions): Promise<void> {
	const isYanked = !options.undo
	const { publication } = await change(options, repository => yankRelease(repository, release, isYanked))
	print(
		context,
		{ release, isYanked, ...publication },
		`${release} is ${isYanked ? 'withdrawn' : 'offered again'}.\n${describePublication(publication)}`,
	)
}

interface RevokeOptions extends Keeping {
	readonly reason: string
	readonly action: Revocation['action']
}

export async function revoke(context: CommandContext, release: string, options: RevokeOptions): Promise<void> {
	const { reason, action } = options
	const { result, publication } = await change(options, repository =>
		revokeRelease(repository, release, { reason, action, at: new Date() }),
	)
	const done = action === 'stop' ? 'is stopped on every host' : 'runs with a warning on every host'
	print(
		context,
		{ ...result, ...publication },
		`${release} ${done} that hears of it.\n${describePublication(publication)}`,
	)
}
