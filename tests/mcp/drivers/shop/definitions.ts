import {
	type Column,
	DriverError,
	type Table,
	type TableChange,
	type TableDefinition,
	type TableForm,
	type TableFormPlace,
} from '@roundhouse/kit'

/** Tables that users define in a form. They have no rows. Their statement is `define` and the definition as base64. */

const defined = new Map<string, TableDefinition>()
const path = ['shop', 'public']

export const definedTables = (): readonly Table[] =>
	[...defined.keys()].map(name => ({ name, title: name.slice(name.lastIndexOf('.') + 1), path }))

export function definedColumns(table: string): readonly Column[] | undefined {
	const kept = { kind: 'text', isKey: false, isReadOnly: false, isSortable: false } as const
	return defined.get(table)?.columns.map(({ name, type }) => ({ ...kept, name, type }))
}

export function define(base64: string): void {
	// It is the statement that this driver has made.
	const definition = JSON.parse(Buffer.from(base64, 'base64').toString('utf8')) as TableDefinition
	defined.set([...definition.path, definition.name].join('.'), definition)
}

export async function tableStatements({ before, after }: TableChange): Promise<readonly string[]> {
	const text = JSON.stringify(after)
	return text === JSON.stringify(before) ? [] : [`define ${Buffer.from(text).toString('base64')}`]
}

export async function readTableForm(place: TableFormPlace): Promise<TableForm> {
	const found = 'table' in place ? defined.get(place.table) : { path, name: '', columns: [], keys: [], indexes: [] }
	if (!found) throw new DriverError('unsupported', 'Only tables that a form has made have one.')
	return {
		definition: found,
		types: ['bigint', 'text'],
		defaults: ['numbered'],
		keys: ['primary'],
		methods: ['btree'],
		rules: ['restrict'],
		movesColumns: true,
		untouched: [],
	}
}
