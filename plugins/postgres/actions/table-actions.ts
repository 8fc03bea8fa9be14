import type { Table, TableAction } from '@roundhouse/kit'
import { actionLabel, draft, each, together } from '@roundhouse/sql'
import { parseName, qualified } from '../sql/names.ts'

/**
 * What the window offers for tables, as SQL of the console. SQL that needs a choice of the user is a draft. Pure.
 */

/** @returns nothing for tables of another database than that of the console. */
export function tableActions(tables: readonly Pick<Table, 'name' | 'kind'>[]): readonly TableAction[] {
	if (tables.length === 0) return creations
	const places = tables.map(({ name, kind }) => ({ place: parseName(name), type: typeOf(kind) }))
	if (places.some(({ place }) => place.database !== undefined)) return []
	const of = (...types: readonly Type[]) =>
		places.filter(({ type }) => types.includes(type)).map(({ place }) => qualified(place))
	const stored = of('table', 'materialized view')
	return [
		...each('Refresh', of('materialized view'), name => `refresh materialized view ${name};`),
		...together('Analyze', stored, names => `analyze ${names};`),
		...each('Vacuum', stored, name => `vacuum ${name};`),
		...(places.length === 1 ? places.flatMap(({ place, type }) => draftsOf(qualified(place), type)) : []),
		...together('Empty', of('table'), names => `truncate ${names};`),
		...drops(types.map(type => ({ type, names: of(type) }))),
	]
}

const types = ['table', 'view', 'materialized view', 'foreign table'] as const
type Type = (typeof types)[number]

/** @param kind as in the list of tables: nothing for a plain table, `partition of …` for a partition. */
const typeOf = (kind: string | undefined): Type => types.find(type => type === kind) ?? 'table'

const creations: readonly TableAction[] = [
	draft(
		'Create a table in SQL',
		'create table public.new_table (\n\tid bigint generated always as identity primary key,\n\tname text not null\n);',
	),
	draft('Create a view', 'create view public.new_view as\nselect 1 as one;'),
	draft('Create a schema', 'create schema new_schema;'),
]

function draftsOf(name: string, type: Type): readonly TableAction[] {
	const rename = draft('Rename', `alter ${type} ${name} rename to new_name;`)
	if (type === 'view') return [rename]
	const index = draft('Create an index', `create index on ${name} (column_name);`)
	if (type === 'materialized view') return [index, rename]
	const column = draft('Add a column', `alter ${type} ${name} add column new_column text;`)
	return type === 'foreign table' ? [column, rename] : [column, index, rename]
}

function drops(groups: readonly { readonly type: Type; readonly names: readonly string[] }[]): readonly TableAction[] {
	const filled = groups.filter(({ names }) => names.length > 0)
	const count = filled.reduce((sum, { names }) => sum + names.length, 0)
	const text = filled.map(({ type, names }) => `drop ${type} ${names.join(', ')};`).join('\n')
	return [{ label: actionLabel('Drop', count), text, removes: true }]
}
