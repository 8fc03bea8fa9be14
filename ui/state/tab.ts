import type { Engine } from './engine.tsx'

/** The connection that a tab is on, for as long as the tab is there. */
export interface TabConnection {
	readonly id: string
	readonly name: string
	readonly engine: Engine
}

/** What every kind of tab has. */
export interface TabOf<Kind extends string> {
	readonly kind: Kind
	/** Two tabs with one id are one tab. */
	readonly id: string
	readonly title: string
	readonly connection: TabConnection
	/** Ends what lives as long as the tab. */
	close?(): void
}

/** What the view of a tab is given. */
export interface TabProps<T> {
	readonly tab: T
	readonly isActive: boolean
	/** How many of its changes are not saved. */
	onStaged(count: number): void
	/** Opens the console of the tab's connection, with a text added to what is there. */
	onConsole(text: string): void
	/** Shows what the driver tells of a table. */
	onFacts(table: string): void
}
