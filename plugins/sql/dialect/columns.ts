import type { Column, ColumnKind, FilterOperator, Reference } from '@roundhouse/kit'
import type { TextRow } from '../text/session.ts'

/** What catalogs say of columns and keys, as the kit takes it. */

const compared: readonly FilterOperator[] = ['equals', 'not_equals', 'exists', 'missing']
const ordered: readonly FilterOperator[] = ['less', 'less_or_equal', 'greater', 'greater_or_equal', 'between']
const listed: readonly FilterOperator[] = ['in', 'not_in']
const patterns: readonly FilterOperator[] = ['contains', 'starts_with', 'ends_with', 'wildcard']

/** The operators that a dialect has for a kind of column. Values without a kind are compared as they are shown. */
const operators: Readonly<Record<ColumnKind, readonly FilterOperator[]>> = {
	number: [...compared, ...ordered, ...listed],
	date: [...compared, ...ordered, ...listed],
	text: [...compared, ...ordered, ...listed, ...patterns],
	boolean: compared,
	binary: compared,
	json: ['exists', 'missing', ...patterns],
	other: [...compared, ...listed, ...patterns],
}

/** What a catalog says of a column. */
export interface KnownColumn {
	readonly name: string
	readonly type: string
	readonly kind: ColumnKind
	/** From 1; 0 for a column that is not in the key. */
	readonly keyPosition?: number
	readonly isNotNull?: boolean
	/** As SQL. */
	readonly default?: string | null
	/** Whether the engine computes it from other columns. */
	readonly isComputed?: boolean
}

/** Returns a column that is only read. */
export function readColumn({
	name,
	type,
	kind,
	keyPosition = 0,
	isNotNull = false,
	isComputed,
	...known
}: KnownColumn): Column {
	return {
		name,
		type,
		kind,
		isKey: keyPosition > 0,
		isReadOnly: true,
		isSortable: kind !== 'json',
		...(keyPosition > 0 && { keyPosition }),
		...(isNotNull && { isNotNull }),
		...(known.default != null && { default: known.default }),
		...(isComputed && { generated: 'always' as const }),
		filterFields: [{ name, kind: kind === 'other' ? 'text' : kind, operators: operators[kind] }],
	}
}

/**
 * Returns what a table refers to, and what refers to it. @param rows one for each pair of columns of the foreign keys: the
 * table, the key, the table that it refers to, the column, and the column that it refers to
 */
export function referencesIn(
	rows: readonly TextRow[],
	isTable: (name: string) => boolean,
): { readonly references: readonly Reference[]; readonly referrers: readonly Reference[] } {
	const keys = Map.groupBy(rows, ([from, key]) => JSON.stringify([from, key]))
	const all = [...keys.values()].map(parts => {
		const [[from, , to] = []] = parts
		const [columns, others] = [3, 4].map(at => parts.map(part => part[at] ?? ''))
		return { from: from ?? '', to: to ?? '', columns: columns ?? [], others: others ?? [] }
	})
	return {
		references: all
			.filter(({ from }) => isTable(from))
			.map(({ to, columns, others }) => ({ columns, table: to, to: others })),
		referrers: all
			.filter(({ to }) => isTable(to))
			.map(({ from, columns, others }) => ({ columns: others, table: from, to: columns })),
	}
}
