import { type Call, type Fault, faultOf, isDriverError, type Verdict } from '@roundhouse/kit'
import { headOf, tooManyStatements } from '@roundhouse/sql'
import { judge } from '../judge/judge.ts'
import { verdictOf } from '../judge/verdict.ts'
import { driverModes, tokensOf } from '../sql/lexer.ts'
import { split } from '../sql/split.ts'
import { errorNumbers } from '../wire/errors.ts'
import type { Session } from '../wire/session.ts'

export interface Judged extends Verdict {
	/** Whether the server commits the open transaction before it runs the statement. */
	readonly commitsOpenWork: boolean
}

interface Judging {
	/** Whether an AI client asks: then a read is one only if all that it names is known to act on nothing. */
	readonly isForClient: boolean
	/** The session of a console, which may read texts in another way. */
	readonly session?: Session | undefined
	using<T>(call: Pick<Call, 'signal'>, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T>
}

const commits = 'The server commits it at once, with all work that is open.'

/** Finds and classifies the statements of a text. */
export async function judgeText(
	text: string,
	{ isForClient, session, using }: Judging,
	call: Pick<Call, 'signal'>,
): Promise<readonly Judged[]> {
	const modes = session ? await session.modes(call.signal) : driverModes
	const pieces = split(text, modes)
	const tooMany = tooManyStatements(pieces, 'the client mariadb')
	if (tooMany) return [{ ...tooMany, commitsOpenWork: false }]
	const verdicts: Judged[] = []
	for (const piece of pieces) {
		const head = headOf(text, piece)
		const sql = text.slice(piece.start, piece.end)
		const { reason, ...found } = verdictOf(sql, { modes })
		const said = [reason, found.commitsOpenWork ? commits : undefined].filter(part => part !== undefined).join(' ')
		const isUnknown = found.access === 'destructive' && said === '' && !isForClient && !session
		const fault = isUnknown
			? await using(call, (session, signal) => findWrongBeginning(session, sql, signal))
			: undefined
		const verdict: Judged = { ...head, ...found, ...(said !== '' && { reason: said }), ...(fault && { fault }) }
		if (!isForClient || verdict.access !== 'read' || verdict.fault) verdicts.push(verdict)
		else verdicts.push(await using(call, (session, signal) => judgedRead(session, { sql, verdict }, signal)))
	}
	return verdicts
}

/** A read of an AI client that is not known to act on nothing is a write, which is asked for. */
async function judgedRead(
	session: Session,
	{ sql, verdict }: { readonly sql: string; readonly verdict: Judged },
	signal: AbortSignal,
): Promise<Judged> {
	const { reason } = await judge(session, sql, { signal })
	return reason === undefined ? verdict : { ...verdict, reason, access: 'write' }
}

/**
 * Returns the error of a statement whose first word begins none, such as `selectt 1`, so that no question is asked about
 * it. What follows the first word is left to the run: `sql_mode` of the console decides what it may be.
 */
async function findWrongBeginning(session: Session, sql: string, signal: AbortSignal): Promise<Fault | undefined> {
	try {
		await session.parse(sql, signal)
		return undefined
	} catch (error) {
		if (!isDriverError(error) || error.engineCode === undefined) throw error
		const first = tokensOf(sql, driverModes).find(({ kind }) => kind !== 'blank' && kind !== 'comment')
		const isFirst = error.at !== undefined && error.at === first?.start
		return isFirst && error.engineCode === String(errorNumbers.syntax) ? faultOf(error) : undefined
	}
}
