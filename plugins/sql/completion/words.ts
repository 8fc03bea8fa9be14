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
	'and or xor not like ilike rlike regexp glob match between in is any some all case when then else distinct similar to exists interval collate div mod binary escape',
)

/** Words that are an operand alone. */
export const constants = words(
	'null true false default current_date current_time current_timestamp localtime localtimestamp current_user session_user',
)

/** Words that may follow an operand and are no alias. */
export const behindOperand = words('isnull notnull at escape')

export const keywords = {
	item: ['from', 'as', 'and', 'or', 'over', 'where'],
	condition: ['and', 'or', 'group by', 'order by', 'limit', 'is null', 'in', 'like', 'between'],
	group: ['having', 'order by', 'limit'],
	sort: ['asc', 'desc', 'nulls first', 'nulls last', 'limit', 'offset'],
	from: [
		...['where', 'join', 'left join', 'group by', 'order by', 'on', 'using', 'as', 'limit', 'cross join'],
		...['inner join', 'having', 'union'],
	],
	joined: ['on', 'using', 'as', 'join', 'where'],
	joinCondition: ['and', 'or', 'where', 'join', 'left join', 'group by', 'order by', 'limit'],
	window: ['partition by', 'order by', 'rows', 'range', 'groups'],
	frame: ['unbounded preceding', 'current row', 'unbounded following'],
	operands: ['case', 'not', 'exists', 'null', 'cast', 'true', 'false', 'distinct'],
	objects: ['table', 'view', 'index', 'schema', 'sequence', 'function', 'procedure', 'trigger', 'type', 'database'],
	columnConstraints: ['not null', 'default', 'primary key', 'references', 'unique', 'check'],
	alterTable: [
		...['add column', 'drop column', 'alter column', 'rename to', 'rename column', 'add constraint'],
		...['drop constraint', 'owner to', 'set schema'],
	],
} as const

/** Words at the start of a statement, for engines that give no others. */
export const starts: readonly string[] = [
	...['select', 'insert into', 'update', 'delete from', 'with', 'create', 'alter', 'drop', 'merge into', 'call'],
	...['begin', 'commit', 'rollback', 'explain', 'truncate', 'values', 'show', 'set', 'grant', 'revoke', 'analyze'],
]
