import type { Encoded, GridQuery, Progress } from '@roundhouse/kit'
import type { ActivityEntry } from '../activity/activity-log.ts'
import type { SessionState } from '../connections/sessions.ts'
import type { DevelopmentView } from './development.ts'
import type { ExportState } from './exports.ts'
import type { Methods } from './methods.ts'
import type { WorkspaceChange } from './workspace.ts'

/**
 * The typed host API: what the window, and the command line while a host runs, may ask. Types alone, so that the
 * window imports nothing of the host's code. A method is declared where it is implemented (`methods/`).
 *
 * A text frame of the WebSocket is one JSON message; a binary frame answers one call with bytes that the driver
 * encoded: four bytes of call id (little endian), then the JSON text.
 */
export interface HostEvents {
	'consent.changed': null
	'pairing.changed': null
	'showings.changed': null
	'viewLinks.changed': null
	'export.changed': ExportState
	'activity.entry': ActivityEntry
	'drivers.changed': null
	'development.changed': DevelopmentView
	'connections.changed': null
	/** Requests were saved, renamed or removed. */
	'requests.changed': null
	'workspace.changed': WorkspaceChange
	'session.state': { readonly connection: string; readonly state: SessionState }
}

export type HostMethod = keyof Methods
export type ParamsOf<M extends HostMethod> = Parameters<Methods[M]['run']>[0]
/** The host's result: bytes as they came from the driver. */
export type AnswerOf<M extends HostMethod> = Awaited<ReturnType<Methods[M]['run']>>
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
	DefinedColumn,
	DefinedIndex,
	DefinedKey,
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
	Namespace,
	Progress,
	Reference,
	ResultBody,
	ResultOrder,
	ResultPart,
	Row,
	ServerInfo,
	SimilarGroup,
	SimilarGroups,
	SimilarQuery,
	Sort,
	Statement,
	Table,
	TableAction,
	TableChange,
	TableCondition,
	TableDefinition,
	TableDescription,
	TableEffect,
	TableForm,
	TableFormPlace,
	Verdict,
} from '@roundhouse/kit'
export type { FormField, Manifest, Settings, SettingValue } from '@roundhouse/kit/manifest'
export type { ToolGroup } from '@roundhouse/kit/tool-groups'
export type { ActivityEntry } from '../activity/activity-log.ts'
export type { SetupPlan } from '../client-setup/setup.ts'
export type { ConnectionChanges, ConnectionDraft } from '../connections/connection-fields.ts'
export type { FileConnection } from '../connections/connections-of-file.ts'
export type { ProjectEntry, ProjectView } from '../connections/project/projects.ts'
export type { SessionState } from '../connections/sessions.ts'
export type { ImportAccount } from '../imports/import-job.ts'
export type { ImportPlan } from '../imports/import-plan.ts'
export type { FilePreview } from '../imports/preview.ts'
export type { Level as TokenLevel, NewToken, TokenDraft } from '../mcp/index.ts'
export type { ProxySetting } from '../network/proxy.ts'
export type { RegistrySource } from '../plugin-loader/registry-state.ts'
export type { DriverOffer } from '../plugin-loader/release-catalog.ts'
export type { Synced } from '../plugin-loader/sync.ts'
export type { PastRun } from '../requests/history.ts'
export type { OfferedTool, OfferParameter } from '../requests/offers.ts'
export type { OpenRequest, RequestScope, SavedRequest } from '../requests/saved-requests.ts'
export type { KeptChangeView, KeptRowView } from '../undo/kept-view.ts'
export type { AppInfo, Entry, WayBack } from './app.ts'
export type { DevelopmentView } from './development.ts'
export type { ExportState } from './exports.ts'
export type { FirstStep } from './first-steps.ts'
export type { WindowQuestion } from './methods/ai-access.ts'
export type { ConnectionView } from './methods/connections.ts'
export type { Installed } from './methods/drivers.ts'
export type { OfRequest } from './methods/offers.ts'
export type { Sight } from './methods/tokens.ts'
export type { UndoView } from './methods/undo.ts'
export type { ReviewedStatement } from './methods/writes.ts'
export type { OfferView } from './offer-verdict.ts'
export type { Preferences } from './preferences.ts'
export type { SettingChange, WindowSettings } from './settings.ts'
export type { PendingShowing } from './showings.ts'
export type { WorkspaceRecords } from './workspace.ts'

export type Review = ResultOf<'imports.review'>
/** The user's confirmations of a write, as the safe mode and the write require. */
export type Said = Pick<ParamsOf<'changes.apply'>, 'review' | 'typed'>
export type RegistryView = ResultOf<'registries.list'>[number]
/** A saved request that is a tool of AI clients. */
export type OfferedEntry = ResultOf<'offers.list'>[number]
/** Which rows of a table. Their order changes neither counts nor values. */
export type RowChoice = Omit<GridQuery, 'sort' | 'isReload'>
