import { type Access, type Fault, isJsonObject, type Verdict } from '@roundhouse/kit'
import { headOf, type StatementSpan, sendingBy, tooManyStatements } from '@roundhouse/sql'
import type { Withheld } from '../hidden/hidden-columns.ts'
import type { Judgement } from '../judge/judge.ts'
import { split } from '../sql/split.ts'
import type { Query } from '../wire/session.ts'
import { accessOf, type FindVolatile } from './access.ts'
import { namesOf } from './collect.ts'
import { numberedFault, withPlaceHint } from './other-places.ts'
import { parse, type Tree } from './parser.ts'
import { secretsOf } from './secrets.ts'
import { reasonOf, transactionOf, unknownReason } from './verdict-words.ts'

/** Verdicts: where the statements of a text are, and what each may do. */

export interface Analysed extends Verdict {
	/** Absent if the grammar refuses the statement. */
	readonly tree?: Tree
	/** Why an AI client's statement is not known to act on nothing else than its text says. */
	readonly unknown?: string
	/** Fails if what {@link unknown} was found by has changed. Absent if the user runs the statement. */
	readonly guard?: Query
	/** The statement without hidden columns, if the client must not see all. */
	readonly projection?: Withheld
	/** COPY, and the data that stands below it. */
	readonly copy?: { readonly sql: string; readonly data: string }
}

/** What only the server knows. */
interface Server {
	readonly findVolatile: FindVolatile
	/** Looks up what a statement of an AI client may call. Absent for the user. */
	readonly judge?: ((sql: string, tree: Tree) => Promise<Judgement>) | undefined
	/** Returns why the server's grammar refuses a statement too, with an offset in it. */
	findSyntaxError(sql: string): Promise<Fault | undefined>
}

/**
 * Finds and classifies the statements of a text. What the grammar refuses has the most dangerous verdict. If the server,
 * which may be newer, refuses it too, its error is the fault of the statement, so that no consent is asked for it.
 */
export async function analyse(text: string, server: Server): Promise<readonly Analysed[]> {
	const found = split(text)
	const tooMany = tooManyStatements(found, 'psql')
	if (tooMany) return [tooMany]
	const pieces: Parsed[] = []
	for (const piece of found) pieces.push(await parsePiece(text, piece, server))
	const judgements = new Map<Tree, Judgement>()
	for (const { tree, verdict } of pieces) {
		if (!server.judge || !tree || verdict.fault || !queries.has(Object.keys(tree)[0] ?? '')) continue
		const { sql } = sentText(text.slice(verdict.start, verdict.end))
		judgements.set(tree, await server.judge(sql, tree))
	}
	/** Whether it calls nothing that is not listed, so that nothing volatile is to be looked up. */
	const isKnown = (tree: Tree) => {
		const judgement = judgements.get(tree)
		return judgement !== undefined && judgement.reason === undefined
	}
	const unknown = pieces.flatMap(({ tree }) => (tree && !isKnown(tree) ? [tree] : []))
	// Once for the whole text: a script may have thousands of statements.
	const volatile = await server.findVolatile(namesOf(unknown))
	return pieces.map(({ tree, copy, verdict }): Analysed => {
		if (!tree) return { access: 'destructive', reason: unknownReason, ...verdict, isUnread: true }
		const called = isKnown(tree) ? namesOf([]) : volatile
		const access = accessOf(tree, called)
		const fault = verdict.fault ?? (copy ? undefined : copyFault(tree))
		const transaction = transactionOf(tree, called)
		const analysed = {
			...verdict,
			access,
			tree,
			...grantOf(tree, access),
			...(access === 'destructive' && reasonOf(tree, called)),
			...(transaction !== undefined && { transaction }),
			...(fault && { fault }),
			...(copy && { copy }),
		}
		return judgedBy(judgements.get(tree), analysed)
	})
}

/** A read of an AI client that is not known to act on nothing is a write, which is asked for. */
function judgedBy(judgement: Judgement | undefined, verdict: Analysed): Analysed {
	if (!judgement) return verdict
	const { reason, guard } = judgement
	if (reason === undefined) return { ...verdict, guard }
	const { grant, ...rest } = verdict
	return { ...rest, reason, unknown: reason, access: rest.access === 'read' ? 'write' : rest.access }
}

/** Statements that are planned. */
const queries = new Set(['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'ExplainStmt'])

/** Data of COPY has no place in a result. */
function copyFault({ CopyStmt: copy }: Tree): Fault | undefined {
	if (copy === undefined || (isJsonObject(copy) && 'filename' in copy)) return undefined
	const message =
		isJsonObject(copy) && copy.is_from === true
			? 'COPY from STDIN needs its data: in the lines below it, with \\. in the last line. Or import a file into the table.'
			: 'COPY to STDOUT does not run in a console. Export the table or the rows of a query.'
	return { code: 'unsupported', message }
}

/** A statement before the server was asked about its names. */
interface Parsed {
	/** Absent if the grammar refuses the statement. */
	readonly tree?: Tree
	readonly copy?: Analysed['copy']
	readonly verdict: Omit<Verdict, 'access'>
}

async function parsePiece(text: string, piece: StatementSpan, server: Server): Promise<Parsed> {
	const { start, end, tokens, data } = piece
	const statement = text.slice(start, tokens.at(-1)?.end ?? end)
	const head = headOf(text, piece)
	const secrets = secretsOf(text, piece)
	const verdict = secrets.length > 0 ? { ...head, secrets } : head
	if (head.fault) return { verdict }
	const { sql } = sentText(statement)
	const parsed = await parse(sql)
	if (!('statements' in parsed)) {
		const fault = unsendable(statement) ?? (await server.findSyntaxError(sql))
		const placed = fault && placedFault(fault, statement)
		return { verdict: { ...verdict, ...(placed && { fault: withPlaceHint(placed, { text, start, tokens }) }) } }
	}
	const [tree, ...others] = parsed.statements
	if (!tree || others.length > 0) return { verdict }
	const fault = numberedFault(tree, { text, start, tokens })
	const copy = data !== undefined && { copy: { sql, data } }
	return { tree, ...copy, verdict: { ...verdict, ...(fault && { fault }) } }
}

/** Returns why the server cannot get this text as it is. */
function unsendable(statement: string): Fault | undefined {
	const code = 'invalid_argument'
	if (statement.includes('\u0000')) return { code, message: 'PostgreSQL takes no text with a NUL character.' }
	if (statement.isWellFormed()) return undefined
	return { code, message: 'The statement contains half of a character (a lone surrogate).' }
}

/** Moves the place of a fault from the text that was sent to the statement. */
const placedFault = (fault: Fault, statement: string): Fault =>
	fault.at === undefined ? fault : { ...fault, at: statementOffset(statement, fault.at) }

const { sentText, statementOffset, placed } = sendingBy('numbered')

export { placed, sentText }

/** A temporary consent: insertions of listed rows into one table. */
function grantOf(tree: Tree, access: Access): Pick<Verdict, 'grant'> {
	const insert = tree.InsertStmt as InsertTree | undefined
	const lists = insert?.selectStmt?.SelectStmt?.valuesLists
	if (access !== 'write' || !insert || !lists || insert.onConflictClause || insert.withClause) return {}
	const { schemaname, relname } = insert.relation
	return { grant: { target: `INSERT INTO ${[schemaname, relname].filter(Boolean).join('.')}`, rows: lists.length } }
}

interface InsertTree {
	readonly relation: { readonly schemaname?: string; readonly relname: string }
	readonly selectStmt?: { readonly SelectStmt?: { readonly valuesLists?: readonly unknown[] } }
	readonly onConflictClause?: unknown
	readonly withClause?: unknown
}
