import { publishControl } from './base/control-file.ts'
import type { FileLock } from './base/file-lock.ts'
import { hostVersion } from './base/version.ts'
import { chosenFolder, ExportFolder } from './exports/export-folder.ts'
import { Pairing, startMcpEndpoint } from './mcp/index.ts'
import { MachinePolicy } from './policy/machine-policy.ts'
import { openServices, type Services, type ServicesOptions } from './services.ts'
import { type HostSettings, isNarrowing, openSettings } from './settings.ts'
import type { AppInfo } from './ui-server/api.ts'
import { WindowDesk } from './ui-server/consent-desk.ts'
import { Door, type Entry } from './ui-server/door.ts'
import { Exports } from './ui-server/exports.ts'
import { hostMethods, type RunningHost } from './ui-server/methods.ts'
import { type OpenAddress, PairingDesk } from './ui-server/pairing-desk.ts'
import { startUiServer } from './ui-server/server.ts'
import { Showings } from './ui-server/showings.ts'
import { takeWindowPlace } from './ui-server/window-place.ts'

/**
 * The composition root: the one place where the services are made and joined. What starts is stopped in the reverse
 * order, also when a later part fails to start.
 */

export interface HostOptions extends Omit<ServicesOptions, 'settings' | 'reachDesk' | 'ownPorts'> {
	/** The support directory's; the host lets go of it when it has stopped, or could not start. */
	readonly lock: FileLock
	/** Whether a window is served; commands are in any case. */
	readonly hasWindow?: boolean
	readonly mcpPort?: number | undefined
	readonly uiPort?: number | undefined
	/** Takes a pairing's answer to the program that asked. */
	readonly openAddress?: OpenAddress | undefined
	/** Opens a window for a question of an AI client where none is open; says whether it could. */
	readonly openWindow?: ((url: string) => Promise<boolean>) | undefined
}

export interface Host {
	readonly services: Services
	readonly info: AppInfo
	/** The address of the window's port. It lets nobody in. */
	readonly uiOrigin: string
	/** An address that lets one browser in, once. */
	entry(): Entry
	/** Whether a window or a command is connected, a request waits for its answer, or a client has called since then. */
	isUsedSince(time: number): boolean
	/** Puts a `roundhouse://pair` link before the person. @throws HostError `pairing/…` */
	pair(link: string): Promise<unknown>
	stop(): Promise<void>
}

export async function startHost(options: HostOptions): Promise<Host> {
	await using starting = new AsyncDisposableStack()
	starting.use(options.lock)
	const settings = await openSettings(options.support)
	const { mcp, ui } = settings.value
	const policy = options.policy ?? (await MachinePolicy.read())
	const aiRefusal = policy.aiRefusal()?.message
	const hasWindow = options.hasWindow ?? true
	const taken = await takeWindowPlace(options.support.file('window.json'), options.uiPort ?? ui.port)
	const uiPort = starting.use(taken.port)
	const door = new Door(taken.place, hasWindow)
	const openWindow = async () => hasWindow && ((await options.openWindow?.(door.entry().url)) ?? false)
	const desk = new WindowDesk(openWindow)
	const showings = new Showings(() => desk.hasWindow, openWindow)
	const ownPorts = new Set([uiPort.port])
	const services = await openServices({ ...options, policy, settings, reachDesk: desk, ownPorts })
	starting.defer(() => services.close())
	const endpoint = await startMcpEndpoint({
		desk,
		showDesk: showings,
		activity: services.activity,
		exports: new ExportFolder(() => settings.value.exports),
		clients: services.clients,
		support: options.support,
		connections: services.connections,
		sessions: services.sessions,
		drivers: services.drivers,
		tokens: services.tokens,
		offers: services.offers,
		log: options.log,
		port: options.mcpPort ?? mcp.port,
		settings: mcp,
		...(aiRefusal && { refusal: aiRefusal }),
		server: { name: 'roundhouse', title: 'Roundhouse', version: hostVersion },
	})
	starting.defer(() => endpoint.close())
	ownPorts.add(endpoint.port)
	const info: AppInfo = {
		name: 'Roundhouse',
		version: hostVersion,
		home: options.support.path,
		secretStore: services.secrets.description,
		mcp: { url: endpoint.url, port: endpoint.port, ...(aiRefusal && { refusal: aiRefusal }) },
	}
	const exports = new Exports(services.sessions)
	const pairing = new PairingDesk(new Pairing(services.tokens), options.openAddress ?? (async () => {}), () =>
		desk.ensureWindow(),
	)
	const running: RunningHost = {
		info,
		entry: () => door.entry(),
		wayBack: door.wayBack,
		pairing,
		showings,
		exports,
		tellWorkspace: change => window.emit('workspace.changed', change),
		endpoint,
		desk,
		settings: () => services.settings.value.mcp,
		configure: async changed => {
			const change = (settings: HostSettings) => ({ ...settings, mcp: { ...settings.mcp, ...changed } })
			// What keeps AI clients out does so at once; what lets them in is written first.
			const written = isNarrowing(changed) ? services.settings.narrow(change) : await services.settings.update(change)
			endpoint.configure(changed)
			await written
		},
		proxy: () => settings.value.network.proxy,
		setProxy: async proxy => {
			await settings.update(kept => ({ ...kept, network: { proxy } }))
		},
		requestsFolder: () => settings.value.requests.folder,
		setRequestsFolder: async folder => {
			await services.requests.assertUsable(folder)
			await settings.update(kept => ({ ...kept, requests: { folder } }))
			window.emit('requests.changed', null)
		},
		exportSettings: () => settings.value.exports,
		setExportSettings: async ({ folder, asks }) => {
			const changed = {
				...(folder !== undefined && { folder: await chosenFolder(folder) }),
				...(asks !== undefined && { asks }),
			}
			const change = (kept: HostSettings) => ({ ...kept, exports: { ...kept.exports, ...changed } })
			// What takes away from AI clients does so at once; what gives is written first.
			const isNarrower = !changed.folder && asks !== false
			await (isNarrower ? settings.narrow(change) : settings.update(change))
		},
	}
	const window = await startUiServer({
		port: uiPort,
		door,
		hasWindow,
		methods: hostMethods(services, () => running),
		sessions: services.sessions,
		exports,
		onWindow: () => desk.attach(),
	})
	starting.defer(() => window.close())
	exports.onChange(state => window.emit('export.changed', state))
	pairing.onChange(() => window.emit('pairing.changed', null))
	showings.onChange(() => window.emit('showings.changed', null))
	services.tokens.onRevoked(id => showings.forget(id))
	const isForClients = (id: string) => (services.connections.find(id)?.aiPolicy ?? 'never') !== 'never'
	services.connections.onChange(() => showings.keepOnly(({ id }) => isForClients(id)))
	desk.onChange(() => window.emit('consent.changed', null))
	services.drivers.onChange(() => window.emit('drivers.changed', null))
	services.connections.onChange(() => window.emit('connections.changed', null))
	services.requests.onChange(() => window.emit('requests.changed', null))
	services.offers.onChange(() => window.emit('requests.changed', null))
	services.activity.onEntry(entry => window.emit('activity.entry', entry))
	services.sessions.onState(({ connectionId, state }) =>
		window.emit('session.state', { connection: connectionId, state }),
	)
	const { commandKey, origin } = door
	starting.use(await publishControl(options.support, { pid: process.pid, port: uiPort.port, key: commandKey }))
	const started = starting.move()
	return {
		services,
		info,
		uiOrigin: origin,
		entry: () => door.entry(),
		isUsedSince: time => {
			const [last] = services.clients.list()
			const isCalled = last !== undefined && Date.parse(last.lastSeen) >= time
			return isCalled || window.callers() > 0 || endpoint.runningCalls() > 0
		},
		pair: link => pairing.begin(link),
		stop: () => started.disposeAsync(),
	}
}
