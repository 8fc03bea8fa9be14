import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import { eachMember } from '../console/each-member.ts'
import type { Tree } from '../console/parser.ts'
import { quoted } from '../sql/names.ts'

/**
 * Tokens can be counted, grouped, and compared with each other. Sorted they come in a random order, which an answer would
 * not say, and a comparison with a value is never true. So both are refused. What this does not find shows no value: a
 * token says nothing without its key.
 */

export interface Tokens {
	/** Names of columns. */
	readonly columns: ReadonlySet<string>
	/** Names of tables whose columns of these names have no tokens. */
	readonly others: ReadonlySet<string>
}

const sorting = new Set(['min', 'max', 'percentile_disc', 'string_agg'])
const comparing = new Set(['<', '>', '<=', '>='])

const textIn = (json: Json | undefined) => (typeof json === 'string' ? json : undefined)
const listIn = (json: Json | undefined) => (Array.isArray(json) ? json : [])
const namesIn = (list: Json | undefined) =>
	listIn(list).map(one => (isJsonObject(one) && isJsonObject(one.String) ? textIn(one.String.sval) : undefined) ?? '*')

/** Returns why a statement cannot use tokens as it does, as a sentence, or `undefined`. */
export function whyNoToken(tree: Tree, { columns, others }: Tokens): string | undefined {
	const names = new Set(columns)
	/** Returns the token that the value of an expression is made of. A number of them is none. */
	const tokenIn = (json: Json | undefined): string | undefined => {
		let found: string | undefined
		const note = (key: string, value: Json) => {
			if (key !== 'ColumnRef' || !isJsonObject(value)) return
			const fields = namesIn(value.fields)
			const name = fields.at(-1) ?? ''
			const table = fields.at(-2)
			if (names.has(name) && (table === undefined || !others.has(table))) found = name
		}
		const isNumber = (key: string, value: Json) =>
			key === 'NullTest' || (key === 'FuncCall' && isJsonObject(value) && namesIn(value.funcname).at(-1) === 'count')
		if (json !== undefined) eachMember({ part: json }, note, isNumber)
		return found
	}
	// A token can have another name in a query around it. A set grows until each is known.
	for (let before = -1; before !== names.size; ) {
		before = names.size
		eachMember(tree, (key, value) => {
			if (key !== 'ResTarget' || !isJsonObject(value)) return
			const name = textIn(value.name)
			if (name !== undefined && tokenIn(value.val) !== undefined) names.add(name)
		})
	}
	let reason: string | undefined
	const refuse = (name: string | undefined, why: (name: string) => string) => {
		if (name !== undefined) reason ??= why(quoted(name))
	}
	const isSorted = (name: string) => `${name} is hidden by the user: it may be counted and joined, and not sorted.`
	const isCompared = (name: string) =>
		`${name} is hidden by the user: it may be counted and joined, and not compared with a value.`
	eachMember(tree, (key, value) => {
		if (!isJsonObject(value)) return
		if (key === 'SortBy') refuse(tokenIn(value.node), isSorted)
		if (key === 'SelectStmt') for (const target of sortedByPlace(value)) refuse(tokenIn(target), isSorted)
		if (key === 'MinMaxExpr') refuse(tokenIn(value.args), isSorted)
		if (key === 'FuncCall' && sorting.has(namesIn(value.funcname).at(-1) ?? '')) refuse(tokenIn(value.args), isSorted)
		if (key !== 'A_Expr') return
		const token = tokenIn(value.lexpr) ?? tokenIn(value.rexpr)
		if (namesIn(value.name).some(name => comparing.has(name)) || /BETWEEN/.test(textIn(value.kind) ?? ''))
			refuse(token, isSorted)
		if (hasValue(value.lexpr) || hasValue(value.rexpr)) refuse(token, isCompared)
	})
	return reason
}

/** Returns the targets that ORDER BY names by their place. */
function sortedByPlace({ sortClause, targetList }: JsonObject): readonly Json[] {
	const targets = listIn(targetList)
	return listIn(sortClause).flatMap(one => {
		const [, place] =
			/^\{"A_Const":\{"ival":\{"ival":(\d+)/.exec(
				JSON.stringify(isJsonObject(one) && isJsonObject(one.SortBy) ? (one.SortBy.node ?? null) : null),
			) ?? []
		return place === undefined ? [] : (targets[Number(place) - 1] ?? [])
	})
}

/** Whether an operand is a value, or a list of values. */
function hasValue(json: Json | undefined): boolean {
	if (!isJsonObject(json)) return false
	if (json.A_Const !== undefined || json.ParamRef !== undefined) return true
	if (isJsonObject(json.TypeCast)) return hasValue(json.TypeCast.arg)
	return isJsonObject(json.List) && listIn(json.List.items).some(hasValue)
}
