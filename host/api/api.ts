import type {
	Access,
	ChangeOutcome,
	Column,
	ConsoleResult,
	Encoded,
	Explained,
	GridPage,
	GridQuery,
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
import type { ConnectionChanges, ConnectionDraft, SavedConnection } from '../connections/connection-fields.ts'
import type { ConnectionsFile } from '../connections/connections-file.ts'
import type { FolderListing } from '../connections/home-folders.ts'
import type { SessionState } from '../connections/sessions.ts'
import type { ImportAccount } from '../imports/import-job.ts'
import type { ImportPlan } from '../imports/import-plan.ts'
import type { FilePreview } from '../imports/preview.ts'
import type { Level, NewToken, Pairing, SeenTool, TokenDraft, TokenInfo } from '../mcp/index.ts'
import type { DriverLock } from '../plugin-loader/lock-file.ts'
import type { RegistrySource, RegistryState } from '../plugin-loader/registry-state.ts'
import type { Browsing, DriverSource } from '../plugin-loader/release-catalog.ts'
import type { Synced } from '../plugin-loader/sync.ts'
import type { PastRun } from '../requests/history.ts'
import type { OfferedTool } from '../requests/offers.ts'
import type { OpenRequest, SavedRequest } from '../requests/saved-requests.ts'
import type { Values } from '../requests/variables.ts'
import type { PendingQuestion } from './consent-desk.ts'
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
	/** Returns an address that admits one browser, once. */
	'app.entry'(): Entry
	/** How an open window finds the next host, and the ports to try. */
	'app.return'(): WayBack
	/** Returns the newer release of Roundhouse that the official registry names, or `null`. */
	'app.update'(): HostUpdate | null
	/** Stops the host as soon as no request runs. */
	'app.stop'(): { readonly stops: 'now' | 'after_running_work' }
	'drivers.browse'(): Browsing
	/** Returns samples, and servers on this machine, that a new user can begin with. */
	'drivers.firstSteps'(): readonly FirstStep[]
	/** The installed drivers; no registry is asked. */
	'drivers.installed'(): readonly Manifest[]
	/**
	 * Reports bytes as progress. `from`: the registry and publisher, if several have a driver of this id and none is
	 * installed. `acceptsMore`: the user allows what the release may do beyond the installed one.
	 */
	'drivers.install'(params: {
		readonly id: string
		readonly range?: string | undefined
		readonly from?: DriverSource | undefined
		readonly acceptsMore?: boolean | undefined
	}): Installed
	/**
	 * Installs the drivers of a bundle from a trusted registry, or one of them. `fingerprint`: of a registry to trust
	 * from now on, as the user received it.
	 */
	'drivers.installFrom'(params: {
		readonly path: string
		readonly id?: string | undefined
		readonly publisher?: string | undefined
		readonly range?: string | undefined
		readonly fingerprint?: string | undefined
		readonly acceptsExpired?: boolean | undefined
		readonly acceptsMore?: boolean | undefined
	}): readonly (Installed & { readonly id: string })[]
	'drivers.remove'(params: { readonly id: string; readonly forgetsRegistry?: boolean | undefined }): null
	'drivers.setEnabled'(params: { readonly id: string; readonly isEnabled: boolean }): null
	/** What is wrong with each installed driver's files, by id; `null` if nothing is. */
	'drivers.verify'(): Readonly<Record<string, string | null>>
	/** The lock file of what is installed. */
	'drivers.lock'(): DriverLock
	/** Installs what a lock file names and is missing or different here. */
	'drivers.sync'(params: { readonly lock: unknown }): readonly Synced[]
	/** How driver processes are confined on this machine. */
	'drivers.confinement'(): { readonly protectsFiles: boolean; readonly summary: string }
	/** Returns the values of the form that the driver reads from a pasted address; `null` if it knows none. */
	'drivers.readAddress'(params: { readonly id: string; readonly text: string }): Settings | null
	'drivers.sample'(params: { readonly id: string }): { readonly settings: Settings; readonly url: string }
	/** The current state of each trusted registry, and what is installed from it. */
	'registries.list'(): readonly RegistryView[]
	/** Returns a registry's first root for comparison with its publisher's; nothing is stored. */
	'registries.look'(params: { readonly url: string }): RegistrySource
	/** Trusts a registry with this first root. */
	'registries.add'(params: RegistrySource): null
	/** Drivers from it are no longer loaded. */
	'registries.remove'(params: { readonly fingerprint: string }): null
	'connections.list'(): readonly ConnectionView[]
	'connections.add'(params: ConnectionDraft): ConnectionView
	'connections.update'(params: { readonly id: string; readonly draft: ConnectionChanges }): ConnectionView
	'connections.remove'(params: { readonly id: string }): null
	/** Copies it with its secrets. */
	'connections.duplicate'(params: { readonly id: string }): ConnectionView
	/** Exports all or some for another machine, without secrets and access of AI clients. */
	'connections.export'(params: { readonly ids?: readonly string[] | undefined }): ConnectionsFile
	/** Adds the connections of such a file, or refuses all of them. */
	'connections.import'(params: { readonly file: unknown }): readonly ConnectionView[]
	/** Moves it before another in the list, or to the end. */
	'connections.move'(params: { readonly id: string; readonly before: string | null }): null
	/** Tests a draft, new or of a saved connection, without saving it. */
	'connections.test'(params: {
		readonly id?: string | undefined
		readonly draft?: ConnectionDraft | undefined
	}): ServerInfo
	/** Opens the connection. A missing driver is installed without a question, with bytes as progress. */
	'connections.open'(params: { readonly id: string }): { readonly info: ServerInfo; readonly manifest: Manifest }
	'connections.close'(params: { readonly id: string }): null
	/** Opens a grid under a number that the caller has not used, and returns its first rows. */
	'grid.open'(params: OnSavedConnection<'openGrid'>): Encoded<GridPage>
	'grid.page'(params: { readonly grid: number; readonly offset: number; readonly limit: number }): Encoded<GridPage>
	/**
	 * Logs what the reader of an encoded answer found wrong with it, and returns the words for the user. `connection` or
	 * `grid`: of the call that was answered.
	 */
	'answers.refuse'(params: RefusedAnswer): string
	'grid.close'(params: { readonly grid: number }): null
	/** Opens an export; the window then downloads `/export/<id>`. */
	'exports.begin'(params: OnSavedConnection<'openExport'>): { readonly id: string }
	/**
	 * Opens an export of all rows of a statement that reads, which runs again: in the session of its console, or apart from
	 * it if the driver cannot. @throws `denied` if it writes
	 */
	'exports.beginStatement'(
		params: Omit<OnSavedConnection<'openStatementExport'>, 'statement'> & {
			readonly statement: Pick<Statement, 'text' | 'parameters'>
		},
	): { readonly id: string }
	'exports.cancel'(params: { readonly id: string }): null
	/** Reads the beginning of a file: its fields and first rows, with columns of the table for the fields. `head`: base64. */
	'imports.preview'(params: ImportTarget & { readonly head: string }): ImportPreview
	/** `review` proves to `imports.begin` that the user was shown the plan. */
	'imports.review'(params: ImportPlan): Review
	/** The caller then writes the whole file in pieces. */
	'imports.begin'(params: ImportPlan & Said): { readonly id: string }
	/** Sends the next piece of the file, as base64. Reports rows as progress. The import may end before the file. */
	'imports.write'(params: { readonly id: string; readonly bytes: string }): Omit<ImportAccount, 'faults'>
	/** Ends the import after the last piece. */
	'imports.end'(params: { readonly id: string }): ImportAccount
	/** Ends the import after the rows that are on their way. */
	'imports.cancel'(params: { readonly id: string }): ImportAccount
	/** Returns the requests of changes for the user. `review` proves to `changes.apply` that they were shown. */
	'changes.preview'(params: OnSavedConnection<'previewChanges'>): Review & { readonly requests: readonly string[] }
	'changes.apply'(params: OnSavedConnection<'applyChanges'> & Said): readonly ChangeOutcome[]
	/** Returns the effects of statements. `review` proves to `console.run` that they were shown, each once. */
	'console.review'(params: {
		readonly connection: string
		readonly statements: readonly Pick<Statement, 'text' | 'parameters'>[]
	}): Review & { readonly statements: readonly ReviewedStatement[] }
	/**
	 * The driver classifies the text again; the verdict of the caller is ignored. `session`: a number of the caller, whose
	 * statements share a session of the engine if the driver has sessions.
	 */
	'console.run'(params: OnSavedConnection<'runConsole'> & Said): Encoded<ConsoleResult>
	/** Closes such a session, which rolls back its transaction. */
	'console.closeSession'(params: { readonly connection: string; readonly session: number }): null
	/**
	 * Returns where a statement that only reads spends its time; it may be run. With `isPlanOnly` it is not, which needs
	 * `console.canPlan` of the manifest, as a statement that writes does. `session`: as for `console.run`.
	 */
	'console.explain'(params: {
		readonly connection: string
		readonly statement: string
		readonly isPlanOnly?: boolean
		readonly session?: number
	}): Explained
	/** Returns statements with the connection's variables filled in, each classified as it would be sent. */
	'console.fillIn'(params: {
		readonly connection: string
		readonly statements: readonly string[]
	}): readonly Statement[]
	/** Formats the text, if its driver can (`console.canFormat` of its manifest). */
	'console.format'(params: { readonly connection: string; readonly text: string }): string
	/** Converts one statement to another format (`console.copiesAs` of the manifest), without a credential. */
	'console.copyAs'(params: { readonly connection: string; readonly statement: string }): string
	/** Converts a pasted text to the console's language; `null` if the driver does not recognize it. */
	'console.readPasted'(params: { readonly connection: string; readonly text: string }): Pasted | null
	/** The saved requests of the connection and of the shared folder. */
	'requests.list'(params: { readonly connection: string }): {
		readonly requests: readonly SavedRequest[]
		/** Why the shared folder cannot be used. */
		readonly fault?: string
	}
	'requests.read'(params: OfRequest): OpenRequest
	/** Saves a new one. `name` may have folders, separated by slashes. */
	'requests.add'(params: Omit<OfRequest, 'path'> & { readonly name: string; readonly text: string }): OpenRequest
	/** Overwrites one. `seen`: the version that the user saw; another version is refused. */
	'requests.write'(
		params: OfRequest & { readonly name: string; readonly text: string; readonly seen: string },
	): OpenRequest
	'requests.rename'(params: OfRequest & { readonly name: string }): OpenRequest
	'requests.renameFolder'(params: OfRequest & { readonly to: string }): null
	'requests.remove'(params: OfRequest): null
	/** The saved requests of a connection that AI clients get as tools. */
	'offers.list'(params: { readonly connection: string }): readonly OfferedEntry[]
	/** Describes a request as a tool: its parameters and the driver's verdict. */
	'offers.look'(params: OfRequest): OfferView
	/** Offers a request as shown (`OfferView.version`), in place of an earlier offer. */
	'offers.make'(params: OfRequest & { readonly seen: string; readonly tool: OfferedTool }): null
	'offers.withdraw'(params: OfRequest): null
	/** The values of `{{name}}` on a connection. */
	'variables.read'(params: { readonly connection: string }): Values
	'variables.write'(params: { readonly connection: string; readonly values: Values }): null
	/** The past runs in the consoles of a connection, the latest first. */
	'history.list'(params: { readonly connection: string }): readonly PastRun[]
	'history.add'(params: { readonly connection: string; readonly run: PastRun }): null
	'preferences.read'(): Preferences
	'preferences.write'(params: { readonly key: string; readonly value: Preferences[string] }): null
	/** The user's work by key. */
	'workspace.read'(): WorkspaceRecords
	/** Stores a record; `null` deletes it. All windows get `writer`, so that each recognizes its changes. */
	'workspace.write'(params: {
		readonly key: string
		readonly value: WorkspaceRecords[string]
		readonly writer: string
	}): null
	/** Lists names of a folder within the home folder, for a field that takes a path. @param path a folder or a file */
	'files.list'(params: { readonly path?: string | undefined }): FolderListing
	'settings.read'(): WindowSettings
	'settings.write'(params: SettingChange): null
	'ai.grants'(): AiGrants
	/** Withdraws a token's permission for a connection; the next use asks again. */
	'ai.revokeAccess'(params: { readonly grantee: string; readonly connectionId: string }): null
	/** Ends a consent for a while. */
	'ai.endGrant'(params: { readonly id: string }): null
	'consent.pending'(): readonly WindowQuestion[]
	'consent.answer'(params: { readonly id: string; readonly isApproved: boolean; readonly forMinutes?: number }): null
	/** What AI clients offer to show. */
	'showings.pending'(): readonly PendingShowing[]
	/** The user has answered: the offer is removed. `null` if another window took it. */
	'showings.take'(params: { readonly id: string }): PendingShowing | null
	/** Shows a `roundhouse://pair` link to the user. */
	'pairing.begin'(params: { readonly link: string }): PendingPairing
	'pairing.pending'(): readonly PendingPairing[]
	/** Approves. The user copies the code if the program gave no address for it. */
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
			/** An address that the client opens to add Roundhouse; without secrets. */
			readonly link: string | null
		}[]
		/** For other clients. */
		readonly snippet: string
	}
	/** Returns the planned change; nothing is written. */
	'setup.plan'(params: { readonly client: string; readonly kind: 'install' | 'uninstall' }): SetupPlan
	/** Makes the shown change; refused if the file has changed since. */
	'setup.apply'(params: {
		readonly client: string
		readonly kind: 'install' | 'uninstall'
		readonly before: string
	}): null
	/** Runs the whole path as a client would. */
	'setup.test'(): { readonly name: string; readonly version: string }
	/** The latest first. */
	'activity.list'(): readonly ActivityEntry[]
	/** Verifies the log's hash chain on disk. */
	'activity.verify'(): Verdict
	'activity.clients'(): readonly ConnectedClient[]
	'tokens.create'(params: TokenDraft): NewToken
	'tokens.list'(): readonly TokenInfo[]
	/** What a client with this token sees, and what each tool costs a model; `bridge` stands for clients without one. */
	'tokens.tools'(params: { readonly id: string }): Sight
	/** Sets its groups of tools, from its next request on. */
	'tokens.setGroups'(params: { readonly id: string; readonly groups: readonly ToolGroup[] }): Sight
	'tokens.revoke'(params: { readonly id: string }): null
}

/** How a window and the next host recognise each other, and the ports to try if this one is taken. */
export interface WayBack {
	readonly key: string
	readonly ports: readonly number[]
}

/** Where a browser comes in; works once. */
export interface Entry {
	readonly url: string
	/** For browsers that do not resolve the first address to this machine, for example Safari. */
	readonly fallbackUrl: string
}

export interface Review {
	readonly review: string
}

/** The user's confirmations of a write, as the safe mode and the write require. */
export interface Said {
	readonly review?: string | undefined
	/** The typed name of the target: the table for changes, the connection for statements. */
	readonly typed?: string | undefined
}

/** The place of a saved request. */
export interface OfRequest extends Pick<SavedRequest, 'place' | 'path'> {
	readonly connection: string
}

/** A saved request that is a tool of AI clients. */
export interface OfferedEntry extends Pick<SavedRequest, 'place' | 'path'> {
	readonly name: string
	/** Its text differs from the offered one, so no client gets it. */
	readonly isChanged: boolean
}

export interface OfferView {
	readonly text: string
	readonly version: string
	/** Of its parameters, in order. */
	readonly names: readonly string[]
	readonly access?: 'read' | 'write'
	/** Why it cannot be offered. */
	readonly fault?: string
	/** Its current offer. */
	readonly offer?: OfferedTool
	readonly isChanged?: boolean
}

type ImportTarget = Pick<ImportPlan, 'connection' | 'table' | 'file' | 'format'>

/** Which rows of a table. Their order changes neither counts nor values. */
export type RowChoice = Omit<GridQuery, 'sort' | 'isReload'>

/** `columns`: those of the table that take values. */
export interface ImportPreview extends FilePreview {
	readonly columns: readonly Column[]
}

export interface ReviewedStatement {
	/** The statement, then its values if the driver takes them apart from the text. */
	readonly text: string
	readonly access: Access
	/** What will be lost, if that can be determined without doing it. */
	readonly destroys?: string
}

/** The outcome of an installation, and what the driver may use now, in words. */
export interface Installed {
	readonly version: string
	readonly mayUse: readonly string[]
	/** The previous release, and what it could not use. */
	readonly since?: { readonly version: string; readonly newlyMayUse: readonly string[] }
}

export interface AppInfo {
	readonly name: string
	readonly version: string
	/** Number of the API between hosts, commands and windows. */
	readonly api: number
	readonly home: string
	/** The secret store's name for users. */
	readonly secretStore: string
	readonly mcp: {
		readonly url: string
		readonly port: number
		/** Why the machine's policy excludes AI clients. */
		readonly refusal?: string
	}
	/** Set in the host of a driver under development. */
	readonly development?: DevelopmentView
}

/** A sample of a driver, or a server that listens on this machine. */
export interface FirstStep {
	readonly driver: string
	readonly source: DriverSource
	/** Name and icon of the engine. */
	readonly engine: string
	readonly icon: string
	/** Address of the server. */
	readonly server?: string
	/** Set for a sample. */
	readonly isSample?: true
}

export interface HostUpdate {
	readonly version: string
	/** What the user does to get it. */
	readonly how: string
}

export interface DevelopmentView {
	/** The folder of the driver. */
	readonly folder: string
	/** Why the last build did not start, with its stack. The build before it stays in use. */
	readonly fault?: string
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

/** A saved connection for the window: without secrets, only which ones exist. */
export type ConnectionView = SavedConnection & { readonly state: SessionState }

export type TokenLevel = Level
export type { NewToken, TokenDraft }

/** The tool groups of a client and the tools in them. */
export interface Sight {
	readonly groups: readonly ToolGroup[]
	readonly tools: readonly SeenTool[]
}

/** A question for the window, with the engine's term for rows. */
export type WindowQuestion = PendingQuestion & Pick<Manifest, 'rowNoun'>

type PendingPairing = ReturnType<Pairing['pending']>[number]

/** Lasting permissions of the user. */
export interface AiGrants {
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
		/** The kind of statement that is allowed, for example `POST /books/_update`. */
		readonly target: string
		/** How many rows it still covers. */
		readonly rowsLeft: number
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
	'development.changed': DevelopmentView
	'connections.changed': null
	/** Requests were saved, renamed or removed. */
	'requests.changed': null
	'workspace.changed': { readonly key: string; readonly value: WorkspaceRecords[string]; readonly writer: string }
	'session.state': { readonly connection: string; readonly state: SessionState }
}

export type HostMethod = keyof HostMethods
export type ParamsOf<M extends HostMethod> = Parameters<HostMethods[M]> extends [infer P] ? P : Record<string, never>
/** The host's result: bytes as they came from the driver. */
export type AnswerOf<M extends HostMethod> = ReturnType<HostMethods[M]>
/** The caller's result: bytes are decoded to the value that they encode. */
export type ResultOf<M extends HostMethod> = AnswerOf<M> extends Encoded<infer T> ? T : AnswerOf<M>

/** What is wrong with an encoded answer, and the call that it answered. */
type RefusedAnswer = ({ readonly connection: string } | { readonly grid: number }) & {
	readonly method: 'describeTable' | 'openGrid' | 'gridPage' | 'readRow' | 'aggregate' | 'runConsole'
	readonly fault: string
}

export interface ApiError {
	readonly code: string
	readonly message: string
}

export type ApiMessage =
	| { readonly id: number; readonly result: unknown }
	| { readonly id: number; readonly error: ApiError }
	| { readonly id: number; readonly progress: Progress }
	| { [E in keyof HostEvents]: { readonly event: E; readonly data: HostEvents[E] } }[keyof HostEvents]

/** Types that the window uses, so that it imports no other file of the host. */
export type {
	ActionField,
	ActionForm,
	AggregateQuery,
	Cannot,
	Cell,
	Change,
	ChangeOutcome,
	Column,
	Completions,
	ConsoleResult,
	Count,
	DatabaseObject,
	Explained,
	ExportOptions,
	FactRow,
	FactSection,
	Fault,
	Filter,
	FilterField,
	FoundTable,
	GridPage,
	GridQuery,
	Progress,
	Reference,
	ResultBody,
	ResultPart,
	Row,
	ServerInfo,
	Sort,
	Statement,
	Table,
	TableAction,
	TableCondition,
	Verdict,
} from '@roundhouse/kit'
export type { FormField, Manifest, Settings, SettingValue } from '@roundhouse/kit/manifest'
export type { ToolGroup } from '@roundhouse/kit/tool-groups'
export type { ActivityEntry } from '../activity/activity-log.ts'
export type { SetupPlan } from '../client-setup/setup.ts'
export type { ConnectionChanges, ConnectionDraft } from '../connections/connection-fields.ts'
export type { SessionState } from '../connections/sessions.ts'
export type { ImportAccount } from '../imports/import-job.ts'
export type { ImportPlan } from '../imports/import-plan.ts'
export type { FilePreview } from '../imports/preview.ts'
export type { ProxySetting } from '../network/proxy.ts'
export type { RegistrySource } from '../plugin-loader/registry-state.ts'
export type { Browsing, DriverOffer, DriverSource } from '../plugin-loader/release-catalog.ts'
export type { Synced } from '../plugin-loader/sync.ts'
export type { PastRun } from '../requests/history.ts'
export type { OfferedTool, OfferParameter } from '../requests/offers.ts'
export type { OpenRequest, RequestPlace, SavedRequest } from '../requests/saved-requests.ts'
export type { ExportState } from './exports.ts'
export type { Preferences } from './preferences.ts'
export type { SettingChange, WindowSettings } from './settings.ts'
export type { PendingShowing } from './showings.ts'
export type { WorkspaceRecords } from './workspace.ts'
