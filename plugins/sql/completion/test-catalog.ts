import type { Column } from '@roundhouse/kit'
import type { CompletionCatalog, KnownObject } from './catalog.ts'

/** A small shop, for the positions of positions.txt. */

const tables: Readonly<Record<string, string>> = {
	categories: 'id parent_id label',
	customers: 'id name email region created_at',
	employees: 'id manager_id full_name salary department',
	order_items: 'order_id product_id quantity price',
	orders: 'id customer_id status total placed_at region',
	products: 'id title price category_id',
	'Mixed Case': 'Id First_Name plain',
}
const systemTables: Readonly<Record<string, string>> = { pg_class: 'relname', pg_stat_activity: 'pid' }

const columnsIn = (names: string): readonly Column[] =>
	names.split(' ').map(name => ({
		name: name.replace('First_', 'First '),
		type: name === 'status' ? 'order_status' : 'text',
		kind: 'text',
		isKey: false,
		isReadOnly: false,
		isSortable: true,
		...(name === 'status' && { choices: ['new', 'paid', 'shipped'] }),
	}))

const keys = [
	['orders.customer_id', 'customers.id'],
	['order_items.order_id', 'orders.id'],
	['order_items.product_id', 'products.id'],
	['categories.parent_id', 'categories.id'],
	['products.category_id', 'categories.id'],
	['employees.manager_id', 'employees.id'],
] as const

interface Names {
	readonly home: string
	readonly types: string
	inQuotes(name: string): string
}

/** @param home schema of the tables; the schema `audit` has others */
export function shopCatalog({ home, types, inQuotes }: Names): CompletionCatalog {
	const plain = (name: string) => (/^\w+$/.test(name) ? name : inQuotes(name))
	const side = (path: string) => {
		const [table = '', column = ''] = path.split('.')
		return { schema: home, table, columns: [column] }
	}
	const all = new Map([
		...Object.entries(tables).map(([name, columns]) => [`${home}.${plain(name)}`, columnsIn(columns)] as const),
		['audit.log', columnsIn('log_id actor detail at')],
		...Object.entries(systemTables).map(([name, columns]) => [`pg_catalog.${name}`, columnsIn(columns)] as const),
	])
	const routine = (name: string): KnownObject & { readonly result: string } => ({ name, result: 'text' })
	return {
		tables: async () => [...all.keys()].filter(name => !name.startsWith('pg_')).map(name => ({ name })),
		columns: async table => all.get(table) ?? [],
		functions: async () => [
			...['count', 'sum', 'max', 'lower', 'now', 'coalesce', 'tax_for'].map(routine),
			{ ...routine('generate_series'), isRows: true },
			{ ...routine('purge'), schema: 'audit' },
		],
		systemTables: async () => [
			...Object.keys(systemTables).map(name => ({ name: `pg_catalog.${name}` })),
			{ name: 'information_schema.columns' },
		],
		references: async () => keys.map(([from, to]) => ({ from: side(from), to: side(to) })),
		procedures: async () => [{ name: 'close_month' }, { name: 'rotate_logs', schema: 'audit' }],
		types: async () => [
			...types.split(' ').map(name => ({ name })),
			{ name: 'order_status' },
			{ name: 'severity', schema: 'audit' },
		],
	}
}
