import { type HiddenChanges, isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { eachMember } from '../console/each-member.ts'
import type { Tree } from '../console/parser.ts'
import { quoted } from '../sql/names.ts'
import type { Bond, Definitions } from './read-definitions.ts'
import type { Relation } from './relation.ts'

/**
 * Changes of a table with hidden columns. Its name in the statement cannot become a subselect, so the text must name no
 * hidden column and no whole row. And no hidden value may decide whether the change succeeds: a unique index on a hidden
 * column would tell whether it has a value, and a check of a hidden and a free column whether one is below the other.
 */

/** Nodes of conditions whose value depends on the row alone, if their functions are immutable. */
const plainNodes = new Set(
	'OPEXPR VAR CONST BOOLEXPR NULLTEST BOOLEANTEST SCALARARRAYOPEXPR ARRAY ARRAYEXPR RELABELTYPE FUNCEXPR DISTINCTEXPR NULLIFEXPR COALESCE COALESCEEXPR MINMAX MINMAXEXPR CASE CASEEXPR WHEN CASEWHEN'.split(
		' ',
	),
)

const isPlain = (tree: string) => [...tree.matchAll(/\{([A-Z_]+)/g)].every(([, node = '']) => plainNodes.has(node))

type Relations = ReadonlyMap<number, Relation>

/** Returns what a client may change of a table with hidden columns, or `undefined` if it may change nothing. */
export function changesOf(
	relation: Relation,
	{ bonds, inherits, keys, sequences, partitioned, generated }: Definitions,
	byOid: Relations,
): HiddenChanges | undefined {
	const { oid, isSystem, hidden, kind, columns } = relation
	if (isSystem || hidden.size === 0 || (kind !== 'r' && kind !== 'p')) return undefined
	const family = familyOf(oid, inherits)
	const isClosed = [...family].some(one => {
		const { refused, takesNoChanges, kind } = byOid.get(one) ?? {}
		return refused !== undefined || takesNoChanges !== undefined || (kind !== 'r' && kind !== 'p')
	})
	if (isClosed) return undefined
	const nameIn = (table: number, attribute: number) => byOid.get(table)?.columns.get(attribute) ?? ''
	const hiddenNames = new Set([...hidden].map(attribute => columns.get(attribute) ?? ''))
	const evaluated: readonly Bond[] = generated.map(([table, attribute, source]) => [
		table,
		'check',
		[attribute, source],
		'',
		true,
	])
	const reaching = [...bonds, ...evaluated].flatMap(([table, bond, attributes, tree, isSettled]) => {
		if (!family.has(table)) return []
		const used = [...attributes, ...[...tree.matchAll(/:varattno (-?\d+)/g)].map(([, number]) => Number(number))]
		// 0 is an expression in an index, whose columns are in its tree, and the whole row in a tree.
		const isWhole = /:varattno 0\b/.test(tree)
		const names = new Set(isWhole ? columns.values() : used.map(one => nameIn(table, one)))
		if (names.isDisjointFrom(hiddenNames)) return []
		return [{ bond, names, isSettled: isSettled && (bond !== 'check' || isPlain(tree)) }]
	})
	const bound = new Set(reaching.flatMap(({ names }) => [...names]))
	for (const [table, attributes, hasExpressions] of partitioned) {
		if (!family.has(table)) continue
		const moving = hasExpressions ? [...columns.values()] : attributes.map(one => nameIn(table, one))
		for (const name of moving) bound.add(name)
	}
	let deletes = true
	for (const [from, to, fromKey, toKey, acts] of keys) {
		if (!family.has(to)) continue
		const { hidden: hiddenThere, refused } = byOid.get(from) ?? {}
		const tells = refused !== undefined || fromKey.some(one => hiddenThere?.has(one))
		if (!tells && !(acts && (hiddenThere?.size ?? 0) > 0)) continue
		deletes = false
		for (const attribute of toKey) bound.add(nameIn(to, attribute))
	}
	const isNumbered = sequences.some(
		([, table, attribute]) => family.has(table) && byOid.get(table)?.hidden.has(attribute),
	)
	const isSettled = reaching.every(one => one.isSettled)
	return {
		inserts: !isNumbered && !reaching.some(({ bond }) => bond === 'unique' || bond === 'key'),
		deletes,
		updates: isSettled ? [...columns.values()].filter(name => !hiddenNames.has(name) && !bound.has(name)) : [],
	}
}

/** Returns a table with all above and below it. */
function familyOf(oid: number, inherits: Definitions['inherits']): ReadonlySet<number> {
	const family = new Set([oid])
	// A set visits what is added to it.
	for (const one of family)
		for (const [child, parent] of inherits) {
			if (child === one) family.add(parent)
			if (parent === one) family.add(child)
		}
	return family
}

const changingKinds = ['InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const
type ChangingKind = (typeof changingKinds)[number]

/** A statement that changes rows. */
export interface Change {
	readonly kind: ChangingKind
	readonly body: JsonObject
	/** The node of its table. */
	readonly target: JsonObject
}

/** Returns the change that a statement is. */
export function changeIn(tree: Tree): Change | undefined {
	for (const kind of changingKinds) {
		const body = tree[kind]
		if (isJsonObject(body) && isJsonObject(body.relation)) return { kind, body, target: body.relation }
	}
	return undefined
}

const textIn = (json: Json | undefined) => (typeof json === 'string' ? json : undefined)
const listIn = (json: Json | undefined) => (Array.isArray(json) ? json : [])

const systemNames = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])

/** Returns why a change of a table with hidden columns is refused, as a sentence, or `undefined`. */
export function whyNotChanged({ kind, body, target }: Change, relation: Relation): string | undefined {
	const { hidden, columns, changes } = relation
	if (hidden.size === 0) return undefined
	const table = quoted(relation.name)
	if (!changes) return `AI clients cannot change ${table}, which has columns hidden by the user.`
	if (kind === 'DeleteStmt' && !changes.deletes) return decides('deleted', table)
	if (kind === 'InsertStmt') {
		if (!changes.inserts) return decides('inserted', table)
		if (body.cols === undefined && body.selectStmt !== undefined)
			return `Name the columns: ${table} has columns that are hidden by the user.`
	}
	const hiddenNames = new Set([...hidden].map(attribute => columns.get(attribute) ?? ''))
	const free = new Set([...columns.values()].filter(name => !hiddenNames.has(name)))
	const settable = new Set(changes.updates)
	const conflict = isJsonObject(body.onConflictClause) ? body.onConflictClause : {}
	for (const name of namesSet(body.cols))
		if (!free.has(name))
			return hiddenNames.has(name) ? isHidden(table, name) : `${table} has no column ${quoted(name)}.`
	for (const name of [
		...namesSet(kind === 'UpdateStmt' ? body.targetList : undefined),
		...namesSet(conflict.targetList),
	])
		if (!settable.has(name))
			return hiddenNames.has(name)
				? isHidden(table, name)
				: `${quoted(name)} cannot be set: a hidden value could decide whether that succeeds, or there is no such column.`
	return namesWhole({ body, target, table }, { hiddenNames, free })
}

const decides = (what: string, table: string) =>
	`Rows of ${table} cannot be ${what}: a hidden value could decide whether that succeeds.`
const isHidden = (table: string, name: string) => `${table}.${quoted(name)} is hidden by the user.`

/** Names of the columns that a list sets. */
const namesSet = (list: Json | undefined) =>
	listIn(list).map(
		one => (isJsonObject(one) && isJsonObject(one.ResTarget) ? textIn(one.ResTarget.name) : undefined) ?? '',
	)

interface Columns {
	readonly hiddenNames: ReadonlySet<string>
	readonly free: ReadonlySet<string>
}

/** Returns why a text names more of its table than free columns, as a sentence. */
function namesWhole(
	{ body, target, table }: Pick<Change, 'body' | 'target'> & { readonly table: string },
	{ hiddenNames, free }: Columns,
): string | undefined {
	const alias = isJsonObject(target.alias) ? textIn(target.alias.aliasname) : undefined
	// The rows before and after a change, and the row that could not be inserted, are whole rows too.
	const rows = new Set([alias ?? textIn(target.relname) ?? '', 'excluded', 'old', 'new'])
	// A server with another encoding than UTF-8 folds names by its letters.
	const folded = new Set([...hiddenNames].map(name => name.toLowerCase()))
	const isHiddenName = (name: string) => folded.has(name.toLowerCase())
	let reason: string | undefined
	eachMember(body, (key, value) => {
		if (key === 'A_Star') reason ??= `Name the columns: a star of ${table} has columns that are hidden by the user.`
		if (!isJsonObject(value)) return
		// They give the rows other names.
		if (key === 'ReturningOption') reason ??= 'RETURNING WITH is refused for a table with hidden columns.'
		const element = key === 'IndexElem' ? textIn(value.name) : undefined
		if (element !== undefined && !free.has(element)) reason ??= isHidden(table, element)
		if (key !== 'ColumnRef') return
		const names = listIn(value.fields).map(
			field => (isJsonObject(field) && isJsonObject(field.String) ? textIn(field.String.sval) : undefined) ?? '',
		)
		const [before, name = ''] = names.length > 1 ? names.slice(-2) : [undefined, ...names]
		if (rows.has(name)) reason ??= `A whole row of ${table} has columns that are hidden by the user.`
		if (before === undefined ? systemNames.has(name) : rows.has(before) && !free.has(name))
			reason ??= `${quoted(name)} is no column of ${table} that AI clients may use.`
		if ((before === undefined || rows.has(before)) && isHiddenName(name)) reason = isHidden(table, name)
	})
	return reason
}
