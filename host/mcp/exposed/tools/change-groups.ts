import { type Cell, type Change, fromCell, stringifyJson } from '@roundhouse/kit'
import { rowsText } from './engine-text.ts'

/** A change, and the lines of the statement that the driver shows for it. */
interface PreviewedChange {
	readonly change: Change
	readonly statement: readonly string[]
}

/**
 * Returns what changes do, with the rows that change alike under one heading, the smallest group first: a change that
 * differs from a thousand equal ones is at the top. Each group has the driver's statement for its first row, and the
 * values of all rows with all their digits.
 *
 * A value cannot look like a heading: values and names are JSON, which has no line breaks, and the lines of a statement
 * are indented behind a bar. Changes whose statements differ in length by lines are apart, because a driver adds lines
 * for side effects.
 * @returns `undefined` for a single change, and if the driver did not show one statement for each change
 */
export function groupedChanges(changes: readonly Change[], statements: readonly string[]): string | undefined {
	if (statements.length !== changes.length || changes.length === 1) return undefined
	const previewed = changes.map((change, index) => ({ change, statement: (statements[index] ?? '').split('\n') }))
	const groups = Map.groupBy(previewed, ({ change, statement }) => `${statement.length} ${actionOf(change)}`)
	const smallestFirst = [...groups.values()].sort((a, b) => a.length - b.length)
	return smallestFirst.map(groupText).join('\n')
}

function groupText(members: readonly PreviewedChange[]): string {
	const [first] = members
	const heading = `${rowsText(members.length)}: ${first ? actionOf(first.change) : ''}`
	const statement = first?.statement.map(line => `  | ${line}`) ?? []
	return [heading, '  First statement:', ...statement, '  Rows:', ...valueLines(members)].join('\n')
}

/** Returns a line for each set of values, with the rows that get it. The rarest values are first. */
function valueLines(members: readonly PreviewedChange[]): readonly string[] {
	const changesOf = Map.groupBy(
		members.map(({ change }) => change),
		valuesText,
	)
	return [...changesOf]
		.sort(([, a], [, b]) => a.length - b.length)
		.map(([values, changes]) => `  ${[rowsOf(changes), values].filter(part => part !== '').join(': ')}`)
}

/** Names the rows. A new row has no id yet, so equal ones are counted. */
function rowsOf(changes: readonly Change[]): string {
	const ids = changes.flatMap(change => (change.kind === 'insert' ? [] : [JSON.stringify(change.rowId)]))
	return ids.length === 0 && changes.length > 1 ? rowsText(changes.length) : ids.join(', ')
}

/** Returns what a change does, for example `update "price"`. */
function actionOf(change: Change): string {
	const names = Object.keys(valuesOf(change))
		.sort()
		.map(name => JSON.stringify(name))
	return [change.kind, names.join(', ')].filter(part => part !== '').join(' ')
}

function valuesOf(change: Change): Readonly<Record<string, Cell>> {
	if (change.kind === 'delete') return {}
	return change.kind === 'insert' ? change.values : change.set
}

/** Returns the values in the order of their columns' names. */
function valuesText(change: Change): string {
	const values = valuesOf(change)
	const names = Object.keys(values).sort()
	return names.map(name => stringifyJson(fromCell(values[name] ?? null) ?? null)).join(', ')
}
