/** Words by which a reader finds its way, and those that completion offers. */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Words that begin the next clause of a query. */
export const clauses = words(
	'from where group having order limit offset fetch union intersect except minus window returning on using join left right full inner cross natural straight_join set values when for into then do qualify',
)

/** Words that are no alias without AS. */
export const notAliases: ReadonlySet<string> = new Set([
	...clauses,
	...words(
		'as select with lateral tablesample partition end and or not default duplicate ignore force use lock procedure indexed',
	),
])

/** Words between operands. */
export const betweenOperands = words(
	'and or xor not like ilike rlike regexp glob match between in is any some all case when then else distinct similar to exists interval collate div mod binary escape variadic',
)

/** Words that are an operand alone. */
export const constants = words(
	'null true false default current_date current_time current_timestamp localtime localtimestamp current_user session_user',
)

/** Words that may follow an operand and are no alias. */
export const behindOperand = words('isnull notnull at')

/** Words behind an expression that no clause begins with. */
export const endings = words('as asc desc nulls rows range groups separator')

/** Words that are a clause where a name of a table or column is missing. */
export const notTables = words(
	'from where group having order limit union intersect except on join set values select when then returning',
)

/** Words that begin a statement inside of others. */
export const statementWords: readonly string[] = [
	...['select', 'with', 'insert', 'update', 'delete', 'merge', 'perform', 'replace', 'call'],
]

/** Words behind EXPLAIN that are no table. */
export const explained = words(
	'analyze analyse verbose extended query plan format insert update delete replace merge select with values create execute',
)

/** Words between SELECT and its first expression. */
export const selectModifiers: readonly string[] = [
	...['distinct', 'all', 'distinctrow', 'high_priority', 'straight_join', 'sql_small_result', 'sql_big_result'],
	...['sql_buffer_result', 'sql_no_cache', 'sql_cache', 'sql_calc_found_rows'],
]

export const keywords = {
	item: ['from', 'as', 'and', 'or', 'over', 'where'],
	cases: ['when', 'then', 'else', 'end'],
	condition: [
		...['and', 'or', 'is null', 'in', 'like', 'between', 'group by', 'having', 'order by', 'limit', 'offset', 'union'],
		...['union all', 'intersect', 'except', 'returning', 'is not null', 'not in', 'exists'],
	],
	group: ['having', 'order by', 'limit', 'offset', 'union', 'union all'],
	sort: ['asc', 'desc', 'nulls first', 'nulls last', 'limit', 'offset'],
	from: [
		...['where', 'join', 'left join', 'group by', 'order by', 'on', 'using', 'as', 'limit', 'cross join'],
		...['inner join', 'right join', 'full join', 'having', 'union', 'union all', 'offset', 'for update'],
	],
	joined: ['on', 'using', 'as', 'join', 'where'],
	joinCondition: ['and', 'or', 'where', 'join', 'left join', 'group by', 'order by', 'limit'],
	window: ['partition by', 'order by', 'rows', 'range', 'groups'],
	frame: ['unbounded preceding', 'current row', 'unbounded following'],
	/** Behind IS and IS NOT. */
	tests: ['true', 'false', 'distinct from', 'unknown'],
	operands: ['case', 'not', 'exists', 'null', 'cast', 'true', 'false', 'array', 'interval'],
	objects: ['table', 'view', 'index', 'schema', 'sequence', 'function', 'procedure', 'trigger', 'type', 'database'],
	columnConstraints: ['not null', 'default', 'primary key', 'references', 'unique', 'check'],
	alterTable: [
		...['add column', 'drop column', 'alter column', 'rename to', 'rename column', 'add constraint'],
		...['drop constraint', 'owner to', 'set schema'],
	],
} as const
