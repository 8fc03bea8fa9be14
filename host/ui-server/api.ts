import type { Encoded, GridPage, Progress, ServerInfo } from '@roundhouse/kit'
import type { Manifest, Settings } from '@roundhouse/kit/manifest'
import type { ActivityEntry, Verdict } from '../activity/activity-log.ts'
import type { ConnectedClient } from '../activity/connected-clients.ts'
import type { SetupPlan } from '../client-setup/setup.ts'
import type { ConnectionChanges, ConnectionDraft, SavedConnection } from '../connections/saved-connections.ts'
import type { SessionState } from '../connections/sessions.ts'
import type { Level, Pairing } from '../mcp/index.ts'
import type { ProxySetting } from '../network/proxy.ts'
import type { DriverLock } from '../plugin-loader/lock-file.ts'
import type { Browsing, DriverSource } from '../plugin-loader/offers.ts'
import type { RegistrySource, RegistryState } from '../plugin-loader/registry-state.ts'
import type { Synced } from '../plugin-loader/sync.ts'
import type { PendingQuestion } from './consent-desk.ts'
import type { Entry } from './door.ts'
import type { ExportState } from './exports.ts'
import type { ForwardedMethods, OnSavedConnection } from './forwarded.ts'
import type { Preferences } from './preferences.ts'
import type { SettingChange, WindowSettings } from './settings.ts'

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
	'preferences.read'(): Preferences
	'preferences.write'(params: { readonly key: string; readonly value: Preferences[string] }): null
	'settings.read'(): WindowSettings
	'settings.write'(params: SettingChange): null
	/** How connections go out that have no proxy of their own. */
	'settings.proxy'(): ProxySetting
	'settings.setProxy'(params: { readonly proxy: ProxySetting }): null
	'ai.grants'(): Grants
	/** Takes back that a token may use a connection; the next use asks again. */
	'ai.revokeAccess'(params: { readonly grantee: string; readonly connectionId: string }): null
	/** Ends a consent that was given for a while. */
	'ai.endGrant'(params: { readonly id: string }): null
	'consent.pending'(): readonly WindowQuestion[]
	'consent.answer'(params: { readonly id: string; readonly isApproved: boolean; readonly forMinutes?: number }): null
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
	'tokens.revoke'(params: { readonly id: string }): null
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
	/** Connections the token may use; all where it is absent. */
	readonly connections?: readonly string[] | undefined
	/** For example `30d`, `90s`, `never`. */
	readonly expires?: string | undefined
}

export interface TokenView {
	readonly id: string
	readonly name: string
	readonly scopes: readonly string[]
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
	'export.changed': ExportState
	'activity.entry': ActivityEntry
	'drivers.changed': null
	'connections.changed': null
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
	Verdict,
} from '@roundhouse/kit'
export type { FormField, Manifest, Settings, SettingValue } from '@roundhouse/kit/manifest'
export type { ActivityEntry } from '../activity/activity-log.ts'
export type { SetupPlan } from '../client-setup/setup.ts'
export type { ConnectionChanges, ConnectionDraft } from '../connections/saved-connections.ts'
export type { SessionState } from '../connections/sessions.ts'
export type { ProxySetting } from '../network/proxy.ts'
export type { Browsing, DriverOffer, DriverSource } from '../plugin-loader/offers.ts'
export type { RegistrySource } from '../plugin-loader/registry-state.ts'
export type { Synced } from '../plugin-loader/sync.ts'
export type { Entry } from './door.ts'
export type { ExportState } from './exports.ts'
export type { Preferences } from './preferences.ts'
export type { WindowSettings } from './settings.ts'
