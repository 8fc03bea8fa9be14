import { type Access, type ChangedRows, type Count, type Effect, type Held, isWithinEffect } from '@roundhouse/kit'
import type { SavedConnection } from '../../connections/connection-fields.ts'
import type { Asker } from '../protocol/asker.ts'

export interface AskedConnection {
	readonly id: string
	readonly name: string
	readonly driverId: string
}

/** The connection of a call. A driver's tool without a connection has the name of the driver and an empty id. */
export type ConnectionOfCall = SavedConnection | (AskedConnection & { readonly id: '' })

export function isSaved(connection: ConnectionOfCall): connection is SavedConnection {
	return connection.id !== ''
}

/** Rows that changes of rows replace or delete, as they were read for the question. */
export interface ReplacedRows {
	readonly table: string
	/** How many there are. */
	readonly count: number
	/** The first of them before and after, each text on one line. */
	readonly rows: ChangedRows
	/** Of those rows. */
	readonly digest: string
}

/** The effect of a statement, before it runs. */
export interface Estimate {
	/** What a rehearsal did. */
	readonly effect?: Effect
	/** Why there was no rehearsal, if the driver rehearses. */
	readonly unrehearsed?: string
	/** Number of affected rows. */
	readonly affects?: Count
	/** Read again before the statement runs: if it differs, the user is asked again. */
	readonly replaced?: ReplacedRows
	/** Describes the destroyed data. */
	readonly destroys?: string
	/** Identity of what is destroyed (the kit's `Assessment.held`). */
	readonly held?: Held
	/** What a write destroys is not known: the driver cannot tell, or took too long. */
	readonly isUndetermined?: true
}

/** The effect of a statement, with what a temporary consent may cover (the kit's `Assessment.scope`). */
export interface Assessed extends Estimate {
	readonly scope?: string
}

/** An estimate as a client has it while its user decides, without the rows. */
export interface AgreedEstimate extends Omit<Estimate, 'replaced'> {
	readonly replaced?: Pick<ReplacedRows, 'digest'>
}

/** Whether an effect is at most the one that the user agreed to. */
export function isWithin(now: Estimate, agreed: AgreedEstimate): boolean {
	if (agreed.replaced !== undefined && now.replaced?.digest !== agreed.replaced.digest) return false
	if (now.held?.identity !== agreed.held?.identity) return false
	// The text of what is held has its number of rows, which may be smaller.
	if (agreed.held?.rows !== undefined) return now.held?.rows !== undefined && now.held.rows <= agreed.held.rows
	if (now.destroys !== undefined && now.destroys !== agreed.destroys) return false
	if (now.isUndetermined && !agreed.isUndetermined) return false
	if (now.unrehearsed !== undefined && agreed.unrehearsed === undefined) return false
	if (agreed.effect !== undefined) return now.effect !== undefined && isWithinEffect(now.effect, agreed.effect)
	if (agreed.affects === undefined) return true
	if (now.affects === undefined || now.affects.value > agreed.affects.value) return false
	return now.affects.isExact || !agreed.affects.isExact
}

/** What a temporary consent covers: a kind of statement, as the user reads it, on what a look-up found, up to a number of rows. */
export interface OfferedGrant {
	readonly target: string
	readonly scope: string
	readonly mostRows: number
}

/** First use of a connection by a token (docs/mcp.md, "Who may do what"). */
interface AccessQuestion {
	readonly kind: 'access'
	readonly asker: Asker
	readonly connection: AskedConnection
}

/** Asks whether a statement may run. */
export interface StatementQuestion extends Estimate {
	readonly kind: 'statement'
	readonly asker: Asker
	readonly connection: AskedConnection
	/** The complete statement. */
	readonly statement: string
	/** The statement as the activity log has it, without secrets. Default: `statement`. */
	readonly recorded?: string
	/**
	 * The statement for display: invisible characters are escaped, blank areas are folded. Before many changes of rows
	 * stands what they do, in groups.
	 */
	readonly shown: string
	/** A summary in one sentence. */
	readonly summary: string
	/** `read`: it changes no data but still needs consent, for example an export. */
	readonly access: Access
	/** Why the driver gave this verdict (the kit's `Verdict.reason`). */
	readonly reason?: string | undefined
	/** What it replaces is kept, so an undo may be possible afterwards. */
	readonly mayUndo?: true | undefined
	/** Scope and row limit of a temporary consent. Without it, only this call can be allowed. */
	readonly grant?: OfferedGrant | undefined
}

/** The content of a statement question, for the window or for the client. */
export type ShownStatement = Omit<StatementQuestion, 'kind' | 'asker'>

/** The longest text that a client is taken to show in whole, in characters. */
export const maxClientText = 8000

/** A question to the user. */
export type Question = AccessQuestion | StatementQuestion

export type Answer =
	| { readonly decision: 'approved'; readonly forMinutes?: number }
	| { readonly decision: 'refused' }
	/** No window is open. */
	| { readonly decision: 'unattended' }

/** Shows questions to the user. The window provides it; there is no automatic approval. */
export interface ConsentDesk {
	/** Resolves with the user's answer. An abort withdraws the question. */
	ask(question: Question, signal: AbortSignal): Promise<Answer>
}

export const unattendedDesk: ConsentDesk = { ask: async () => ({ decision: 'unattended' }) }
