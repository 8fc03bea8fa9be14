import type { Encoded, Progress } from '@roundhouse/kit'
import type { ActivityEntry } from '../activity/activity-log.ts'
import type { FolderListing } from '../connections/home-folders.ts'
import type { SessionState } from '../connections/sessions.ts'
import type { ExportState } from './exports.ts'
import type { ForwardedMethods } from './forwarded.ts'
import type { AiMethods } from './method-types/ai.ts'
import type { DataMethods } from './method-types/data.ts'
import type { DevelopmentView, ProductMethods } from './method-types/product.ts'
import type { RequestMethods } from './method-types/requests.ts'
import type { Preferences } from './preferences.ts'
import type { SettingChange, WindowSettings } from './settings.ts'
import type { WorkspaceRecords } from './workspace.ts'

/**
 * The typed host API: what the window, and the command line while a host runs, may ask. Types alone, so that the
 * window imports nothing of the host's code.
 *
 * A text frame of the WebSocket is one JSON message; a binary frame answers one call with bytes that the driver
 * encoded: four bytes of call id (little endian), then the JSON text.
 */
export interface HostMethods extends ForwardedMethods, ProductMethods, DataMethods, RequestMethods, AiMethods {
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
	Assessment,
	Cannot,
	Cell,
	Change,
	ChangedRows,
	ChangeOutcome,
	Column,
	Completions,
	ConsoleResult,
	Count,
	DatabaseObject,
	Effect,
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
	TableEffect,
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
export type { DriverOffer } from '../plugin-loader/release-catalog.ts'
export type { Synced } from '../plugin-loader/sync.ts'
export type { PastRun } from '../requests/history.ts'
export type { OfferedTool, OfferParameter } from '../requests/offers.ts'
export type { OpenRequest, RequestPlace, SavedRequest } from '../requests/saved-requests.ts'
export type { ExportState } from './exports.ts'
export type * from './method-types/ai.ts'
export type * from './method-types/data.ts'
export type * from './method-types/product.ts'
export type * from './method-types/requests.ts'
export type { Preferences } from './preferences.ts'
export type { SettingChange, WindowSettings } from './settings.ts'
export type { PendingShowing } from './showings.ts'
export type { WorkspaceRecords } from './workspace.ts'
