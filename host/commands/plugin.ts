import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { oneLine } from '@roundhouse/kit/shown-text'
import { messageOf } from '../../base/errors.ts'
import { openSupportDirectory } from '../../base/support-directory.ts'
import type { DriverOffer, Installed, Synced } from '../api/api.ts'
import { pluginErrors } from '../plugin-loader/errors.ts'
import { type CommandContext, defaultRegistry, print, usageError, withHost } from './context.ts'

export async function browsePlugins(context: CommandContext, installedOnly: boolean): Promise<void> {
	const { offers, notices } = await withHost(context, host => host.call('drivers.browse', {}))
	const shown = installedOnly ? offers.filter(offer => offer.state !== 'available') : offers
	for (const notice of notices) process.stderr.write(`${oneLine(notice)}\n`)
	print(
		context,
		shown.map(summary),
		shown.map(line).join('\n') || 'Nothing here. `roundhouse plugin browse` shows what there is.',
	)
}

/** `spec` is an id with an optional semver range and publisher: `search-engine@^1`, `acme/search-engine`. */
export async function installPlugin(context: CommandContext, spec: string, acceptsMore = false): Promise<void> {
	const registry = await namedRegistry(context)
	const { id = '', publisher, range } = parseSpec(spec)
	const from = registry === undefined && publisher === undefined ? undefined : { registry, publisher }
	const installed = await withHost(context, host =>
		host.call('drivers.install', { id, range, from, acceptsMore }, ({ done, total }) => {
			if (process.stderr.isTTY && total)
				process.stderr.write(`\r${Math.floor((100 * done) / total)} % of ${total} bytes`)
		}),
	)
	if (process.stderr.isTTY) process.stderr.write('\n')
	print(context, { id, ...installed, installed: true }, describeInstalled({ id, ...installed }))
}

export interface BundleFile {
	readonly from: string
	readonly fingerprint?: string | undefined
	readonly acceptExpired?: boolean | undefined
	readonly accept?: boolean | undefined
}

/** Installs from a file of `registry bundle`: all of it, or what is named. */
export async function installBundle(context: CommandContext, file: BundleFile, spec = ''): Promise<void> {
	await namedRegistry(context)
	const installed = await withHost(context, host =>
		host.call('drivers.installFrom', {
			path: resolve(file.from),
			...parseSpec(spec),
			fingerprint: file.fingerprint,
			acceptsExpired: file.acceptExpired,
			acceptsMore: file.accept,
		}),
	)
	print(context, installed, installed.map(describeInstalled).join('\n'))
}

/**
 * Returns the fingerprint of the registry that `--registry` names. A driver loads while its registry is trusted. The
 * option trusts one for a single command, but an installation stays.
 * @throws HostError `plugin/registry_for_once`
 */
async function namedRegistry(context: CommandContext): Promise<string | undefined> {
	if (!context.registry?.url && !context.registry?.key) return undefined
	const { url, fingerprint } = await defaultRegistry(context)
	const kept = await withHost({ ...context, registry: undefined }, host => host.call('registries.list', {}))
	if (kept.some(registry => registry.fingerprint === fingerprint)) return fingerprint
	throw pluginErrors.make('registry_for_once', { registry: url, fingerprint })
}

type InstalledHere = Installed & { readonly id: string }

/** Permissions are printed once: all at the first installation, then only additions. */
function describeInstalled({ id, version, mayUse, since }: InstalledHere): string {
	return [`Installed ${id} ${version}.`, ...(since ? describeGain(since) : indented('It may use:', mayUse))].join('\n')
}

const describeGain = ({ version, newlyMayUse }: NonNullable<Installed['since']>) =>
	newlyMayUse.length > 0 ? indented(`It may do more than ${version}:`, newlyMayUse) : []

const indented = (heading: string, lines: readonly string[]) => [heading, ...lines.map(line => `  ${line}`)]

function parseSpec(spec: string) {
	const [name = '', range] = spec.split('@')
	const [id, publisher] = name.split('/').reverse()
	return { id: id || undefined, publisher, range }
}

/** Installs the latest release of one driver, or of all installed ones. */
export async function updatePlugins(context: CommandContext, id?: string, acceptsMore = false): Promise<void> {
	await namedRegistry(context)
	const updated = await withHost(context, async host => {
		const { offers } = await host.call('drivers.browse', {})
		const wanted = offers.filter(offer => offer.isUpdate && (!id || offer.manifest.id === id))
		const results = []
		for (const { manifest } of wanted)
			results.push({ id: manifest.id, ...(await host.call('drivers.install', { id: manifest.id, acceptsMore })) })
		return results
	})
	print(context, updated, updated.map(describeUpdated).join('\n') || 'Everything is up to date.')
}

const describeUpdated = ({ id, version, since }: InstalledHere) =>
	[`${id} is now ${version}.`, ...(since ? describeGain(since) : [])].join('\n')

export async function removePlugin(context: CommandContext, id: string, forgetsRegistry: boolean): Promise<void> {
	await withHost(context, host => host.call('drivers.remove', { id, forgetsRegistry }))
	print(context, { id, removed: true }, `Removed ${id}. Saved connections stay; opening one installs it again.`)
}

export async function setPluginEnabled(context: CommandContext, id: string, isEnabled: boolean): Promise<void> {
	await withHost(context, host => host.call('drivers.setEnabled', { id, isEnabled }))
	print(context, { id, isEnabled }, `${id} is ${isEnabled ? 'on' : 'off'}.`)
}

/** Prints the lock file, for another machine. */
export async function lockPlugins(context: CommandContext): Promise<void> {
	const lock = await withHost(context, host => host.call('drivers.lock', {}))
	print(context, lock, JSON.stringify(lock, null, '\t'))
}

/** Installs what `file` names, or what the lock file here names and is missing. */
export async function syncPlugins(context: CommandContext, acceptsOlder: boolean, file?: string): Promise<void> {
	await namedRegistry(context)
	const path = file ?? (await openSupportDirectory()).file('drivers.lock.json')
	const lock = await readLock(path)
	const synced = await withHost(context, host => host.call('drivers.sync', { lock, acceptsOlder }))
	const line = ({ id, version, outcome, reason }: Synced) => `${id} ${version}: ${reason ?? outcome}`
	print(context, synced, synced.map(line).join('\n') || 'The lock file names no drivers.')
	if (synced.some(({ outcome }) => outcome === 'failed')) throw usageError('Not every driver of the lock file is here.')
}

async function readLock(path: string): Promise<unknown> {
	try {
		return JSON.parse(await readFile(path, 'utf8'))
	} catch (error) {
		throw usageError(`${path} cannot be read: ${messageOf(error)}`)
	}
}

export async function verifyPlugins(context: CommandContext): Promise<void> {
	const faults = await withHost(context, host => host.call('drivers.verify', {}))
	const lines = Object.entries(faults).map(([id, fault]) => `${id}: ${fault ?? 'unaltered'}`)
	print(context, faults, lines.join('\n') || 'No drivers are installed.')
	if (Object.values(faults).some(fault => fault !== null)) throw usageError('A driver was altered; install it again.')
}

const summary = ({ manifest, ...offer }: DriverOffer) => ({
	id: manifest.id,
	displayName: manifest.displayName,
	description: manifest.description,
	publisher: manifest.publisher,
	permissions: manifest.permissions,
	...offer,
})

const line = ({ manifest, source, state, installedVersion, available, revocation }: DriverOffer) =>
	[
		`${source.publisher}/${manifest.id}`.padEnd(30),
		(installedVersion ?? available?.version ?? '').padEnd(10),
		(revocation ? (revocation.action === 'stop' ? 'stopped' : 'warned of') : state).padEnd(10),
		oneLine(revocation?.reason ?? manifest.description).replace(/\s+/g, ' '),
	].join(' ')
