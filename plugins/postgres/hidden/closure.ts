import type { HiddenColumns, HiddenPart } from '@roundhouse/kit'
import { parseName, type QualifiedName, quoted } from '../sql/names.ts'
import { changesOf } from './changes.ts'
import { deniedFunctions, systemColumns, systemRelations } from './known-safe.ts'
import type { Definitions } from './read-definitions.ts'
import type { Relation } from './relation.ts'

/**
 * Which columns can show a value of a marked one, and which relations cannot be read without it. In doubt a relation is
 * refused.
 */

export interface Closure {
	readonly database: string
	/** By schema and name, as JSON. */
	readonly relations: ReadonlyMap<string, Relation>
	/** Why no row of the database may be read. */
	readonly refused?: string
	readonly denied: ReadonlySet<string>
	readonly deniedOfRow: ReadonlySet<string>
	/** Relations with an index that has a hidden column, which would give rows in its order. */
	readonly isIndexed: (relation: Relation) => boolean
}

export const keyOf = (schema: string, name: string) => JSON.stringify([schema, name])

const systemSchemas = new Set(['pg_catalog', 'information_schema', 'pg_toast'])

const shown = ({ schema, name }: Relation) => `${quoted(schema)}.${quoted(name)}`

/** @param marks of tables of this database */
export function closureOf(definitions: Definitions, marks: readonly HiddenColumns[]): Closure {
	const columns = Map.groupBy(definitions.columns, ([relation]) => relation)
	const byOid = new Map<number, Relation>()
	const relations = new Map<string, Relation>()
	for (const [oid, schema, name, kind] of definitions.relations) {
		const own = (columns.get(oid) ?? []).map(([, attribute, column]) => [attribute, column] as const)
		const isSystem = systemSchemas.has(schema)
		const relation: Relation = {
			oid,
			schema,
			name,
			kind,
			isSystem,
			columns: new Map(own),
			hidden: new Set(),
			counted: new Map(),
		}
		byOid.set(oid, relation)
		relations.set(keyOf(schema, name), relation)
	}
	for (const [name, hidden] of Object.entries(systemColumns)) {
		const relation = relations.get(keyOf('pg_catalog', name))
		for (const column of hidden) if (relation) hideNamed(relation, column)
	}
	const refused = marks.map(mark => markTable(relations, mark)).find(reason => reason !== undefined)
	const counted = countedBy(marks, relations)
	for (const { table, columns } of marks)
		for (const column of columns)
			if (!counted.has(keyOf(table, column))) hideNamed(relationOf(relations, table), column)
	spread(definitions, byOid)
	// What is hidden up to here may not be counted, by the mark of a parent, a partition or a reference.
	for (const { relation, attribute } of counted.values()) {
		const found = definitions.countable.find(([oid, one]) => oid === relation.oid && one === attribute)
		if (found && !relation.hidden.has(attribute)) relation.counted.set(attribute, found[2])
	}
	for (const { relation, attribute } of counted.values()) relation.hidden.add(attribute)
	if (counted.size > 0) spread(definitions, byOid)
	refuseCopies(definitions, byOid)
	refuseViews(definitions, byOid)
	refuseChanges(definitions, byOid)
	for (const relation of byOid.values()) {
		const changes = changesOf(relation, definitions, byOid)
		if (changes) relation.changes = changes
	}
	for (const [oid, attribute] of definitions.readable) {
		const relation = byOid.get(oid)
		if (relation?.hidden.has(attribute)) relation.isSorted = true
	}
	const indexed = new Set(
		definitions.indexes.flatMap(([oid, attributes]) =>
			// 0 is an expression.
			attributes.some(one => one === 0 || byOid.get(oid)?.hidden.has(one)) ? [oid] : [],
		),
	)
	// Rows of a table are also those of its children. A set visits what is added to it.
	for (const oid of indexed) for (const [child, parent] of definitions.inherits) if (child === oid) indexed.add(parent)
	return {
		database: definitions.database,
		relations,
		...(refused !== undefined && { refused }),
		denied: new Set([...definitions.denied, ...deniedFunctions]),
		deniedOfRow: new Set(definitions.deniedOfRow),
		isIndexed: ({ oid }) => indexed.has(oid),
	}
}

function hideNamed(relation: Relation | undefined, name: string): void {
	const attribute = relation && attributeOf(relation, name)
	if (attribute !== undefined) relation?.hidden.add(attribute)
}

const attributeOf = ({ columns }: Relation, name: string): number | undefined =>
	[...columns].find(([, column]) => column === name)?.[0]

function relationOf(relations: ReadonlyMap<string, Relation>, table: string): Relation | undefined {
	const { schema, table: name } = parseName(table)
	return relations.get(keyOf(schema, name))
}

/** Returns the columns that every mark of them lets clients count, by table and column. */
function countedBy(marks: readonly HiddenColumns[], relations: ReadonlyMap<string, Relation>) {
	const counted = new Map<string, { readonly relation: Relation; readonly attribute: number }>()
	for (const { table, mayCount = [] } of marks)
		for (const column of mayCount) {
			const relation = relationOf(relations, table)
			const attribute = relation && attributeOf(relation, column)
			const isStrict = marks.some(
				({ table: other, columns, mayCount = [] }) =>
					relationOf(relations, other) === relation && columns.includes(column) && !mayCount.includes(column),
			)
			if (relation && attribute !== undefined && !isStrict) counted.set(keyOf(table, column), { relation, attribute })
		}
	return counted
}

/** Refuses a table whose marked columns are gone. @returns why nothing of the database can be read */
function markTable(relations: ReadonlyMap<string, Relation>, { table, columns, isOptional }: HiddenColumns) {
	const relation = relationOf(relations, table)
	if (!relation) {
		if (isOptional) return undefined
		return `The table ${table}, of which the user hid columns, is gone or has another name. Until the user shows or hides its columns again, AI clients read no rows of this connection.`
	}
	for (const column of columns) {
		if (attributeOf(relation, column) !== undefined) continue
		relation.refused = `${table} has no column ${quoted(column)} any more, which the user hid. The user must hide its new name.`
	}
	return undefined
}

/** Hides the same column of parents, partitions and references, and what is generated of it, until nothing is new. */
function spread({ inherits, keys, generated }: Definitions, byOid: ReadonlyMap<number, Relation>): void {
	const hide = (relation: Relation | undefined, attribute: number | undefined): boolean => {
		if (!relation || attribute === undefined || relation.hidden.has(attribute) || !relation.columns.has(attribute))
			return false
		relation.hidden.add(attribute)
		return true
	}
	const hideSame = (from: Relation | undefined, to: Relation | undefined): boolean => {
		if (!from || !to) return false
		if (from.refused !== undefined) to.refused ??= from.refused
		return [...from.hidden].reduce((isNew, attribute) => {
			const name = from.columns.get(attribute)
			const [same] = [...to.columns].find(([, column]) => column === name) ?? []
			return hide(to, same) || isNew
		}, false)
	}
	for (let isNew = true; isNew; ) {
		isNew = false
		for (const [child, parent] of inherits) {
			isNew = hideSame(byOid.get(parent), byOid.get(child)) || isNew
			isNew = hideSame(byOid.get(child), byOid.get(parent)) || isNew
		}
		for (const [from, to, fromKey, toKey] of keys)
			for (const [at, attribute] of toKey.entries())
				if (byOid.get(to)?.hidden.has(attribute)) isNew = hide(byOid.get(from), fromKey[at]) || isNew
		for (const [relation, attribute, source] of generated)
			if (byOid.get(relation)?.hidden.has(source)) isNew = hide(byOid.get(relation), attribute) || isNew
	}
}

/** Refuses what holds values beside the columns: sequences, partitions by a hidden column, tables that triggers and rules fill. */
function refuseCopies(definitions: Definitions, byOid: ReadonlyMap<number, Relation>): void {
	const { sequences, partitioned, triggers, rules, inherits } = definitions
	const isMarked = (oid: number) => {
		const { hidden, refused, isSystem } = byOid.get(oid) ?? {}
		return isSystem === false && (refused !== undefined || (hidden?.size ?? 0) > 0)
	}
	const refuse = (oid: number, why: (name: string) => string) => {
		const relation = byOid.get(oid)
		if (relation && !relation.isSystem) relation.refused ??= why(shown(relation))
	}
	for (const [sequence, relation, attribute] of sequences)
		if (byOid.get(relation)?.hidden.has(attribute)) refuse(sequence, name => `${name} numbers a hidden column.`)
	const bounds = (oid: number) => {
		refuse(oid, name => `${name} is divided by a hidden column.`)
		for (const [child, parent] of inherits) if (parent === oid) bounds(child)
	}
	for (const [oid, attributes, hasExpressions] of partitioned) {
		const { hidden } = byOid.get(oid) ?? {}
		if (hidden && hidden.size > 0 && (hasExpressions || attributes.some(one => hidden.has(one)))) bounds(oid)
	}
	for (const [oid, source] of triggers) {
		if (!isMarked(oid)) continue
		const words = new Set(source.toLowerCase().match(/[\p{L}\p{N}_$]+/gu))
		for (const relation of byOid.values()) {
			if (relation.isSystem || relation.oid === oid || relation.kind === 'S' || relation.hidden.size > 0) continue
			// A name with other characters is in quotes.
			const isNamed = words.has(relation.name.toLowerCase()) || source.includes(`"${relation.name}"`)
			if (isNamed)
				refuse(relation.oid, name => `${name} may hold copies of hidden columns, because a trigger names it.`)
		}
	}
	for (const [oid, tree] of rules) {
		if (!isMarked(oid)) continue
		for (const other of relationsIn(tree))
			if (other !== oid) refuse(other, name => `${name} may hold copies of hidden columns, because a rule names it.`)
	}
}

/** Refuses changes of what runs unknown code, or whose effect depends on hidden columns. */
function refuseChanges(
	{ triggers, rules, calling, keys, inherits }: Definitions,
	byOid: ReadonlyMap<number, Relation>,
) {
	const refuse = (relation: Relation | undefined, why: (name: string) => string): boolean => {
		if (!relation || relation.takesNoChanges !== undefined) return false
		relation.takesNoChanges = why(shown(relation))
		return true
	}
	for (const [oid] of [...triggers, ...rules])
		refuse(byOid.get(oid), name => `${name} has triggers or rules, which could copy values of hidden columns.`)
	for (const oid of calling) refuse(byOid.get(oid), name => `${name} calls a function that could read hidden columns.`)
	for (const relation of byOid.values()) {
		if (relation.kind === 'v' && !relation.isSystem)
			refuse(relation, name => `${name} is a view, and its changes are those of another table.`)
		if (relation.isFiltered) refuse(relation, name => `A policy of ${name} uses hidden columns.`)
	}
	for (let isNew = true; isNew; ) {
		isNew = false
		for (const [child, parent] of inherits)
			if (byOid.get(child)?.takesNoChanges !== undefined)
				isNew = refuse(byOid.get(parent), name => `A table below ${name} takes no changes.`) || isNew
		for (const [from, to, fromKey, , acts] of keys) {
			const { hidden, refused, takesNoChanges } = byOid.get(from) ?? {}
			const tells =
				refused !== undefined ||
				fromKey.some(one => hidden?.has(one)) ||
				(hidden !== undefined && hidden.size > 0 && acts)
			// Whether a row is there can depend on a hidden value: a trigger wrote it.
			if (byOid.get(to)?.refused !== undefined)
				isNew = refuse(byOid.get(from), name => `${name} refers to a table that AI clients must not read.`) || isNew
			if (from !== to && (tells || (acts && takesNoChanges !== undefined)))
				isNew =
					refuse(byOid.get(to), name => `Rows of another table refer to ${name}, and could show hidden values.`) ||
					isNew
		}
	}
}

const numbersIn = (tree: string, pattern: RegExp) => [...tree.matchAll(pattern)].map(([, number]) => Number(number))

/** The server escapes spaces in names, so none looks like a member of the tree. */
const relationsIn = (tree: string) => new Set(numbersIn(tree, /:relid (\d+)/g))
const functionsIn = (tree: string) => numbersIn(tree, /:(?:funcid|opfuncid|aggfnoid|winfnoid) (\d+)/g)

/** What a query reads of a relation, by the server's own check of privileges: numbers of columns, from 7 below the first. */
const reads = /\{RTEPERMISSIONINFO :relid (\d+) [^{}]*?:selectedCols \(b([ \d]*)\)/g
/** Before PostgreSQL 16. */
const readsBefore16 = /:relid (\d+) :relkind .*?:selectedCols \(b([ \d]*)\)/gs
const firstColumn = 7

const wholeRow = /:varattno 0\b/

/**
 * Refuses the views that use a hidden column in any place, what cannot be read, or a function that could read it. So are the
 * tables whose policies use one. The judge looks at the functions of policies.
 */
function refuseViews({ views, policies, safe }: Definitions, byOid: ReadonlyMap<number, Relation>): void {
	const isSafe = new Set(safe)
	const isBeside = (oid: number, tree: string) =>
		[...relationsIn(tree)].some(other => {
			const { hidden, isSystem, readsBeside } = byOid.get(other) ?? {}
			return other !== oid && (readsBeside === true || (isSystem === false && (hidden?.size ?? 0) > 0))
		})
	const usesHidden = (oid: number, tree: string): boolean => {
		const pattern = tree.includes('{RTEPERMISSIONINFO ') ? reads : readsBefore16
		const used = Map.groupBy(tree.matchAll(pattern), ([, relation]) => Number(relation))
		return [...relationsIn(tree)].some(other => {
			if (other === oid || other === 0) return false
			const relation = byOid.get(other)
			// A view has the policies of its owner.
			if (!relation || relation.refused !== undefined || relation.isFiltered) return true
			if (relation.isSystem && relation.schema === 'pg_catalog' && relation.hidden.size === 0)
				return !isSystemKnown(relation)
			if (relation.hidden.size === 0) return false
			const found = used.get(other)
			return (
				found === undefined ||
				found.some(([, , numbers = '']) => {
					const columns = numbers
						.trim()
						.split(' ')
						.filter(Boolean)
						.map(number => Number(number) - firstColumn)
					// 0 is the whole row.
					return columns.some(column => column === 0 || relation.hidden.has(column))
				})
			)
		})
	}
	for (let isNew = true; isNew; ) {
		isNew = false
		for (const [oid, isActive, tree, attributes] of policies) {
			const table = byOid.get(oid)
			if (!table || table.isFiltered) continue
			const usesOwn = attributes.some(one => table.hidden.has(one)) || (table.hidden.size > 0 && wholeRow.test(tree))
			if (!usesOwn && !usesHidden(0, tree)) continue
			table.isFiltered = true
			if (isActive) table.refused ??= `A policy of ${shown(table)} uses columns that are hidden by the user.`
			isNew = true
		}
		for (const [oid, tree] of views) {
			const view = byOid.get(oid)
			if (!view || view.refused !== undefined) continue
			const callsUnknown = functionsIn(tree).some(one => one !== 0 && !isSafe.has(one))
			if (!callsUnknown && !usesHidden(oid, tree)) {
				if (view.readsBeside || !isBeside(oid, tree)) continue
				view.readsBeside = true
				isNew = true
				continue
			}
			view.refused = callsUnknown
				? `The view ${shown(view)} calls a function that could read hidden columns.`
				: `The view ${shown(view)} uses columns that are hidden by the user.`
			isNew = true
		}
	}
}

export const isSystemKnown = ({ schema, name }: Relation) => schema !== 'pg_catalog' || systemRelations.has(name)

/** Returns what a closure hides of a table, for the host. */
export function partOf(
	{ relations, refused }: Closure,
	{ schema, table }: Pick<QualifiedName, 'schema' | 'table'>,
): HiddenPart {
	const relation = relations.get(keyOf(schema, table))
	if (!relation || !isSystemKnown(relation) || refused !== undefined)
		return { columns: [], refused: refused ?? `${table} is not known, or could show values of hidden columns.` }
	const { hidden, counted, columns, takesNoChanges, changes, kind } = relation
	const namesOf = (attributes: Iterable<number>) => [...attributes].map(attribute => columns.get(attribute) ?? '')
	// The rows of what has no key are sorted by all columns, and those of a table if the role cannot read the whole row.
	const isSorted = relation.isSorted || (kind !== 'r' && kind !== 'p')
	if (hidden.size > 0 && isSorted && relation.refused === undefined)
		return { columns: [], refused: `${shown(relation)} has columns hidden by the user. Read it with a statement.` }
	return {
		columns: namesOf(hidden),
		...(counted.size > 0 && { counted: namesOf(counted.keys()) }),
		...(relation.refused !== undefined && { refused: relation.refused }),
		...(takesNoChanges !== undefined && { takesNoChanges }),
		...(changes && { changes }),
	}
}
