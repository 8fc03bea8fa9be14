import type {
	Access,
	Assessment,
	ChangeOutcome,
	Column,
	ConsoleResult,
	Effect,
	Encoded,
	Explained,
	GridPage,
	GridQuery,
	Pasted,
	ServerInfo,
	Statement,
} from '@roundhouse/kit'
import type { Manifest } from '@roundhouse/kit/manifest'
import type { ConnectionChanges, ConnectionDraft, SavedConnection } from '../../connections/connection-fields.ts'
import type { ConnectionsFile } from '../../connections/connections-file.ts'
import type { SessionState } from '../../connections/sessions.ts'
import type { ImportAccount } from '../../imports/import-job.ts'
import type { ImportPlan } from '../../imports/import-plan.ts'
import type { FilePreview } from '../../imports/preview.ts'
import type { OnSavedConnection } from '../forwarded.ts'

/** Connections, and the rows and statements on them. */
export interface DataMethods {
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
		readonly database?: string
		readonly statements: readonly Pick<Statement, 'text' | 'parameters'>[]
		readonly session?: number
		readonly inTransaction?: boolean
	}): Review & { readonly statements: readonly ReviewedStatement[] }
	/**
	 * Runs a statement in the console's session, returns what it did, and rolls it back (`console.canRehearse` of the
	 * manifest). Fails on a connection that is read-only.
	 */
	'console.try'(params: {
		readonly connection: string
		readonly database?: string
		readonly statement: Pick<Statement, 'text' | 'parameters'>
		readonly session?: number
		readonly inTransaction?: boolean
	}): Assessment
	/**
	 * The driver classifies the text again; the verdict of the caller is ignored. `session`: a number of the caller, whose
	 * statements share a session of the engine if the driver has sessions.
	 */
	'console.run'(params: OnSavedConnection<'runConsole'> & Said): Encoded<ConsoleResult>
	/** Closes such a session, which rolls back its transaction. */
	/** The transaction of a console's session, or `null` if there is none any more. Asks the driver, not the engine. */
	'console.transaction'(params: { readonly connection: string; readonly session: number }): 'open' | 'failed' | null
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
		readonly database?: string
	}): Explained
	/** Returns statements with the connection's variables filled in, each classified as it would be sent. */
	'console.fillIn'(params: {
		readonly connection: string
		readonly statements: readonly string[]
		readonly database?: string
	}): readonly Statement[]
	/** Formats the text, if its driver can (`console.canFormat` of its manifest). */
	'console.format'(params: { readonly connection: string; readonly text: string }): string
	/** Converts one statement to another format (`console.copiesAs` of the manifest), without a credential. */
	'console.copyAs'(params: { readonly connection: string; readonly statement: string }): string
	/** Converts a pasted text to the console's language; `null` if the driver does not recognize it. */
	'console.readPasted'(params: { readonly connection: string; readonly text: string }): Pasted | null
}

/** A saved connection for the window: without secrets, only which ones exist. */
export type ConnectionView = SavedConnection & { readonly state: SessionState }

export interface Review {
	readonly review: string
}

/** The user's confirmations of a write, as the safe mode and the write require. */
export interface Said {
	readonly review?: string | undefined
	/** The typed name of the target: the table for changes, the connection for statements. */
	readonly typed?: string | undefined
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
	/** What it did when it was tried alone. */
	readonly effect?: Effect
}

/** What is wrong with an encoded answer, and the call that it answered. */
type RefusedAnswer = ({ readonly connection: string } | { readonly grid: number }) & {
	readonly method: 'describeTable' | 'openGrid' | 'gridPage' | 'readRow' | 'aggregate' | 'runConsole'
	readonly fault: string
}
