import type { Column, Completions, Table } from '@roundhouse/kit'
import type { CatalogNames, CompletionCatalog, ForeignKey, KnownFunction, KnownObject } from './catalog.ts'
import type { CompletionContext, Expression, Output, Scope, Source } from './context.ts'

/** What a place takes, by what the catalog knows, the most likely first. */

/** `name`: the name that the option inserts, if it inserts one name alone. */
export type Option = Completions['options'][number] & { readonly name?: string }

/** Queries in each other that are looked through for columns. */
const mostLevels = 20

interface Parts {
	readonly names: CatalogNames
	readonly catalog: CompletionCatalog
	/** Whether case makes a difference, because the reader has folded the names that are not in quotes. */
	readonly foldsNames: boolean
}

export class Ranking {
	readonly #names: CatalogNames
	readonly #catalog: CompletionCatalog
	readonly #foldsNames: boolean

	constructor({ names, catalog, foldsNames }: Parts) {
		this.#names = names
		this.#catalog = catalog
		this.#foldsNames = foldsNames
	}

	/** @param typed the start of a name, with its quote */
	async options(place: CompletionContext, typed: string): Promise<readonly Option[]> {
		switch (place.kind) {
			case 'none':
				return []
			case 'keywords':
				return place.keywords.map(keyword)
			case 'join':
				return this.#behindJoined(place.keywords, place.scope)
			case 'expression':
				return place.isText ? this.#values(place) : this.#expression(place)
			case 'table':
				return place.path.length > 0
					? this.#inSchema(place.path, typed)
					: this.#tables(place.queries, place.joins, typed.replace(/^\W/, ''))
			case 'columns': {
				const found = this.#unused(await this.#columnsOf(place.targets), place.used)
				const all = place.isInsert && place.used.length === 0 ? await this.#insertable(place.targets) : ''
				return [...(all === '' ? [] : [{ label: all, kind: 'column', detail: 'all columns' } as const]), ...found]
			}
			case 'using': {
				const left = await this.#columnsOf(place.left)
				const right = place.right ? await this.#columnsOf([place.right]) : []
				const shared = right.filter(({ label }) => left.some(column => this.#isSame(column.label, label)))
				return this.#unused(shared, place.used)
			}
			case 'insert': {
				const all = place.target ? await this.#insertable([place.target]) : ''
				const list = { label: `(${all})`, kind: 'column', detail: 'all columns' } as const
				return [...(all === '' ? [] : [list]), ...place.keywords.map(keyword)]
			}
			case 'type':
				return objects(await this.#catalog.types?.(), place.path, this.#named('keyword'))
			case 'routine':
				return objects(await this.#catalog.procedures?.(), place.path, this.#named('function', '('))
			case 'schema':
				return this.#schemas(await this.#catalog.tables()).map(this.#name('schema', 'schema'))
			case 'window':
				return place.windows.map(this.#name('keyword', 'window'))
		}
	}

	/** Returns what a star of a query means: the names of its columns, with those of their sources if there are several. */
	async starColumns({ scope: { sources }, path: [alias] }: Expression): Promise<string> {
		const meant = alias === undefined ? sources : sources.filter(source => this.#isSame(source.alias, alias))
		const names = await Promise.all(
			meant.map(async source => {
				const before = meant.length > 1 ? `${this.#names.quoted(source.alias)}.` : ''
				return (await this.#columnsOf([source])).map(({ label, insert = label }) => before + insert)
			}),
		)
		// The first one stands behind the dot that is written.
		return names.flat().join(alias === undefined ? ', ' : `, ${this.#names.quoted(alias)}.`)
	}

	/** Returns the columns of a table that an INSERT can set. */
	async #insertable(targets: readonly Source[]): Promise<string> {
		const columns = (await Promise.all(targets.map(target => this.#knownColumns(target)))).flat()
		const settable = columns.filter(({ generated }) => generated !== 'always')
		return settable.map(({ name }) => this.#names.quoted(name)).join(', ')
	}

	#isSame(a: string, b: string): boolean {
		return this.#foldsNames ? a === b : a.toLowerCase() === b.toLowerCase()
	}

	// Expressions

	async #expression(place: Expression): Promise<readonly Option[]> {
		const { scope, path, keywords } = place
		if (path.length > 0) return this.#behindDot(place)
		const scopes = scopesFrom(scope)
		const columns = await Promise.all(scopes.map(({ sources }) => this.#columnsIn(sources)))
		const aliases = scopes.flatMap(({ sources }) => sources).filter(({ alias }) => alias !== '')
		const functions = (await this.#catalog.functions()).map(found => this.#function(found, true))
		return unique([
			...(place.isJoinStart ? onlyOne(await this.#conditions(scope.sources)) : []),
			...(await this.#partners(place)),
			...(await this.#values(place)),
			...(place.takesOutputs ? scope.outputs.filter(output => typeof output === 'string') : []).map(
				this.#name('column', 'output'),
			),
			...columns.flat(),
			...aliases.map(({ alias, path }) => this.#name('table', path?.join('.') ?? 'query')(alias)),
			...functions,
			...keywords.map(keyword),
		])
	}

	async #behindDot(place: Expression): Promise<readonly Option[]> {
		const { scope, path } = place
		const [name = '', table, ...more] = path
		if (more.length > 0) return []
		const sources = scopesFrom(scope).flatMap(found => found.sources)
		const isNamed = ({ alias, path }: Source) =>
			table === undefined
				? this.#isSame(alias, name)
				: path?.length === 2 && this.#isSame(path[0] ?? '', name) && this.#isSame(path[1] ?? '', table)
		// FROM may not be written yet.
		const query = table === undefined ? scope.queries.find(isNamed) : undefined
		const source = sources.find(isNamed) ?? query
		if (!source) return table === undefined ? this.#inSchema([name], '') : []
		const conditions = place.isJoinStart ? await this.#conditions(scope.sources, name) : []
		const before = `${this.#names.quoted(source.alias)}.`
		return unique([
			...onlyOne(conditions).map(option => ({ ...option, label: option.label.slice(before.length) })),
			...(await this.#partners(place)),
			...(await this.#columnsOf([source])),
		])
	}

	/** The columns that a foreign key compares with the compared one: of all sources, or of the one before the dot. */
	async #partners({ scope, path, compared }: Expression): Promise<readonly Option[]> {
		if (!compared) return []
		const [column = '', of] = compared.toReversed()
		const sources = await this.#located(scopesFrom(scope).flatMap(found => found.sources))
		const lefts = sources.filter(({ alias }) => of === undefined || this.#isSame(alias, of))
		const [alias] = path
		const rights = sources.filter(source => alias === undefined || this.#isSame(source.alias, alias))
		const pairs = lefts.flatMap(left => rights.filter(right => right !== left).map(right => [left, right] as const))
		const references = pairs.length > 0 ? await this.#catalog.references() : []
		return pairs.flatMap(([left, right]) =>
			references.flatMap(({ from, to }) =>
				[[from, to] as const, [to, from] as const]
					.filter(([a, b]) => this.#isOf(left, a) && this.#isOf(right, b))
					.flatMap(([a, b]) => {
						const other = b.columns[a.columns.findIndex(name => this.#isSame(name, column))]
						if (other === undefined) return []
						const label = path.length > 0 ? other : `${this.#names.quoted(right.alias)}.${this.#names.quoted(other)}`
						const insert = path.length > 0 ? { insert: this.#names.quoted(other), name: other } : {}
						return [{ label, kind: 'column', detail: 'foreign key', ...insert } as const]
					}),
			),
		)
	}

	/** The values of an enumeration that a value is compared with or stored in. */
	async #values({ scope, compared, stored }: Expression): Promise<readonly Option[]> {
		const [name, of] = stored ? [stored.column] : (compared?.toReversed() ?? [])
		if (name === undefined) return []
		const sources = stored ? [stored.target] : scopesFrom(scope).flatMap(found => found.sources)
		const asked = sources.filter(({ alias }) => of === undefined || this.#isSame(alias, of))
		const columns = (await Promise.all(asked.map(source => this.#knownColumns(source)))).flat()
		const found = columns.find(column => this.#isSame(column.name, name) && column.choices)
		return (found?.choices ?? []).map(value => ({
			label: this.#names.literal(value),
			kind: 'keyword',
			detail: found?.type ?? '',
		}))
	}

	// Joins

	/** With the word ON alone, a list would close as soon as it is typed. */
	async #behindJoined(words: readonly string[], { sources }: Scope): Promise<readonly Option[]> {
		const conditions = await this.#conditions(sources)
		const plain = conditions.length === 0 ? words : words.filter(word => word !== 'on')
		return [...conditions.map(join => ({ ...join, label: `on ${join.label}` })), ...plain.map(keyword)]
	}

	/**
	 * Returns the conditions that join the last source to those before it. @param alias of the source that they begin with;
	 * default: the one that refers to the other
	 */
	async #conditions(sources: readonly Source[], alias?: string): Promise<readonly Option[]> {
		if (sources.length < 2) return []
		return this.#conditionsOf(await this.#located(sources), await this.#catalog.references(), alias)
	}

	#conditionsOf(sources: readonly Source[], references: readonly ForeignKey[], alias?: string): readonly Option[] {
		const joined = sources.at(-1)
		if (!joined) return []
		const isNamed = (source: Source) => alias !== undefined && this.#isSame(source.alias, alias)
		return sources.slice(0, -1).flatMap(other =>
			references.flatMap(({ from, to }) =>
				[[joined, other] as const, [other, joined] as const]
					.filter(([first, second]) => this.#isOf(first, from) && this.#isOf(second, to))
					.filter(pair => alias === undefined || pair.some(isNamed))
					.map(([first, second]) => {
						const equal = from.columns.map((column, at) => {
							const sides = [this.#column(first, column), this.#column(second, to.columns[at] ?? '')]
							return (isNamed(second) ? sides.reverse() : sides).join(' = ')
						})
						return { label: equal.join(' and '), kind: 'keyword', detail: 'foreign key' } as const
					}),
			),
		)
	}

	#column({ alias }: Source, column: string): string {
		return `${this.#names.quoted(alias)}.${this.#names.quoted(column)}`
	}

	#isOf({ path, outputs }: Source, { schema, table }: ForeignKey['from']): boolean {
		const [name, own] = path?.toReversed() ?? []
		if (outputs !== undefined || name === undefined || !this.#isSame(name, table)) return false
		return own === undefined || this.#isSame(own, schema)
	}

	// Tables

	async #tables(queries: readonly Source[], joins: Scope | undefined, typed: string): Promise<readonly Option[]> {
		const tables = this.#shortestFirst(await this.#catalog.tables(), typed)
		const { implicit } = this.#names
		// The many tables of the server are in the way of others.
		const isSystem = implicit !== undefined && typed.startsWith(implicit.prefix)
		const system = isSystem ? await this.#catalog.systemTables() : []
		const rows = (await this.#catalog.functions()).filter(({ isRows }) => isRows)
		return unique([
			...queries.map(({ alias }) => this.#name('table', 'with')(alias)),
			...(joins
				? this.#joinedTables(tables, await this.#located(joins.sources), await this.#catalog.references())
				: []),
			...tables.map(table => this.#table(table, true)),
			...system
				.filter(({ name }) => this.#names.parseName(name).schema === implicit?.schema)
				.map(table => this.#table(table, false)),
			...this.#schemas(tables).map(schema => ({ ...this.#name('schema', 'schema')(schema), ...this.#dotted(schema) })),
			...rows.map(found => this.#function(found, true)),
		])
	}

	#dotted(schema: string) {
		return { insert: `${this.#names.quoted(schema)}.` }
	}

	/** Returns the tables that a foreign key joins to those before, each also with its condition. */
	#joinedTables(
		tables: readonly Table[],
		before: readonly Source[],
		references: readonly ForeignKey[],
	): readonly Option[] {
		return tables.flatMap(table => {
			const { schema, table: alias } = this.#names.parseName(table.name)
			const conditions = this.#conditionsOf([...before, { alias, path: [schema, alias] }], references)
			if (conditions.length === 0) return []
			const option = this.#table(table, true)
			const { label, insert = label, name, ...rest } = option
			const whole = conditions.map(({ label: condition }) => ({
				...rest,
				label: `${label} on ${condition}`,
				detail: 'foreign key',
				insert: `${insert} on ${condition}`,
			}))
			return [option, ...whole]
		})
	}

	/** Tables and functions of a schema. */
	async #inSchema([schema = '', ...more]: readonly string[], typed: string): Promise<readonly Option[]> {
		if (more.length > 0) return []
		const tables = this.#shortestFirst(await this.#tablesFor(undefined, schema), typed)
		const functions = await this.#catalog.functions()
		return [
			...tables
				.filter(({ name }) => this.#isSame(this.#names.parseName(name).schema, schema))
				.map(table => this.#table(table, false)),
			...functions
				.filter(found => found.schema !== undefined && this.#isSame(found.schema, schema))
				.map(found => this.#function(found, false)),
		]
	}

	/** Of the tables whose names begin with what is typed, the shortest is the nearest to it: `orders` before `order_items`. */
	#shortestFirst(tables: readonly Table[], typed: string): readonly Table[] {
		const word = typed.replace(/^\W/, '').toLowerCase()
		if (word === '') return tables
		const lengthOf = ({ name }: Table) => {
			const { table } = this.#names.parseName(name)
			return table.toLowerCase().startsWith(word) ? table.length : Number.POSITIVE_INFINITY
		}
		const lengths = new Map(tables.map(table => [table, lengthOf(table)]))
		return tables.toSorted((a, b) => {
			const [one = 0, other = 0] = [lengths.get(a), lengths.get(b)]
			return one === other ? 0 : one - other
		})
	}

	#schemas(tables: readonly Table[]): readonly string[] {
		return [...new Set([...tables.map(({ name }) => this.#names.parseName(name).schema), ...this.#names.systemSchemas])]
	}

	// Columns

	/** Returns the columns of a scope. A name that several sources have stands behind each of them: alone it would not run. */
	async #columnsIn(sources: readonly Source[]): Promise<readonly Option[]> {
		const bySource = await Promise.all(
			sources.map(async source => ({ source, options: await this.#columnsOf([source]) })),
		)
		const key = (label: string) => (this.#foldsNames ? label : label.toLowerCase())
		const counts = new Map<string, number>()
		for (const { options } of bySource) {
			for (const name of new Set(options.map(({ label }) => key(label)))) counts.set(name, (counts.get(name) ?? 0) + 1)
		}
		return bySource.flatMap(({ source, options }) =>
			options.map(option => {
				const isAlone = source.alias === '' || counts.get(key(option.label)) === 1
				if (isAlone) return option
				const { name, label, ...rest } = option
				return { ...rest, label: `${source.alias}.${label}`, insert: this.#column(source, label) }
			}),
		)
	}

	async #columnsOf(sources: readonly Source[], level = 0): Promise<readonly Option[]> {
		const found = await Promise.all(
			sources.map(async source =>
				source.outputs
					? this.#outputs(source.outputs, source.alias, level)
					: (await this.#knownColumns(source)).map(column => this.#columnOption(column)),
			),
		)
		return found.flat()
	}

	async #outputs(outputs: readonly Output[], detail: string, level: number): Promise<readonly Option[]> {
		if (level > mostLevels) return []
		const names = outputs.filter(output => typeof output === 'string')
		const stars = outputs.filter(output => typeof output !== 'string')
		const others = stars.map(({ all, of }) =>
			this.#columnsOf(
				all.sources.filter(({ alias }) => of === undefined || this.#isSame(alias, of)),
				level + 1,
			),
		)
		return unique([...names.map(this.#name('column', detail)), ...(await Promise.all(others)).flat()])
	}

	#columnOption({ name, type, note }: Column): Option {
		return { ...this.#name('column', type)(name), ...(note !== undefined && { info: note }) }
	}

	async #knownColumns({ path, outputs }: Source): Promise<readonly Column[]> {
		const [table, schema] = path?.toReversed() ?? []
		if (table === undefined || outputs !== undefined) return []
		const meant = this.#meant(path ?? [], await this.#tablesFor(table, schema))
		return meant ? this.#catalog.columns(meant.name) : []
	}

	/** Returns the table that a name means to the server: without a schema, the first one on the search path. */
	#meant(path: readonly string[], tables: readonly Table[]): Table | undefined {
		const [table = '', schema] = path.toReversed()
		const found = tables.filter(({ name }) => {
			const place = this.#names.parseName(name)
			return this.#isSame(place.table, table) && (schema === undefined || this.#isSame(place.schema, schema))
		})
		const searched = schema === undefined ? [this.#names.home, this.#names.fallback] : [schema]
		const first = searched.find(one => found.some(({ name }) => this.#names.parseName(name).schema === one))
		return found.find(({ name }) => this.#names.parseName(name).schema === first) ?? found[0]
	}

	/** Returns sources with the schemas of their tables, because several schemas can have a table of the same name. */
	async #located(sources: readonly Source[]): Promise<readonly Source[]> {
		const tables = await this.#catalog.tables()
		return sources.map(source => {
			const meant = source.path && source.outputs === undefined && this.#meant(source.path, tables)
			if (!meant) return source
			const { schema, table } = this.#names.parseName(meant.name)
			return { ...source, path: [schema, table] }
		})
	}

	/** Returns the tables among which a name is found, with those of the server only if it may be of them. */
	async #tablesFor(table: string | undefined, schema: string | undefined): Promise<readonly Table[]> {
		const { implicit, systemSchemas } = this.#names
		const isSystem =
			schema === undefined
				? implicit !== undefined && table?.startsWith(implicit.prefix)
				: systemSchemas.some(name => this.#isSame(name, schema))
		const tables = await this.#catalog.tables()
		return isSystem ? [...tables, ...(await this.#catalog.systemTables())] : tables
	}

	#unused(columns: readonly Option[], used: readonly string[]): readonly Option[] {
		return unique(columns).filter(({ label }) => !used.some(name => this.#isSame(name, label)))
	}

	// Options

	#name(kind: Option['kind'], detail: string) {
		return (label: string): Option => ({ label, kind, detail, insert: this.#names.quoted(label), name: label })
	}

	#table({ name, kind = 'table' }: Table, isQualified: boolean): Option {
		const { schema, table } = this.#names.parseName(name)
		const plain = this.#name('table', kind)(table)
		if (!isQualified || schema === this.#names.home) return plain
		const insert = `${this.#names.quoted(schema)}.${this.#names.quoted(table)}`
		return { label: `${schema}.${table}`, kind: 'table', detail: kind, insert }
	}

	#function({ name, result, schema, isBuiltIn }: KnownFunction, isQualified: boolean): Option {
		const option = { ...this.#named('function', '(')({ name, schema }, isQualified), detail: result }
		return isBuiltIn ? { ...option, insert: `${name}(` } : option
	}

	/** @param behind what follows the name */
	#named(kind: Option['kind'], behind = '') {
		return (
			{ name, schema }: Pick<KnownFunction, 'name'> & { readonly schema?: string | undefined },
			isQualified: boolean,
		): Option => {
			const isPlain = schema === undefined || schema === this.#names.home || !isQualified
			// Names of types have several words.
			const own = kind === 'keyword' && /^[a-z ]+$/.test(name) ? name : this.#names.quoted(name)
			const insert = `${isPlain ? own : `${this.#names.quoted(schema)}.${own}`}${behind}`
			return { label: isPlain ? name : `${schema}.${name}`, kind, insert }
		}
	}
}

const keyword = (label: string): Option => ({ label, kind: 'keyword' })

/** Returns all objects, or those of the schema before the dot. */
function objects(
	all: readonly KnownObject[] = [],
	[schema]: readonly string[],
	option: (found: KnownObject, isQualified: boolean) => Option,
): readonly Option[] {
	const found = all.filter(one => schema === undefined || one.schema === schema)
	return found.map(one => option(one, schema === undefined))
}

/** Returns a scope and those around it, the nearest first. */
function scopesFrom(scope: Scope): readonly Scope[] {
	const scopes: Scope[] = []
	for (let at: Scope | undefined = scope; at && scopes.length < mostLevels; at = at.parent) scopes.push(at)
	return scopes
}

/** Enter accepts a condition that has no rival. */
const onlyOne = (conditions: readonly Option[]): readonly Option[] =>
	conditions.length === 1 ? conditions.map(option => ({ ...option, isCertain: true })) : conditions

/** Leaves out later options of the same kind and label. */
function unique(options: readonly Option[]): readonly Option[] {
	const first = new Map<string, Option>()
	for (const option of options) {
		const key = `${option.kind} ${option.label}`
		if (!first.has(key)) first.set(key, option)
	}
	return [...first.values()]
}
