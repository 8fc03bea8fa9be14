import type { Access } from '@roundhouse/kit'
import type { Asker } from '../protocol/asker.ts'

export interface AskedConnection {
	readonly id: string
	readonly name: string
	readonly driverId: string
}

/** What a statement would do, as far as that can be told without doing it. */
export interface Estimate {
	/** How many rows it touches; `isExact: false` means at least so many. */
	readonly affects?: { readonly value: number; readonly isExact: boolean }
	/** What is gone afterwards, in words. */
	readonly destroys?: string
}

/** First use of a connection by a token (docs/mcp.md, "Who may do what"). */
interface AccessQuestion {
	readonly kind: 'access'
	readonly asker: Asker
	readonly connection: AskedConnection
}

/** May this statement run? */
export interface StatementQuestion extends Estimate {
	readonly kind: 'statement'
	readonly asker: Asker
	readonly connection: AskedConnection
	/** What would run, in full. */
	readonly statement: string
	/** The same for a person to read: nothing hides in it, and what is blank is folded. */
	readonly shown: string
	/** The same in one sentence. */
	readonly summary: string
	/** `read`: it changes nothing where it runs, and is asked about all the same, as an export is. */
	readonly access: Access
	/** What a consent for a while would cover; without it there is none. */
	readonly grantTarget?: string | undefined
}

/** What is asked of a statement, as it is shown to whoever is asked. */
export type ShownStatement = Omit<StatementQuestion, 'kind' | 'asker'>

/** A question to the person at the machine. */
export type Question = AccessQuestion | StatementQuestion

export type Answer =
	| { readonly decision: 'approved'; readonly forMinutes?: number }
	| { readonly decision: 'refused' }
	/** No window is there to show the question. */
	| { readonly decision: 'nobody' }

/** Shows questions to a person. The window brings one; nothing is ever approved in its place. */
export interface ConsentDesk {
	/** Settles when the person has answered; an abort takes the question away. */
	ask(question: Question, signal: AbortSignal): Promise<Answer>
}

export const nobody: ConsentDesk = { ask: async () => ({ decision: 'nobody' }) }
