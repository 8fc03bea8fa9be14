import { DriverError, type FactSection } from '@roundhouse/kit'
import { kindOfTable } from '../catalog/tables.ts'
import { nameOf, type QualifiedName, qualified } from '../sql/names.ts'
import type { Session } from '../wire/session.ts'
import { codeSection, countWords, factsSection, type ListQuery, listSection, sizeWords } from './section.ts'

/** Returns facts about one table. @throws DriverError `not_found` */
export async function tableFacts(
	session: Session,
	place: QualifiedName,
	signal: AbortSignal,
): Promise<readonly FactSection[]> {
	const values = [place.database, place.table]
	const { rows } = await session.read({ sql: relation, values }, signal)
	const [type, options] = (rows[0] ?? []).map(value => (value === null ? '' : String(value)))
	if (type === undefined) throw new DriverError('not_found', `There is no table ${nameOf(place)}.`)
	const kind = kindOfTable(type, { options: options ?? '' }) ?? 'table'
	const about = await factsSection(session, { ...overview, values }, signal)
	const sections: FactSection[] = [{ ...about, facts: [{ name: 'Kind', value: kind }, ...(about.facts ?? [])] }]
	const sql = `show create table ${qualified(place)}`
	if (type !== 'SYSTEM VIEW')
		sections.push(await codeSection(session, { title: 'Definition', sql, column: /^create (?:table|view)$/i }, signal))
	for (const list of lists) {
		const places = list.sql.split('?').length - 1
		const bound = Array.from({ length: places / 2 }, () => values).flat()
		sections.push(await listSection(session, { ...list, values: bound }, signal))
	}
	// A list without rows that has no words for that is left out.
	return sections.filter(({ facts, list, code, notice }) => facts ?? list ?? code ?? notice)
}

const relation =
	'select table_type, create_options from information_schema.tables where table_schema = ? and table_name = ?'

const overview = {
	title: 'Overview',
	titles: [
		'Engine',
		'Rows, about',
		'Size',
		'Indexes',
		'Free',
		'Row format',
		'Collation',
		'Next number',
		'Created',
		'Changed',
		'Options',
		'Security',
		'Definer',
		'Check option',
		'Transactions',
	],
	sql: `
select nullif(t.table_comment, 'VIEW'), t.engine, ${countWords('t.table_rows')}, ${sizeWords('t.data_length')}, ${sizeWords('t.index_length')},
	${sizeWords('nullif(t.data_free, 0)')}, t.row_format, t.table_collation, t.auto_increment, t.create_time, t.update_time, t.create_options,
	v.security_type, v.definer, nullif(v.check_option, 'NONE'), case e.transactions when 'NO' then 'none: what was changed stays, also if a save fails' end
from information_schema.tables t
left join information_schema.views v on v.table_schema = t.table_schema and v.table_name = t.table_name
left join information_schema.engines e on e.engine = t.engine
where t.table_schema = ? and t.table_name = ?`,
}

const columns: ListQuery = {
	title: 'Columns',
	columns: ['Name', 'Type', 'Not null', 'Default', 'Extra', 'Collation', 'Comment'],
	empty: 'Your role may read none of its columns.',
	sql: `
select column_name, column_type, case is_nullable when 'NO' then 'yes' end, column_default,
	concat_ws(' ', nullif(extra, ''), nullif(generation_expression, '')), collation_name, column_comment
from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`,
}

const indexes: ListQuery = {
	title: 'Indexes',
	columns: ['Name', 'Columns', 'Unique', 'Method', 'Different values, about', 'Comment'],
	empty: 'It has no index.',
	sql: `
select index_name, group_concat(concat(coalesce(column_name, '(expression)'), coalesce(concat('(', sub_part, ')'), '')) order by seq_in_index separator ', '),
	case non_unique when 0 then 'yes' end, lower(index_type), ${countWords('max(cardinality)')}, max(index_comment)
from information_schema.statistics where table_schema = ? and table_name = ?
group by index_name, non_unique, index_type order by index_name <> 'PRIMARY', index_name`,
}

const foreignKeys: ListQuery = {
	title: 'Foreign keys',
	columns: ['Name', 'Columns', 'Refers to', 'Its columns', 'On update', 'On delete'],
	sql: foreignKeySql(
		'k.table_schema = ? and k.table_name = ?',
		"concat(k.referenced_table_schema, '.', k.referenced_table_name)",
	),
}

const referrers: ListQuery = {
	title: 'Referred to by',
	columns: ['Name', 'Its columns', 'Table', 'Columns', 'On update', 'On delete'],
	sql: foreignKeySql(
		'k.referenced_table_schema = ? and k.referenced_table_name = ?',
		"concat(k.table_schema, '.', k.table_name)",
	),
}

function foreignKeySql(condition: string, other: string): string {
	return `
select k.constraint_name, group_concat(k.column_name order by k.ordinal_position separator ', '), ${other},
	group_concat(k.referenced_column_name order by k.ordinal_position separator ', '), lower(max(r.update_rule)), lower(max(r.delete_rule))
from information_schema.key_column_usage k join information_schema.referential_constraints r
	on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name and r.table_name = k.table_name
where ${condition} and k.referenced_table_name is not null
group by k.constraint_schema, k.constraint_name, ${other} order by 1, 3`
}

const triggers: ListQuery = {
	title: 'Triggers',
	columns: ['Name', 'When', 'Statement', 'Definer'],
	sql: `
select trigger_name, lower(concat(action_timing, ' ', event_manipulation)), action_statement, definer
from information_schema.triggers where event_object_schema = ? and event_object_table = ? order by action_timing, event_manipulation, action_order`,
}

const partitions: ListQuery = {
	title: 'Partitions',
	columns: ['Partition', 'Part of it', 'Method', 'By', 'Values', 'Rows, about', 'Size'],
	sql: `
select partition_name, subpartition_name, lower(partition_method), partition_expression, partition_description, ${countWords('table_rows')},
	${sizeWords('data_length + index_length')}
from information_schema.partitions where table_schema = ? and table_name = ? and partition_name is not null
order by partition_ordinal_position, subpartition_ordinal_position`,
}

const rights: ListQuery = {
	title: 'Rights',
	columns: ['User', 'Rights', 'Only on columns'],
	sql: `
select grantee, group_concat(lower(privilege_type) order by privilege_type separator ', '), null from information_schema.table_privileges
where table_schema = ? and table_name = ? group by grantee
union all
select grantee, lower(privilege_type), group_concat(column_name order by column_name separator ', ') from information_schema.column_privileges
where table_schema = ? and table_name = ? group by grantee, privilege_type
order by 1, 2`,
}

const lists: readonly ListQuery[] = [columns, indexes, foreignKeys, referrers, triggers, partitions, rights]
