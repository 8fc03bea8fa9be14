import type { Word } from './row-sources.ts'

/** Keywords of SQL by the place in a statement where they may stand. */

/** Keywords are separated by spaces, and the words of one keyword by `_`. */
const list = (text: string) => text.split(' ').map(keyword => keyword.replaceAll('_', ' '))

const starters = list(
	'select with insert_into update delete_from merge_into values table create alter drop truncate explain analyze vacuum refresh_materialized_view comment_on grant revoke set show begin commit rollback savepoint call do',
)
const queries = list('select with values table')
const expressions = list(
	'and or not in is_null is_not_null is_distinct_from like ilike between exists any case when then else end null true false cast coalesce distinct array interval extract current_date current_timestamp',
)
/** Clauses behind a query's tables and conditions. */
const clauses = list('group_by having order_by limit offset union union_all intersect except window returning')
const joins = list('join left_join right_join full_join inner_join cross_join lateral as on using')
const objects = list(
	'table view materialized_view index unique_index schema sequence type domain function procedure trigger extension role database if_not_exists or_replace temporary',
)

/** By the last clause before the place. */
const byClause: Readonly<Record<string, readonly string[]>> = {
	select: [...expressions, ...list('as from into over partition_by filter within_group all')],
	from: [...joins, 'where', ...clauses, ...list('set for_update tablesample')],
	where: [...expressions, ...clauses, ...list('for_update on_conflict')],
	having: [...expressions, ...clauses],
	group: [...clauses, ...list('rollup cube grouping_sets')],
	order: [...list('asc desc nulls_first nulls_last'), ...clauses, ...expressions],
	limit: list('offset for_update all'),
	set: [...expressions, ...list('default from where returning to local')],
	values: list('default null true false on_conflict returning'),
	returning: [...expressions, 'as'],
	insert: list('values select default_values overriding_system_value'),
	update: list('set as only'),
	with: [...starters, ...list('as recursive materialized not_materialized')],
	create: [
		...objects,
		...list(
			'as on not_null default primary_key references unique check foreign_key constraint generated_always_as_identity partition_by with for_each_row execute_function language returns',
		),
	],
	alter: [
		...objects,
		...list(
			'add_column drop_column alter_column rename_to rename_column set_default drop_default set_not_null type add_constraint owner_to',
		),
	],
	drop: [...objects, ...list('if_exists cascade restrict')],
}
const on = [...expressions, ...joins, 'where', ...clauses]

/** Behind these words only the rest of a keyword of several words can stand. */
const behind: Readonly<Record<string, readonly string[]>> = {
	...Object.fromEntries(['group', 'order', 'partition'].map(word => [word, ['by']])),
	...Object.fromEntries(['left', 'right', 'full'].map(word => [word, list('join outer_join')])),
	inner: ['join'],
	cross: ['join'],
	insert: ['into'],
	merge: ['into'],
	delete: ['from'],
	nulls: list('first last'),
	is: list('null not_null true false distinct_from unknown'),
	not: list('null in like ilike between exists materialized'),
	...Object.fromEntries(['union', 'intersect', 'except', 'all'].map(word => [word, ['all', ...queries]])),
	explain: [...starters, ...list('analyze verbose')],
}

/** Returns the keywords that may stand behind these words of one statement. */
export function keywordsAfter(words: readonly Word[]): readonly string[] {
	const last = words.at(-1)?.text
	if (last === undefined) return starters
	const rest = behind[last]
	if (rest) return rest
	if (last === '(') return [...queries, ...expressions]
	const clause = clauseOf(words)
	if (clause === 'on') return words[0]?.text === 'create' ? [...(byClause.create ?? []), 'using'] : on
	return byClause[clause ?? ''] ?? [...expressions, ...queries]
}

const clauseWords = new Set([...Object.keys(byClause), 'on', 'join', 'into', 'delete'])
const sameAs: Readonly<Record<string, string>> = { join: 'from', into: 'insert', delete: 'from' }

/** Returns the clause that is open at the end: brackets that are closed do not count, those that are open do. */
function clauseOf(words: readonly Word[]): string | undefined {
	let depth = 0
	for (const { text } of words.toReversed()) {
		if (text === ')') depth++
		else if (text === '(' && --depth < 0) return undefined
		else if (depth === 0 && clauseWords.has(text)) return sameAs[text] ?? text
	}
	return undefined
}
