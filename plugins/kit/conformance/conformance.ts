import type { Cell } from '../api/cell.ts'
import type { TableEffect } from '../api/console.ts'
import type { JsonObject } from '../api/json.ts'
import type { Settings } from '../api/settings.ts'
import type { Ability } from './abilities.ts'

export { type Ability, abilities } from './abilities.ts'

/** What a driver's conformance file says: how to connect, what is absent, and what to try. */
export interface Conformance {
	readonly fixture: Fixture
	/** Abilities that the driver does not have, each with the reason. Then it must refuse with `unsupported`. */
	readonly can?: Readonly<Partial<Record<Ability, string>>>
	/**
	 * Starts servers whose certificates are verified, for example TLS in front of the engine. `settings` are those of the
	 * fixture. Without it, the case is absent.
	 */
	certificates?(settings: Settings): Promise<StartedCertificates> | StartedCertificates
	/** Starts a data source with at least `count` tables. Without it, the case is absent. */
	manyTables?(count: number): Promise<StartedFixture> | StartedFixture
	/** The table whose rows are paged, filtered and sorted. Default: the first one that is listed. */
	readonly table?: string
	/** What may be changed. Without it, rows are not changed. */
	readonly edits?: EditExample
	/** Examples of statements. */
	readonly statements?: StatementExamples
	/** Arguments of tools by name, without `connection_id`. Tools without arguments here are not called. */
	readonly tools?: Readonly<Record<string, JsonObject>>
}

/**
 * How the driver connects: by settings, to its own sample (with settings that replace those of the sample), or to what
 * `start` starts.
 */
export type Fixture =
	| { readonly settings: Settings }
	| { readonly sample: true; readonly settings?: Settings }
	| { start(): Promise<StartedFixture> | StartedFixture }

/** A running fixture. */
export interface StartedFixture {
	/** Values of the connection form. */
	readonly settings: Settings
	stop?(): Promise<void> | void
}

/** Settings for one server each, which replace those of the fixture. In all of them the driver verifies certificates. */
export interface StartedCertificates extends Pick<StartedFixture, 'stop'> {
	/** A server whose certificate is right, so that the others are refused for theirs. */
	readonly trusted: Settings
	/** The driver does not know the authority that signed the certificate. */
	readonly unknown: Settings
	/** The certificate is for another host. */
	readonly wrongName: Settings
	/** The server has no TLS. */
	readonly none: Settings
}

/** Changes that the kit may make. */
export interface EditExample {
	readonly table: string
	/** Values of a row that does not exist yet. */
	readonly insert: Readonly<Record<string, Cell>>
	/** Values that the new row is then given. They differ from those of `insert`. */
	readonly update: Readonly<Record<string, Cell>>
	/** Values by column that are hard to keep: long numbers, empty text, the ends of a type. Each is written and read. */
	readonly values?: Readonly<Record<string, readonly Cell[]>>
}

/** Statements, each alone in its text. Those that write must work on the fixture's data and may be run. */
export interface StatementExamples {
	readonly read: readonly string[]
	readonly write?: readonly string[]
	readonly destructive?: readonly string[]
	/** Texts that are not statements of the language. */
	readonly broken?: readonly string[]
	/** A statement that the engine refuses when it runs. */
	readonly failing?: string
	/** A read that takes ten seconds or longer. */
	readonly slow?: string
	/**
	 * A read whose answer is one row with one cell: the value of its one place, for example `select {{value}}` with
	 * `name: 'value'`. For a driver with `takesParameters`.
	 */
	readonly parameters?: { readonly text: string; readonly name: string }
	/** A statement that sets something for its session, and one that shows it. The console has no session, so it stays. */
	readonly leftover?: { readonly set: string; readonly show: string }
	/** Statements of a transaction, if the driver has sessions. `read` shows what `write` changes. */
	readonly transaction?: TransactionExample
	/** Statements whose rows a rehearsal counts, for a driver with `canRehearse`. */
	readonly rehearsals?: {
		/** A trigger changes further rows. */
		readonly trigger?: RehearsalExample
		/** A foreign key deletes further rows. */
		readonly cascade?: RehearsalExample
		/** The engine numbers an inserted row. */
		readonly sequence?: RehearsalExample
	}
	/** Stands between two statements of one text. Default: an empty line. */
	readonly separator?: string
}

/** The statements with which a session is tried. */
export interface TransactionExample {
	readonly begin: string
	readonly write: string
	readonly read: string
	readonly commit: string
	readonly rollback: string
}

/** A statement that writes, and all rows that it changes. */
export interface RehearsalExample {
	/** Statements that make the tables and rows that it needs. They run once, in this order. */
	readonly prepare?: readonly string[]
	readonly statement: string
	/** The rows by table, named as in the driver's effect (`TableEffect.table`). A number that is left out is 0. */
	readonly effect: Readonly<Record<string, Partial<Pick<TableEffect, 'inserted' | 'updated' | 'deleted'>>>>
}

/** Types an object as a conformance file, and returns it unchanged. */
export function conformance(file: Conformance): Conformance {
	return file
}
