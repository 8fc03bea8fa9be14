import {
	type Access,
	type Assessment,
	type Call,
	type Completions,
	type Console,
	type ConsoleResult,
	type ConsoleSession,
	type DriverContext,
	DriverError,
	type Encoded,
	type ExplainableStatement,
	type Explained,
	encode,
	type Fault,
	faultOf,
	isDriverError,
	type RowExport,
	type RunOptions,
	refuseAbove,
	type Statement,
	type StatementExportOptions,
	type Verdict,
} from '@roundhouse/kit'
import type { Databases } from '../catalog/databases.ts'
import { readShape } from '../catalog/shape.ts'
import { listTables } from '../catalog/tables.ts'
import { placeOf } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { type Analysed, analyse } from './analyse.ts'
import { assess } from './assess.ts'
import { complete } from './complete.ts'
import { refuseExpensive } from './cost-guard.ts'
import { type Asked, explain } from './explain.ts'
import { exportStatement } from './export.ts'
import { KnownNames } from './known.ts'
import { ResultTypes } from './result-types.ts'
import { queryOf, run } from './run.ts'
import { findVolatile } from './volatile.ts'

type Work = <T>(call: Call, work: (session: Session, signal: AbortSignal) => Promise<T>) => Promise<T>

/** SQL statements, without a session and with one. */
export class SqlConsole implements Console {
	readonly #databases: Databases
	readonly #context: DriverContext
	readonly #types = new ResultTypes()

	readonly #names: KnownNames
	/** Where statements run, if that is not the database of the connection. */
	readonly #database: string | undefined
	/** Of the console of the connection: those of other databases. */
	readonly #others = new Map<string, SqlConsole>()

	constructor(databases: Databases, context: DriverContext, database?: string) {
		this.#databases = databases
		this.#context = context
		this.#database = database
		const using: Work = (call, work) => this.#using(call, work)
		this.#names = new KnownNames({
			using,
			tables: call =>
				using(call, (session, signal) => listTables(session, { database: undefined, levels: [] }, signal)),
			columns: async (name, call) => {
				const read = (session: Session, signal: AbortSignal) =>
					readShape(session, { place: placeOf(name), name }, signal)
				return (await using(call, read)).columns
			},
		})
	}

	/** Returns the console of a database, the same each time. @param database default: that of the connection */
	of(database: string | undefined): SqlConsole {
		if (database === undefined || database === this.#databases.main) return this
		const known = this.#others.get(database) ?? new SqlConsole(this.#databases, this.#context, database)
		this.#others.set(database, known)
		return known
	}

	#using<T>(call: Pick<Call, 'signal'>, work: (session: Session, signal: AbortSignal) => Promise<T>): Promise<T> {
		return this.#databases.using(call, work, this.#database)
	}

	complete(text: string, offset: number, call: Call): Promise<Completions> {
		return complete(text, offset, this.#names.at(call))
	}

	async analyse(text: string, call: Call): Promise<readonly Verdict[]> {
		const verdicts = await this.#analyse(text, call)
		return verdicts.map(({ tree, copy, ...verdict }) => verdict)
	}

	#analyse(text: string, call: Pick<Call, 'signal'>): Promise<readonly Analysed[]> {
		return analyse(text, {
			findVolatile: names => this.#using(call, (session, signal) => findVolatile(session, names, signal)),
			findSyntaxError: sql => this.#using(call, (session, signal) => findSyntaxError(session, sql, signal)),
		})
	}

	/** Returns what a text may do at most. */
	async accessOf(text: string, call: Call): Promise<Access> {
		return (await this.#verdict(text, call))?.access ?? 'destructive'
	}

	/** A text that is not one statement has no verdict. */
	async #verdict(text: string, call: Pick<Call, 'signal'>): Promise<Analysed | undefined> {
		const [first, ...others] = await this.#analyse(text, call)
		return others.length === 0 ? first : undefined
	}

	async assess(statement: Statement, call: Call): Promise<Assessment> {
		const verdict = await this.#verdict(statement.text, call)
		return this.#using(call, (session, signal) => assess(session, { statement, verdict }, signal))
	}

	async run(statement: Statement, { maxRows }: RunOptions, call: Call): Promise<Encoded<ConsoleResult>> {
		const { signal } = call
		const verdict = await this.#allowed(statement, call)
		const work = (session: Session) => run(session, { statement, verdict, types: this.#types }, { maxRows, signal })
		if (verdict?.access === 'read') {
			const limitRows = this.#context.costLimitRows()
			const read = async (session: Session) => {
				await refuseExpensive(session, { query: queryOf(statement), path: 'user', limitRows }, signal)
				return work(session)
			}
			return encode(await this.#using(call, read))
		}
		if (verdict?.tree?.TransactionStmt)
			throw new DriverError('unsupported', 'A transaction needs a console with a session.')
		// What it sets must not reach the next statement.
		const session = await this.#databases.openForUser(signal, this.#database)
		try {
			return encode(await work(session))
		} finally {
			session.close()
		}
	}

	async openExport(statement: Statement, options: StatementExportOptions, call: Call): Promise<RowExport> {
		await this.#readable(statement, call)
		const session = await this.#databases.openForUser(call.signal, this.#database)
		const release = () => session.close()
		try {
			return await exportStatement(session, { statement, options, types: this.#types, release }, call.signal)
		} catch (error) {
			release()
			throw error
		}
	}

	/** @throws DriverError `denied` for a statement that does not only read */
	async #readable(statement: Statement, call: Call): Promise<void> {
		if ((await this.#allowed(statement, call))?.access !== 'read')
			throw new DriverError('denied', 'Only a statement that reads can be exported.')
	}

	async format(text: string): Promise<string> {
		// The formatter takes a tenth of a second to load, which the start of a driver does not need.
		return (await import('./format.ts')).formatText(text)
	}

	async explain(what: ExplainableStatement, call: Call): Promise<Explained> {
		// Before a session is taken: the sample has one.
		const asked = await this.#asked(what, call)
		return this.#using(call, (session, signal) => explain(session, asked, signal))
	}

	async #asked({ statement, isPlanOnly = false }: ExplainableStatement, call: Call): Promise<Asked> {
		const writes = (await this.accessOf(statement.text, call)) !== 'read'
		const limitRows = this.#context.costLimitRows()
		return { query: queryOf(statement), path: 'user', isPlanOnly: isPlanOnly || writes, limitRows }
	}

	async openSession({ signal }: Call): Promise<ConsoleSession> {
		const session = await this.#databases.openForUser(signal, this.#database)
		return {
			run: async (statement, { maxRows }, call) => {
				const verdict = await this.#allowed(statement, call)
				const origins = { database: this.#database }
				this.#databases.noteStatement(session, statement.text)
				return run(session, { statement, verdict, types: this.#types, origins }, { maxRows, signal: call.signal })
			},
			openExport: async (statement, options, call) => {
				await this.#readable(statement, call)
				return exportStatement(session, { statement, options, types: this.#types, release: () => {} }, call.signal)
			},
			explain: async (what, call) => explain(session, await this.#asked(what, call), call.signal),
			isOpen: () => session.isUsable,
			transaction: () => session.transaction,
			close: async () => {
				this.#databases.noteStatement(session, undefined)
				session.close()
			},
		}
	}

	/** Before the first byte is sent, so that a wrong verdict does not become a wrong write. */
	async #allowed(statement: Statement, call: Call): Promise<Analysed | undefined> {
		const verdict = await this.#verdict(statement.text, call)
		refuseAbove(verdict?.access ?? 'destructive', this.#context.permitted(), verdict?.summary ?? statement.summary)
		return verdict
	}
}

/** SQLSTATE of a text that the grammar refuses. Other errors, for example of a missing table, are left to the run. */
const syntaxError = '42601'
const longestMessage = 1_000

async function findSyntaxError(session: Session, sql: string, signal: AbortSignal): Promise<Fault | undefined> {
	try {
		await session.parse(sql, signal)
		return undefined
	} catch (error) {
		if (!isDriverError(error) || error.engineCode === undefined) throw error
		if (error.engineCode !== syntaxError) return undefined
		// The server quotes a word of any length.
		return { ...faultOf(error), message: error.message.slice(0, longestMessage) }
	}
}
