import { stat } from 'node:fs/promises'
import { registryErrors } from '@roundhouse/registry/format/errors'
import { packageLimits, type Revocation, revocationsRole } from '@roundhouse/registry/format/format'
import { type Changes, changesSince, filesIn, type NamedChanges } from '@roundhouse/registry/publisher/changes'
import { openKeys } from '@roundhouse/registry/publisher/key-folder'
import type { PackedDriver } from '@roundhouse/registry/publisher/pack'
import { readPackage } from '@roundhouse/registry/publisher/package'
import { addRelease, yankRelease } from '@roundhouse/registry/publisher/releases'
import { Repository } from '@roundhouse/registry/publisher/repository'
import { revokeRelease } from '@roundhouse/registry/publisher/revocations'
import { messageOf } from '../../../base/errors.ts'
import { readRegularFile } from '../../../base/regular-file.ts'
import { type CommandContext, print } from '../context.ts'
import { apiWarnings } from '../driver/api-warning.ts'
import { leftOutWarnings } from '../driver/left-out-warning.ts'
import { alone, change, describePublication, type Keeping, keyFoldersOf } from './keeper.ts'

/** Commands of publishers. */

interface AddOptions extends Keeping {
	/** Default: the only publisher of the registry. */
	readonly publisher?: string
	readonly minHost: string
	readonly dryRun: boolean
}

export async function addDriver(context: CommandContext, driver: string, options: AddOptions): Promise<void> {
	const { registry, dryRun } = options
	const packed = await pack(driver, options.minHost)
	const { publisher, changes, publication } = await alone(registry, async () => {
		const repository = await Repository.open(registry, { keys: await openKeys(...keyFoldersOf(options)) })
		const publisher = options.publisher ?? onlyPublisherOf(repository)
		const changes = await changesSince(repository, publisher, packed)
		await addRelease(repository, packed, { publisher, isDryRun: dryRun })
		return { publisher, changes, publication: dryRun ? undefined : await repository.publish() }
	})
	const { id, version, tarball, summary } = packed
	const release = `${publisher}/${id}/${version}`
	const files = filesIn(packed.document)
	const { permissions, api, license, minHostVersion } = summary
	const warnings = [...apiWarnings(summary), ...leftOutWarnings(packed.leftOut)]
	const text = [
		`${dryRun ? 'Would publish' : 'Published'} ${release}, ${tarball.length} bytes, ${license}.`,
		`It needs driver API ${api} and Roundhouse ${minHostVersion}, and may: network ${permissions.network}, ${permissions.memoryMb} MiB of memory.`,
		...Object.entries(files).map(([path, { sizeBytes }]) => `  ${path}  ${sizeBytes} bytes`),
		...(changes ? describeChanges(changes) : ['It is the first release of this driver.']),
		...(publication ? [describePublication(publication)] : []),
		...warnings,
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
			warnings,
			...publication,
		},
		text.join('\n'),
	)
}

/** Sources are packed by the bundler, which only a checkout has; a package is used as it is. */
async function pack(driver: string, minHostVersion: string): Promise<PackedDriver> {
	const terms = { minHostVersion, publishedAt: new Date().toISOString() }
	if (!(await stat(driver)).isDirectory()) {
		const tarball = await readRegularFile(driver, packageLimits.packageBytes).catch(error => {
			throw registryErrors.make('package_malformed', { file: driver, reason: messageOf(error) }, { cause: error })
		})
		return { ...(await readPackage(tarball, terms, driver)), leftOut: [] }
	}
	const { packDriver } = await import('@roundhouse/registry/publisher/pack')
	return packDriver(driver, terms)
}

/** @throws HostError `registry/publisher_unnamed` */
function onlyPublisherOf({ delegations }: Repository): string {
	const publishers = delegations.filter(role => role !== revocationsRole)
	const [publisher] = publishers
	if (publisher !== undefined && publishers.length === 1) return publisher
	throw registryErrors.make('publisher_unnamed', { publishers: publishers.join(', ') || 'none' })
}

function describeChanges({ since, terms, files, form, tools, sizeBytes }: Changes): string[] {
	const named = (what: string, { added, removed, changed }: NamedChanges) =>
		Object.entries({ added, removed, changed }).flatMap(([verb, names]) =>
			names.length > 0 ? [`  ${what} ${verb}: ${names.join(', ')}`] : [],
		)
	return [
		`Since ${since}: ${sizeBytes >= 0 ? '+' : ''}${sizeBytes} bytes.`,
		...terms.map(({ name, before, after }) => `  ${name}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`),
		...named('form fields', form),
		...named('tools', tools),
		...named('files', files),
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
