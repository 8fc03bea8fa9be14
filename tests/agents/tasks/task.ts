import type { Agent, Answer } from '../agent.ts'

/** A request of a user to a model, the calls that a model needs, and what it must have found or changed. */
export interface AgentTask {
	readonly asked: string
	/** The task needs tools that the user has to switch on. */
	readonly needsDiagnose?: boolean
	/** Each call of them must be answered with what leads to the right one. They are not counted. */
	readonly wrongTurns?: readonly WrongTurn[]
	solve(agent: Agent): Promise<Answer>
	readonly expected: unknown
}

/** What a model does wrongly, for the table. Without `call`, `solve` itself begins with it. */
export type WrongTurn =
	| { readonly does: string }
	| {
			readonly does: string
			readonly call: readonly [tool: string, args: Record<string, unknown>]
			readonly says: RegExp
	  }

export const rowsOf = (answer: Answer) => answer.rows as readonly Answer[]
