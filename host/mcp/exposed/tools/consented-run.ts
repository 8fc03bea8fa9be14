import { type Access, DriverError, type JsonObject, type Statement } from '@roundhouse/kit'
import { recordedStatement, shownStatement } from '../../../connections/parameters.ts'
import type { ClientSession } from '../../access/client-session.ts'
import { accessAfter, effectSentence } from '../../consent/effect-words.ts'
import type { Assessed } from '../../consent/question.ts'
import { attributed } from '../../protocol/attributed.ts'
import type { InputRequired } from '../../protocol/outcome.ts'
import type { ConnectionCall } from '../framework/define-tool.ts'
import { assessStatement } from './estimate.ts'
import { ExceededEffect, placed, type RunLimits, runStatement } from './statement.ts'

interface ConsentedRun {
	readonly statement: Statement
	readonly limits: RunLimits
	/** Refuses what the tool does not run. Called after the rehearsal. @param why what it destroys, as a sentence */
	readonly requireAccess: (access: Access, why: string) => void
	/** Called when the user has agreed. */
	readonly onRunning?: () => void
}

/**
 * Runs a statement of an AI client. A write is rehearsed, asked about with what it did, and committed only if it does
 * that again; else the question is asked with the new effect.
 */
export async function runConsented(
	session: ClientSession,
	asked: ConsentedRun,
	context: ConnectionCall,
): Promise<InputRequired | JsonObject> {
	const { statement, limits, onRunning } = asked
	if (statement.access === 'read') {
		onRunning?.()
		return runStatement(session, { statement, ...limits }, context)
	}
	for (let tries = 1; ; tries++) {
		const { question, effect, held } = await askConsent(session, asked, context)
		if (question) return question
		onRunning?.()
		try {
			return await runStatement(session, { statement, within: effect, held, ...limits }, context)
		} catch (error) {
			// What was agreed to is no longer what it does, so the user is asked about that.
			if (!(error instanceof ExceededEffect) || tries === mostTries) throw error
		}
	}
}

const mostTries = 3

const turnedOff = 'The user has chosen for this connection that writes are not tried.'
const undetermined = 'What it does could not be determined in time.'
const tooMany = 'This token has had ten statements tried in the last minute, so this one was not.'

async function askConsent(
	session: ClientSession,
	{ statement, requireAccess }: ConsentedRun,
	{ connection, services, round, call }: ConnectionCall,
) {
	const { triesWrites } = connection
	const rehearses = triesWrites && (round.resumed !== undefined || services.rehearsals.admit(call.caller.key))
	const untried = triesWrites ? tooMany : turnedOff
	const assess = async (): Promise<Assessed> => {
		const { fault, ...assessed } = await assessStatement(session, { statement, rehearses }, call, services)
		if (fault) throw placed(attributed(fault), statement.text)
		// What a driver that rehearses could not tell in time may be anything.
		if (assessed.isUndetermined && session.console.canRehearse) return { unrehearsed: undetermined }
		if (assessed.unrehearsed === undefined || rehearses) return assessed
		// With the driver's reason, which a client could else hide behind ten statements.
		return { ...assessed, unrehearsed: `${untried} ${assessed.unrehearsed}` }
	}
	let latest = await assess()
	let isFresh = true
	const access = accessAfter(statement.access, latest, connection)
	requireAccess(access, whyDestructive(statement, latest))
	const question = await services.consent.settle(
		{
			connection,
			statement: shownStatement(statement),
			recorded: recordedStatement(statement),
			summary: statement.summary,
			access,
			reason: latest.unrehearsed ?? statement.reason,
			...(access === 'write' && { grant: statement.grant }),
			estimate: async () => {
				latest = isFresh ? latest : await assess()
				isFresh = false
				if (accessAfter(statement.access, latest, connection) !== access)
					throw new DriverError('denied', 'The effect of the statement has changed. Send the call again.')
				return latest
			},
		},
		round,
	)
	return { question, effect: latest.effect, held: latest.held }
}

function whyDestructive({ reason }: Statement, { effect, unrehearsed }: Assessed): string {
	if (effect) return effectSentence(effect)
	return unrehearsed ?? reason ?? ''
}
