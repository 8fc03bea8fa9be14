import {
	type ConsoleResult,
	type DriverContext,
	DriverError,
	isDriverError,
	type Statement,
	type StatementExportOptions,
	type Verdict,
	withPlaceholders,
} from '@roundhouse/kit'
import { CatalogCache, type CompletionCatalog } from '../completion/catalog.ts'
import { type Completing, complete } from '../completion/complete.ts'
import { fittingRows } from '../console/fitting-rows.ts'
import { type ConsoleEngine, type Running, StatementConsole } from '../console/statement-console.ts'
import { headOf, tooManyStatements } from '../console/statement-heads.ts'
import { csvRows, jsonRows } from '../data/cell-rows.ts'
import { exportRows } from '../data/export-rows.ts'
import { type SameValue, sortedSql } from '../text/sorted.ts'
import { splitAtSemicolons } from '../text/split.ts'
import type { Dialect, DialectSession } from './dialect.ts'
import { literalOf } from './rows.ts'
import { cellsOf } from './table-rows.ts'

/** The console of a dialect, whose statements read. */

/** Returns what completion needs to know of a dialect. All tables are in one schema, whose name is never written. */
export const completingIn = ({ language }: Pick<Dialect, 'language'>): Completing => ({
	dialect: {
		lexer: language.lexer,
		split: splitAtSemicolons(language.lexer),
		quotes: language.quotes,
		foldsNames: false,
		joinsInChanges: false,
		starts: language.starts,
	},
	names: {
		home: '',
		systemSchemas: [],
		parseName: name => ({ schema: '', table: name }),
		quoted: language.quoted,
		literal: text => `'${text.replaceAll("'", "''")}'`,
	},
})

export function consoleOf<Session extends DialectSession>(
	dialect: Dialect<Session>,
	{ permitted }: Pick<DriverContext, 'permitted'>,
): StatementConsole<Session, Verdict> {
	const { sessions, values } = dialect
	const completing = completingIn(dialect)
	const kept = new CatalogCache()
	const engine: ConsoleEngine<Session, Verdict> = {
		permitted,
		using: (call, work) => sessions.using(call, work),
		openForUser: signal => sessions.open(signal),
		judge: (text, call) => judged(dialect, text, call),
		run: (session, running, signal) => run(dialect, session, running, signal),
		async export(session, { statement, options, release }, signal) {
			const { columns, sql } = await dialect.result(session, sqlOf(dialect, statement), signal)
			return exportRows({
				readEach: (take, stop) => session.readEach(sql, take, stop),
				cellsOf: row => cellsOf(values, columns, row),
				rows: rowsIn(
					columns.map(({ name }) => name),
					options,
				),
				isArray: options.format === 'json',
				release,
			})
		},
		explain: (session, { statement }, signal) => dialect.explain(session, sqlOf(dialect, statement), signal),
		complete: (text, offset, call) => {
			const catalog = catalogOf(dialect, kept, call.signal)
			return complete(text, offset, { ...completing, catalog })
		},
	}
	return new StatementConsole(engine)
}

const rowsIn = (names: readonly string[], { format, guardFormulas }: StatementExportOptions) =>
	format === 'csv' ? csvRows(names, guardFormulas === true) : jsonRows(names)

/** Finds and classifies the statements of a text. What does not only read is not run, so no user is asked about it. */
async function judged<Session extends DialectSession>(
	{ sessions, language, judge, readsOnly }: Dialect<Session>,
	text: string,
	call: { readonly signal: AbortSignal },
): Promise<readonly Verdict[]> {
	const pieces = splitAtSemicolons(language.lexer)(text)
	const tooMany = tooManyStatements(pieces, 'a client of the engine')
	if (tooMany) return [tooMany]
	return sessions.using(call, async (session, signal) => {
		const verdicts: Verdict[] = []
		for (const piece of pieces) {
			const sql = withPlaceholders(text.slice(piece.start, piece.end), () => ' null ')
			const found = await judge(session, sql, signal).catch(faulty)
			const refused =
				found.access === 'read' ? found : { fault: { code: 'unsupported' as const, message: readsOnly }, ...found }
			verdicts.push({ ...refused, ...headOf(text, piece) })
		}
		return verdicts
	})
}

/** @throws the error, if it is not about the text */
function faulty(error: unknown): Pick<Verdict, 'access' | 'fault'> {
	if (!isDriverError(error) || error.code === 'not_connected') throw error
	return { access: 'destructive', fault: { code: error.code, message: error.message } }
}

/** Returns a statement with its values as literals, of which none can end. */
function sqlOf({ values }: Pick<Dialect, 'values'>, { text, parameters = {} }: Statement): string {
	return withPlaceholders(text, name => ` ${literalOf(values, parameters[name] ?? null)} `)
}

/** Runs a statement that reads. @throws DriverError `unsupported` for any other */
async function run<Session extends DialectSession>(
	dialect: Dialect<Session>,
	session: Session,
	{ statement, verdict, maxRows, sort }: Running<Verdict>,
	signal: AbortSignal,
): Promise<ConsoleResult> {
	const { values } = dialect
	const isSame: SameValue = (column, { text, kind }) =>
		`${column} = ${literalOf(values, kind === 'number' ? { number: text } : text)}`
	if (verdict?.access !== 'read') throw new DriverError('unsupported', dialect.readsOnly)
	const startedAt = performance.now()
	const { columns, sql } = await dialect.result(
		session,
		sortedSql(sqlOf(dialect, statement), verdict.access, sort, isSame),
		signal,
	)
	const rows = await session.read(`${sql} limit ${maxRows + 1}`, signal)
	const read = {
		columns,
		rows: rows.slice(0, maxRows).map(row => cellsOf(dialect.values, columns, row)),
		isTruncated: rows.length > maxRows,
	}
	const { body, notices } = fittingRows(read, maxRows)
	const { length } = body.rows
	const status = `${length}${body.isTruncated ? '+' : ''} ${length === 1 ? 'row' : 'rows'}`
	return { status, tookMs: Math.round(performance.now() - startedAt), notices, body }
}

function catalogOf<Session extends DialectSession>(
	{ sessions, language, listTables, describe }: Dialect<Session>,
	kept: CatalogCache,
	signal: AbortSignal,
): CompletionCatalog {
	const read = <T>(key: string, work: (session: Session, signal: AbortSignal) => Promise<T>) =>
		kept.of(key, () => sessions.using({ signal }, work))
	return {
		tables: () => read('tables', listTables),
		columns: table =>
			read(`columns ${table}`, async (session, signal) => (await describe(session, table, signal)).columns),
		functions: async () => language.functions.map(name => ({ name, result: '', isBuiltIn: true })),
		systemTables: async () => [],
		references: () =>
			read('references', async (session, signal) => {
				const keys = []
				for (const { name, kind } of await listTables(session, signal)) {
					if (kind !== undefined) continue
					for (const { columns, table, to } of (await describe(session, name, signal)).references)
						keys.push({ from: { schema: '', table: name, columns }, to: { schema: '', table, columns: to } })
				}
				return keys
			}),
	}
}
