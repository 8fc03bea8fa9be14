import { type Access, parameterPlaces, type Verdict, withPlaceholders } from '@roundhouse/kit'
import { isBlank, type Piece, split } from '../sql/split.ts'
import { accessOf, type FindVolatile } from './access.ts'
import { parse, type Tree } from './parser.ts'

/** Verdicts: where the statements of a text are, and what each may do. */

export interface Analysed extends Verdict {
	/** Absent if the grammar refuses the statement. */
	readonly tree?: Tree
}

/** Finds and classifies the statements of a text. What the grammar refuses has the most dangerous verdict. */
export async function analyse(text: string, findVolatile: FindVolatile): Promise<readonly Analysed[]> {
	const verdicts: Analysed[] = []
	for (const piece of split(text)) verdicts.push(await verdictOf(text, piece, findVolatile))
	return verdicts
}

async function verdictOf(text: string, { start, end, tokens }: Piece, findVolatile: FindVolatile): Promise<Analysed> {
	const statement = text.slice(start, end)
	const words = tokens.map(token => (isBlank(token) ? ' ' : text.slice(token.start, token.end)))
	const summary = words.join('').replace(/\s+/g, ' ').slice(0, 200)
	const place = { start, end, summary }
	const places = parameterPlaces(statement).filter(({ name }) => name !== undefined)
	if (places.length !== tokens.filter(({ kind }) => kind === 'placeholder').length) return { ...place, ...misplaced }
	const parsed = await parse(sentText(statement).sql)
	if (!('statements' in parsed)) {
		const at = parsed.at === undefined ? undefined : statementOffset(statement, parsed.at)
		// The server says what is wrong, so that the words are those of its version.
		return { ...place, access: 'destructive', ...(at === undefined && nulFault(statement)) }
	}
	const [tree, ...others] = parsed.statements
	if (!tree || others.length > 0) return { ...place, access: 'destructive' }
	const access: Access = await accessOf(tree, findVolatile)
	return { ...place, access, tree, ...grantOf(tree, access) }
}

const misplaced = {
	access: 'destructive',
	fault: {
		code: 'invalid_argument',
		message: 'A place in two braces stands alone: not in quotes, not in a comment, and not as a name.',
	},
} as const

const nulFault = (statement: string) =>
	statement.includes('\u0000') && {
		fault: { code: 'invalid_argument', message: 'PostgreSQL takes no text with a NUL character.' } as const,
	}

/** The text for the server, with `$1` for each place. */
export interface SentText {
	readonly sql: string
	/** Names of the places, by number. One name has one number. */
	readonly names: readonly string[]
}

export function sentText(statement: string): SentText {
	const names: string[] = []
	const sql = withPlaceholders(statement, name => {
		if (!names.includes(name)) names.push(name)
		return `$${names.indexOf(name) + 1}`
	})
	return { sql, names }
}

/** Returns the offset in the statement of an offset in the text that was sent for it. */
export function statementOffset(statement: string, offset: number): number {
	const { names } = sentText(statement)
	let moved = 0
	for (const { start, end, name } of parameterPlaces(statement)) {
		const sent = name === undefined ? 2 : `$${names.indexOf(name) + 1}`.length
		if (start - moved >= offset) break
		if (start - moved + sent > offset) return start
		moved += end - start - sent
	}
	return Math.min(offset + moved, statement.length)
}

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
