import type { ConnectionView } from '../../host/ui-server/api.ts'
import type { Engine } from './engine.tsx'

/** The connection that a tab is on, for as long as the tab is there. */
export interface TabConnection {
	readonly id: string
	/** As it is called now. */
	readonly name: string
	/** What persons may write to it now, and how it looks. */
	readonly view: Pick<ConnectionView, 'id' | 'safeMode' | 'isProduction' | 'colour'>
	readonly engine: Engine
}

/** Where a tab leads: all that is needed to open it once more. */
export type TabPlace = { readonly connection: string } & (
	| { readonly kind: 'table'; readonly table: string }
	/** Consoles of a connection are counted from 1. */
	| { readonly kind: 'console'; readonly number: number }
	/** Without a table: the whole connection. */
	| { readonly kind: 'facts'; readonly table?: string | undefined }
)

/** Two tabs with one id are one tab. */
export function tabId(place: TabPlace): string {
	const what = place.kind === 'console' ? place.number : (place.table ?? '')
	return `${place.kind}/${place.connection}/${what}`
}

/** What every kind of tab has. */
export interface TabOf<Kind extends TabPlace['kind']> {
	readonly kind: Kind
	readonly id: string
	readonly place: Extract<TabPlace, { readonly kind: Kind }>
	readonly title: string
	readonly connection: TabConnection
	/** How many of its changes are not saved. */
	staged?(): number
	/** Lets go of them. */
	discard?(): void
	/** Calls it something else; one without this has the name of what it shows. */
	rename?(name: string): void
	/** Ends what lives as long as the tab. */
	close?(): void
}

/** What the view of a tab is given. */
export interface TabProps<T> {
	readonly tab: T
	readonly isActive: boolean
	/** Opens the console of the tab's connection, with a text added to what is there. */
	onConsole(text: string): void
	/** Shows what the driver tells of a table. */
	onFacts(table: string): void
}
