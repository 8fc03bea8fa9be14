import type { DefinedColumn, DefinedIndex, DefinedKey, TableChange, TableDefinition } from '@roundhouse/kit'
import { changedParts, checkDefinition, columnNames, invalidDefinition, orderedRenames } from '@roundhouse/sql'
import { shortType } from '../catalog/short-type.ts'
import { literal, partsOf, qualified, quoted } from '../sql/names.ts'
import { baseType, isAssigned, readGenerated } from './type-text.ts'

/** A change of a table as SQL. Pure. */

/** Returns the statements of a change, in order. @throws DriverError `invalid_argument` */
export function tableStatements(change: TableChange): readonly string[] {
	checkDefinition(change)
	const { before, after } = change
	return before === undefined ? creation(after) : alteration(before, after)
}

const tableOf = ({ path }: TableDefinition, name: string) => qualified({ schema: path.at(-1) ?? 'public', table: name })

function creation(after: TableDefinition): readonly string[] {
	const table = tableOf(after, after.name)
	const members = [...after.columns.map(columnSql), ...after.keys.map(key => keySql(key, after))]
	return [
		`create table ${table} (\n${members.map(member => `\t${member}`).join(',\n')}\n);`,
		...commentSql(`table ${table}`, undefined, after.comment),
		...after.columns.flatMap(({ name, comment }) => commentSql(`column ${table}.${quoted(name)}`, undefined, comment)),
		...after.indexes.map(index => indexSql(index, after, table)),
	]
}

function alteration(before: TableDefinition, after: TableDefinition): readonly string[] {
	const columns = changedParts(before.columns, after.columns)
	const keys = remade(before.keys, after.keys, isSameKey)
	const indexes = remade(before.indexes, after.indexes, isSameIndex)
	const schema = before.path.at(-1) ?? 'public'
	const old = tableOf(before, before.name)
	const table = tableOf(before, after.name)

	const drops = [
		...keys.removed.map(({ name }) => `drop constraint ${quoted(name)}`),
		...columns.removed.map(({ name }) => `drop column ${quoted(name)}`),
	]
	const changes = [
		...columns.kept.flatMap(kept => columnChanges(kept, before, after)),
		...columns.added.map(column => `add column ${columnSql(column)}`),
		...keys.added.map(key => `add ${keySql(key, after)}`),
	]
	const renames = [
		...renamesOf(columns.kept).map(
			({ from, to }) => `alter table ${old} rename column ${quoted(from)} to ${quoted(to)};`,
		),
		...renamesOf(keys.kept).map(
			({ from, to }) => `alter table ${old} rename constraint ${quoted(from)} to ${quoted(to)};`,
		),
		...renamesOf(indexes.kept).map(
			({ from, to }) => `alter index ${qualified({ schema, table: from })} rename to ${quoted(to)};`,
		),
		...(before.name === after.name ? [] : [`alter table ${old} rename to ${quoted(after.name)};`]),
	]
	return [
		...indexes.removed.map(({ name }) => `drop index ${qualified({ schema, table: name })};`),
		// A rename may need the name of a part that is dropped.
		...(renames.length === 0 ? alterSql(table, [...drops, ...changes]) : alterSql(old, drops)),
		...renames,
		...(renames.length === 0 ? [] : alterSql(table, changes)),
		...commentSql(`table ${table}`, before.comment, after.comment),
		...columns.kept.flatMap(kept =>
			commentSql(`column ${table}.${quoted(kept.after.name)}`, kept.before.comment, kept.after.comment),
		),
		...columns.added.flatMap(({ name, comment }) => commentSql(`column ${table}.${quoted(name)}`, undefined, comment)),
		...indexes.added.map(index => indexSql(index, after, table)),
	]
}

const alterSql = (table: string, actions: readonly string[]): readonly string[] =>
	actions.length === 0 ? [] : [`alter table ${table}${actions.map(action => `\n\t${action}`).join(',')};`]

/** Parts that differ in more than their name are dropped and made again. */
function remade<T extends { readonly id: string; readonly name: string }>(
	before: readonly T[],
	after: readonly T[],
	isSame: (before: T, after: T) => boolean,
) {
	const { added, removed, kept } = changedParts(before, after)
	const changed = kept.filter(pair => !isSame(pair.before, pair.after))
	return {
		removed: [...removed, ...changed.map(pair => pair.before)],
		added: [...changed.map(pair => pair.after), ...added],
		kept: kept.filter(pair => isSame(pair.before, pair.after)),
	}
}

const renamesOf = (
	kept: readonly { readonly before: { readonly name: string }; readonly after: { readonly name: string } }[],
) => orderedRenames(kept.map(({ before, after }) => ({ from: before.name, to: after.name })))

const isSameKey = (before: DefinedKey, after: DefinedKey) =>
	JSON.stringify({ ...before, name: '' }) === JSON.stringify({ ...after, name: '' })
const isSameIndex = (before: DefinedIndex, after: DefinedIndex) =>
	JSON.stringify({ ...before, name: '' }) === JSON.stringify({ ...after, name: '' })

function columnSql({ name, type, attributes, isNotNull, default: text }: DefinedColumn): string {
	return [quoted(name), type.trim(), attributes, generation(text), isNotNull ? 'not null' : undefined]
		.filter(part => part !== undefined)
		.join(' ')
}

function generation(text: string | undefined): string | undefined {
	const made = readGenerated(text)
	if (made?.kind === 'identity') return `generated ${made.isAlways ? 'always' : 'by default'} as identity`
	if (made) return `generated always as (${made.expression}) ${made.isStored ? 'stored' : 'virtual'}`
	return isBlank(text) ? undefined : `default ${text}`
}

const isBlank = (text: string | undefined): boolean => text === undefined || text.trim() === ''

function columnChanges(
	{ before, after }: { readonly before: DefinedColumn; readonly after: DefinedColumn },
	old: TableDefinition,
	current: TableDefinition,
): readonly string[] {
	const column = `alter column ${quoted(after.name)}`
	const [was, is] = [readGenerated(before.default), readGenerated(after.default)]
	const isRetyped = shortType(before.type) !== shortType(after.type)
	const isOtherDefault = (before.default ?? '').trim() !== (after.default ?? '').trim()
	if (isOtherDefault && (was?.kind === 'computed' || is?.kind === 'computed'))
		throw invalidDefinition(
			`The computed values of ${after.name} cannot be changed. Drop the column, and add it again.`,
		)
	const hadDefault = !was && !isBlank(before.default)
	const hasDefault = !is && !isBlank(after.default)
	const isAsserted = isNotNullIn(current, after)
	return [
		...(hadDefault && (isRetyped || (isOtherDefault && !hasDefault)) ? [`${column} drop default`] : []),
		...(was?.kind === 'identity' && is?.kind !== 'identity' ? [`${column} drop identity`] : []),
		...(isRetyped ? [`${column} type ${typeChange(before, after)}`] : []),
		...(isAsserted && !isNotNullIn(old, before) ? [`${column} set not null`] : []),
		// The server sets it for the columns of a primary key, and leaves it when the key is dropped.
		...(!isAsserted && isNotNullIn(old, before) ? [`${column} drop not null`] : []),
		...(hasDefault && (isRetyped || isOtherDefault) ? [`${column} set default ${after.default}`] : []),
		...(is?.kind === 'identity' ? identityChange(column, was?.kind === 'identity' ? was : undefined, is) : []),
	]
}

function identityChange(
	column: string,
	was: { readonly isAlways: boolean } | undefined,
	{ isAlways }: { readonly isAlways: boolean },
): readonly string[] {
	const mode = `generated ${isAlways ? 'always' : 'by default'}`
	if (was === undefined) return [`${column} add ${mode} as identity`]
	return was.isAlways === isAlways ? [] : [`${column} set ${mode}`]
}

function typeChange(before: DefinedColumn, after: DefinedColumn): string {
	const type = [after.type.trim(), after.attributes].filter(part => part !== undefined).join(' ')
	if (readGenerated(after.default)?.kind === 'computed' || isAssigned(before.type, after.type)) return type
	return `${type} using ${quoted(after.name)}::${baseType(after.type)}`
}

/** An identity and the columns of a primary key take no NULL. */
const isNotNullIn = ({ keys }: TableDefinition, { id, isNotNull, default: text }: DefinedColumn): boolean =>
	isNotNull ||
	readGenerated(text)?.kind === 'identity' ||
	keys.some(({ kind, columns }) => kind === 'primary' && columns.includes(id))

function keySql(key: DefinedKey, table: TableDefinition): string {
	const name = key.name === '' ? '' : `constraint ${quoted(key.name)} `
	const columns = key.columns.map(columnNames(table)).map(quoted).join(', ')
	if (key.kind === 'check') return `${name}check (${key.expression})`
	if (key.kind === 'primary') return `${name}primary key (${columns})`
	if (key.kind === 'unique') return `${name}unique (${columns})`
	const { references } = key
	if (!references) throw invalidDefinition(`The key ${key.name} refers to no table.`)
	const rules = [
		...(references.onUpdate === usualRule ? [] : [` on update ${references.onUpdate}`]),
		...(references.onDelete === usualRule ? [] : [` on delete ${references.onDelete}`]),
	]
	const target = references.columns.map(quoted).join(', ')
	// A name without a schema is one beside the table.
	const [other = '', schema = table.path.at(-1) ?? 'public'] = partsOf(references.table).toReversed()
	return `${name}foreign key (${columns}) references ${qualified({ schema, table: other })} (${target})${rules.join('')}`
}

export const usualRule = 'no action'

function indexSql(index: DefinedIndex, table: TableDefinition, name: string): string {
	const names = columnNames(table)
	const columns = index.columns.map(
		({ column, isDescending }) => `${quoted(names(column))}${isDescending ? ' desc' : ''}`,
	)
	const method = index.method === 'btree' ? '' : ` using ${quoted(index.method)}`
	const own = index.name === '' ? '' : ` ${quoted(index.name)}`
	return `create ${index.isUnique ? 'unique ' : ''}index${own} on ${name}${method} (${columns.join(', ')});`
}

function commentSql(on: string, before: string | undefined, after: string | undefined): readonly string[] {
	if ((before ?? '') === (after ?? '')) return []
	return [`comment on ${on} is ${after ? literal(after) : 'null'};`]
}
