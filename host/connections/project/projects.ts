import { basename } from 'node:path'
import { shownValue } from '@roundhouse/kit/form'
import type { FormField, Manifest, Settings, SettingValue } from '@roundhouse/kit/manifest'
import { oneLine } from '@roundhouse/kit/shown-text'
import { z } from 'zod'
import { messageOf } from '../../../base/errors.ts'
import { parseJsonOrUndefined } from '../../../base/parse-json.ts'
import type { CallOptions } from '../../driver-runtime/driver-calls.ts'
import { isSameSsh, sharedSsh, sshLabel } from '../../network/ssh/ssh-setting.ts'
import { type HiddenColumn, isAmong, type SavedConnection, strictness } from '../connection-fields.ts'
import { sharedConnection } from '../connections-file.ts'
import { addressOf, isSame, type KnownDrivers, knownManifests } from '../connections-of-file.ts'
import { connectionErrors } from '../errors.ts'
import { type SavedConnections, split } from '../saved-connections.ts'
import {
	looksOf,
	type ProjectConnection,
	readProject,
	readProjectIfThere,
	requestsFolderOf,
	writeProject,
} from './project-file.ts'

/** What the file of a project says of one connection, as the user sees it before anything is changed. */
export interface ProjectEntry {
	/** The name that it has or gets here. */
	readonly name: string
	readonly engine: string
	readonly address: string
	/** What leads it through SSH. */
	readonly ssh?: string
	/** `joined`: a connection of the user leads there already, and becomes that of the project. */
	readonly change: 'new' | 'joined' | 'changed' | 'same'
	/** All values of a new connection, or those that change. */
	readonly values: readonly { readonly label: string; readonly value: string; readonly before?: string }[]
	/** Columns that it hides from AI clients besides. */
	readonly hides: readonly HiddenColumn[]
	/** Whether persons may write less than before. */
	readonly isStricter: boolean
	readonly needsDriver: boolean
	/** Whether its stored secrets are removed, because it leads elsewhere. */
	readonly forgetsSecrets: boolean
	/** Why nothing is done for it. */
	readonly fault?: string
}

export interface ProjectView {
	readonly folder: string
	/** Digest of the text that is shown. */
	readonly digest: string
	/** Whether the user agreed to this text on this machine. */
	readonly isAgreed: boolean
	/** Folder of statements within the project. */
	readonly requests?: string
	readonly entries: readonly ProjectEntry[]
	/** Names of connections that are no longer in the file. They stay. */
	readonly gone: readonly string[]
}

/** What a project's file gets. */
interface ProjectDraft {
	readonly folder: string
	/** Connections of this machine. */
	readonly ids: readonly string[]
	readonly requests?: string | undefined
}

/** A connection that was written to a project's file. */
export interface WrittenEntry {
	readonly id: string
	/** Its name in the file. */
	readonly name: string
	/** Labels of the values that stay on this machine. */
	readonly left: readonly string[]
}

interface Planned {
	readonly shown: ProjectEntry
	readonly entry: ProjectConnection
	readonly saved: SavedConnection | undefined
}

interface ProjectsOptions {
	readonly saved: SavedConnections
	readonly drivers: KnownDrivers
}

const longestValue = 500

const agreedSchema = z.object({ digest: z.string(), requests: z.string().exactOptional() })

/** Projects whose `roundhouse.json` the user opened on this machine. */
export class Projects {
	readonly #options: ProjectsOptions

	constructor(options: ProjectsOptions) {
		this.#options = options
	}

	/** Returns what opening a folder would do. Nothing is made or opened. @throws HostError `connection/project_unfit` */
	async read(path: string): Promise<ProjectView> {
		return (await this.#plan(path)).view
	}

	/**
	 * Does what the user was shown and agreed to. Returns the connections of the project, and those that lead elsewhere now
	 * as they were: their sessions have to be closed. @param digest of the text that was shown
	 * @throws HostError `connection/project_unfit`, `connection/project_changed`
	 */
	async open(
		{ folder: path, digest }: { readonly folder: string; readonly digest: string },
		call: CallOptions,
	): Promise<{ readonly opened: readonly SavedConnection[]; readonly moved: readonly SavedConnection[] }> {
		const { saved, drivers } = this.#options
		const { view, planned } = await this.#plan(path)
		if (view.digest !== digest) throw connectionErrors.make('project_changed', { path: oneLine(view.folder) })
		if (view.requests !== undefined) await requestsFolderOf(view.folder, view.requests, 'made')
		const todo = planned.filter(({ shown }) => shown.fault === undefined)
		// What hides and forbids holds first, also if the rest fails.
		for (const { shown, entry, saved: there } of todo) {
			if (!there) continue
			await saved.hideColumns(there.id, { hide: shown.hides, show: [] })
			if (shown.isStricter) await saved.update(there.id, guardsOf(there, entry), await manifestOf(drivers, entry, call))
		}
		const opened: string[] = []
		const moved: SavedConnection[] = []
		for (const { shown, entry, saved: there } of todo) {
			const manifest = await manifestOf(drivers, entry, call)
			let id = there?.id
			if (!there) {
				const [made] = await saved.import([[{ ...entry, name: shown.name }, manifest]])
				id = made?.id
			} else if (shown.change === 'changed') {
				// The server there must not get what another one was given.
				const forgotten = Object.fromEntries(there.secretKeys.map(key => [key, '']))
				const settings = { ...there.settings, ...entry.settings, ...forgotten }
				// A key file is for the server that it was chosen for.
				const ssh = isOtherWay(there, entry) ? { ssh: entry.ssh } : {}
				await saved.update(there.id, { settings, secretSources: {}, reach: [], ...ssh }, manifest)
				moved.push(there)
			}
			if (id === undefined) continue
			if (shown.change !== 'same') await saved.join(id, { folder: view.folder, name: entry.name })
			opened.push(id)
		}
		await this.#agree(view.folder, { digest, requests: view.requests })
		return { opened: opened.map(id => saved.get(id)), moved }
	}

	/**
	 * Writes connections into the file of a folder: without secrets, paths of this machine and what AI clients may do, with
	 * the hosts of a way through SSH. What the file has besides stays, also each mark of a hidden column. The user has agreed
	 * to what he writes.
	 * @param requests folder of statements within the project; absent: that of the file stays
	 * @throws HostError `connection/project_unfit`, `connection/project_unwritten`, `connection/unknown`
	 */
	async write(
		{ folder: path, ids, requests: asked }: ProjectDraft,
		call: CallOptions,
	): Promise<{ readonly folder: string; readonly written: readonly WrittenEntry[] }> {
		const { saved, drivers } = this.#options
		const before = await readProjectIfThere(path)
		const { folder, file } = before
		const refuse = (reason: string) => connectionErrors.make('project_unwritten', { path: oneLine(folder), reason })
		const connections = [...(file?.connections ?? [])]
		const written: WrittenEntry[] = []
		for (const connection of ids.map(id => saved.get(id))) {
			const manifest = await manifestOf(drivers, connection, call)
			const name = connection.project?.folder === folder ? connection.project.name : connection.name
			const { entry, left } = sharedEntry({ ...connection, name }, manifest)
			const index = connections.findIndex(other => looksOf(other.name) === looksOf(name))
			const there = connections[index]
			if (there === undefined) connections.push(entry)
			else {
				const isSameOne = connection.project?.folder === folder || leadsThere(manifest, connection, there)
				if (!isSameOne) throw refuse(`it has another connection with the name ${oneLine(name)}`)
				connections[index] = mergedEntry(there, { ...entry, name: there.name })
			}
			written.push({ id: connection.id, name: there?.name ?? name, left })
		}
		const requests = asked ?? file?.requests
		if (requests !== undefined) await requestsFolderOf(folder, requests, 'made', refuse)
		const isAgreed = file === undefined || (await this.#agreed(folder))?.digest === before.digest
		const digest = await writeProject(folder, { connections, ...(requests !== undefined && { requests }) })
		for (const { id, name } of written) {
			if (saved.get(id).project === undefined) await saved.join(id, { folder, name })
		}
		// What others wrote into it is shown first.
		if (isAgreed) await this.#agree(folder, { digest, requests })
		return { folder, written }
	}

	/**
	 * Returns the folder of the statements of a connection's project, if the user agreed to one.
	 * @throws HostError `connection/project_unfit`
	 */
	async requestsFolder(connectionId: string): Promise<string | undefined> {
		const folder = this.#options.saved.find(connectionId)?.project?.folder
		const requests = folder === undefined ? undefined : (await this.#agreed(folder))?.requests
		return folder === undefined || requests === undefined ? undefined : requestsFolderOf(folder, requests)
	}

	#agree(folder: string, { digest, requests }: { readonly digest: string; readonly requests: string | undefined }) {
		const agreed = { digest, ...(requests !== undefined && { requests }) }
		return this.#options.saved.agreeToProject(folder, JSON.stringify(agreed))
	}

	async #agreed(folder: string) {
		return agreedSchema.safeParse(parseJsonOrUndefined((await this.#options.saved.agreedProject(folder)) ?? '')).data
	}

	async #plan(path: string): Promise<{ readonly view: ProjectView; readonly planned: readonly Planned[] }> {
		const { folder, file, digest } = await readProject(path)
		const { requests } = file
		if (requests !== undefined) await requestsFolderOf(folder, requests, 'fine')
		const all = this.#options.saved.list()
		const { manifests, isInstalled } = await knownManifests(this.#options.drivers, installed =>
			file.connections.every(({ driverId }) => installed.some(({ id }) => id === driverId)),
		)
		const planned: Planned[] = []
		for (const entry of file.connections) {
			const manifest = manifests.find(({ id }) => id === entry.driverId)
			const others = all.filter(({ id }) => !planned.some(({ saved }) => saved?.id === id))
			const own = others.find(({ project }) => project?.folder === folder && project.name === entry.name)
			const saved = own ?? (manifest && others.find(other => !other.project && leadsThere(manifest, other, entry)))
			const change = own ? 'same' : saved ? 'joined' : 'new'
			const shown = entryOf(entry, { manifest, saved, change, folder, taken: all })
			planned.push({ shown: { ...shown, needsDriver: manifest !== undefined && !isInstalled(manifest) }, entry, saved })
		}
		const gone = all.filter(
			({ id, project }) => project?.folder === folder && !planned.some(({ saved }) => saved?.id === id),
		)
		const view = {
			folder,
			digest,
			isAgreed: (await this.#agreed(folder))?.digest === digest,
			...(requests !== undefined && { requests }),
			entries: planned.map(({ shown }) => shown),
			gone: gone.map(({ name }) => name),
		}
		return { view, planned }
	}
}

function entryOf(
	entry: ProjectConnection,
	{
		manifest,
		saved,
		change,
		folder,
		taken,
	}: {
		readonly manifest: Manifest | undefined
		readonly saved: SavedConnection | undefined
		readonly change: 'new' | 'joined' | 'same'
		readonly folder: string
		readonly taken: readonly SavedConnection[]
	},
): Omit<ProjectEntry, 'needsDriver'> {
	const { driverId, settings, hiddenColumns = [] } = entry
	const isTaken = taken.some(({ name }) => looksOf(name) === looksOf(entry.name))
	// Beside one that looks the same, the user sees where it is from.
	const name = saved?.name ?? (isTaken ? `${entry.name} (${oneLine(basename(folder)).slice(0, 60)})` : entry.name)
	const hides = hiddenColumns.filter(mark => !isAmong(saved?.hiddenColumns ?? [], mark))
	const base = { name, change, values: [], hides, isStricter: false, forgetsSecrets: false }
	const broken = (engine: string, fault: string) => ({ ...base, engine, address: '', fault })
	if (!manifest) return broken(oneLine(driverId), `no driver is known for ${oneLine(driverId)}`)
	const { form, displayName: engine } = manifest
	if (saved && saved.driverId !== driverId)
		return broken(engine, 'its driver would change. Remove the connection first')
	const noWay = entry.ssh && !manifest.takesSsh ? 'its driver takes no way through SSH' : undefined
	const fault = faultOf(form, settings) ?? noWay
	if (fault !== undefined) return broken(engine, fault)
	const address = entry.isSample ? 'Sample' : addressOf(manifest, { ...saved?.settings, ...settings })
	const way = entry.isSample ? undefined : (entry.ssh ?? saved?.ssh)
	const given = form.filter(({ key }) => key in settings)
	const before = (key: string) => (saved ? shownValue(form, saved.settings, key) : undefined)
	const changed = given
		.filter(({ key }) => String(before(key) ?? '') !== String(settings[key]))
		.map(({ key, label }) => {
			const was = before(key)
			return {
				label,
				value: oneLine(String(settings[key])),
				...(was !== undefined && { before: oneLine(String(was)) }),
			}
		})
	const values = [...changed, ...wayOf(saved, entry)]
	const isChanged = saved !== undefined && change === 'same' && values.length > 0
	return {
		...base,
		engine,
		address,
		...(way && { ssh: sshLabel(way) }),
		change: isChanged ? 'changed' : change,
		values: change === 'joined' ? [] : values,
		isStricter: saved !== undefined && Object.keys(guardsOf(saved, entry)).length > 0,
		forgetsSecrets: isChanged && (saved.secretKeys.length > 0 || Object.keys(saved.secretSources).length > 0),
	}
}

/** A file that says nothing of SSH leaves the way of this machine. */
const isOtherWay = (saved: SavedConnection | undefined, { ssh }: ProjectConnection) =>
	ssh !== undefined && !isSameSsh(saved?.ssh, ssh)

/** Returns the way through SSH of a new connection, or what changes of it. */
function wayOf(saved: SavedConnection | undefined, entry: ProjectConnection): ProjectEntry['values'] {
	if (!entry.ssh || !isOtherWay(saved, entry)) return []
	const parts = [
		{ label: 'SSH server', value: entry.ssh.destination, before: saved?.ssh?.destination ?? '' },
		{ label: 'Jump hosts', value: entry.ssh.jump ?? '', before: saved?.ssh?.jump ?? '' },
	]
	return parts
		.filter(({ value, before }) => value !== before)
		.map(({ label, value, before }) => ({ label, value, ...(saved && { before }) }))
}

/** A file that anyone may have written names no file, socket or secret of this machine. */
function faultOf(form: readonly FormField[], settings: Settings): string | undefined {
	for (const [key, value] of Object.entries(settings)) {
		const field = form.find(field => field.key === key)
		if (!field) continue
		const fault = faultOfValue(field, value)
		if (fault !== undefined) return `${field.label} ${fault}`
	}
	try {
		split(form, settings)
	} catch (error) {
		return messageOf(error).replace(/\.$/, '')
	}
	return undefined
}

function faultOfValue(field: FormField, value: SettingValue): string | undefined {
	const isPlace = field.type === 'file' || field.type === 'folder' || field.access || field.isSocketPath
	if (value !== '' && isPlace) return 'is a path of this machine. Enter it in the form'
	if (value !== '' && field.type === 'secret') return 'is a secret. Enter it in the form'
	// The user reads the whole value.
	if (String(value).length > longestValue || oneLine(String(value)) !== String(value))
		return 'is too long, or has characters that are not shown'
	return undefined
}

/** Returns what a project's file gets of a connection, and the labels of what stays on this machine. */
function sharedEntry(
	connection: SavedConnection,
	{ form }: Manifest,
): { readonly entry: ProjectConnection; readonly left: readonly string[] } {
	const shared = sharedConnection(connection)
	const { settings, secretKeys, secretSources, ssh, proxy } = connection
	const isShared = ([key, value]: readonly [string, SettingValue]) => {
		const field = form.find(field => field.key === key)
		return field !== undefined && faultOfValue(field, value) === undefined
	}
	const left = form.filter(({ key }) => {
		const value = settings[key] ?? ''
		return (value !== '' && !isShared([key, value])) || secretKeys.includes(key) || key in secretSources
	})
	return {
		entry: {
			...shared,
			settings: Object.fromEntries(Object.entries(shared.settings).filter(isShared)),
			...(ssh && { ssh: sharedSsh(ssh) }),
		},
		left: [
			...left.map(({ label }) => label),
			...(ssh?.identityFile === undefined ? [] : ['Key file of SSH']),
			...(proxy ? ['Proxy'] : []),
		],
	}
}

/** Returns an entry of the file with that of a connection in its place. It hides and forbids no less than before. */
function mergedEntry(before: ProjectConnection, after: ProjectConnection): ProjectConnection {
	const { hiddenColumns = [] } = before
	const hides = [...hiddenColumns, ...(after.hiddenColumns ?? []).filter(mark => !isAmong(hiddenColumns, mark))]
	const modes = [before.safeMode, after.safeMode].filter(mode => mode !== undefined)
	const safeMode = strictness.safeMode.find(mode => modes.includes(mode))
	return {
		...after,
		...(before.isProduction && { isProduction: true }),
		...(safeMode && { safeMode }),
		...(hides.length > 0 && { hiddenColumns: hides }),
	}
}

const leadsThere = (manifest: Manifest, saved: SavedConnection, entry: ProjectConnection) =>
	saved.driverId === entry.driverId &&
	saved.isSample === (entry.isSample ?? false) &&
	isSame(manifest, saved.settings, entry.settings) &&
	!isOtherWay(saved, entry)

/** Returns what the file forbids persons besides. It never allows more. */
function guardsOf({ safeMode, isProduction }: SavedConnection, entry: ProjectConnection) {
	const { safeMode: asked = safeMode, isProduction: marks = false } = entry
	const isStricter = strictness.safeMode.indexOf(asked) < strictness.safeMode.indexOf(safeMode)
	return {
		...(isStricter && { safeMode: asked }),
		...(marks && !isProduction && { isProduction: true }),
	}
}

function manifestOf(
	drivers: KnownDrivers,
	{ driverId }: { readonly driverId: string },
	call: CallOptions,
): Promise<Manifest> {
	return drivers.ensure(driverId, call)
}
