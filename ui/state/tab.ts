import type {
	Cannot,
	ConnectionView,
	PendingShowing,
	Table,
	TableFormPlace,
	WorkspaceRecords,
} from '../../host/api/api.ts'
import type { Engine } from './engine.tsx'

export interface TabConnection {
	readonly id: string
	/** Its current name. */
	readonly name: string
	/** Its current safe mode and appearance. */
	readonly view: Pick<ConnectionView, 'id' | 'safeMode' | 'isProduction' | 'colour' | 'hiddenColumns'>
	readonly engine: Engine
	/** Its list of tables, if it has been read. */
	readonly listed: readonly Table[] | undefined
	/** The zone in which the engine's days begin, if the window has opened the connection and it is not UTC. */
	readonly timeZone: string | undefined
	/** A table of its list, if it has been read. */
	table(name: string): Table | undefined
	/** Changes that a table does not take here, with the reason: its own, or that the connection is read-only. */
	cannot(table: string): Cannot
}

/** What a tab shows: all that is needed to open it again, for example after a restart. */
export type TabTarget = { readonly connection: string } & (
	| {
			readonly kind: 'table'
			readonly table: string
			/** Further tabs of the table are numbered from 2. */
			readonly number?: number
	  }
	/** Consoles of a connection are numbered from 1. */
	| { readonly kind: 'console'; readonly number: number }
	/** Without a table it shows the whole connection. */
	| { readonly kind: 'facts'; readonly table?: string | undefined }
	/** The facts of an object beside tables, for example a function. */
	| { readonly kind: 'object'; readonly object: string }
	/** All tables of the connection. */
	| { readonly kind: 'tables' }
	/** The form of a table, or without one that of a new table below a level of the list. */
	| { readonly kind: 'form'; readonly table?: string | undefined; readonly path?: readonly string[] | undefined }
	/** The keys around a table, or between the tables below a level of the list; without both, of the whole connection. */
	| { readonly kind: 'diagram'; readonly table?: string | undefined; readonly path?: readonly string[] | undefined }
)

/** Tabs with one id are the same tab. */
export function tabId(place: TabTarget): string {
	const kind = place.kind === 'table' ? `table${place.number ?? ''}` : place.kind
	return `${kind}/${place.connection}/${whatOf(place)}`
}

function whatOf(place: TabTarget): string | number {
	if (place.kind === 'console') return place.number
	if (place.kind === 'object') return place.object
	if (place.kind === 'diagram' || place.kind === 'form') return place.table ?? JSON.stringify(place.path ?? [])
	return place.kind === 'tables' ? '' : (place.table ?? '')
}

/** Members of every kind of tab. */
export interface TabOf<Kind extends TabTarget['kind']> {
	readonly kind: Kind
	readonly id: string
	readonly place: Extract<TabTarget, { readonly kind: Kind }>
	readonly title: string
	/** What it shows of that, where several tabs have one name. */
	about?(): string
	readonly connection: TabConnection
	/** The database that it works in, if that is another one than that of the connection. */
	database?(): string | undefined
	/** The number of unsaved changes. */
	staged?(): number
	discard?(): void
	/** What closing loses, if it is something else: `Its transaction is rolled back.` and the label of that action. */
	loss?(): { readonly text: string; readonly action: string } | undefined
	/** Renames it. A tab without this has the name of what it shows. */
	rename?(name: string): void
	/** Disposes what lives as long as the tab. */
	close?(): void
}

/** Rows of a table. */
export type ShownTable = Extract<PendingShowing['shown'], { readonly kind: 'table' }>
/** A filter as typed. */
export type ShownFilter = ShownTable['filters'][number]

/** A query and a position in its rows, as they are stored. */
export interface StoredView {
	readonly query: WorkspaceRecords[string]
	/** `undefined` before the rows were shown. */
	readonly position: WorkspaceRecords[string] | undefined
}

/** A table that the user has made or renamed, before the list of tables has it. */
export interface MadeTable {
	/** The levels of the list above it. */
	readonly path: readonly string[]
	/** Its name below them, as a list titles it. */
	readonly name: string
}

/** Properties of a tab's view. */
export interface TabProps<T> {
	readonly tab: T
	/** It is visible: the front tab of its pane. */
	readonly isShown: boolean
	/** It is shown in the pane that has the focus, so keys and commands are for it. */
	readonly isActive: boolean
	/** Opens a text in a console of the tab's connection that has no other text. */
	onConsole(text: string): void
	/** Opens rows of a table of the connection, in this tab only if it has no query of the user. */
	onRows(table: string, filters: readonly ShownFilter[]): void
	/** Opens rows of a table of the connection in another tab. */
	onRowsApart(table: string, view: StoredView): void
	/** Asks whether the view of a link is opened, which may be of another connection. */
	onViewLink(link: string): void
	/** Opens a table of the connection. */
	onTable(table: string): void
	/** Opens a table of the connection with the sheet for imports. */
	onImport(table: string): void
	/** Shows the facts of a table. */
	onFacts(table: string): void
	/** Opens the form of a table, or of a new one. */
	onTableForm(place: TableFormPlace): void
	/** Opens a table that was just made. */
	onMade(made: MadeTable): void
	/** Shows a table that was just renamed in the tabs that showed it, of which this may be one. */
	onRenamed(before: string, after: MadeTable): void
	/** Closes the tab. */
	onClose(): void
}
