import { isJsonObject, type Json, type Verdict } from '@roundhouse/kit'
import { loadsCode } from './access.ts'
import { contentsOf, type Names, namesIn } from './collect.ts'
import type { Tree } from './parser.ts'

/** What a verdict tells the user beside the access: why it is not lower, and whether a rollback undoes the statement. */

const anything: Readonly<Record<string, string>> = {
	DoStmt: 'The block can do anything.',
	CallStmt: 'The procedure can do anything.',
	ExecuteStmt: 'The prepared statement can do anything.',
	CreateTrigStmt: 'What the trigger runs can do anything.',
}

export const unknownReason = 'The grammar of this driver does not know the statement.'
const mostNames = 3

/** Statements that change rows, themselves or in a WITH. A rule or a function only keeps the DELETE that it contains. */
const changing = new Set(['DeleteStmt', 'InsertStmt', 'UpdateStmt', 'SelectStmt'])

/** Returns why a statement may destroy data though its text does not show it. @param volatile names that are volatile */
export function reasonOf(tree: Tree, volatile: Names): Pick<Verdict, 'reason' | 'isOpaque' | 'isSelective'> {
	const [kind = ''] = Object.keys(tree)
	const known = anything[kind]
	if (known !== undefined) return { reason: known, isOpaque: true }
	const body = tree[kind]
	if (isJsonObject(body) && body.replace === true) {
		return { reason: 'It replaces the present definition, if there is one.' }
	}
	if (kind === 'CreateFunctionStmt' && isJsonObject(body) && loadsCode(body)) {
		return { reason: 'Its language may run code of the server when the function is made.' }
	}
	const contents = contentsOf(tree)
	// A change of rows destroys by itself.
	if (contents.hasUnlimited || contents.statements.has('MergeStmt')) return {}
	if (contents.statements.has('DeleteStmt')) return changing.has(kind) ? { isSelective: true } : {}
	const names = namesIn(contents, volatile)
	if (names.length === 0) return {}
	const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : ''
	return { reason: `It uses ${names.slice(0, mostNames).join(', ')}${more}, which can do anything.`, isOpaque: true }
}

const boundaries: Readonly<Record<string, Verdict['transaction']>> = {
	TRANS_STMT_BEGIN: 'begins',
	TRANS_STMT_START: 'begins',
	TRANS_STMT_COMMIT: 'commits',
	TRANS_STMT_PREPARE: 'commits',
	TRANS_STMT_ROLLBACK: 'rolls_back',
}

/** Statements whose effect is in the tables and the catalog alone. Sequences, files and other sessions keep what was done. */
const undone = new Set(
	'InsertStmt UpdateStmt DeleteStmt MergeStmt TruncateStmt DropStmt AlterTableStmt RenameStmt AlterOwnerStmt AlterObjectSchemaStmt GrantStmt GrantRoleStmt DropRoleStmt DropOwnedStmt ReassignOwnedStmt'.split(
		' ',
	),
)

/** Definitions, which run nothing of what they name. */
const defining = new Set(['CreateFunctionStmt', 'ViewStmt', 'CreateTrigStmt', 'RuleStmt'])

/** Returns what a statement is for a transaction. @param volatile names that are volatile, which may do what is not undone */
export function transactionOf(tree: Tree, volatile: Names): Verdict['transaction'] {
	const [[kind = '', body] = []] = Object.entries(tree)
	if (kind === 'TransactionStmt') return boundaries[textOf(body, 'kind')]
	if (defining.has(kind)) return 'undone'
	return undone.has(kind) && namesIn(contentsOf(tree), volatile).length === 0 ? 'undone' : undefined
}

function textOf(body: Json | undefined, member: string): string {
	const value = isJsonObject(body) ? body[member] : undefined
	return typeof value === 'string' ? value : ''
}
