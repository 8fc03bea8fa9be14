import type { TableAction } from '@roundhouse/kit'

/** Actions on tables as SQL of the console. */

/** An action whose SQL needs a choice of the user. */
export const draft = (label: string, text: string): TableAction => ({ label: `${label} …`, text, isDraft: true })

/** One statement for all tables, or no action. */
export function together(
	verb: string,
	names: readonly string[],
	sql: (names: string) => string,
): readonly TableAction[] {
	return names.length === 0 ? [] : [{ label: actionLabel(verb, names.length), text: sql(names.join(', ')) }]
}

/** One statement for each table, or no action. */
export function each(verb: string, names: readonly string[], sql: (name: string) => string): readonly TableAction[] {
	return names.length === 0 ? [] : [{ label: actionLabel(verb, names.length), text: names.map(sql).join('\n') }]
}

export const actionLabel = (verb: string, count: number): string => (count === 1 ? verb : `${verb} ${count} tables`)
