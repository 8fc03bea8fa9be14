import { publishControl } from '../base/control-file.ts'
import type { FileLock } from '../base/file-lock.ts'
import { hostApi, hostVersion } from '../base/version.ts'
import type { AppInfo, Entry } from './api/api.ts'
import { WindowDesk } from './api/consent-desk.ts'
import { Exports } from './api/exports.ts'
import { hostMethods, type RunningHost } from './api/methods.ts'
import { type OpenAddress, PairingDesk } from './api/pairing-desk.ts'
import { type HostSettings, narrowsAccess, openSettings, type SettingChange, withSetting } from './api/settings.ts'
import { Showings } from './api/showings.ts'
import { ViewLinks } from './api/view-links.ts'
import { forgetExport } from './api/workspace.ts'
import { chosenFolder, ExportFolder } from './exports/export-folder.ts'
import { type McpEndpoint, Pairing, StateFile, startMcpEndpoint } from './mcp/index.ts'
import { MachinePolicy } from './policy/machine-policy.ts'
import { RunningWork } from './running-work.ts'
import { openServices, type Services, type ServicesOptions } from './services.ts'
import { Door } from './ui-server/door.ts'
import { startUiServer, type UiServer } from './ui-server/server.ts'
import { takeWindowAddress } from './ui-server/window-address.ts'

/**
 * The composition root: creates and joins the services. They stop in reverse order, also if a later part fails to
 * start.
 */

export interface HostOptions extends Omit<ServicesOptions, 'settings' | 'reachDesk' | 'personDesk' | 'ownPorts'> {
	/** The lock of the support directory; released when the host has stopped or could not start. */
	readonly lock: FileLock
	/** Whether a window is served; commands always are. */
	readonly hasWindow?: boolean
	readonly mcpPort?: number | undefined
	readonly uiPort?: number | undefined
	/** Delivers a pairing's answer to the program that asked. */
	readonly openAddress?: OpenAddress | undefined
	/** Opens a window for a question of an AI client if none is open; returns whether it succeeded. */
	readonly openWindow?: ((url: string) => Promise<boolean>) | undefined
}

export interface Host {
	readonly services: Services
	readonly info: AppInfo
	/** The address of the window's port. It admits no browser. */
	readonly uiOrigin: string
	/** Returns an address that admits one browser, once. */
	entry(): Entry
	/**
	 * Returns whether a window or command is connected, a request waits for its answer, or a client has called since
	 * then.
	 */
	isUsedSince(time: number): boolean
	/** Shows a `roundhouse://pair` link to the user. @throws HostError `pairing/…` */
	pair(link: string): Promise<unknown>
	/** Passes a link to a saved view to the first window. */
	offerViewLink(link: string): void
	/** Settles when a user asked to stop the host, and no request runs. The owner of the host then stops it. */
	readonly stopAsked: Promise<void>
	stop(): Promise<void>
}

export async function startHost(options: HostOptions): Promise<Host> {
	const { support, log, development } = options
	const name = development ? 'Roundhouse (development)' : 'Roundhouse'
	await using starting = new AsyncDisposableStack()
	starting.use(options.lock)
	const settings = await openSettings(support)
	const { mcp, ui } = settings.value
	const policy = options.policy ?? (await MachinePolicy.read())
	const aiRefusal = policy.aiRefusal()?.message
	const hasWindow = options.hasWindow ?? true
	const taken = await takeWindowAddress(support.file('window.json'), options.uiPort ?? ui.port)
	const uiPort = starting.use(taken.port)
	const door = new Door(taken.place, hasWindow)
	const openWindow = async () => hasWindow && ((await options.openWindow?.(door.entry().url)) ?? false)
	const desk = new WindowDesk(openWindow)
	const showings = new Showings(() => desk.hasWindow, openWindow)
	const ownPorts = new Set([uiPort.port])
	const services = await openServices({ ...options, policy, settings, reachDesk: desk, personDesk: desk, ownPorts })
	starting.defer(() => services.close())
	const { connections, sessions, drivers, tokens, offers, activity, clients, keptChanges } = services
	const endpoint = await startMcpEndpoint({
		support,
		connections,
		sessions,
		drivers,
		tokens,
		offers,
		activity,
		clients,
		log,
		desk,
		showDesk: showings,
		keptChanges,
		stateFile: new StateFile(support.file('call-states'), services.secrets),
		exports: new ExportFolder(() => settings.value.exports),
		port: options.mcpPort ?? mcp.port,
		settings: mcp,
		...(aiRefusal && { refusal: aiRefusal }),
		hiddenByPolicy: policy.hiddenColumns,
		server: { name: 'roundhouse', title: name, version: hostVersion },
	})
	starting.defer(() => endpoint.close())
	ownPorts.add(endpoint.port)
	const info: AppInfo = {
		name,
		version: hostVersion,
		api: hostApi,
		home: support.path,
		secretStore: services.secrets.description,
		mcp: { url: endpoint.url, port: endpoint.port, ...(aiRefusal && { refusal: aiRefusal }) },
	}
	const exports = new Exports()
	exports.onChange(({ id, state }) => state === 'done' && void forgetExport(services.workspace, id))
	const work = new RunningWork(() => endpoint.runningCalls() + window.runningCalls())
	const deliver = options.openAddress ?? (async () => {})
	const pairing = new PairingDesk(new Pairing(tokens), deliver, () => desk.ensureWindow())
	const running: RunningHost = {
		pairing,
		showings,
		viewLinks: new ViewLinks(),
		exports,
		endpoint,
		desk,
		info: () => ({ ...info, ...(development && { development: development.view }) }),
		entry: () => door.entry(),
		wayBack: door.wayBack,
		stopWhenIdle: () => work.endWhenIdle(),
		tellWorkspace: change => window.emit('workspace.changed', change),
		settings: () => settings.value,
		change: async asked => {
			const { key } = await changeSetting(asked, services, endpoint)
			if (key === 'requests.folder') window.emit('requests.changed', null)
		},
	}
	const window = await startUiServer({
		port: uiPort,
		door,
		hasWindow,
		sessions,
		exports,
		methods: hostMethods(services, () => running),
		onWindow: () => desk.attach(),
	})
	starting.defer(() => window.close())
	notifyWindow(window, services, running)
	if (development) starting.use(development.onChange(view => window.emit('development.changed', view)))
	endStaleShowings(showings, services)
	const { commandKey, origin } = door
	starting.use(await publishControl(support, { pid: process.pid, port: uiPort.port, key: commandKey }))
	const started = starting.move()
	return {
		services,
		info,
		uiOrigin: origin,
		entry: () => door.entry(),
		isUsedSince: time => {
			const [last] = clients.list()
			const isCalled = last !== undefined && Date.parse(last.lastSeen) >= time
			return isCalled || window.callers() > 0 || endpoint.runningCalls() > 0
		},
		pair: link => pairing.begin(link),
		offerViewLink: link => running.viewLinks.offer(link),
		stopAsked: work.ended,
		stop: () => {
			// At once: a command that connects while the parts stop would lose its call. It waits for the lock instead.
			window.close()
			return started.disposeAsync()
		},
	}
}

/** Changes a setting and returns it as it was written. @throws HostError `export/…`, `request/…` */
async function changeSetting(asked: SettingChange, services: Services, endpoint: McpEndpoint): Promise<SettingChange> {
	const { settings } = services
	const changed = await usable(asked, services)
	const change = (kept: HostSettings) => withSetting(kept, changed)
	// What takes access away takes effect before it is written; what gives access is written first.
	const written = narrowsAccess(changed) ? settings.narrow(change) : await settings.update(change)
	if (changed.key.startsWith('mcp.')) endpoint.configure(settings.value.mcp)
	await written
	if (changed.key === 'mcp.keepReplaced' && !changed.value) await services.keptChanges.clear()
	return changed
}

/** Checks what a setting names outside of the settings. @throws HostError `export/…`, `request/…` */
async function usable(change: SettingChange, { requests }: Services): Promise<SettingChange> {
	if (change.key === 'exports.folder') return { ...change, value: await chosenFolder(change.value) }
	if (change.key === 'requests.folder') await requests.assertUsable(change.value)
	return change
}

/** Sends changes of the services to every window. */
function notifyWindow(window: UiServer, services: Services, running: RunningHost): void {
	const { drivers, connections, requests, offers, activity, sessions } = services
	const { exports, pairing, showings, viewLinks, desk } = running
	exports.onChange(state => window.emit('export.changed', state))
	pairing.onChange(() => window.emit('pairing.changed', null))
	showings.onChange(() => window.emit('showings.changed', null))
	viewLinks.onChange(() => window.emit('viewLinks.changed', null))
	desk.onChange(() => window.emit('consent.changed', null))
	drivers.onChange(() => window.emit('drivers.changed', null))
	connections.onChange(() => window.emit('connections.changed', null))
	requests.onChange(() => window.emit('requests.changed', null))
	offers.onChange(() => window.emit('requests.changed', null))
	activity.onEntry(entry => window.emit('activity.entry', entry))
	sessions.onState(({ connectionId, state }) => window.emit('session.state', { connection: connectionId, state }))
}

/** Removes what AI clients offered to show when their token or the connection no longer allows it. */
function endStaleShowings(showings: Showings, { tokens, connections }: Services): void {
	tokens.onRevoked(id => showings.forget(id))
	const isForClients = (id: string) => (connections.find(id)?.aiPolicy ?? 'never') !== 'never'
	connections.onChange(() => showings.keepOnly(({ id }) => isForClients(id)))
}
