import { messageOf } from '../base/errors.ts'
import type { JsonStore } from '../base/json-store.ts'
import type { Log } from '../base/log.ts'
import { sweepOwnedFolders } from '../base/owned-folder.ts'
import { type SupportDirectory, windowPrefix } from '../base/support-directory.ts'
import { sweepTemporaryFiles } from '../base/sweep.ts'
import { ActivityLog, type ActivityRecord } from './activity/activity-log.ts'
import { ConnectedClients } from './activity/connected-clients.ts'
import type { PersonDesk } from './api/consent-desk.ts'
import type { DriverUnderDevelopment } from './api/development.ts'
import type { ApiServices } from './api/methods.ts'
import { openPreferences } from './api/preferences.ts'
import { type HostSettings, openSettings } from './api/settings.ts'
import { forgetRecordsOf, openWorkspace } from './api/workspace.ts'
import { bridgeOf } from './client-setup/this-bridge.ts'
import { type AddressDesk, NetworkAccess, unattendedAddressDesk } from './connections/network-access.ts'
import { Projects } from './connections/project/projects.ts'
import { SavedConnections } from './connections/saved-connections.ts'
import { SecretSources } from './connections/secret-sources/secret-sources.ts'
import { openSecretStore, type SecretStore } from './connections/secrets.ts'
import { Sessions } from './connections/sessions.ts'
import { coreToolNames, Tokens } from './mcp/index.ts'
import { ProxiedAgent } from './network/proxied-agent.ts'
import { Tunnels } from './network/ssh/tunnels.ts'
import { noteNewestHost } from './newest-host.ts'
import { Drivers, type RegistrySource } from './plugin-loader/drivers.ts'
import { type RegistryStore, TrustedRegistries } from './plugin-loader/trusted-registries.ts'
import { MachinePolicy } from './policy/machine-policy.ts'
import { requestErrors } from './requests/errors.ts'
import { RunHistory } from './requests/history.ts'
import { RequestOffers } from './requests/offers.ts'
import { SavedRequests } from './requests/saved-requests.ts'
import { forgetVariablesOf, openVariables } from './requests/variables.ts'
import { KeptChanges } from './undo/kept-changes.ts'
import { SealedFiles } from './undo/sealed-files.ts'

/** Services of the host that need no server: what a command uses if no host runs. */
export interface Services extends ApiServices {
	readonly settings: JsonStore<HostSettings>
	readonly secrets: SecretStore
	close(): Promise<void>
}

export interface ServicesOptions {
	readonly support: SupportDirectory
	/** Opened before, by a caller that needs other settings first. */
	readonly settings?: JsonStore<HostSettings> | undefined
	/** The default registry; the user's registries follow it. */
	readonly registry: RegistrySource | undefined
	/** Asks the user what drivers may reach; without one, nothing is allowed. */
	readonly reachDesk?: AddressDesk | undefined
	readonly personDesk?: PersonDesk | undefined
	/** Ports of the host's servers, which are added while it starts. */
	readonly ownPorts?: ReadonlySet<number> | undefined
	/** The launcher's path, with which AI clients start the bridge. */
	readonly launcher?: string | undefined
	/** For tests; by default the machine's. */
	readonly policy?: MachinePolicy | undefined
	/** Set in the host of a driver under development. */
	readonly development?: DriverUnderDevelopment | undefined
	readonly log: Log
}

export async function openServices(options: ServicesOptions): Promise<Services> {
	const {
		support,
		registry,
		launcher,
		log,
		development,
		reachDesk = unattendedAddressDesk,
		personDesk = { ask: async () => ({ decision: 'unattended' }) },
		ownPorts = new Set(),
	} = options
	await sweepTemporaryFiles(support.path)
	await noteNewestHost(support)
	await sweepOwnedFolders(support.file(windowPrefix))
	const settings = options.settings ?? (await openSettings(support))
	const policy = options.policy ?? (await MachinePolicy.read())
	const secrets = await openSecretStore(support.file)
	const sources = [...(registry ? [registry] : []), ...settings.value.registries]
	const agent = new ProxiedAgent(() => settings.value.network.proxy)
	const drivers = await Drivers.open(support, sources, { log, coreToolNames, policy, agent, development })
	const registries = new TrustedRegistries({
		defaultRegistry: registry,
		store: registriesIn(settings),
		drivers,
		options: { policy, agent },
	})
	const connections = await SavedConnections.open(support.file('connections.json'), secrets)
	const tokens = await Tokens.open(support.file('tokens.json'))
	const preferences = await openPreferences(support.file('preferences.json'))
	const workspace = await openWorkspace(support.file('workspace.json'))
	const variables = await openVariables(support.file('variables.json'))
	const history = new RunHistory(support.file('history'))
	const projects = new Projects({ saved: connections, drivers })
	const requests = new SavedRequests(
		support.file('requests'),
		async connection => (await projects.requestsFolder(connection)) ?? settings.value.requests.folder,
	)
	const offers = await RequestOffers.open(support.file('offers.json'), ({ connectionId, place, path }) => {
		const { driverId } = connections.get(connectionId)
		const manifest = drivers.installed().find(({ id }) => id === driverId)
		if (!manifest) throw requestErrors.make('not_there', { name: path })
		return requests.read({ connection: connectionId, language: manifest.console }, place, path)
	})
	const keptChanges = new KeptChanges({
		files: new SealedFiles(support.file('replaced'), { secrets, now: Date.now }),
		isOn: () => policy.keepsReplaced && settings.value.mcp.keepReplaced,
	})
	if (!policy.keepsReplaced && !policy.fault) await keptChanges.clear()
	await endWithConnections({ connections, workspace, preferences, variables, history, offers, keptChanges }, log)
	await offers.look()
	requests.onChange(() => void offers.look())
	const activity = await ActivityLog.open(support)
	const record = (entry: ActivityRecord) =>
		void activity.record(entry).catch(error => log.warn(`the activity log: ${messageOf(error)}`))
	await Tunnels.sweep()
	const tunnels = new Tunnels({ desk: personDesk, passphrases: connections })
	const reaches = new NetworkAccess({
		saved: connections,
		tunnels,
		desk: reachDesk,
		ownPorts: () => [...ownPorts],
		supportPath: support.path,
		proxy: () => settings.value.network.proxy,
		note: ({ id, driverId }, address, isReached) =>
			record({
				action: isReached ? 'network.reached' : 'network.refused',
				outcome: isReached ? 'success' : 'denied',
				...(id !== undefined && { connection: id }),
				detail: `${driverId} ${address}`,
			}),
	})
	const secretSources = new SecretSources({ saved: connections, desk: personDesk })
	const sessions = new Sessions({ saved: connections, drivers, reaches, sources: secretSources })
	recordTokens(tokens, record)
	return {
		support,
		settings,
		secrets,
		drivers,
		registries,
		connections,
		projects,
		sessions,
		tokens,
		preferences,
		workspace,
		requests,
		offers,
		variables,
		history,
		keptChanges,
		activity,
		clients: new ConnectedClients(),
		hiddenByPolicy: policy.hiddenColumns,
		bridge: launcher === undefined ? undefined : bridgeOf(launcher),
		close: async () => {
			await Promise.all([sessions.releaseAll(), drivers.stopAll()])
			await tunnels.close()
			await Promise.all([activity.flush(), tokens.flush(), workspace.flush()])
		},
	}
}

type LeftBehind = Pick<
	Services,
	'connections' | 'workspace' | 'preferences' | 'variables' | 'history' | 'offers' | 'keptChanges'
>

/** Removes what a removed connection leaves behind, now and at each change. */
async function endWithConnections(services: LeftBehind, log: Log): Promise<void> {
	const { connections, workspace, preferences, variables, history, offers, keptChanges } = services
	const isThere = (id: string) => connections.list().some(saved => saved.id === id)
	const forget = () =>
		Promise.all([
			forgetRecordsOf(workspace, isThere),
			forgetRecordsOf(preferences, isThere),
			forgetVariablesOf(variables, isThere),
			history.forget(isThere),
			offers.forget(isThere),
			keptChanges.forget(isThere),
		]).catch(error => log.warn(`what connections leave behind: ${messageOf(error)}`))
	await forget()
	connections.onChange(() => void forget())
}

function recordTokens(tokens: Tokens, record: (entry: ActivityRecord) => void): void {
	tokens.onCreated(({ name, scopes }) =>
		record({ action: 'token.created', outcome: 'success', token: name, detail: scopes.join(' ') }),
	)
	tokens.onRevoked(id => {
		// A bridge's token ends with its host and was never given to a user.
		const revoked = tokens.list().find(token => token.id === id)
		if (revoked) record({ action: 'token.revoked', outcome: 'success', token: revoked.name })
	})
}

function registriesIn(settings: JsonStore<HostSettings>): RegistryStore {
	return {
		list: () => settings.value.registries,
		add: source =>
			settings.update(({ registries, ...kept }) => {
				const isKnown = registries.some(({ fingerprint }) => fingerprint === source.fingerprint)
				const moved = registries.map(known => (known.fingerprint === source.fingerprint ? source : known))
				return { ...kept, registries: isKnown ? moved : [...registries, source] }
			}),
		remove: fingerprint =>
			settings.narrow(kept => ({
				...kept,
				registries: kept.registries.filter(source => source.fingerprint !== fingerprint),
			})),
	}
}
