import type { DefinedColumn, DefinedIndex, DefinedKey, TableChange, TableDefinition } from '@roundhouse/kit'
import { changedParts, checkDefinition, columnNames, invalidDefinition } from '@roundhouse/sql'
import { partsOf, qualified, quoted } from '../sql/names.ts'
import { columnSql, commentText, shortType } from './column-text.ts'

/** A change of a table as SQL: one statement where possible, which the server applies whole or not at all. Pure. */

/** The server gives every primary key this name. */
export const primaryName = 'PRIMARY'
export const usualRule = 'restrict'

/** Returns the statements of a change. @throws DriverError `invalid_argument` */
export function tableStatements(change: TableChange): readonly string[] {
	checkDefinition(change)
	const { before, after } = change
	// The server would store a question mark for each.
	if ([after, ...after.columns].some(({ comment = '' }) => /[\u{10000}-\u{10ffff}]/u.test(comment)))
		throw invalidDefinition('A comment has a character that the server does not store, such as an emoji.')
	if (before === undefined) return [creation(after)]
	const middle = withoutTakenNames(before, after)
	return middle ? [...alteration(before, middle), ...alteration(middle, after)] : alteration(before, after)
}

/**
 * Returns what a first statement makes of a table, with its new names alone, if the server cannot do all in one. It would put
 * a new column with the name of a renamed one into the indexes of that, and it copies no table in which a column of a
 * foreign key is renamed.
 */
function withoutTakenNames(before: TableDefinition, after: TableDefinition): TableDefinition | undefined {
	const { added, kept } = changedParts(before.columns, after.columns)
	const renamed = new Set(kept.flatMap(pair => (pair.before.name === pair.after.name ? [] : [pair.before.name])))
	const referring = new Set(
		before.keys.flatMap(({ kind, columns }) => (kind === 'foreign' ? columns : [])).map(columnNames(before)),
	)
	if (!added.some(({ name }) => renamed.has(name)) && renamed.isDisjointFrom(referring)) return undefined
	const names = new Map(kept.map(pair => [pair.after.id, pair.after.name]))
	const left = new Set([...after.keys, ...after.indexes].map(({ id }) => id))
	return {
		...before,
		columns: before.columns.flatMap(column => {
			const name = names.get(column.id)
			return name === undefined ? [] : [{ ...column, name }]
		}),
		keys: before.keys.filter(({ id }) => left.has(id)),
		indexes: before.indexes.filter(({ id }) => left.has(id)),
	}
}

function tableOf({ path, name }: TableDefinition): string {
	const database = path.at(-1)
	if (database === undefined) throw invalidDefinition('Choose the database of the table.')
	return qualified({ database, table: name })
}

function creation(after: TableDefinition): string {
	const members = [
		...after.columns.map(column => columnSql(column, isInPrimary(after, column))),
		...after.keys.map(key => keySql(key, after)),
		...after.indexes.map(index => indexSql(index, after)),
	]
	const comment = after.comment ? ` comment = ${commentText(after.comment)}` : ''
	return `create table ${tableOf(after)} (\n${members.map(member => `\t${member}`).join(',\n')}\n)${comment};`
}

function alteration(before: TableDefinition, after: TableDefinition): readonly string[] {
	const keys = changedParts(before.keys, after.keys)
	const remadeKeys = keys.kept.filter(pair => !isSame(pair) && !isRenamedIndex(pair))
	const indexes = changedParts(before.indexes, after.indexes)
	const remadeIndexes = indexes.kept.filter(pair => !isSame(pair) && !isSame({ ...pair, after: named(pair) }))
	const renamed = [...keys.kept.filter(isRenamedIndex), ...indexes.kept.filter(pair => !remadeIndexes.includes(pair))]
	const actions = [
		...[...keys.removed, ...remadeKeys.map(pair => pair.before)].map(dropKey),
		...[...indexes.removed, ...remadeIndexes.map(pair => pair.before)].map(({ name }) => `drop index ${quoted(name)}`),
		...changedParts(before.columns, after.columns).removed.map(({ name }) => `drop column ${quoted(name)}`),
		...columnActions(before, after),
		...renamed
			.filter(pair => pair.before.name !== pair.after.name)
			.map(pair => `rename index ${quoted(pair.before.name)} to ${quoted(pair.after.name)}`),
		...[...remadeKeys.map(pair => pair.after), ...keys.added].map(key => `add ${keySql(key, after)}`),
		...[...remadeIndexes.map(pair => pair.after), ...indexes.added].map(index => `add ${indexSql(index, after)}`),
		...((before.comment ?? '') === (after.comment ?? '') ? [] : [`comment = ${commentText(after.comment ?? '')}`]),
		...(before.name === after.name ? [] : [`rename to ${tableOf(after)}`]),
	]
	if (actions.length === 0) return []
	return [`alter table ${tableOf(before)}${actions.map(action => `\n\t${action}`).join(',')};`]
}

interface Pair<T> {
	readonly before: T
	readonly after: T
}

const isSame = <T>({ before, after }: Pair<T>) => JSON.stringify(before) === JSON.stringify(after)

/** The new part under its old name. */
const named = <T extends { readonly name: string }>({ before, after }: Pair<T>): T => ({ ...after, name: before.name })

/** A unique key is an index, and the only key that can be renamed. */
const isRenamedIndex = (pair: Pair<DefinedKey>) =>
	pair.before.kind === 'unique' && isSame({ before: pair.before, after: named(pair) }) && !isSame(pair)

function dropKey({ kind, name }: DefinedKey): string {
	if (kind === 'primary') return 'drop primary key'
	if (kind === 'foreign') return `drop foreign key ${quoted(name)}`
	return kind === 'unique' ? `drop index ${quoted(name)}` : `drop constraint ${quoted(name)}`
}

/** Changed, moved and added columns in their new order: a position names the column before, which then has its place. */
function columnActions(before: TableDefinition, after: TableDefinition): readonly string[] {
	const old = new Map(before.columns.map((column, at) => [column.id, { column, at }]))
	const staying = inOrder(after.columns.flatMap(({ id }) => old.get(id)?.at ?? []))
	const lastOld = after.columns.findLastIndex(({ id }) => old.has(id))
	return after.columns.flatMap((column, at) => {
		const known = old.get(column.id)
		const previous = after.columns[at - 1]
		const place = previous ? ` after ${quoted(previous.name)}` : ' first'
		const isKey = isInPrimary(after, column)
		if (!known) return [`add column ${columnSql(column, isKey)}${at > lastOld ? '' : place}`]
		const isMoved = !staying.has(known.at)
		if (!isMoved && isSameColumn(known.column, column)) return []
		const verb = known.column.name === column.name ? 'modify' : `change ${quoted(known.column.name)}`
		return [`${verb} ${columnSql(column, isKey, known.column)}${isMoved ? place : ''}`]
	})
}

const isSameColumn = (before: DefinedColumn, after: DefinedColumn) =>
	before.name === after.name &&
	shortType(before.type) === shortType(after.type) &&
	before.isNotNull === after.isNotNull &&
	(before.default ?? '').trim() === (after.default ?? '').trim() &&
	(before.comment ?? '') === (after.comment ?? '')

/** Returns the longest part of a list that is in order already. */
function inOrder(places: readonly number[]): ReadonlySet<number> {
	const lists: number[][] = []
	for (const place of places) {
		const best = lists.filter(list => (list.at(-1) ?? -1) < place).toSorted((a, b) => b.length - a.length)[0] ?? []
		lists.push([...best, place])
	}
	return new Set(lists.toSorted((a, b) => b.length - a.length)[0])
}

const isInPrimary = ({ keys }: TableDefinition, { id }: DefinedColumn) =>
	keys.some(({ kind, columns }) => kind === 'primary' && columns.includes(id))

function keySql(key: DefinedKey, table: TableDefinition): string {
	const columns = key.columns.map(columnNames(table)).map(quoted).join(', ')
	const name = key.name === '' ? '' : ` ${quoted(key.name)}`
	if (key.kind === 'primary') return `primary key (${columns})`
	if (key.kind === 'unique') return `unique key${name} (${columns})`
	const constraint = key.name === '' ? '' : `constraint${name} `
	if (key.kind === 'check') return `${constraint}check (${key.expression})`
	const { references } = key
	if (!references) throw invalidDefinition(`The key ${key.name} refers to no table.`)
	// A name without a database is one beside the table.
	const [other = '', database = table.path.at(-1) ?? ''] = partsOf(references.table).toReversed()
	const target = references.columns.map(quoted).join(', ')
	const rules = [
		...(references.onUpdate === usualRule ? [] : [` on update ${references.onUpdate}`]),
		...(references.onDelete === usualRule ? [] : [` on delete ${references.onDelete}`]),
	]
	return `${constraint}foreign key (${columns}) references ${qualified({ database, table: other })} (${target})${rules.join('')}`
}

function indexSql({ name, method, isUnique, columns }: DefinedIndex, table: TableDefinition): string {
	const names = columnNames(table)
	const parts = columns.map(({ column, isDescending }) => `${quoted(names(column))}${isDescending ? ' desc' : ''}`)
	const kind = isUnique ? 'unique ' : method === 'fulltext' || method === 'spatial' ? `${method} ` : ''
	const using = method === 'hash' ? ' using hash' : ''
	return `${kind}index${name === '' ? '' : ` ${quoted(name)}`}${using} (${parts.join(', ')})`
}
