import { DriverError, isJsonObject, type JsonObject } from '@roundhouse/kit'
import { clientName } from '../protocol/client-name.ts'
import type { McpCall } from '../protocol/method.ts'
import type { InputRequired } from '../protocol/outcome.ts'
import { outgoingText } from '../protocol/outgoing-text.ts'
import { legible, printable } from '../protocol/printable.ts'
import type { ConsentDesk, Estimate, Question } from './question.ts'
import type { RequestStates } from './request-state.ts'
import type { Round } from './rounds.ts'
import type { StatementGrants } from './statement-grants.ts'

/** The key of the one question this endpoint asks a client (contract, "Tool call params"). */
const approvalKey = 'approve_statement'

type Asking = Omit<Extract<Question, { kind: 'statement' }>, 'kind' | 'asker'>

export type StatementQuestion = Omit<Asking, keyof Estimate | 'shown'> & {
	/** Looked up only when somebody is really asked. */
	readonly estimate?: () => Promise<Estimate> | Estimate
}

export interface ConsentOptions {
	/** The setting "also ask in the window": elicitation alone is the client's word. */
	readonly alsoAskInWindow: () => boolean
	/** Looks again whether the caller may still write there. @throws ProtocolError */
	readonly requireStillAllowed: (question: StatementQuestion | Asking, call: McpCall) => void
	/** Told of each statement that may run now; what it throws keeps the statement from running. */
	readonly onConsented: (question: StatementQuestion, call: McpCall) => Promise<void>
}

/**
 * Collects the user's consent to a write (contract, "Write approval"): from the client by elicitation where it
 * declared that, else from the person at the machine. No answer, no window and no understanding all mean no.
 */
export class Consent {
	readonly grants: StatementGrants
	readonly #states: RequestStates
	readonly #desk: ConsentDesk
	readonly #options: ConsentOptions

	constructor(states: RequestStates, desk: ConsentDesk, grants: StatementGrants, options: ConsentOptions) {
		this.grants = grants
		this.#states = states
		this.#desk = desk
		this.#options = options
	}

	/** Returns what to ask of the client first, or `undefined` when the statement may run. @throws DriverError `denied` */
	async settle(question: StatementQuestion, round: Round, call: McpCall): Promise<InputRequired | undefined> {
		const asked = await this.#collect(question, round, call)
		if (asked !== undefined) return asked
		this.#options.requireStillAllowed(question, call)
		await this.#options.onConsented(question, call)
		this.#options.requireStillAllowed(question, call)
		return undefined
	}

	async #collect(question: StatementQuestion, round: Round, call: McpCall): Promise<InputRequired | undefined> {
		if (round.resumed?.isConsented || this.grants.covers(call.caller, question)) return undefined
		if (!canElicit(call)) return this.#askInWindow(await asking(question), call)
		const response = round.resumed?.purpose === 'consent' ? round.inputResponses[approvalKey] : undefined
		if (response === undefined) return this.#askClient(await asking(question), round, call)
		if (!isApproval(response as JsonObject)) throw new DriverError('denied', 'The user refused this statement.')
		return this.#options.alsoAskInWindow() ? this.#askInWindow(await asking(question), call) : undefined
	}

	async #askClient(question: Asking, round: Round, call: McpCall): Promise<InputRequired> {
		const binding = { callerKey: call.caller.key, method: call.method, params: round.params }
		return {
			kind: 'input_required',
			inputRequests: { [approvalKey]: elicitation(question) },
			requestState: await this.#states.sign(binding, { purpose: 'consent' }),
		}
	}

	async #askInWindow(question: Asking, call: McpCall): Promise<undefined> {
		// Between the first step of a call and its work, or it would be dropped as no progress.
		call.progress({ progress: 0.1, total: 1, message: 'Waiting for the user' })
		const asker = { client: clientName(call.client), token: call.caller.name }
		const answer = await this.#desk.ask({ kind: 'statement', asker, ...question }, call.signal)
		// Who may not write any more gets nothing of a late answer, least of all for a while.
		this.#options.requireStillAllowed(question, call)
		if (answer.decision === 'approved') {
			if (answer.forMinutes !== undefined) this.grants.add(call.caller, { ...question, asker }, answer.forMinutes)
			return undefined
		}
		if (answer.decision === 'refused') throw new DriverError('denied', 'The user refused this statement.')
		throw new DriverError(
			'denied',
			'This statement needs consent, and nobody can be asked: open the Roundhouse window, or use a client with elicitation.',
		)
	}
}

/**
 * What is shown: of the connection no more than its name, whatever else the caller knows of it, and a driver's words on
 * one line each, whatever stands in them.
 */
async function asking({ estimate, connection, ...question }: StatementQuestion): Promise<Asking> {
	const { id, name, driverId } = connection
	const { destroys, ...extent } = (await estimate?.()) ?? {}
	const { grantTarget, ...rest } = question
	return {
		...rest,
		// A kind that does not read as it is cannot be allowed for a while.
		...(grantTarget !== undefined && legible(grantTarget) === printable(grantTarget) && { grantTarget }),
		summary: printable(question.summary),
		shown: legible(question.statement),
		connection: { id, name, driverId },
		...extent,
		...(destroys !== undefined && { destroys: printable(destroys) }),
	}
}

/** An empty declaration means forms; a client that only opens URLs cannot show one. */
function canElicit({ era, clientCapabilities }: McpCall): boolean {
	const { elicitation } = clientCapabilities
	if (era !== 'modern' || !isJsonObject(elicitation)) return false
	return Object.keys(elicitation).length === 0 || elicitation.form !== undefined
}

/** `approved` must be the boolean: a missing or a truthy one is no consent. */
function isApproval({ action, content }: JsonObject): boolean {
	return action === 'accept' && isJsonObject(content) && content.approved === true
}

/** Longer statements lose their middle in the question; the window shows them whole. */
const shownAtTheStart = 3000
const shownAtTheEnd = 1000

/** What a client may show of a statement: its end too, because that is where something could be hidden. */
function excerptOf(shown: string): string {
	const left = shown.length - shownAtTheStart - shownAtTheEnd
	if (left <= 0) return shown
	const [start, end] = [shown.slice(0, shownAtTheStart), shown.slice(-shownAtTheEnd)]
	return `${start}\n… ${left} characters are left out here …\n${end}`
}

/** What will be gone, before anything else is read. */
function lossesOf({ destroys, access }: Asking): readonly string[] {
	return [
		...(destroys !== undefined ? [`It destroys: ${outgoingText(destroys)}.`] : []),
		...(access === 'destructive' && destroys === undefined ? ['It destroys data.'] : []),
		...(access === 'destructive' ? ['This cannot be undone.'] : []),
	]
}

function extentOf({ affects }: Asking): readonly string[] {
	if (!affects) return []
	const count = `${affects.isExact ? '' : 'at least '}${affects.value.toLocaleString('en')}`
	return [`It touches ${count} ${affects.value === 1 ? 'row' : 'rows'}.`]
}

function elicitation(question: Asking): InputRequired['inputRequests'][string] {
	const { connection, summary } = question
	const shown = excerptOf(question.shown)
	const headline = [
		...lossesOf(question),
		`Run this on "${printable(connection.name)}"? ${printable(summary)}.`,
		...extentOf(question),
	].join(' ')
	return {
		method: 'elicitation/create',
		params: {
			mode: 'form',
			message: `${headline}\n\n${shown}`,
			requestedSchema: {
				type: 'object',
				properties: {
					approved: { type: 'boolean', title: 'Run it', description: shown },
				},
				required: ['approved'],
			},
		},
	}
}
