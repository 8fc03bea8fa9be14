import type { Table, TableAction } from '@roundhouse/kit'
import { actionLabel, draft, each, together } from '@roundhouse/sql'
import { parseName, qualified } from '../sql/names.ts'

/** What the window offers for tables, as SQL of the console. SQL that needs a choice of the user is a draft. Pure. */

export function tableActions(tables: readonly Pick<Table, 'name' | 'kind'>[]): readonly TableAction[] {
	if (tables.length === 0) return creations
	const named = tables.map(({ name, kind }) => ({ name: qualified(parseName(name, '')), isView: kind === 'view' }))
	const views = named.filter(({ isView }) => isView).map(({ name }) => name)
	const stored = named.filter(({ isView }) => !isView).map(({ name }) => name)
	const drops = [
		...(stored.length > 0 ? [`drop table ${stored.join(', ')};`] : []),
		...(views.length > 0 ? [`drop view ${views.join(', ')};`] : []),
	]
	return [
		...together('Analyze', stored, names => `analyze table ${names};`),
		...together('Check', stored, names => `check table ${names};`),
		...(stored.length === 1 && views.length === 0 ? stored.flatMap(drafts) : []),
		...each('Empty', stored, name => `truncate table ${name};`),
		{ label: actionLabel('Drop', named.length), text: drops.join('\n'), removes: true },
	]
}

const creations: readonly TableAction[] = [
	draft(
		'Create a table in SQL',
		'create table new_table (\n\tid bigint unsigned not null auto_increment primary key,\n\tname varchar(200) not null\n);',
	),
	draft('Create a view', 'create view new_view as\nselect 1 as one;'),
	draft('Create a database', 'create database new_database character set utf8mb4;'),
]

const drafts = (name: string): readonly TableAction[] => [
	draft('Add a column', `alter table ${name} add column new_column text;`),
	draft('Create an index', `create index new_index on ${name} (column_name);`),
	draft('Rename', `rename table ${name} to new_name;`),
]
