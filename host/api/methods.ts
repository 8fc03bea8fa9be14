import type { HiddenColumns } from '@roundhouse/kit'
import { z } from 'zod'
import type { JsonStore } from '../../base/json-store.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import type { ActivityLog } from '../activity/activity-log.ts'
import type { ConnectedClients } from '../activity/connected-clients.ts'
import type { Bridge } from '../client-setup/clients.ts'
import type { Projects } from '../connections/project/projects.ts'
import type { SavedConnections } from '../connections/saved-connections.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { Tokens } from '../mcp/index.ts'
import type { Drivers } from '../plugin-loader/drivers.ts'
import type { TrustedRegistries } from '../plugin-loader/trusted-registries.ts'
import type { RunHistory } from '../requests/history.ts'
import type { RequestOffers } from '../requests/offers.ts'
import type { SavedRequests } from '../requests/saved-requests.ts'
import type { VariablesStore } from '../requests/variables.ts'
import type { KeptChanges } from '../undo/kept-changes.ts'
import type { AppInfo, Entry, WayBack } from './app.ts'
import type { Exports } from './exports.ts'
import { hostUpdate } from './host-update.ts'
import { activityMethods } from './methods/activity.ts'
import { type AiAccess, aiAccessMethods } from './methods/ai-access.ts'
import { clientSetupMethods } from './methods/client-setup.ts'
import { connectionMethods } from './methods/connections.ts'
import { consoleMethods } from './methods/console.ts'
import { dataMethods } from './methods/data.ts'
import { driverManagementMethods } from './methods/drivers.ts'
import { fileMethods } from './methods/files.ts'
import { importMethods } from './methods/imports.ts'
import { method } from './methods/method.ts'
import { offerMethods } from './methods/offers.ts'
import { pairingMethods } from './methods/pairing.ts'
import { preferenceMethods } from './methods/preferences.ts'
import { projectMethods } from './methods/projects.ts'
import { registryMethods } from './methods/registries.ts'
import { requestMethods } from './methods/requests.ts'
import { type SettingsInForce, settingMethods } from './methods/settings.ts'
import { showingMethods } from './methods/showings.ts'
import { tokenMethods } from './methods/tokens.ts'
import { undoMethods } from './methods/undo.ts'
import { viewLinkMethods } from './methods/view-links.ts'
import { workspaceMethods } from './methods/workspace.ts'
import { writeMethods } from './methods/writes.ts'
import type { PairingDesk } from './pairing-desk.ts'
import type { Preferences } from './preferences.ts'
import type { Showings } from './showings.ts'
import type { ViewLinks } from './view-links.ts'
import type { WorkspaceChange, WorkspaceRecords } from './workspace.ts'

/** The services of the host API. */
export interface ApiServices {
	readonly drivers: Drivers
	readonly registries: TrustedRegistries
	readonly connections: SavedConnections
	readonly projects: Projects
	readonly sessions: Sessions
	readonly tokens: Tokens
	readonly preferences: JsonStore<Preferences>
	readonly workspace: JsonStore<WorkspaceRecords>
	readonly requests: SavedRequests
	readonly offers: RequestOffers
	readonly variables: VariablesStore
	readonly history: RunHistory
	readonly keptChanges: KeptChanges
	readonly activity: ActivityLog
	readonly clients: ConnectedClients
	readonly support: SupportDirectory
	/** Columns that the policy of the machine hides from AI clients. */
	readonly hiddenByPolicy: readonly HiddenColumns[]
	/** How AI clients start the stdio bridge; absent if the host does not know its launcher. */
	readonly bridge?: Bridge | undefined
}

/** Services that exist only while a host runs. For a command without a host, `running` throws an error. */
export interface RunningHost extends AiAccess, SettingsInForce {
	info(): AppInfo
	entry(): Entry
	readonly wayBack: WayBack
	/** Stops the host once no request runs. @returns whether that is now */
	stopWhenIdle(): boolean
	readonly exports: Exports
	/** Notifies every window. */
	tellWorkspace(change: WorkspaceChange): void
	readonly pairing: PairingDesk
	readonly showings: Showings
	readonly viewLinks: ViewLinks
}

/** The whole host API, joined from its parts. */
export function hostMethods(services: ApiServices, running: () => RunningHost) {
	const { drivers, registries, connections, sessions, tokens, preferences, workspace } = services
	const { activity, clients, bridge, requests, offers, variables, history } = services
	return {
		'app.info': method({ params: z.object({}), run: async () => running().info() }),
		/** How an open window finds the next host, and the ports to try. */
		'app.return': method({ params: z.object({}), run: async () => running().wayBack }),
		/** Returns an address that admits one browser, once. */
		'app.entry': method({ params: z.object({}), run: async () => running().entry() }),
		/** Returns the newer release of Roundhouse that the official registry names, or `null`. */
		'app.update': method({ params: z.object({}), run: () => hostUpdate(drivers, bridge) }),
		/** Stops the host as soon as no request runs. */
		'app.stop': method({
			params: z.object({}),
			run: async () => ({ stops: running().stopWhenIdle() ? 'now' : 'after_running_work' }),
		}),
		...driverManagementMethods(drivers, registries),
		...registryMethods(registries, drivers, connections),
		...clientSetupMethods(bridge),
		...connectionMethods(connections, sessions, drivers, services.hiddenByPolicy),
		...projectMethods(services.projects, sessions, drivers),
		...dataMethods(sessions, running),
		...writeMethods(connections, sessions),
		...undoMethods(services),
		...importMethods({ connections, sessions, activity, manifestOf: id => drivers.ensure(id) }),
		...consoleMethods(sessions, id => variables.value[connections.get(id).id] ?? {}),
		...requestMethods(connections, id => drivers.ensure(id), { requests, offers, variables, history }),
		...offerMethods({
			connections,
			sessions,
			requests,
			offers,
			installed: () => drivers.installed(),
			manifestOf: id => drivers.ensure(id),
		}),
		...activityMethods(activity, clients),
		...pairingMethods(running),
		...showingMethods(running),
		...viewLinkMethods(running),
		...preferenceMethods(preferences),
		...workspaceMethods(workspace, change => running().tellWorkspace(change)),
		...fileMethods(services.support.path),
		...settingMethods(running),
		...aiAccessMethods(running, { connections, tokens, drivers }),
		...tokenMethods(tokens, id => running().endpoint.toolsFor(id)),
	}
}

/** The table of all methods: their names, parameters and answers (host/api/api.ts). */
export type Methods = ReturnType<typeof hostMethods>
