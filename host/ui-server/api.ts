import type {
	Access,
	ChangeOutcome,
	ConsoleResult,
	Encoded,
	GridPage,
	Pasted,
	Progress,
	ServerInfo,
	Statement,
} from '@roundhouse/kit'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import type { ToolGroup } from '@roundhouse/kit/tool-groups'
import type { ActivityEntry, Verdict } from '../activity/activity-log.ts'
import type { ConnectedClient } from '../activity/connected-clients.ts'
import type { SetupPlan } from '../client-setup/setup.ts'
import type { ConnectionsFile } from '../connections/connections-file.ts'
import type { ConnectionChanges, ConnectionDraft, SavedConnection } from '../connections/saved-connections.ts'
import type { SessionState } from '../connections/sessions.ts'
import type { ExportSettings } from '../exports/export-folder.ts'
import type { Level, Pairing, SeenTool } from '../mcp/index.ts'
import type { ProxySetting } from '../network/proxy.ts'
import type { DriverLock } from '../plugin-loader/lock-file.ts'
import type { Browsing, DriverSource } from '../plugin-loader/offers.ts'
import type { RegistrySource, RegistryState } from '../plugin-loader/registry-state.ts'
import type { Synced } from '../plugin-loader/sync.ts'
import type { PastRun } from '../requests/history.ts'
import type { OfferedTool } from '../requests/offers.ts'
import type { OpenRequest, SavedRequest } from '../requests/saved-requests.ts'
import type { Values } from '../requests/variables.ts'
import type { PendingQuestion } from './consent-desk.ts'
import type { Entry } from './door.ts'
import type { ExportState } from './exports.ts'
import type { ForwardedMethods, OnSavedConnection } from './forwarded.ts'
import type { Preferences } from './preferences.ts'
import type { SettingChange, WindowSettings } from './settings.ts'
import type { PendingShowing } from './showings.ts'
import type { WorkspaceRecords } from './workspace.ts'

/**
 * The typed host API: what the window, and the command line while a host runs, may ask. Types alone, so that the
 * window imports nothing of the host's code.
 *
 * A text frame of the WebSocket is one JSON message; a binary frame answers one call with bytes that the driver
 * encoded: four bytes of call id (little endian), then the JSON text.
 */
export interface HostMethods extends ForwardedMethods {
	'app.info'(): AppInfo
	/** An address that lets one browser in, once. */
	'app.entry'(): Entry
	'drivers.browse'(): Browsing
	/** The drivers that are here; no registry is asked. */
	/** By which a window that is open finds the host that takes this one's place, and the ports where it may be. */
	'app.return'(): { readonly key: string; readonly ports: readonly number[] }
	'drivers.installed'(): readonly Manifest[]
	/** Reports bytes as progress. `from`: whose, where several have a driver of this id and none of them is installed. */
	'drivers.install'(params: {
		readonly id: string
		readonly range?: string | undefined
		readonly from?: DriverSource | undefined
	}): Installed
	/**
	 * Installs what a bundle of a trusted registry has, or one driver of it. `fingerprint`: what the person was told of a
	 * registry that is to be trusted from now on.
	 */
	'drivers.installFrom'(params: {
		readonly path: string
		readonly id?: string | undefined
		readonly publisher?: string | undefined
		readonly range?: string | undefined
		readonly fingerprint?: string | undefined
		readonly acceptsExpired?: boolean | undefined
	}): readonly (Installed & { readonly id: string })[]
	'drivers.remove'(params: { readonly id: string; readonly forgetsRegistry?: boolean | undefined }): null
	'drivers.setEnabled'(params: { readonly id: string; readonly isEnabled: boolean }): null
	/** What is wrong with each installed driver's files, by id; `null` where nothing is. */
	'drivers.verify'(): Readonly<Record<string, string | null>>
	/** What is installed, to be installed elsewhere just so. */
	'drivers.lock'(): DriverLock
	/** Installs what a lock file names and is not here as it says. */
	'drivers.sync'(params: { readonly lock: unknown }): readonly Synced[]
	'drivers.sample'(params: { readonly id: string }): { readonly settings: Settings; readonly url: string }
	/** How each trusted registry is, asked just now, and what is installed from it. */
	'registries.list'(): readonly RegistryView[]
	/** What a registry begins with, to be compared with what its publisher told; nothing is kept. */
	'registries.look'(params: { readonly url: string }): RegistrySource
	/** Trusts a registry that begins so. */
	'registries.add'(params: RegistrySource): null
	/** What is installed from it is not loaded any more. */
	'registries.remove'(params: { readonly fingerprint: string }): null
	'connections.list'(): readonly ConnectionView[]
	'connections.add'(params: ConnectionDraft): ConnectionView
	'connections.update'(params: { readonly id: string; readonly draft: ConnectionChanges }): ConnectionView
	'connections.remove'(params: { readonly id: string }): null
	/** One more of it, with its secrets. */
	'connections.duplicate'(params: { readonly id: string }): ConnectionView
	/** All of them or some, for another machine: without secrets, and without what AI clients may do. */
	'connections.export'(params: { readonly ids?: readonly string[] | undefined }): ConnectionsFile
	/** Adds what such a file holds, or refuses it whole. */
	'connections.import'(params: { readonly file: unknown }): readonly ConnectionView[]
	/** Puts it before another in the list, or at the end. */
	'connections.move'(params: { readonly id: string; readonly before: string | null }): null
	/** Tries a draft (a new one, or changes to a saved one) without saving it. */
	'connections.test'(params: {
		readonly id?: string | undefined
		readonly draft?: ConnectionDraft | undefined
	}): ServerInfo
	/** Opens the connection; installs its driver without a question where it is missing, telling the bytes as progress. */
	'connections.open'(params: { readonly id: string }): { readonly info: ServerInfo; readonly manifest: Manifest }
	'connections.close'(params: { readonly id: string }): null
	'grid.open'(params: OnSavedConnection<'openGrid'>): { readonly grid: number }
	'grid.page'(params: { readonly grid: number; readonly offset: number; readonly limit: number }): Encoded<GridPage>
	'grid.close'(params: { readonly grid: number }): null
	/** Opens an export; the window then downloads `/export/<id>`. */
	'exports.begin'(params: OnSavedConnection<'openExport'>): { readonly id: string }
	'exports.cancel'(params: { readonly id: string }): null
	/** The requests of changes as a person reads them. `review` says to `changes.apply` that they were shown. */
	'changes.preview'(params: OnSavedConnection<'previewChanges'>): Review & { readonly requests: readonly string[] }
	'changes.apply'(params: OnSavedConnection<'applyChanges'> & Said): readonly ChangeOutcome[]
	/** What statements would do. `review` says to `console.run` that they were shown, each once. */
	'console.review'(params: {
		readonly connection: string
		readonly statements: readonly string[]
	}): Review & { readonly statements: readonly ReviewedStatement[] }
	/** The host has the driver judge the text anew, whatever verdict comes with it. */
	'console.run'(params: OnSavedConnection<'runConsole'> & Said): Encoded<ConsoleResult>
	/** Statements with the values of the connection's variables put in, each judged as it would be sent. */
	'console.fillIn'(params: {
		readonly connection: string
		readonly statements: readonly string[]
	}): readonly Statement[]
	/** The text laid out, where its driver can (`console.canFormat` of its manifest). */
	'console.format'(params: { readonly connection: string; readonly text: string }): string
	/** One statement as it is typed elsewhere (`console.copiesAs` of the manifest), without a credential. */
	'console.copyAs'(params: { readonly connection: string; readonly statement: string }): string
	/** What was copied elsewhere, as the console's own text; `null` where the driver does not know it. */
	'console.readPasted'(params: { readonly connection: string; readonly text: string }): Pasted | null
	/** The requests that a person saved: those of the connection, and those of the folder that all of them share. */
	'requests.list'(params: { readonly connection: string }): {
		readonly requests: readonly SavedRequest[]
		/** Why the shared folder cannot be used, where it cannot. */
		readonly fault?: string
	}
	'requests.read'(params: OfRequest): OpenRequest
	/** Keeps a new one. `name` may have folders before it, with slashes. */
	'requests.add'(params: Omit<OfRequest, 'path'> & { readonly name: string; readonly text: string }): OpenRequest
	/** Writes over one. `seen`: the version that the person has seen; another one is refused. */
	'requests.write'(
		params: OfRequest & { readonly name: string; readonly text: string; readonly seen: string },
	): OpenRequest
	'requests.rename'(params: OfRequest & { readonly name: string }): OpenRequest
	'requests.renameFolder'(params: OfRequest & { readonly to: string }): null
	'requests.remove'(params: OfRequest): null
	/** The saved requests of a connection that AI clients get as tools. */
	'offers.list'(params: { readonly connection: string }): readonly OfferedEntry[]
	/** What a request would be as a tool: its parameters, and what the driver says of it. */
	'offers.look'(params: OfRequest): OfferView
	/** Offers a request as it was seen (`OfferView.version`), in the place of what was offered of it before. */
	'offers.make'(params: OfRequest & { readonly seen: string; readonly tool: OfferedTool }): null
	'offers.withdraw'(params: OfRequest): null
	/** The values that `{{name}}` stands for on a connection. */
	'variables.read'(params: { readonly connection: string }): Values
	'variables.write'(params: { readonly connection: string; readonly values: Values }): null
	/** What was run in the consoles of a connection, the last first. */
	'history.list'(params: { readonly connection: string }): readonly PastRun[]
	'history.add'(params: { readonly connection: string; readonly run: PastRun }): null
	'preferences.read'(): Preferences
	'preferences.write'(params: { readonly key: string; readonly value: Preferences[string] }): null
	/** What the person is working on, by key. */
	'workspace.read'(): WorkspaceRecords
	/** Keeps a record; `null` lets go of it. `writer` is told to all, so that a window knows its own. */
	'workspace.write'(params: {
		readonly key: string
		readonly value: WorkspaceRecords[string]
		readonly writer: string
	}): null
	'settings.read'(): WindowSettings
	'settings.write'(params: SettingChange): null
	/** How connections go out that have no proxy of their own. */
	'settings.proxy'(): ProxySetting
	'settings.setProxy'(params: { readonly proxy: ProxySetting }): null
	/** The folder of requests that all connections share; empty where there is none. */
	'settings.requestsFolder'(): string
	'settings.setRequestsFolder'(params: { readonly path: string }): null
	/** Where files go that AI clients ask for, and whether each of them is asked about. */
	'settings.exports'(): ExportSettings
	'settings.setExports'(params: Partial<ExportSettings>): null
	'ai.grants'(): Grants
	/** Takes back that a token may use a connection; the next use asks again. */
	'ai.revokeAccess'(params: { readonly grantee: string; readonly connectionId: string }): null
	/** Ends a consent that was given for a while. */
	'ai.endGrant'(params: { readonly id: string }): null
	'consent.pending'(): readonly WindowQuestion[]
	'consent.answer'(params: { readonly id: string; readonly isApproved: boolean; readonly forMinutes?: number }): null
	/** What AI clients want the person to see. */
	'showings.pending'(): readonly PendingShowing[]
	/** The person has answered: what was to be shown is no longer waiting, `null` where another window has it. */
	'showings.take'(params: { readonly id: string }): PendingShowing | null
	/** Puts a `roundhouse://pair` link before the person. */
	'pairing.begin'(params: { readonly link: string }): PendingPairing
	'pairing.pending'(): readonly PendingPairing[]
	/** Says yes. The code is for the person to copy where the program named no address for it. */
	'pairing.approve'(params: {
		readonly id: string
		readonly level: TokenLevel
		readonly connections?: readonly string[]
		readonly expires?: string
	}): { readonly code: string | null }
	'pairing.refuse'(params: { readonly id: string }): null
	'pairing.exchange'(params: { readonly code: string; readonly verifier: string }): NewToken
	'setup.list'(): {
		readonly clients: readonly {
			readonly id: string
			readonly name: string
			readonly path: string
			readonly isInstalled: boolean
			/** An address that the client opens to add Roundhouse by itself; without secrets. */
			readonly link: string | null
		}[]
		/** For any other client. */
		readonly snippet: string
	}
	/** What would change; nothing is written. */
	'setup.plan'(params: { readonly client: string; readonly kind: 'install' | 'uninstall' }): SetupPlan
	/** Makes the change that was shown; refused where the file is not as it was then. */
	'setup.apply'(params: {
		readonly client: string
		readonly kind: 'install' | 'uninstall'
		readonly before: string
	}): null
	/** Runs the whole path as a client would. */
	'setup.test'(): { readonly name: string; readonly version: string }
	/** The newest first. */
	'activity.list'(): readonly ActivityEntry[]
	/** Follows the log's hash chain on disk. */
	'activity.verify'(): Verdict
	'activity.clients'(): readonly ConnectedClient[]
	'tokens.create'(params: TokenRequest): NewToken
	'tokens.list'(): readonly TokenView[]
	/** What a client with this token sees, and what each tool costs a model; `bridge` stands for those without one. */
	'tokens.tools'(params: { readonly id: string }): Sight
	/** Shows it other groups of tools, from its next request on. */
	'tokens.setGroups'(params: { readonly id: string; readonly groups: readonly ToolGroup[] }): Sight
	'tokens.revoke'(params: { readonly id: string }): null
}

export interface Review {
	readonly review: string
}

/** What a person has said to a write, as far as the connection's safe mode and the write ask for it. */
export interface Said {
	readonly review?: string | undefined
	/** The name of what is written to: the table's for changes, the connection's for statements. */
	readonly typed?: string | undefined
}

/** Where a saved request lies. */
export interface OfRequest extends Pick<SavedRequest, 'place' | 'path'> {
	readonly connection: string
}

/** A saved request that is a tool of AI clients. */
export interface OfferedEntry extends Pick<SavedRequest, 'place' | 'path'> {
	readonly name: string
	/** Its text is another than was offered: no client gets it. */
	readonly isChanged: boolean
}

export interface OfferView {
	readonly text: string
	readonly version: string
	/** Of its parameters, in their order. */
	readonly names: readonly string[]
	readonly access?: 'read' | 'write'
	/** Why it cannot be offered. */
	readonly fault?: string
	/** As it is offered now. */
	readonly offer?: OfferedTool
	readonly isChanged?: boolean
}

export interface ReviewedStatement {
	readonly text: string
	readonly access: Access
	/** What is gone afterwards, where that can be told without doing it. */
	readonly destroys?: string
}

/** What came of an installation, and what the driver may use now, in words. */
export interface Installed {
	readonly version: string
	readonly mayUse: readonly string[]
	/** The release before, and what that one might not use. */
	readonly since?: { readonly version: string; readonly newlyMayUse: readonly string[] }
}

export interface AppInfo {
	readonly name: string
	readonly version: string
	readonly home: string
	/** Where secrets lie, as a person would call it. */
	readonly secretStore: string
	readonly mcp: {
		readonly url: string
		readonly port: number
		/** Why the machine's policy keeps AI clients out, where it does. */
		readonly refusal?: string
	}
}

export interface RegistryView extends RegistryState {
	/** It cannot be removed. */
	readonly isDefault: boolean
	readonly installed: readonly {
		readonly id: string
		readonly displayName: string
		/** Names of the saved connections that use it. */
		readonly connections: readonly string[]
	}[]
}

/** A saved connection as the window sees it: never a secret, only which ones are there. */
export type ConnectionView = SavedConnection & { readonly state: SessionState }

export type TokenLevel = Level

export interface TokenRequest {
	readonly name: string
	readonly level: TokenLevel | 'custom'
	/** Scopes beyond the level's; with `custom` there are no others. */
	readonly scopes?: readonly string[] | undefined
	/** Groups of tools it is shown; where it is absent those that every new token begins with. */
	readonly groups?: readonly ToolGroup[] | undefined
	/** Connections the token may use; all where it is absent. */
	readonly connections?: readonly string[] | undefined
	/** For example `30d`, `90s`, `never`. */
	readonly expires?: string | undefined
}

/** What a client is shown: groups, and the tools that come of them. */
export interface Sight {
	readonly groups: readonly ToolGroup[]
	readonly tools: readonly SeenTool[]
}

export interface TokenView {
	readonly id: string
	readonly name: string
	readonly scopes: readonly string[]
	/** `null` for all that its scopes allow. */
	readonly groups: readonly ToolGroup[] | null
	readonly connections: readonly string[] | null
	readonly createdAt: string
	readonly expiresAt: string | null
	readonly revokedAt: string | null
	readonly lastUsedAt: string | null
}

/** Shown once: the token itself is not kept. */
export interface NewToken extends TokenView {
	readonly token: string
}

/** A question as the window shows it: with the engine's word for the rows it is about. */
export type WindowQuestion = PendingQuestion & Pick<Manifest, 'rowNoun'>

type PendingPairing = ReturnType<Pairing['pending']>[number]

/** What the person has allowed to last. */
export interface Grants {
	readonly access: readonly {
		readonly grantee: string
		readonly connectionId: string
		readonly token: string
		readonly connection: string
		readonly grantedAt: string
	}[]
	readonly statements: readonly {
		readonly id: string
		readonly token: string
		readonly client: string
		readonly connection: string
		/** The one kind of statement that is allowed, for example `POST /books/_update`. */
		readonly target: string
		readonly expiresAt: string
	}[]
}

export interface HostEvents {
	'consent.changed': null
	'pairing.changed': null
	'showings.changed': null
	'export.changed': ExportState
	'activity.entry': ActivityEntry
	'drivers.changed': null
	'connections.changed': null
	/** Requests were saved, renamed or removed. */
	'requests.changed': null
	'workspace.changed': { readonly key: string; readonly value: WorkspaceRecords[string]; readonly writer: string }
	'session.state': { readonly connection: string; readonly state: SessionState }
}

export type HostMethod = keyof HostMethods
export type ParamsOf<M extends HostMethod> = Parameters<HostMethods[M]> extends [infer P] ? P : Record<string, never>
/** What the host gives: bytes as they came from the driver. */
export type AnswerOf<M extends HostMethod> = ReturnType<HostMethods[M]>
/** What the caller gets: bytes are read as what they encode. */
export type ResultOf<M extends HostMethod> = AnswerOf<M> extends Encoded<infer T> ? T : AnswerOf<M>

export interface ApiError {
	readonly code: string
	readonly message: string
}

export type ApiMessage =
	| { readonly id: number; readonly result: unknown }
	| { readonly id: number; readonly error: ApiError }
	| { readonly id: number; readonly progress: Progress }
	| { [E in keyof HostEvents]: { readonly event: E; readonly data: HostEvents[E] } }[keyof HostEvents]

/** The words of the API that the window uses, so that it imports no other file of the host. */
export type {
	Cell,
	Change,
	ChangeOutcome,
	Column,
	Completions,
	ConsoleResult,
	Count,
	ExportOptions,
	FactRow,
	FactSection,
	Filter,
	FilterField,
	GridPage,
	GridQuery,
	Progress,
	Row,
	ServerInfo,
	Sort,
	Statement,
	Table,
	TableCondition,
	Verdict,
} from '@roundhouse/kit'
export type { FormField, Manifest, Settings, SettingValue } from '@roundhouse/kit/manifest'
export type { ToolGroup } from '@roundhouse/kit/tool-groups'
export type { ActivityEntry } from '../activity/activity-log.ts'
export type { SetupPlan } from '../client-setup/setup.ts'
export type { ConnectionChanges, ConnectionDraft } from '../connections/saved-connections.ts'
export type { SessionState } from '../connections/sessions.ts'
export type { ProxySetting } from '../network/proxy.ts'
export type { Browsing, DriverOffer, DriverSource } from '../plugin-loader/offers.ts'
export type { RegistrySource } from '../plugin-loader/registry-state.ts'
export type { Synced } from '../plugin-loader/sync.ts'
export type { PastRun } from '../requests/history.ts'
export type { OfferedTool, OfferParameter } from '../requests/offers.ts'
export type { OpenRequest, RequestPlace, SavedRequest } from '../requests/saved-requests.ts'
export type { Entry } from './door.ts'
export type { ExportState } from './exports.ts'
export type { Preferences } from './preferences.ts'
export type { WindowSettings } from './settings.ts'
export type { PendingShowing } from './showings.ts'
export type { WorkspaceRecords } from './workspace.ts'
