import { createHash } from 'node:crypto'
import { DriverError, type JsonObject } from '@roundhouse/kit'
import type { ConnectionGate } from '../access/connection-gate.ts'
import { askerOf } from '../protocol/asker.ts'
import type { McpCall } from '../protocol/method.ts'
import type { InputRequired } from '../protocol/outcome.ts'
import { legible, printable } from '../protocol/printable.ts'
import { canElicit, elicitation, isApproval } from './elicitation.ts'
import type { ConsentDesk, Estimate, ShownStatement } from './question.ts'
import { bindingOf, type RequestStates } from './request-state.ts'
import type { Round } from './rounds.ts'
import type { StatementGrants } from './statement-grants.ts'

/** The key of the one question this endpoint asks a client (contract, "Tool call params"). */
const approvalKey = 'approve_statement'

/** A statement that needs consent. */
export type PendingStatement = Omit<ShownStatement, keyof Estimate | 'shown'> & {
	/** Looked up only when somebody is really asked. */
	readonly estimate?: () => Promise<Estimate> | Estimate
}

export interface ConsentOptions {
	readonly gate: ConnectionGate
	readonly states: RequestStates
	readonly desk: ConsentDesk
	readonly grants: StatementGrants
	/** The setting "also ask in the window": elicitation alone is the client's word. */
	readonly alsoAskInWindow: () => boolean
	/** Told of each statement that may run now; what it throws keeps the statement from running. */
	readonly onConsented: (statement: PendingStatement, call: McpCall) => Promise<void>
}

/**
 * Collects the user's consent to a write (contract, "Write approval"): from the client by elicitation where it
 * declared that, else from the person at the machine. No answer, no window and no understanding all mean no.
 */
export class Consent {
	readonly #options: ConsentOptions

	constructor(options: ConsentOptions) {
		this.#options = options
	}

	/** Returns what to ask of the client first, or `undefined` when the statement may run. @throws DriverError `denied` */
	async settle(statement: PendingStatement, round: Round): Promise<InputRequired | undefined> {
		const { call } = round
		const asked = await this.#collect(statement, round)
		if (asked !== undefined) return asked
		this.#requireAllowed(statement, call)
		await this.#options.onConsented(statement, call)
		this.#requireAllowed(statement, call)
		return undefined
	}

	async #collect(statement: PendingStatement, round: Round): Promise<InputRequired | undefined> {
		const { call } = round
		const { grants, alsoAskInWindow } = this.#options
		if (round.resumed?.isConsented || grants.covers(call.caller, statement)) return undefined
		if (!canElicit(call)) return this.#askInWindow(await shown(statement), call)
		const { resumed } = round
		// What runs does not stand in the arguments alone: who said yes to something else is asked anew.
		const isAnswered = resumed?.purpose === 'consent' && resumed.state === digestOf(statement)
		const response = isAnswered ? round.inputResponses[approvalKey] : undefined
		if (response === undefined) return this.#askClient(await shown(statement), round)
		// Each of them was found to be an object when the round was read.
		if (!isApproval(response as JsonObject)) throw new DriverError('denied', 'The user refused.')
		return alsoAskInWindow() ? this.#askInWindow(await shown(statement), call) : undefined
	}

	async #askClient(question: ShownStatement, round: Round): Promise<InputRequired> {
		return {
			kind: 'input_required',
			inputRequests: { [approvalKey]: elicitation(question) },
			requestState: await this.#options.states.sign(bindingOf(round), {
				purpose: 'consent',
				state: digestOf(question),
			}),
		}
	}

	async #askInWindow(question: ShownStatement, call: McpCall): Promise<undefined> {
		// Between the 0 and the 0.3 of `execute_query`: progress that does not grow is dropped.
		call.progress({ progress: 0.1, total: 1, message: 'Waiting for the user' })
		const asker = askerOf(call)
		const answer = await this.#options.desk.ask({ kind: 'statement', asker, ...question }, call.signal)
		// Who may not write any more gets nothing of a late answer, least of all for a while.
		this.#requireAllowed(question, call)
		if (answer.decision === 'approved') {
			if (answer.forMinutes !== undefined)
				this.#options.grants.add(call.caller, { ...question, asker }, answer.forMinutes)
			return undefined
		}
		if (answer.decision === 'refused') throw new DriverError('denied', 'The user refused.')
		throw new DriverError(
			'denied',
			'This needs consent, and nobody can be asked: open the Roundhouse window, or use a client with elicitation.',
		)
	}

	/** Looks again whether the caller may do so there; a tool without a connection has none to look at. */
	#requireAllowed({ connection, access }: Pick<ShownStatement, 'connection' | 'access'>, call: McpCall): void {
		const { gate } = this.#options
		if (connection.id === '') gate.requireServed(call)
		else gate.requireAllowed(connection, call, access === 'read' ? 'read' : 'write')
	}
}

/** What a yes is worth for. */
function digestOf({ statement, access }: Pick<PendingStatement, 'statement' | 'access'>): string {
	return createHash('sha256').update(`${access}\n${statement}`).digest('base64url')
}

/**
 * What is shown: of the connection no more than its name, whatever else the caller knows of it, and a driver's words on
 * one line each, whatever stands in them.
 */
async function shown({ estimate, connection, ...statement }: PendingStatement): Promise<ShownStatement> {
	const { id, name, driverId } = connection
	const { destroys, ...extent } = (await estimate?.()) ?? {}
	const { grantTarget, ...rest } = statement
	return {
		...rest,
		// A kind that hides characters is left out: nobody could judge what they allow for a while.
		...(grantTarget !== undefined && legible(grantTarget) === printable(grantTarget) && { grantTarget }),
		summary: printable(statement.summary),
		shown: legible(statement.statement),
		connection: { id, name, driverId },
		...extent,
		...(destroys !== undefined && { destroys: printable(destroys) }),
	}
}
