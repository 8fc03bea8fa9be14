import type { Completions } from './console.ts'

/** A raw query (`GridQuery.raw`) while the user types it. */
export interface TypedQuery {
	readonly text: string
	/** Where the user types, in UTF-16 units. */
	readonly offset: number
}

/** What a driver reads in a raw query while the user types it. */
export interface RawReading {
	/** Fields, operators and values that fit where the user types, best first. The driver may request a few values from the engine. */
	readonly completions: Completions
	/** What the text means so far, in words for the user: `Fields: title, price. Other words: in all fields.` */
	readonly understood?: string
	/** What the engine would not find or accept: `There is no field titel.` */
	readonly fault?: string
	/**
	 * The query that the user probably means, if the text is in a similar language. The window sends it, shows it beside
	 * the typed text, and offers to send that text instead.
	 */
	readonly correction?: string
}
