import {
	type Access,
	type Assessment,
	type AssessOptions,
	type Call,
	type Completions,
	type Console,
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
	type Fault,
	faultOf,
	type HiddenColumns,
	isDriverError,
	isJsonObject,
	type Namespace,
	type RowExport,
	type RunOptions,
	refuseAbove,
	type Statement,
	type StatementExportOptions,
	type Verdict,
} from '@roundhouse/kit'
import { rolledBack, serially, withAsked } from '@roundhouse/sql'
import type { Databases } from '../catalog/databases.ts'
import { readShape } from '../catalog/shape.ts'
import { listTables } from '../catalog/tables.ts'
import type { Closure } from '../hidden/closure.ts'
import { HiddenInDatabase, type Withheld } from '../hidden/hidden-columns.ts'
import { isChangedMeanwhile, Judge, type Judgement, namesBesideCondition } from '../judge/judge.ts'
import { makesTable } from '../judge/names-used.ts'
import { isCommittedSince, unchangedSince } from '../judge/unchanged.ts'
import { commitHeld } from '../rehearsal/held.ts'
import { commitWithin, rehearse } from '../rehearsal/rehearse.ts'
import { tokensOf } from '../sql/lexer.ts'
import { parseName, type QualifiedName, qualified } from '../sql/names.ts'
import { type Query, queryCancelled, type Session } from '../wire/session.ts'
import { isRun } from './access.ts'
import { type Analysed, analyse, placed, sentText } from './analyse.ts'
import { assess, lossOf } from './assess.ts'
import { complete } from './complete.ts'
import { refuseExpensive } from './cost-guard.ts'
import { costlyPart, explainedIn } from './costly-part.ts'
import { type ExplainRequest, explain } from './explain.ts'
import { exportStatement } from './export.ts'
import { KnownNames } from './known.ts'
import { parse, type Tree } from './parser.ts'
import { ResultTypes } from './result-types.ts'
import { queryOf, run } from './run.ts'
import { findVolatile } from './volatile.ts'

type Work = <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

/** SQL statements, without a session and with one. */
export class SqlConsole implements Console {
	readonly #databases: Databases
	readonly #context: DriverContext
	readonly #types = new ResultTypes()
	readonly #judge = new Judge()
	readonly #hidden: HiddenInDatabase

	readonly #names: KnownNames
	readonly #namespace: Namespace
	/** Of the console of the connection: those of other databases and schemas. */
	readonly #others = new Map<string, SqlConsole>()

	constructor(databases: Databases, context: DriverContext, namespace: Namespace = {}) {
		this.#databases = databases
		this.#context = context
		this.#namespace = namespace
		const using: Work = (call, work) => this.#using(call, work)
		this.#hidden = new HiddenInDatabase({
			using: (call, work) => this.#using(call, work),
			marks: () => context.hiddenColumns(),
			database: namespace.database,
		})
		this.#names = new KnownNames({
			using,
			tables: call =>
				using(call, (session, signal) => listTables(session, { database: undefined, levels: [] }, signal)),
			columns: async (name, call) => {
				const read = (session: Session, signal: AbortSignal) =>
					readShape(session, { place: parseName(name), name }, signal)
				return (await using(call, read)).columns
			},
		})
	}

	/** Returns the console of a database or schema, the same each time. */
	of({ database, schema }: Namespace): SqlConsole {
		const other = database === this.#databases.main ? undefined : database
		if (other === undefined && schema === undefined) return this
		const key = JSON.stringify([other, schema])
		const known = this.#others.get(key) ?? new SqlConsole(this.#databases, this.#context, { database: other, schema })
		this.#others.set(key, known)
		return known
	}

	#using<T>(call: Pick<Call, 'signal'>, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T> {
		return this.#databases.using(call, work, this.#namespace.database, this.#namespace.schema)
	}

	complete(text: string, offset: number, call: Call): Promise<Completions> {
		return complete(text, offset, this.#names.at(call), this.#namespace.schema)
	}

	async analyse(text: string, call: Call): Promise<readonly Verdict[]> {
		const verdicts = await this.#analyse(text, call)
		const own = verdicts.map(({ tree, copy, unknown, guard, projection, ...verdict }) => verdict)
		return withAsked(text, own, tokensOf)
	}

	/** @param isGuarded whether the guard of a verdict is run before the statement */
	async #analyse(text: string, call: Pick<Call, 'signal'>, isGuarded = false): Promise<readonly Analysed[]> {
		const verdicts = await analyse(text, {
			findVolatile: names => this.#using(call, (session, signal) => findVolatile(session, names, signal)),
			judge: this.#isForClient
				? (sql, tree) =>
						this.#using(call, (session, signal) => this.#judge.of(session, { sql, tree, isGuarded }, signal))
				: undefined,
			findSyntaxError: sql => this.#using(call, (session, signal) => findSyntaxError(session, sql, signal)),
		})
		if (!this.#hidden.isActive) return verdicts
		const withoutHidden: Analysed[] = []
		for (const verdict of verdicts) withoutHidden.push(await this.#withoutHidden(verdict, text, call))
		return withoutHidden
	}

	/** Returns the verdict of a statement without hidden columns, or with the reason for which it is refused as its fault. */
	async #withoutHidden(verdict: Analysed, text: string, call: Pick<Call, 'signal'>): Promise<Analysed> {
		const { start, end, tree, access, reason, fault } = verdict
		if (fault) return verdict
		const refused = (message: string): Analysed => ({ ...verdict, fault: { code: 'denied', message } })
		if (!tree) return refused('It cannot be read, so it is refused while columns are hidden.')
		const found = await this.#hidden.project({ sql: sentText(text.slice(start, end)).sql, tree }, call)
		if (!found || 'refused' in found)
			return refused(found?.refused ?? 'The columns are no longer hidden. Send it again.')
		// What a rehearsal takes back could still show values.
		if (verdict.unknown !== undefined) return refused(`${verdict.unknown} So it could show hidden columns.`)
		if (access === 'read' || found.isChange) return { ...verdict, tree: found.tree, projection: found }
		return refused(`${reason ?? 'It writes.'} It is refused while columns are hidden.`)
	}

	/** Whether an AI client makes the call. */
	get #isForClient(): boolean {
		return this.#context.costLimitRows() !== undefined
	}

	/**
	 * Checks that a query of the driver on a table acts on nothing, if an AI client asks for it. @param raw a typed condition
	 * @returns what fails before the query if a definition has changed @throws DriverError `denied` with the reason
	 */
	async requireKnown(
		place: QualifiedName,
		raw: string | undefined,
		call: Pick<Call, 'signal'>,
	): Promise<Query | undefined> {
		if (!this.#isForClient) return undefined
		if (raw?.trim() && this.#hidden.isActive)
			throw new DriverError('denied', 'A typed condition could reach hidden columns.')
		const sql = `select from ${qualified(place)}${raw?.trim() ? ` where ${raw}\n` : ''}`
		const parsed = await parse(sql)
		const tree = 'statements' in parsed ? parsed.statements[0] : undefined
		if (!tree) throw new DriverError('invalid_argument', 'The condition is not valid.')
		const also = raw?.trim() ? namesBesideCondition : undefined
		const judged = (session: Session, signal: AbortSignal) => this.#judge.of(session, { sql, tree, also }, signal)
		const { reason, guard } = await this.#using(call, judged)
		if (reason !== undefined) throw new DriverError('denied', `${reason} ${byTheUser}`)
		return guard
	}

	/** Returns what a text may do at most. */
	async accessOf(text: string, call: Call): Promise<Access> {
		return (await this.#verdict(text, call))?.access ?? 'destructive'
	}

	/** A text that is not one statement has no verdict. */
	async #verdict(text: string, call: Pick<Call, 'signal'>, isGuarded = false): Promise<Analysed | undefined> {
		const [first, ...others] = await this.#analyse(text, call, isGuarded)
		return others.length === 0 ? first : undefined
	}

	assess(statement: Statement, call: Call, options: AssessOptions): Promise<Assessment> {
		return this.#judgedAgain(() => this.#assess(statement, call, options))
	}

	/** Runs work again if a definition has changed since the judge looked. Nothing has run then. */
	async #judgedAgain<T>(work: () => Promise<T>): Promise<T> {
		try {
			return await work()
		} catch (error) {
			if (!isChangedMeanwhile(error)) throw error
			this.#judge.forget()
			return work()
		}
	}

	async #assess(statement: Statement, call: Call, { rehearses }: AssessOptions): Promise<Assessment> {
		const { signal } = call
		const verdict = await this.#verdict(statement.text, call)
		this.#requireShown(verdict, verdict?.projection?.isChange !== true)
		const reach = this.#reachOf(statement, verdict, call)
		const opened = <T>(work: (session: Session) => Promise<T>) => this.#opened(work, signal)
		const tried = { statement, verdict, reach }
		return assess(
			{
				tree: verdict?.tree,
				rehearses,
				judge: async () => (await reach()).reason,
				judgePart: (part, isEverywhere) => this.#judgePart(statement, { tree: part, isEverywhere }, call),
				rehearse: () => opened(session => this.#rehearse(session, tried, call)),
				using: opened,
			},
			signal,
		)
	}

	/** Returns why changes of rows by an AI client may do more than their text says, as a sentence. @param samples one of each kind */
	async reachOfChanges(samples: readonly string[], call: Pick<Call, 'signal'>): Promise<string | undefined> {
		if (!this.#isForClient) return undefined
		const sql = samples.join(';\n')
		const parsed = await parse(sql)
		if (!('statements' in parsed)) return 'This driver cannot read what it would send.'
		const tree = { List: [...parsed.statements] }
		const judged = (session: Session, signal: AbortSignal) =>
			this.#judge.of(session, { sql, tree, isRehearsal: true }, signal)
		const { reason, changesMore } = await this.#using(call, judged)
		return reason ?? (changesMore ? 'A trigger or a function that it runs changes rows.' : undefined)
	}

	/** Runs a statement in a session without a transaction, and rolls it back. */
	#rehearse(session: Session, { statement, verdict, reach }: Tried, call: Pick<Call, 'signal'>): Promise<Effect> {
		const types = this.#types
		return this.#using(call, async (outside, signal) => {
			const { guard } = await reach()
			const work = () => run(session, { statement, verdict, types }, { maxRows: 1, signal })
			const lock = locking(session, { statement, verdict, reach }, signal)
			const { projection } = verdict ?? {}
			const tried = { run: work, guard, lock, makesTable: makesTable(verdict?.tree), projection }
			return this.#hidden.running(projection, call, () => rehearse({ session, outside }, tried, signal))
		})
	}

	/**
	 * Returns what statements of the driver do together, which is rolled back; `undefined` if a rollback does not undo all
	 * that they reach, if they fail, or if there are none.
	 */
	async tried(statements: readonly string[], call: Pick<Call, 'signal'>): Promise<Effect | undefined> {
		const { signal } = call
		try {
			if (statements.length === 0) return undefined
			const sql = statements.join(';\n')
			const parsed = await parse(sql)
			if (!('statements' in parsed)) return undefined
			// All of them by one look-up: they reach the same.
			const tree = { List: [...parsed.statements] }
			const judged = (session: Session, signal: AbortSignal) =>
				this.#judge.of(session, { sql, tree, isRehearsal: true }, signal)
			const { reason, guard } = await this.#using(call, judged)
			if (reason !== undefined) return undefined
			const run = (session: Session) => async () => {
				for (const sql of statements) await session.query({ sql }, signal)
			}
			return await this.#opened(
				session =>
					this.#using(call, outside =>
						rehearse({ session, outside }, { run: run(session), guard, makesTable: false }, signal),
					),
				signal,
			)
		} catch (error) {
			signal.throwIfAborted()
			// The statements' own errors are those of the save.
			if (isDriverError(error) && error.code !== 'not_connected') return undefined
			throw error
		}
	}

	/** Runs work on a session as a statement that writes has it, with the path of the user. It closes. */
	async #opened<T>(work: (session: Session) => Promise<T>, signal: AbortSignal): Promise<T> {
		const session = await this.#databases.openForUser(signal, this.#namespace.database, this.#namespace.schema)
		try {
			return await work(session)
		} finally {
			session.close()
		}
	}

	/** Returns what looks up, once, whether a rollback undoes a statement. */
	#reachOf(statement: Statement, verdict: Analysed | undefined, call: Pick<Call, 'signal'>): () => Promise<Judgement> {
		let found: Promise<Judgement> | undefined
		const { sql } = sentText(statement.text)
		const tree = verdict?.tree ?? {}
		const judged = (session: Session, signal: AbortSignal) =>
			this.#judge.of(session, { sql, tree, isGuarded: true, isRehearsal: true }, signal)
		return () => {
			found ??= this.#using(call, judged)
			return found
		}
	}

	/** Returns why what a definition evaluates is not known to act on nothing. @param part its tree is one of the statement's */
	async #judgePart(
		{ text }: Statement,
		part: { readonly tree: Tree; readonly isEverywhere: boolean },
		call: Pick<Call, 'signal'>,
	): Promise<string | undefined> {
		const { sql } = sentText(text)
		const judged = (session: Session, signal: AbortSignal) =>
			this.#judge.of(session, { sql, ...part, isDefinition: true }, signal)
		return (await this.#using(call, judged)).reason
	}

	run(statement: Statement, options: RunOptions, call: Call): Promise<Encoded<ConsoleResult>> {
		const work = () => this.#run(statement, options, call)
		// Without a guard the error is that of the statement, whose first run may have acted.
		return statement.access === 'read' || options.within ? this.#judgedAgain(work) : work()
	}

	async #run(
		statement: Statement,
		{ maxRows, within, held, sort }: RunOptions,
		call: Call,
	): Promise<Encoded<ConsoleResult>> {
		const { signal } = call
		const verdict = await this.#allowed(statement, call, true)
		const as = (verdict: Analysed | undefined) => (session: Session) =>
			run(session, { statement, verdict, types: this.#types }, { maxRows, sort, signal }).catch(error => {
				const stopped = { cause: error, engineCode: queryCancelled }
				throw session.isStopped ? new DriverError('user_cancelled', 'The call was cancelled.', stopped) : error
			})
		const work = as(verdict)
		if (verdict?.access === 'read') {
			const limitRows = this.#context.costLimitRows()
			const { guard } = verdict
			const read = async (session: Session) => {
				const query = costlyPart(queryOf(statement, verdict), verdict.tree)
				const costed = query && { query, path: 'user' as const, guard, limitRows }
				const snapshot = costed && (await placed(statement.text, () => refuseExpensive(session, costed, signal)))
				if (snapshot === undefined || guard === undefined) return work(session)
				// The guard has just held. It takes longer than to see that no transaction has committed since.
				return as({ ...verdict, guard: unchangedSince(snapshot) })(session).catch(error => {
					if (!isCommittedSince(error)) throw error
					return work(session)
				})
			}
			return encode(await this.#hidden.running(verdict.projection, call, () => this.#using(call, read)))
		}
		if (verdict?.tree?.TransactionStmt)
			throw new DriverError('unsupported', 'A transaction needs a console with a session.')
		const running = <T>(run: () => Promise<T>) => this.#hidden.running(verdict?.projection, call, run)
		// What it sets must not reach the next statement.
		return this.#opened(async session => {
			const loss = lossOf(verdict?.tree)
			if (held && loss?.isHeld) {
				const committed = await commitHeld(session, { loss, held, run: () => work(session) }, signal)
				return encode(committed?.result ?? rolledBack('Its tables, or what goes with them, are no longer the same.'))
			}
			if (!within) return encode(await running(() => alone(session, verdict, () => work(session), signal)))
			const reach = this.#reachOf(statement, verdict, call)
			const { guard, reason } = await reach()
			// It was tried, so it had none when the user agreed.
			if (reason !== undefined) return encode(rolledBack(`What it runs has changed. ${reason}`))
			const lock = locking(session, { statement, verdict, reach }, signal)
			const { projection } = verdict ?? {}
			const made = { run: () => work(session), guard, lock, within, makesTable: makesTable(verdict?.tree), projection }
			const committed = await running(() =>
				this.#using(call, outside => commitWithin({ session, outside }, made, signal)),
			)
			if ('result' in committed) return encode(committed.result)
			return encode(rolledBack(`Now it ${describeEffect(committed.exceeded)}.`))
		}, signal)
	}

	async openExport(statement: Statement, options: StatementExportOptions, call: Call): Promise<RowExport> {
		const { tree, guard } = await this.#readable(statement, call)
		const session = await this.#databases.open(call.signal, this.#namespace.database, this.#namespace.schema)
		const release = () => session.close()
		try {
			const exported = { statement, options, types: this.#types, tree, guard, release }
			return await exportStatement(session, exported, call.signal)
		} catch (error) {
			release()
			throw error
		}
	}

	/** @throws DriverError `denied` for a statement that does not only read */
	async #readable(statement: Statement, call: Call): Promise<Analysed> {
		const verdict = await this.#allowed(statement, call)
		if (this.#hidden.isActive) throw new DriverError('denied', 'Statements are not exported while columns are hidden.')
		if (verdict?.access === 'read') return verdict
		const why = verdict?.unknown === undefined ? '' : ` ${verdict.unknown}`
		throw new DriverError('denied', `Only a statement that reads can be exported.${why}`)
	}

	async format(text: string): Promise<string> {
		// The formatter takes a tenth of a second to load, which the start of a driver does not need.
		return (await import('./format.ts')).formatText(text)
	}

	async explain(what: ExplainableStatement, call: Call): Promise<Explained> {
		// Before a session is taken: the sample has one.
		const { withheld, ...asked } = await this.#asked(what, call)
		return this.#hidden.running(withheld, call, () =>
			this.#using(call, (session, signal) => explain(session, asked, signal)),
		)
	}

	async #asked(
		{ statement, isPlanOnly = false }: ExplainableStatement,
		call: Call,
	): Promise<ExplainRequest & { readonly withheld: Withheld | undefined }> {
		const verdict = await this.#verdict(statement.text, call)
		this.#requireShown(verdict)
		const { access = 'destructive', unknown, guard } = verdict ?? {}
		// To plan a statement is to run what it computes of constants.
		if (unknown !== undefined) throw new DriverError('denied', `${unknown} So it is not planned either. ${byTheUser}`)
		const writes = access !== 'read'
		const limitRows = this.#context.costLimitRows()
		const sent = queryOf(statement, verdict)
		const withheld = verdict?.projection
		// A statement that is EXPLAIN itself means the one behind it, which is run if it says ANALYZE.
		const typed = verdict?.tree?.ExplainStmt
		const isTyped = isJsonObject(typed)
		const query = isTyped ? { ...sent, sql: explainedIn(sent.sql), explained: undefined } : sent
		const isPlanMeant = isPlanOnly || writes || (isTyped && !isRun(typed.options))
		return { query, path: 'user', guard, isPlanOnly: isPlanMeant, limitRows, withheld }
	}

	async openSession({ signal }: Call): Promise<ConsoleSession> {
		const { session, first } = await this.#openSearching(signal)
		let searched = first
		/** No statement may get between the begin and the rollback of one that is tried. */
		const inTurn = serially()
		return {
			run: async (statement, { maxRows, sort }, call) => {
				const verdict = await this.#allowed(statement, call)
				const origins = { database: this.#namespace.database }
				return inTurn(async () => {
					this.#databases.noteStatement(session, statement.text)
					const { signal } = call
					const asked = { statement, verdict, types: this.#types, origins }
					const result = await run(session, asked, { maxRows, sort, signal })
					if (maySetPath(verdict)) searched = (await searchedFirst(session, signal)) ?? searched
					return searched === undefined || searched === first ? result : { ...result, schema: searched }
				})
			},
			openExport: async (statement, options, call) => {
				const { tree } = await this.#readable(statement, call)
				const exported = { statement, options, types: this.#types, tree, release: () => {} }
				return inTurn(() => exportStatement(session, exported, call.signal))
			},
			assess: async (statement, call, { rehearses }) => {
				const { signal } = call
				const verdict = await this.#verdict(statement.text, call)
				if (session.transaction !== undefined)
					return { unrehearsed: 'A transaction is open here: a rollback undoes it.' }
				const reach = this.#reachOf(statement, verdict, call)
				return assess(
					{
						tree: verdict?.tree,
						rehearses,
						judge: async () => (await reach()).reason,
						judgePart: (part, isEverywhere) => this.#judgePart(statement, { tree: part, isEverywhere }, call),
						rehearse: () => inTurn(() => this.#rehearse(session, { statement, verdict, reach }, call)),
						using: work => work(session),
					},
					signal,
				)
			},
			explain: async (what, call) => {
				const asked = await this.#asked(what, call)
				return inTurn(() => explain(session, asked, call.signal))
			},
			isOpen: () => session.isUsable,
			transaction: () => session.transaction,
			close: async () => {
				this.#databases.noteStatement(session, undefined)
				session.close()
			},
		}
	}

	/**
	 * Opens a session, and returns the schema that it searches first too.
	 * @throws DriverError `not_found` if the server passes over the chosen one, so that names meant other tables
	 */
	async #openSearching(
		signal: AbortSignal,
	): Promise<{ readonly session: Session; readonly first: string | undefined }> {
		const { database, schema } = this.#namespace
		const session = await this.#databases.openForUser(signal, database, schema)
		try {
			const first = await searchedFirst(session, signal)
			if (schema === undefined || first === schema) return { session, first }
			throw new DriverError('not_found', `There is no schema ${schema} that you may use. Choose another one.`)
		} catch (error) {
			session.close()
			throw error
		}
	}

	/** @throws DriverError `denied` unless a statement was found to show no hidden column, if there is any */
	#requireShown(verdict: Analysed | undefined, isPlan = true): void {
		if (!this.#hidden.isActive) return
		const { fault, projection } = verdict ?? {}
		if (!projection) throw new DriverError(fault?.code ?? 'denied', fault?.message ?? 'It could show hidden columns.')
		if (isPlan && projection.touches)
			throw new DriverError('denied', 'The plan of a table with hidden columns could show their values.')
	}

	/** Returns what marks reach in this database. */
	closureOf(marks: readonly HiddenColumns[], call: Pick<Call, 'signal'>): Promise<Closure> {
		return this.#hidden.closure(call, marks)
	}

	/** Before the first byte is sent, so that a wrong verdict does not become a wrong write. */
	async #allowed(statement: Statement, call: Call, isGuarded = false): Promise<Analysed | undefined> {
		const verdict = await this.#verdict(statement.text, call, isGuarded)
		this.#requireShown(verdict, false)
		const what = [verdict?.summary ?? statement.summary, verdict?.reason].filter(Boolean).join(': ')
		refuseAbove(verdict?.access ?? 'destructive', this.#context.permitted(), what)
		return verdict
	}
}

/** Returns the schema in which a session looks up names first; `undefined` if there is none, or it cannot be asked. */
async function searchedFirst(session: Session, signal: AbortSignal): Promise<string | undefined> {
	if (session.transaction === 'failed') return undefined
	const { rows } = await session.query({ sql: 'select pg_catalog.current_schema()' }, signal)
	return rows[0]?.[0] ?? undefined
}

/** Whether a statement that ran may have changed the search path: by SET, by the end of a transaction, or in a function. */
function maySetPath(verdict: Analysed | undefined): boolean {
	const [kind = ''] = Object.keys(verdict?.tree ?? {})
	if (kind === 'SelectStmt') return verdict?.access !== 'read'
	return ['', 'VariableSetStmt', 'DiscardStmt', 'TransactionStmt', 'DoStmt', 'CallStmt'].includes(kind)
}

/** Runs a change without its rehearsal: beside hidden columns in a transaction, which has the settings of the judge. */
async function alone<T>(
	session: Session,
	verdict: Analysed | undefined,
	run: () => Promise<T>,
	signal: AbortSignal,
): Promise<T> {
	const { projection } = verdict ?? {}
	if (!projection) return run()
	await session.begin(signal, { sql: projection.settings.join('; ') })
	try {
		const result = await run()
		await session.command('commit', signal)
		return result
	} finally {
		if (session.transaction !== undefined) await session.command('rollback', AbortSignal.timeout(5_000))
	}
}

/** Statements that the server does not parse before they run, so that their tables are not locked. */
const unparsed = ['DoStmt', 'CallStmt', 'CopyStmt'] as const

/**
 * Returns what locks the tables of a statement, in the open transaction. Those of a routine are locked when it runs: it then
 * waits for no other session, which could change a definition meanwhile.
 */
const locking =
	(session: Session, { statement, verdict, reach }: Tried, signal: AbortSignal) =>
	async (): Promise<void> => {
		// The run reports it.
		if (verdict?.fault) return
		await placed(statement.text, () => session.parse(queryOf(statement, verdict), signal))
		if (unparsed.some(kind => verdict?.tree?.[kind] !== undefined) || (await reach()).runsRoutine)
			await session.command('set local lock_timeout to 1', signal)
	}

/** A statement that is tried, and what its judge has looked up. */
interface Tried {
	readonly statement: Statement
	readonly verdict: Analysed | undefined
	readonly reach: () => Promise<Judgement>
}

const byTheUser = 'The user can do it in the window.'

/** SQLSTATE of a text that the grammar refuses. Other errors, for example of a missing table, are left to the run. */
const syntaxError = '42601'
const longestMessage = 1_000

async function findSyntaxError(session: Session, sql: string, signal: AbortSignal): Promise<Fault | undefined> {
	try {
		await session.parse({ sql }, signal)
		return undefined
	} catch (error) {
		if (!isDriverError(error) || error.engineCode === undefined) throw error
		if (error.engineCode !== syntaxError) return undefined
		// The server quotes a word of any length.
		return { ...faultOf(error), message: error.message.slice(0, longestMessage) }
	}
}
