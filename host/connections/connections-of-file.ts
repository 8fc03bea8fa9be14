import { dirname } from 'node:path'
import { withShownDefaults } from '@roundhouse/kit/form'
import type { FormField, Manifest, Settings } from '@roundhouse/kit/manifest'
import { oneLine } from '@roundhouse/kit/shown-text'
import { parseJsonOrUndefined } from '../../base/parse-json.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { addressesOf, labelOf, socketPathsOf } from '../network/address.ts'
import { isSameSsh, sshLabel } from '../network/ssh/ssh-setting.ts'
import type { ConnectionDraft, SavedConnection } from './connection-fields.ts'
import { readConnectionsFile } from './connections-file.ts'
import type { ForeignConnection } from './foreign/foreign-connection.ts'
import { unfit } from './foreign/foreign-connection.ts'
import { driverFor, isFolder, valuesOf } from './foreign/form-values.ts'
import { type ChosenFile, readForeign } from './foreign/read-foreign.ts'
import { readAddress } from './read-address.ts'
import type { DriverHost } from './sessions.ts'

/** A connection of a file, as the user sees it before anything is made. It has no secret. */
export interface FileConnection {
	readonly name: string
	/** Empty for none. */
	readonly group: string
	/** The name of the engine for people, or the word of the file if no driver is known. */
	readonly engine: string
	/** Where it leads, with the database and the user. */
	readonly address: string
	/** What leads it through SSH. */
	readonly ssh?: string
	/** What the file says besides, and is not taken over. */
	readonly left: readonly string[]
	/** Whether the file has a secret of it in clear. */
	readonly hasSecret: boolean
	/** Whether a saved connection has the same driver, address, database and user. */
	readonly isSaved: boolean
	/** Whether importing it downloads the driver. */
	readonly needsDriver: boolean
	/** Why it cannot be imported. */
	readonly fault?: string
}

export interface FileContents {
	/** The program that wrote the file, or its kind. */
	readonly source: string
	readonly connections: readonly FileConnection[]
}

export interface Choice {
	/** Places in the list of the file's connections. */
	readonly chosen: readonly number[]
	/** Whether secrets that the file has in clear are stored. */
	readonly takesSecrets: boolean
}

/** Drivers that are installed or offered. */
export interface KnownDrivers extends DriverHost {
	browse(): Promise<{ readonly offers: readonly { readonly manifest: Manifest; readonly state: string }[] }>
}

/** A connection of the file, with the draft of what is made of it. */
interface Candidate {
	readonly shown: FileConnection
	/** Absent if it cannot be imported. */
	readonly driverId?: string
	draft(manifest: Manifest, takesSecrets: boolean): Promise<ConnectionDraft>
}

interface Around {
	readonly drivers: KnownDrivers
	readonly saved: readonly SavedConnection[]
}

/**
 * Lists what a file of connections has: an export of this program, or a file of another one. Nothing is made or opened.
 * @throws HostError `connection/import_unfit`
 */
export async function connectionsOf(file: ChosenFile, around: Around): Promise<FileContents> {
	const { source, candidates } = await candidatesOf(file, around)
	return { source, connections: candidates.map(({ shown }) => shown) }
}

/**
 * Returns drafts of those that the user chose. None has a command, another source of a secret, a file, a proxy, or more
 * access for AI clients than a new connection. @throws HostError `connection/import_unfit`
 */
export async function chosenDrafts(
	file: ChosenFile,
	{ chosen, takesSecrets }: Choice,
	around: Around & { readonly call: CallOptions },
): Promise<readonly (readonly [ConnectionDraft, Manifest])[]> {
	const { candidates } = await candidatesOf(file, around)
	const drafts: (readonly [ConnectionDraft, Manifest])[] = []
	for (const place of new Set(chosen)) {
		const candidate = candidates[place]
		if (candidate?.driverId === undefined) throw unfit(`Connection ${place + 1} of the file cannot be imported.`)
		const manifest = await around.drivers.ensure(candidate.driverId, around.call)
		drafts.push([await candidate.draft(manifest, takesSecrets), manifest])
	}
	return drafts
}

async function candidatesOf(file: ChosenFile, around: Around) {
	const own = parseJsonOrUndefined(file.text)
	const isOwn = typeof own === 'object' && own !== null && 'format' in own
	const read = isOwn ? { source: 'Roundhouse', connections: [] } : readForeign(file)
	const drafts = isOwn ? readConnectionsFile(own).connections : []
	const { manifests, isInstalled } = await knownManifests(
		around.drivers,
		installed =>
			drafts.every(({ driverId }) => installed.some(({ id }) => id === driverId)) &&
			read.connections.every(connection => driverFor(installed, connection)),
	)
	const candidates: readonly Candidate[] = isOwn
		? drafts.map(draft => {
				const manifest = manifests.find(({ id }) => id === draft.driverId)
				return ownCandidate(draft, manifest, {
					...around,
					needsDriver: manifest !== undefined && !isInstalled(manifest),
				})
			})
		: read.connections.flatMap(connection => {
				const manifest = driverFor(manifests, connection)
				if (!manifest) return connection.isGuess ? [] : [withoutDriver(connection)]
				return [foreignCandidate(connection, manifest, { ...around, needsDriver: !isInstalled(manifest) })]
			})
	if (candidates.length === 0) throw unfit('It has no connection that a driver is known for.')
	return { source: read.source, candidates }
}

/** Returns the manifests of installed drivers, and those of registries if the installed ones are not enough. */
export async function knownManifests(drivers: KnownDrivers, isEnough: (installed: readonly Manifest[]) => boolean) {
	const installed = drivers.installed()
	const isInstalled = ({ id }: Manifest) => installed.some(other => other.id === id)
	const offered = isEnough(installed) ? [] : (await drivers.browse()).offers.map(({ manifest }) => manifest)
	return { manifests: [...installed, ...offered.filter(manifest => !isInstalled(manifest))], isInstalled }
}

interface Fitted extends Around {
	readonly needsDriver: boolean
}

function ownCandidate(
	draft: ConnectionDraft,
	manifest: Manifest | undefined,
	{ saved, needsDriver }: Fitted,
): Candidate {
	const { name, group = '', driverId, settings, isSample = false } = draft
	const shown = { name: oneLine(name), group, left: [], hasSecret: false, needsDriver }
	if (!manifest) {
		const fault = `no driver is known for ${oneLine(driverId)}`
		return {
			shown: { ...shown, engine: oneLine(driverId), address: '', isSaved: false, fault },
			draft: async () => draft,
		}
	}
	const isSaved = saved.some(
		other => other.driverId === driverId && other.isSample === isSample && isSame(manifest, other.settings, settings),
	)
	const address = isSample ? 'Sample' : addressOf(manifest, settings)
	return { shown: { ...shown, engine: manifest.displayName, address, isSaved }, driverId, draft: async () => draft }
}

function withoutDriver(connection: ForeignConnection): Candidate {
	const { name, group, engines, host = '', url, left, secrets } = connection
	const engine = engines[0] ?? 'an unknown engine'
	return {
		shown: {
			name,
			group,
			engine,
			address: url ?? host,
			left,
			hasSecret: Object.keys(secrets).length > 0,
			isSaved: false,
			needsDriver: false,
			fault: `no driver is known for ${engine}`,
		},
		draft: () => Promise.reject(unfit(`There is no driver for ${engine}.`)),
	}
}

function foreignCandidate(
	connection: ForeignConnection,
	manifest: Manifest,
	{ drivers, saved, needsDriver }: Fitted,
): Candidate {
	const { name, group, host, url, socketPath, ssh, secrets, isReadOnly, isProduction } = connection
	const namesPlace = [host, url, socketPath].some(place => place !== undefined)
	const { settings, left } = valuesOf(manifest, connection)
	const fault =
		connection.fault ?? (ssh !== undefined && !manifest.takesSsh ? 'its driver takes no way through SSH' : undefined)
	const counts = ({ addresses, isSocketPath, takes, key }: FormField) =>
		Boolean(addresses || (isSocketPath && !isFolder(host)) || takes || isPortField(manifest, key))
	const isSaved = saved.some(
		other =>
			other.driverId === manifest.id &&
			isSameSsh(other.ssh, ssh) &&
			// Only the driver knows the name of the socket in a folder.
			(!isFolder(host) || socketPathsOf(manifest.form, other.settings).some(path => dirname(path) === host)) &&
			isSame(manifest, other.settings, settings, counts),
	)
	return {
		shown: {
			name,
			group,
			engine: manifest.displayName,
			// Without one, the form's default would stand here.
			address: namesPlace ? addressOf(manifest, settings, isFolder(host) ? host : undefined) : '',
			...(ssh && { ssh: sshLabel(ssh) }),
			left: [...connection.left, ...left],
			hasSecret: Object.keys(secrets).length > 0,
			isSaved,
			needsDriver,
			...(fault !== undefined && { fault }),
		},
		...(fault === undefined && { driverId: manifest.id }),
		async draft(manifest, takesSecrets) {
			const values = valuesOf(manifest, connection, takesSecrets ? secrets : {})
			return {
				name,
				group,
				driverId: manifest.id,
				settings: { ...values.settings, ...(isFolder(host) && (await socketOf(drivers, manifest, connection))) },
				safeMode: isReadOnly ? 'read-only' : 'ask',
				isProduction,
				...(ssh && { ssh }),
			}
		},
	}
}

/** Asks the driver for the name of its socket in a folder. */
async function socketOf(
	drivers: DriverHost,
	{ id, pastedAddress }: Manifest,
	{ name, host = '', port }: ForeignConnection,
) {
	const [scheme] = pastedAddress.schemes
	const text = `${scheme}://${encodeURIComponent(host)}${port === undefined ? '' : `:${port}`}`
	const settings = await readAddress(drivers, { id, text })
	if (!settings) throw unfit(`The driver of "${name}" cannot read the folder of its Unix socket.`)
	return settings
}

/** Whether two connections have the same values in plain fields, with what the form shows for those that are empty. */
export function isSame({ form }: Manifest, one: Settings, other: Settings, counts = (_: FormField) => true): boolean {
	const [before, after] = [one, other].map(settings => withShownDefaults(form, settings))
	return form
		.filter(field => field.type !== 'secret' && field.type !== 'file' && counts(field))
		.every(({ key }) => String(before?.[key] ?? '') === String(after?.[key] ?? ''))
}

const isPortField = ({ form }: Manifest, key: string) => form.some(({ addresses }) => addresses?.portField === key)

/** Returns `host:port/database as user`, with what the form shows for values that the file does not have. */
export function addressOf({ form }: Manifest, given: Settings, folder?: string): string {
	const settings = withShownDefaults(form, given)
	const taken = (part: 'database' | 'username') =>
		String(settings[form.find(({ takes }) => takes === part)?.key ?? ''] ?? '')
	const sockets = folder === undefined ? socketPathsOf(form, settings) : [folder]
	const places = sockets.length > 0 ? sockets : addressesOf(form, settings).map(labelOf)
	const [database, user] = [taken('database'), taken('username')]
	return oneLine(`${places.join(', ')}${database && `/${database}`}${user && ` as ${user}`}`)
}
