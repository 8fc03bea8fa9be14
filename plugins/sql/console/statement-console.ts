import {
	type Assessment,
	type AssessOptions,
	type Call,
	type Completions,
	type ConsoleResult,
	type ConsoleSession,
	type DriverContext,
	DriverError,
	describeEffect,
	type Effect,
	type Encoded,
	type ExplainableStatement,
	type Explained,
	encode,
	type RowExport,
	type RunOptions,
	refuseAbove,
	type Statement,
	type StatementExportOptions,
	type Verdict,
} from '@roundhouse/kit'
import type { SqlConsoleParts, SqlSession } from '../connection.ts'
import { withAsked } from '../text/asked.ts'
import type { Token } from '../text/lexer.ts'

/** How a statement runs in a session. */
export interface Running<Judged extends Verdict> {
	readonly statement: Statement
	/** Absent if the text is not one statement. */
	readonly verdict: Judged | undefined
	readonly maxRows: number
	/** The order that is asked for instead of that of the statement. */
	readonly sort: RunOptions['sort']
	/** Whether the tables that rows are from are looked up: users edit them there, and AI clients never see them. */
	readonly findsOrigins: boolean
}

/** What an engine gives a console. */
export interface ConsoleEngine<Session extends SqlSession, Judged extends Verdict> {
	readonly permitted: DriverContext['permitted']
	/** Runs a read on a session of the pool. */
	using<T>(call: Pick<Call, 'signal'>, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T>
	/** Opens a separate session, as the user has it. The caller closes it. */
	openForUser(signal: AbortSignal): Promise<Session>
	/** Finds and classifies the statements of a text. @param session that reads the text, if a console has one */
	judge(text: string, call: Pick<Call, 'signal'>, session?: Session): Promise<readonly Judged[]>
	/** Runs one statement, and a read so that the server refuses writes. @throws DriverError */
	run(session: Session, running: Running<Judged>, signal: AbortSignal): Promise<ConsoleResult>
	/** Exports the rows of a read. @param release to be called at the end */
	export(
		session: Session,
		exported: {
			readonly statement: Statement
			readonly options: StatementExportOptions
			readonly release: () => void
		},
		signal: AbortSignal,
	): Promise<RowExport>
	explain?(
		session: Session,
		what: { readonly statement: Statement; readonly isPlanOnly: boolean },
		signal: AbortSignal,
	): Promise<Explained>
	/** Divides a statement into tokens, so that values of its `:name` and `$1` are asked for. */
	tokensOf?(text: string): readonly Token[]
	/** Whether a backslash in a text in quotes is an escape. */
	readonly escapes?: boolean
	complete?(text: string, offset: number, call: Call): Promise<Completions>
	format?(text: string): Promise<string>
	/**
	 * Runs a statement, and commits it only if its effect is within the one that the user agreed to. @returns the result, or
	 * the effect that was rolled back
	 */
	runWithin?(
		session: Session,
		what: { readonly statement: Statement; readonly run: () => Promise<ConsoleResult>; readonly within: Effect },
		signal: AbortSignal,
	): Promise<{ readonly result: ConsoleResult } | { readonly exceeded: Effect }>
	/** Tells the effect of a statement. `session` is that of the console, in no transaction. */
	assess?(
		what: { readonly statement: Statement; readonly verdict: Judged | undefined; readonly session?: Session },
		options: AssessOptions,
		call: Call,
	): Promise<Assessment>
}

/** SQL statements, without a session and with one. */
export class StatementConsole<Session extends SqlSession, Judged extends Verdict> implements SqlConsoleParts {
	readonly #engine: ConsoleEngine<Session, Judged>
	readonly complete?: Required<SqlConsoleParts>['complete']
	readonly format?: Required<SqlConsoleParts>['format']
	readonly explain?: Required<SqlConsoleParts>['explain']
	readonly assess?: Required<SqlConsoleParts>['assess']

	constructor(engine: ConsoleEngine<Session, Judged>) {
		this.#engine = engine
		const { complete, format, explain, assess } = engine
		if (complete) this.complete = (text, offset, call) => complete(text, offset, call)
		if (format) this.format = text => format(text)
		if (explain) {
			this.explain = async (what, call) => {
				const asked = await this.#explained(what, call)
				return engine.using(call, (session, signal) => explain(session, asked, signal))
			}
		}
		if (assess) {
			this.assess = async (statement, call, options) =>
				assess({ statement, verdict: await this.#verdict(statement.text, call) }, options, call)
		}
	}

	async analyse(text: string, call: Call): Promise<readonly Verdict[]> {
		const verdicts = await this.#engine.judge(text, call)
		const { tokensOf, escapes } = this.#engine
		return tokensOf ? withAsked(text, verdicts, tokensOf, escapes) : verdicts
	}

	async run(statement: Statement, { maxRows, within, sort }: RunOptions, call: Call): Promise<Encoded<ConsoleResult>> {
		const verdict = await this.#allowed(statement, call)
		const running = { statement, verdict, maxRows, sort, findsOrigins: false }
		const work = (session: Session, signal: AbortSignal) => this.#engine.run(session, running, signal)
		if (verdict?.access === 'read') return encode(await this.#engine.using(call, work))
		if (verdict?.transaction !== undefined && verdict.transaction !== 'undone')
			throw new DriverError('unsupported', 'A transaction needs a console with a session.')
		// What it sets must not reach the next statement.
		const session = await this.#engine.openForUser(call.signal)
		try {
			if (!within) return encode(await work(session, call.signal))
			const { runWithin } = this.#engine
			if (!runWithin) throw new DriverError('unsupported', 'The engine rehearses no statement.')
			const run = () => work(session, call.signal)
			const exceeding = await runWithin(session, { statement, run, within }, call.signal)
			return encode(
				'result' in exceeding ? exceeding.result : rolledBack(`Now it ${describeEffect(exceeding.exceeded)}.`),
			)
		} finally {
			session.close()
		}
	}

	async openExport(statement: Statement, options: StatementExportOptions, call: Call): Promise<RowExport> {
		await this.#readable(statement, call)
		const session = await this.#engine.openForUser(call.signal)
		const release = () => session.close()
		try {
			return await this.#engine.export(session, { statement, options, release }, call.signal)
		} catch (error) {
			release()
			throw error
		}
	}

	async openSession({ signal }: Call): Promise<ConsoleSession> {
		const session = await this.#engine.openForUser(signal)
		const { explain, assess } = this.#engine
		/** No statement may get between the begin and the rollback of one that is tried. */
		const inTurn = serially()
		return {
			run: async (statement, { maxRows, sort }, call) => {
				return inTurn(async () => {
					const verdict = await this.#allowed(statement, call, session)
					const running = { statement, verdict, maxRows, sort, findsOrigins: true }
					return this.#engine.run(session, running, call.signal)
				})
			},
			openExport: async (statement, options, call) => {
				return inTurn(async () => {
					await this.#readable(statement, call, session)
					return this.#engine.export(session, { statement, options, release: () => {} }, call.signal)
				})
			},
			...(explain && {
				explain: async (what: ExplainableStatement, call: Call) => {
					const asked = await this.#explained(what, call)
					return inTurn(() => explain(session, asked, call.signal))
				},
			}),
			...(assess && {
				assess: async (statement: Statement, call: Call, options: AssessOptions) => {
					const verdict = await this.#verdict(statement.text, call)
					if (session.transaction !== undefined)
						return { unrehearsed: 'A transaction is open here: a rollback undoes it.' }
					return inTurn(() => assess({ statement, verdict, session }, options, call))
				},
			}),
			isOpen: () => session.isUsable,
			transaction: () => session.transaction,
			close: async () => session.close(),
		}
	}

	async #explained({ statement, isPlanOnly = false }: ExplainableStatement, call: Call) {
		const { access = 'destructive' } = (await this.#verdict(statement.text, call)) ?? {}
		return { statement, isPlanOnly: isPlanOnly || access !== 'read' }
	}

	/** @throws DriverError `denied` for a statement that does not only read */
	async #readable(statement: Statement, call: Call, session?: Session): Promise<void> {
		const verdict = await this.#allowed(statement, call, session)
		if (verdict?.access === 'read') return
		const why = verdict?.reason === undefined ? '' : ` ${verdict.reason}`
		throw new DriverError('denied', `Only a statement that reads can be exported.${why}`)
	}

	/** A text that is not one statement has no verdict. */
	async #verdict(text: string, call: Pick<Call, 'signal'>, session?: Session): Promise<Judged | undefined> {
		const [first, ...others] = await this.#engine.judge(text, call, session)
		return others.length === 0 ? first : undefined
	}

	/** Before the first byte is sent, so that a wrong verdict does not become a wrong write. */
	async #allowed(statement: Statement, call: Call, session?: Session): Promise<Judged | undefined> {
		const verdict = await this.#verdict(statement.text, call, session)
		const what = [verdict?.summary ?? statement.summary, verdict?.reason].filter(Boolean).join(': ')
		refuseAbove(verdict?.access ?? 'destructive', this.#engine.permitted(), what)
		const { fault } = verdict ?? {}
		if (fault && fault.engineCode === undefined) throw new DriverError(fault.code, fault.message, fault)
		return verdict
	}
}

/** The result of a statement that was rolled back. @param exceeded what it did beyond the consent, as a sentence */
export const rolledBack = (exceeded: string): ConsoleResult => ({
	status: 'ROLLBACK',
	tookMs: 0,
	notices: [],
	exceeded,
	body: { view: 'text', text: '' },
})

/** Returns a function that runs one piece of work after the other. */
export function serially(): <T>(work: () => Promise<T>) => Promise<T> {
	let last: Promise<unknown> = Promise.resolve()
	return work => {
		const next = last.then(work)
		last = next.catch(() => {})
		return next
	}
}
