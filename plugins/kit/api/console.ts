import type { Call } from './call.ts'
import type { Cell } from './cell.ts'
import type { Encoded, WithRaw } from './encoded.ts'
import type { DriverErrorCode } from './errors.ts'
import type { FactSection } from './facts.ts'
import type { ParameterValue } from './parameters.ts'
import type { Count } from './rows.ts'
import type { Column } from './table.ts'

export type Access = 'read' | 'write' | 'destructive'

/** What a driver says of one statement of a console text: where it stands, and what it may do. */
export interface Verdict {
	/** Offsets into the console text, in UTF-16 units. */
	readonly start: number
	readonly end: number
	/** What it may do; the worst when in doubt. */
	readonly access: Access
	/** The statement in one line. */
	readonly summary: string
	/**
	 * What a person's consent for a while may cover, as they read it: one kind of statement on one table, for example
	 * `POST /books/_update`. Left out: each such statement is asked for anew.
	 */
	readonly grantTarget?: string
	/** Why it cannot be run, as a DriverError has it; other statements of the text can. */
	readonly fault?: { readonly code: DriverErrorCode; readonly message: string }
}

/**
 * A statement with the verdict on it, which travels along to whoever asks for it to be run. The text is cut out by whoever
 * gave it: what is shown and run is never another one than was asked for.
 */
export interface Statement extends Verdict {
	readonly text: string
}

export interface Console {
	/** Finds the statements of a console text and judges each, which happens here alone. */
	analyse(text: string): readonly Verdict[]
	/**
	 * What a statement would do, as far as the engine can tell without doing it: asked before a person consents.
	 * It must not write, and leaves out what it cannot find out.
	 */
	assess?(statement: Statement, call: Call): Promise<Assessment>
	/** What can follow at an offset of the console text. It must not fetch more than the one table being typed. */
	complete?(text: string, offset: number, call: Call): Promise<Completions>
	/** Lays a text out: blanks alone change, so that each statement stays the one that it was. Left out: `canFormat` is false. */
	format?(text: string): string
	/** A statement as it is typed elsewhere, credentials left to a placeholder (the manifest's `copiesAs`). @throws DriverError */
	copyAs?(statement: Statement): string
	/** A text that was copied elsewhere, in this console's language; `undefined` where it is none that is known (`pastes`). */
	readPasted?(text: string): Pasted | undefined
	/**
	 * A text that holds one statement, with values in the places that it has for them (`parameterPlaces`). Each stays one
	 * value, whatever it is: what the statement is made of is the same for all of them. Left out: this language cannot, and
	 * no statement with places is offered to AI clients. @throws DriverError `invalid_argument` where a place takes no value,
	 * or not this one
	 */
	bindParameters?(text: string, values: Readonly<Record<string, ParameterValue>>): string
	/** Runs one statement. Whoever allows that goes by its verdict. */
	run(statement: Statement, options: RunOptions, call: Call): Promise<Encoded<ConsoleResult>>
}

export interface Pasted {
	readonly text: string
	/** What of it was left out, in words. */
	readonly notice?: string
}

export interface RunOptions {
	readonly maxRows: number
	/** What the engine refuses is a result with a fault, so that all it said is seen; without it, an error. */
	readonly showsRefusals?: boolean
}

export interface Assessment {
	/** How many rows the statement touches. */
	readonly affects?: Count
	/** What is gone afterwards, in words a person can decide on, for example `the index books with 3,003 documents`. */
	readonly destroys?: string
}

/** Suggestions for the text between `from` and the offset that was asked about. */
export interface Completions {
	readonly from: number
	readonly options: readonly {
		readonly label: string
		readonly kind: 'method' | 'endpoint' | 'parameter' | 'keyword' | 'table' | 'column'
		/** A few words beside the label. */
		readonly detail?: string
		/** A sentence on what it does. */
		readonly info?: string
		/** An `https:` page with more about it. */
		readonly url?: string
		/** The engine advises against it; such options come last. */
		readonly isDeprecated?: boolean
		/** What is put in, where it is more than the label. */
		readonly insert?: string
	}[]
}

/** What came of a statement. `raw` is the whole answer as it came; a body without a text of its own is read from it. */
export interface ConsoleResult extends WithRaw {
	/** The engine's own status line, for example `200 OK`. */
	readonly status: string
	readonly tookMs: number
	/** How large the engine's answer was. */
	readonly sizeBytes?: number
	readonly notices: readonly string[]
	/** Why the engine did not do it; the body is what it says to that. */
	readonly fault?: Verdict['fault']
	/** What the answer says beside its rows, made readable: where the time went, why a row is there. */
	readonly panels?: readonly FactSection[]
	readonly body:
		| {
				readonly view: 'rows'
				readonly columns: readonly Column[]
				readonly rows: readonly (readonly Cell[])[]
				readonly total?: Count
				readonly isTruncated: boolean
				/** Values over all rows, which are none of a row's. */
				readonly totals?: readonly { readonly name: string; readonly value: Cell }[]
				/** The rows can be drawn. */
				readonly chart?: Chart
		  }
		| { readonly view: 'json'; readonly json?: string }
		| { readonly view: 'text'; readonly text?: string }
}

/** Columns of a result, by name: values along one of time, or for each of several keys. */
export interface Chart {
	readonly by: string
	readonly isTime: boolean
	readonly values: readonly string[]
}
