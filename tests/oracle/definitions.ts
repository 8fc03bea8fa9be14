import {
	type Connection,
	type DefinedColumn,
	type DefinedIndex,
	type DefinedKey,
	isDriverError,
	type TableChange,
	type TableDefinition,
} from '@roundhouse/kit'
import { call, statement } from '@roundhouse/sql/testing'
import { Random } from './random.ts'

/**
 * Random pairs of definitions of a table: the driver makes the first, changes it to the second, and must read each of them
 * again as it was asked for.
 */

/** What definitions of an engine are made of. */
export interface DefinitionDialect {
	/** Types that the engine converts into each other, with defaults that it writes as they are. */
	readonly families: readonly (readonly { readonly type: string; readonly defaults: readonly string[] }[])[]
	/** A column that numbers its rows. */
	readonly numbered: { readonly type: string; readonly default: string }
	/** Columns that refer to `other(id)`. */
	readonly referring: { readonly type: string; readonly table: string; readonly rules: readonly string[] }
	/** The engine names every primary key so. */
	readonly primaryName?: string
	/** The engine needs an index for a foreign key, and makes it if there is none. */
	readonly indexesReferences: boolean
	readonly movesColumns: boolean
	readonly hasDescending: boolean
	/** An expression that a column has a value, as the engine writes it. */
	hasValue(column: string): string
}

const names = ['a', 'b', 'order', 'Total', 'with space', 'q"u`o\'te', 'größe', 'note', 'kind', 'at']
const comments = [undefined, undefined, 'plain', "it's a 'quote'", 'a\\b "c" `d`\nsecond line', 'ünï ☃']

/** Makes definitions and changes of them. */
class Definitions {
	readonly #random: Random
	readonly #dialect: DefinitionDialect
	readonly #seed: number
	#count = 0

	constructor(seed: number, dialect: DefinitionDialect) {
		this.#random = new Random(seed)
		this.#seed = seed
		this.#dialect = dialect
	}

	first(path: readonly string[], name: string): TableDefinition {
		const columns = this.#random.some(names, 1, 6).map(column => this.#column(column))
		if (this.#random.chance(0.5)) columns.unshift(this.#numbered('id'))
		return this.#whole({ path, name, ...this.#comment(), columns, keys: [], indexes: [] })
	}

	changed(before: TableDefinition): TableDefinition {
		const random = this.#random
		const fixed = new Set(before.keys.flatMap(({ kind, columns }) => (kind === 'foreign' ? columns : [])))
		const left = before.columns.filter((_, at) => at === 0 || random.chance(0.8))
		let columns = left.map(column => (random.chance(0.5) ? column : this.#changedColumn(column, fixed.has(column.id))))
		if (random.chance(0.4)) columns = this.#renamed(columns, before)
		const free = names.filter(name => !columns.some(column => column.name === name))
		const added = random.some(free, 0, 2).map(column => this.#column(column))
		columns = [...columns, ...added]
		if (this.#dialect.movesColumns && random.chance(0.4)) columns = random.some(columns, columns.length, columns.length)
		const known = new Set(columns.map(({ id }) => id))
		const keys = before.keys
			.filter(
				key =>
					key.columns.every(id => known.has(id)) &&
					key.kind !== 'check' &&
					(key.kind === 'primary' || random.chance(0.7)),
			)
			.map(key => (key.kind !== 'primary' && random.chance(0.2) ? { ...key, name: this.#name('key') } : key))
		const indexes = before.indexes
			.filter(index => index.columns.every(({ column }) => known.has(column)) && random.chance(0.7))
			.map(index => (random.chance(0.2) ? { ...index, name: this.#name('index') } : index))
		const name = random.chance(0.2) ? `${before.name}_renamed`.slice(0, 40) : before.name
		return this.#whole({ path: before.path, name, ...this.#comment(), columns, keys, indexes })
	}

	/** Names of indexes are unique in a schema of some engines. */
	#name = (kind: string) => `${kind}_${this.#seed}_${this.#count++}`
	#comment() {
		const comment = this.#random.pick(comments)
		return comment === undefined ? {} : { comment }
	}

	#column(name: string): DefinedColumn {
		const { type, defaults } = this.#random.pick(this.#random.pick(this.#dialect.families))
		return { id: `column ${this.#count++}`, name, type, ...this.#rest(defaults) }
	}

	#rest(defaults: readonly string[]) {
		const value = this.#random.chance(0.5) && defaults.length > 0 ? this.#random.pick(defaults) : undefined
		return { isNotNull: this.#random.chance(0.4), ...(value !== undefined && { default: value }), ...this.#comment() }
	}

	#numbered = (name: string): DefinedColumn => ({
		id: `column ${this.#count++}`,
		name,
		...this.#dialect.numbered,
		isNotNull: true,
	})

	#changedColumn(column: DefinedColumn, isFixed: boolean): DefinedColumn {
		if (this.#isNumbered(column)) return column
		const family = this.#dialect.families.find(types => types.some(({ type }) => type === column.type)) ?? []
		const same = family.filter(({ type }) => type === column.type)
		const options = isFixed ? same : family
		if (options.length === 0) return column
		const { type, defaults } = this.#random.pick(options)
		return { id: column.id, name: column.name, type, ...this.#rest(defaults) }
	}

	#isNumbered = ({ default: text }: DefinedColumn) => text === this.#dialect.numbered.default

	/** New names, or names that change places. A check names its columns, so none of these is renamed. */
	#renamed(columns: readonly DefinedColumn[], before: TableDefinition): DefinedColumn[] {
		const rotated = [...columns.slice(1), ...columns.slice(0, 1)]
		if (this.#random.chance(0.5))
			return columns.map((column, at) => ({ ...column, name: rotated[at]?.name ?? column.name }))
		const free = names.filter(name => !before.columns.some(column => column.name === name))
		return columns.map(column => ({
			...column,
			name: this.#random.chance(0.5) ? (free.pop() ?? column.name) : column.name,
		}))
	}

	/** Adds keys and indexes, and what the engine adds by itself. */
	#whole(table: TableDefinition): TableDefinition {
		const random = this.#random
		const dialect = this.#dialect
		let { columns, keys, indexes } = table
		const isIndexable = ({ type }: DefinedColumn) => !/json|text|blob|bytea/.test(type)
		const usable = () => columns.filter(isIndexable)
		// A type can have changed to one without an order.
		const isUsable = (id: string) => usable().some(column => column.id === id)
		keys = keys.filter(key => key.columns.every(isUsable))
		indexes = indexes.filter(index => index.columns.every(({ column }) => isUsable(column)))
		const key = (kind: DefinedKey['kind'], ids: readonly string[]): DefinedKey => ({
			id: `key ${this.#count++}`,
			name: (kind === 'primary' ? dialect.primaryName : undefined) ?? this.#name('key'),
			kind,
			columns: ids,
		})
		const numbered = columns.find(column => this.#isNumbered(column))
		if (!keys.some(({ kind }) => kind === 'primary')) {
			const ids = numbered ? [numbered.id] : random.some(usable(), 0, 2).map(({ id }) => id)
			if (ids.length > 0 && (numbered || random.chance(0.6))) keys = [key('primary', ids), ...keys]
		}
		const unique = random.some(usable(), 0, 2).map(({ id }) => id)
		// PostgreSQL makes one key of two with the same columns.
		const isThere = keys.some(({ columns: ids }) => ids.toSorted().join() === unique.toSorted().join())
		if (unique.length > 0 && !isThere && random.chance(0.4)) keys = [...keys, key('unique', unique)]
		if (random.chance(0.3)) keys = [...keys, { ...key('check', []), ...this.#check(columns) }]
		keys = keys.filter(({ kind, expression }) => kind !== 'check' || expression !== undefined)
		const referring = usable().find(({ type, default: text }) => type === dialect.referring.type && text === undefined)
		if (referring && random.chance(0.5) && !keys.some(({ kind }) => kind === 'foreign')) {
			const { table: other, rules } = dialect.referring
			const foreign = key('foreign', [referring.id])
			keys = [
				...keys,
				{
					...foreign,
					references: { table: other, columns: ['id'], onDelete: random.pick(rules), onUpdate: random.pick(rules) },
				},
			]
		}
		const indexed = random.some(usable(), 0, 3)
		if (indexed.length > 0) {
			const columnsOf: DefinedIndex['columns'] = indexed.map(({ id }) => ({
				column: id,
				isDescending: dialect.hasDescending && random.chance(0.3),
			}))
			indexes = [
				...indexes,
				{
					id: `index ${this.#count++}`,
					name: this.#name('index'),
					method: 'btree',
					isUnique: false,
					columns: columnsOf,
				},
			]
		}
		const primary = keys.find(({ kind }) => kind === 'primary')?.columns ?? []
		columns = columns.map(column => (primary.includes(column.id) ? { ...column, isNotNull: true } : column))
		if (dialect.indexesReferences) {
			const foreign = keys.filter(({ kind }) => kind === 'foreign')
			const needed = new Set(foreign.map(({ name }) => name))
			const others = indexes.filter(({ id }) => !id.startsWith('reference '))
			indexes = [
				...others,
				...foreign.map(({ id, name, columns: ids }) => ({
					id: `reference ${id}`,
					name,
					method: 'btree',
					isUnique: false,
					columns: ids.map(column => ({ column, isDescending: false })),
				})),
			].filter(({ id, name }) => !id.startsWith('reference ') || needed.has(name))
		}
		return { ...table, columns, keys, indexes }
	}

	#check(columns: readonly DefinedColumn[]): { readonly expression?: string } {
		// MariaDB allows no check of a column that a foreign key changes.
		const column = columns.find(one => !this.#isNumbered(one) && one.type !== this.#dialect.referring.type)
		return column ? { expression: this.#dialect.hasValue(column.name) } : {}
	}
}

/** A definition without ids, in an order that does not depend on how it was made. */
export function comparable({ path, name, comment, columns, keys, indexes }: TableDefinition) {
	const namesById = new Map(columns.map(column => [column.id, column.name]))
	const nameOf = (id: string) => namesById.get(id) ?? `no column ${id}`
	const byName = (a: { readonly name: string }, b: { readonly name: string }) => (a.name < b.name ? -1 : 1)
	return {
		path,
		name,
		comment,
		columns: columns.map(({ id, attributes, ...column }) => column),
		keys: keys.map(({ id, columns: ids, ...key }) => ({ ...key, columns: ids.map(nameOf) })).toSorted(byName),
		indexes: indexes
			.map(({ id, columns: parts, ...index }) => ({
				...index,
				columns: parts.map(({ column, isDescending }) => ({ column: nameOf(column), isDescending })),
			}))
			.toSorted(byName),
	}
}

/** Returns what the window sends: the definition that was read, and the wanted one with its ids. */
function edited(read: TableDefinition, wanted: TableDefinition, made: TableDefinition): TableChange {
	const idOf = new Map(
		made.columns.map(({ id, name }) => [id, read.columns.find(column => column.name === name)?.id ?? id]),
	)
	const columnId = (id: string) => idOf.get(id) ?? id
	const partId = <T extends { readonly id: string; readonly name: string }>(
		part: T,
		old: readonly T[],
		found: readonly T[],
	) => {
		const name = old.find(({ id }) => id === part.id)?.name
		return found.find(one => one.name === name)?.id ?? part.id
	}
	const attributesOf = (id: string) => read.columns.find(column => column.id === columnId(id))?.attributes
	return {
		before: read,
		after: {
			...wanted,
			columns: wanted.columns.map(column => {
				const attributes = attributesOf(column.id)
				return { ...column, id: columnId(column.id), ...(attributes !== undefined && { attributes }) }
			}),
			keys: wanted.keys.map(key => ({
				...key,
				id: partId(key, made.keys, read.keys),
				columns: key.columns.map(columnId),
			})),
			indexes: wanted.indexes.map(index => ({
				...index,
				id: partId(index, made.indexes, read.indexes),
				columns: index.columns.map(part => ({ ...part, column: columnId(part.column) })),
			})),
		},
	}
}

export interface DefinitionSubject {
	readonly connection: Connection
	readonly dialect: DefinitionDialect
	readonly path: readonly string[]
	/** The name of a table in the list of tables. */
	nameOf(table: string): string
}

/** @returns each difference, with the statements that led to it */
export async function runDefinitions(
	{ connection, dialect, path, nameOf }: DefinitionSubject,
	{ pairs, seed, onPair }: { readonly pairs: number; readonly seed: number; readonly onPair?: (pair: number) => void },
): Promise<readonly string[]> {
	const differences: string[] = []
	if (!connection.readTableForm || !connection.tableStatements) throw new Error('The driver has no form of tables.')
	for (let pair = 0; pair < pairs; pair++) {
		const definitions = new Definitions(seed + pair, dialect)
		const sent: string[] = []
		const apply = async (change: TableChange) => {
			const statements = (await connection.tableStatements?.(change, call())) ?? []
			sent.push(...statements)
			await applyStatements(connection, statements)
		}
		const read = async (table: string) => {
			const form = await connection.readTableForm?.({ table: nameOf(table) }, call())
			if (!form) throw new Error('The driver read no form.')
			return form.definition
		}
		const made = definitions.first(path, `made_${pair}`)
		const wanted = definitions.changed(made)
		try {
			await apply({ after: made })
			const before = await read(made.name)
			differences.push(...differenceOf(made, before, seed + pair, sent))
			const change = edited(before, wanted, made)
			await apply(change)
			const after = await read(wanted.name)
			differences.push(...differenceOf(wanted, after, seed + pair, sent))
			// What was read and not changed needs no statement.
			const none = (await connection.tableStatements({ before: after, after }, call())).join('\n')
			if (none !== '') differences.push(`seed ${seed + pair}: an unchanged table has the statements ${none}`)
		} catch (error) {
			if (!isDriverError(error)) throw error
			differences.push(`seed ${seed + pair}: ${error.message}\n${sent.join('\n')}`)
		}
		onPair?.(pair)
	}
	return differences
}

function differenceOf(wanted: TableDefinition, read: TableDefinition, seed: number, sent: readonly string[]): string[] {
	const [left, right] = [comparable(wanted), comparable(read)].map(one => JSON.stringify(one, sortedKeys, 1))
	if (left === right) return []
	const lines = (text: string | undefined, other: string | undefined) =>
		(text ?? '')
			.split('\n')
			.filter(line => !other?.includes(line))
			.join('\n')
	return [`seed ${seed}\nwanted ${lines(left, right)}\nread ${lines(right, left)}\nby ${sent.join('\n')}`]
}

/** A replacer that orders the members of objects. */
const sortedKeys = (_: string, value: unknown) =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
		: value

/** Runs statements one after the other in one session, as a window does. */
async function applyStatements(connection: Connection, statements: readonly string[]): Promise<void> {
	const session = await connection.openSession?.(call())
	if (!session) throw new Error('The driver has no sessions.')
	try {
		for (const text of statements) await session.run(await statement(connection, text), { maxRows: 1 }, call())
	} finally {
		await session.close()
	}
}
