import { ActivityLog, type ActivityRecord } from './activity/activity-log.ts'
import { ConnectedClients } from './activity/connected-clients.ts'
import { messageOf } from './base/errors.ts'
import type { JsonStore } from './base/json-store.ts'
import type { Log } from './base/log.ts'
import { sweepOwnedFolders } from './base/owned-folder.ts'
import { type SupportDirectory, windowPrefix } from './base/support-directory.ts'
import { sweepHalfWritten } from './base/sweep.ts'
import { bridgeOf } from './client-setup/this-bridge.ts'
import { nobodyAtDesk, type ReachDesk, Reaches } from './connections/reaches.ts'
import { SavedConnections } from './connections/saved-connections.ts'
import { openSecretStore, type SecretStore } from './connections/secrets.ts'
import { Sessions } from './connections/sessions.ts'
import { coreToolNames, Tokens } from './mcp/index.ts'
import { ProxiedAgent } from './network/proxied-agent.ts'
import { Drivers, type RegistrySource } from './plugin-loader/drivers.ts'
import { type KeptRegistries, TrustedRegistries } from './plugin-loader/trusted-registries.ts'
import { MachinePolicy } from './policy/machine-policy.ts'
import { requestErrors } from './requests/errors.ts'
import { RunHistory } from './requests/history.ts'
import { RequestOffers } from './requests/offers.ts'
import { SavedRequests } from './requests/saved-requests.ts'
import { forgetVariablesOf, openVariables } from './requests/variables.ts'
import { type HostSettings, openSettings } from './settings.ts'
import type { ApiServices } from './ui-server/methods.ts'
import { openPreferences } from './ui-server/preferences.ts'
import { forgetWorkspaceOf, openWorkspace } from './ui-server/workspace.ts'

/** What the host works with that stands without a server: what a command works with when no host runs. */
export interface Services extends ApiServices {
	readonly settings: JsonStore<HostSettings>
	readonly secrets: SecretStore
	close(): Promise<void>
}

export interface ServicesOptions {
	readonly support: SupportDirectory
	/** Opened before, by whoever needs them for the rest. */
	readonly settings?: JsonStore<HostSettings> | undefined
	/** The default registry; the person's own come after it. */
	readonly registry: RegistrySource | undefined
	/** Who is asked what drivers may reach; nobody where it is left out. */
	readonly reachDesk?: ReachDesk | undefined
	/** Ports of the host's own servers, which grow while it starts. */
	readonly ownPorts?: ReadonlySet<number> | undefined
	/** The launcher's path, with which AI clients start the bridge. */
	readonly launcher?: string | undefined
	/** For tests; else it is the machine's. */
	readonly policy?: MachinePolicy | undefined
	readonly log: Log
}

export async function openServices(options: ServicesOptions): Promise<Services> {
	const { support, registry, launcher, log, reachDesk = nobodyAtDesk, ownPorts = new Set() } = options
	await sweepHalfWritten(support.path)
	await sweepOwnedFolders(support.file(windowPrefix))
	const settings = options.settings ?? (await openSettings(support))
	const policy = options.policy ?? (await MachinePolicy.read())
	const secrets = await openSecretStore(support.file)
	const sources = [...(registry ? [registry] : []), ...settings.value.registries]
	const agent = new ProxiedAgent(() => settings.value.network.proxy)
	const drivers = await Drivers.open(support, sources, log, coreToolNames, { policy, agent })
	const registries = new TrustedRegistries(registry, registriesIn(settings), drivers, { policy, agent })
	const connections = await SavedConnections.open(support.file('connections.json'), secrets)
	const tokens = await Tokens.open(support.file('tokens.json'))
	const preferences = await openPreferences(support.file('preferences.json'))
	const workspace = await openWorkspace(support.file('workspace.json'))
	const variables = await openVariables(support.file('variables.json'))
	const history = new RunHistory(support.file('history'))
	const requests = new SavedRequests(support.file('requests'), () => settings.value.requests.folder)
	const offers = await RequestOffers.open(support.file('offers.json'), ({ connectionId, place, path }) => {
		const { driverId } = connections.get(connectionId)
		const manifest = drivers.installed().find(({ id }) => id === driverId)
		if (!manifest) throw requestErrors.make('not_there', { name: path })
		return requests.read({ connection: connectionId, language: manifest.console }, place, path)
	})
	const isThere = (id: string) => connections.list().some(saved => saved.id === id)
	const forget = () =>
		Promise.all([
			forgetWorkspaceOf(workspace, isThere),
			forgetVariablesOf(variables, isThere),
			history.forget(isThere),
			offers.forget(isThere),
		]).catch(error => log.warn(`what connections leave behind: ${messageOf(error)}`))
	await forget()
	await offers.look()
	requests.onChange(() => void offers.look())
	connections.onChange(() => void forget())
	const activity = await ActivityLog.open(support)
	const record = (entry: ActivityRecord) =>
		activity.record(entry).catch(error => log.warn(`the activity log: ${messageOf(error)}`))
	const note = (action: string, token: string, detail?: string) =>
		void record({ action, outcome: 'success', token, ...(detail !== undefined && { detail }) })
	const reaches = new Reaches({
		saved: connections,
		desk: reachDesk,
		ownPorts: () => [...ownPorts],
		supportPath: support.path,
		proxy: () => settings.value.network.proxy,
		note: ({ id, driverId }, address, isReached) =>
			void record({
				action: isReached ? 'network.reached' : 'network.refused',
				outcome: isReached ? 'success' : 'denied',
				...(id !== undefined && { connection: id }),
				detail: `${driverId} ${address}`,
			}),
	})
	const sessions = new Sessions(connections, drivers, reaches)
	tokens.onCreated(({ name, scopes }) => note('token.created', name, scopes.join(' ')))
	tokens.onRevoked(id => {
		// A bridge's token passes with its host, and was never handed out.
		const revoked = tokens.list().find(token => token.id === id)
		if (revoked) note('token.revoked', revoked.name)
	})
	return {
		support,
		settings,
		secrets,
		drivers,
		registries,
		connections,
		sessions,
		tokens,
		preferences,
		workspace,
		requests,
		offers,
		variables,
		history,
		activity,
		clients: new ConnectedClients(),
		bridge: launcher === undefined ? undefined : bridgeOf(launcher),
		close: async () => {
			await Promise.all([sessions.releaseAll(), drivers.stopAll()])
			await Promise.all([activity.flush(), tokens.flush(), workspace.flush()])
		},
	}
}

function registriesIn(settings: JsonStore<HostSettings>): KeptRegistries {
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
