import { createHash } from 'node:crypto'
import { DriverError, type Effect, isJsonObject, type JsonObject, rowsOfEffect } from '@roundhouse/kit'
import type { ConnectionGate } from '../access/connection-gate.ts'
import { askerOf } from '../protocol/asker.ts'
import type { McpCall } from '../protocol/method.ts'
import type { InputRequired } from '../protocol/outcome.ts'
import { escapeInvisible, printable } from '../protocol/printable.ts'
import { canElicit, elicitation, refusalIn } from './elicitation.ts'
import {
	type AgreedEstimate,
	type Assessed,
	type ConnectionOfCall,
	type ConsentDesk,
	type Estimate,
	isSaved,
	isWithin,
	maxClientText,
	type ShownStatement,
} from './question.ts'
import { bindingOf, type RequestStates } from './request-state.ts'
import type { Round } from './rounds.ts'
import { rowsCovered, type StatementGrants } from './statement-grants.ts'

/** The key of the only question that this endpoint asks clients (contract, "Tool call params"). */
const approvalKey = 'approve_statement'

/** A statement that needs consent. */
export type PendingStatement = Omit<ShownStatement, keyof Estimate | 'shown' | 'grant' | 'connection'> & {
	readonly connection: ConnectionOfCall
	/** The scope of a temporary consent, and the largest number of rows that this statement affects. */
	readonly grant?: { readonly target: string; readonly rows: number } | undefined
	/** What the statement does, with changes of rows in groups. It is shown if it is shorter. */
	readonly grouped?: string | undefined
	/** Called before a question, and again before the statement runs. Without it, the effect is undetermined. */
	readonly estimate?: () => Promise<Assessed> | Assessed
}

export interface ConsentOptions {
	readonly gate: ConnectionGate
	readonly states: RequestStates
	readonly desk: ConsentDesk
	readonly grants: StatementGrants
	/** The setting "also ask in the window". An elicitation alone depends on the honesty of the client. */
	readonly alsoAskInWindow: () => boolean
	/** Called for each approved statement. An error prevents the statement from running. */
	readonly onConsented: (statement: PendingStatement, call: McpCall) => Promise<void>
}

interface WindowQuestion {
	readonly question: ShownStatement
	readonly call: McpCall
	/** Which users have agreed after an approval in the window. */
	readonly agreed?: 'window' | 'client_and_window'
}

/**
 * Collects the user's consent to a write (contract, "Write approval"): by elicitation if the client declared it, else
 * in the window. A missing answer, a missing window or an invalid answer count as a refusal.
 */
export class Consent {
	readonly #options: ConsentOptions

	constructor(options: ConsentOptions) {
		this.#options = options
	}

	/**
	 * Returns the question to the client, or `undefined` if the statement may run. The permission may end while the write is
	 * recorded: the call of the driver that follows checks it again (`ClientSession`, or `requireServed` without a
	 * connection). @throws DriverError `denied`
	 */
	async settle(statement: PendingStatement, round: Round): Promise<InputRequired | undefined> {
		const { call } = round
		const asked = await this.#collect(statement, round)
		if (asked !== undefined) return asked
		this.#requireAllowed(statement, call)
		await this.#options.onConsented(statement, call)
		await call.writeBegins()
		return undefined
	}

	async #collect(statement: PendingStatement, round: Round): Promise<InputRequired | undefined> {
		const { call } = round
		const { grants, alsoAskInWindow } = this.#options
		call.note({ verdict: statement.access })
		// The first round has already recorded who agreed.
		if (round.resumed?.isConsented) return undefined
		const question = await shown(statement)
		const { connection, access } = statement
		const { grant } = question
		const rows = rowsOf(statement.grant?.rows ?? 0, question)
		if (grant !== undefined && grants.spend(call.caller, { connection, access, grant, rows })) {
			call.note({ agreed: 'grant' })
			return undefined
		}
		const text = canElicit(call) ? clientText(statement) : undefined
		if (text === undefined) return this.#askInWindow(statement, { question, call })
		const agreed = agreedIn(round)
		if (agreed === undefined) return this.#askClient(question, text, round)
		if (agreed.refusal !== undefined) throw new DriverError('denied', agreed.refusal)
		// The statement or its effect can change while the arguments stay equal. Consent applies to what was shown.
		if (agreed.digest !== digestOf(question) || !isWithin(question, agreed.effect))
			return this.#askClient(question, text, round)
		if (alsoAskInWindow()) return this.#askInWindow(statement, { question, call, agreed: 'client_and_window' })
		call.note({ agreed: 'client' })
		return undefined
	}

	async #askClient(question: ShownStatement, text: string, round: Round): Promise<InputRequired> {
		const { effect, replaced, ...estimate } = estimateOf(question)
		const agreed = {
			...estimate,
			...(effect && { effect: withoutRows(effect) }),
			...(replaced && { replaced: { digest: replaced.digest } }),
		}
		return {
			kind: 'input_required',
			inputRequests: { [approvalKey]: elicitation(question, text) },
			requestState: await this.#options.states.sign(bindingOf(round), {
				purpose: 'consent',
				state: {
					digest: digestOf(question),
					effect: JSON.stringify(agreed),
				},
			}),
		}
	}

	async #askInWindow(
		statement: PendingStatement,
		{ question, call, agreed = 'window' }: WindowQuestion,
	): Promise<undefined> {
		const { connection } = statement
		using change = isSaved(connection) ? this.#options.gate.watchChange(connection) : undefined
		// Between the values 0 and 0.3 of `execute_query`, because progress that does not increase is dropped.
		call.progress({ progress: 0.1, total: 1, message: 'Waiting for the user' })
		const asker = askerOf(call)
		const signal = change ? AbortSignal.any([call.signal, change.signal]) : call.signal
		for (let shownNow = question; ; ) {
			const answer = await this.#options.desk.ask({ kind: 'statement', asker, ...shownNow }, signal)
			// A late approval has no effect if the caller has lost its permission meanwhile.
			this.#requireAllowed(statement, call)
			if (answer.decision === 'refused')
				throw new DriverError('denied', 'The user refused in the window of Roundhouse.')
			if (answer.decision === 'unattended') {
				const other = canElicit(call)
					? 'send less in one call, because this is too long for a client to show in whole'
					: 'use a client with elicitation'
				throw new DriverError(
					'denied',
					`This needs the consent of the user, but no Roundhouse window is open. Open it, or ${other}.`,
				)
			}
			const effectNow = await shown(statement)
			if (isWithin(effectNow, shownNow)) {
				call.note({ agreed })
				if (answer.forMinutes !== undefined)
					this.#options.grants.add(call.caller, { ...shownNow, connection, asker }, answer.forMinutes)
				return undefined
			}
			// The data has changed while the question was open: the user decides about what is true now.
			shownNow = effectNow
		}
	}

	/** Checks again whether the caller is allowed. A tool without a connection has only the checks of the caller. */
	#requireAllowed({ connection, access }: PendingStatement, call: McpCall): void {
		const { gate } = this.#options
		if (isSaved(connection)) gate.requireAllowed(connection, call, { access: access === 'read' ? 'read' : 'write' })
		else gate.requireServed(call)
	}
}

function estimateOf(question: ShownStatement) {
	const { effect, unrehearsed, affects, replaced, destroys, held, isUndetermined } = question
	return { effect, unrehearsed, affects, replaced, destroys, held, isUndetermined }
}

/** Without the rows, which the client would send back: their keys are compared by a digest. */
const withoutRows = ({ tables, place }: Effect): Effect => ({
	place,
	tables: tables.map(({ rows, ...table }) => table),
})

/** Returns the client's answer to the question of this endpoint, and the signed statement and effect that it was about. */
function agreedIn({ resumed, inputResponses }: Round) {
	const response = resumed?.purpose === 'consent' ? inputResponses[approvalKey] : undefined
	const asked = resumed?.state
	if (response === undefined || asked === undefined || !isJsonObject(asked)) return undefined
	// This process has signed the state, and `readInputResponses` has checked that each response is an object.
	const effect: AgreedEstimate = JSON.parse(String(asked.effect))
	return { digest: asked.digest, effect, refusal: refusalIn(response as JsonObject) }
}

/**
 * Returns the text that a client shows, or `undefined` if it is too long. A client that cuts a text could hide a part of
 * it, so then the window decides.
 */
function clientText(statement: PendingStatement): string | undefined {
	const text = escapeInvisible(groupsOf(statement) ?? statement.statement)
	return text.length <= maxClientText ? text : undefined
}

/** Returns the groups of changes, if they are shorter than their statements. */
function groupsOf({ statement, grouped }: PendingStatement): string | undefined {
	return grouped !== undefined && grouped.length < statement.length ? grouped : undefined
}

/** Returns the complete statement, below its groups if it has any. */
function windowText(statement: PendingStatement): string {
	const groups = groupsOf(statement)
	return escapeInvisible(`${groups === undefined ? '' : `${groups}\n\nAll statements:\n\n`}${statement.statement}`)
}

/** Returns a digest of the statement that an approval applies to. */
function digestOf({ statement, access }: Pick<PendingStatement, 'statement' | 'access'>): string {
	return createHash('sha256').update(`${access}\n${statement}`).digest('base64url')
}

/** Returns the rows of a statement as they were counted, else as its text has them. */
const rowsOf = (inText: number, { effect }: Estimate): number => (effect ? rowsOfEffect(effect) : inText)

/**
 * Returns the statement for display: only id, name and driver of the connection, and each text of a driver on one line.
 */
async function shown(pending: PendingStatement): Promise<ShownStatement> {
	const { estimate, connection, grant, grouped: _, ...statement } = pending
	const { id, name, driverId } = connection
	const { destroys, scope, ...extent }: Assessed = (await estimate?.()) ?? {
		...(statement.access !== 'read' && { isUndetermined: true }),
	}
	const isHarmless = destroys === undefined && extent.isUndetermined === undefined && extent.unrehearsed === undefined
	// A target with invisible characters is omitted, because the user could not check what the consent covers.
	const isGrantable = isHarmless && grant !== undefined && escapeInvisible(grant.target) === printable(grant.target)
	return {
		...statement,
		...(isGrantable &&
			scope !== undefined && {
				grant: { target: grant.target, scope, mostRows: rowsCovered(rowsOf(grant.rows, extent)) },
			}),
		summary: printable(statement.summary),
		...(statement.reason !== undefined && { reason: printable(statement.reason) }),
		shown: windowText(pending),
		connection: { id, name, driverId },
		...extent,
		...(destroys !== undefined && { destroys: printable(destroys) }),
	}
}
