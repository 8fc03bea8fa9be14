import type { Output, PlaceOf, Scope, Source, Stored } from './place.ts'
import type { ReaderToken } from './tokens.ts'
import {
	behindOperand,
	betweenOperands,
	clauses,
	constants,
	endings,
	explained,
	keywords,
	notAliases,
	notTables,
	selectModifiers,
	statementWords,
} from './words.ts'

/** How an engine's statements differ for a reader. */
export interface ReaderOptions {
	/** Words that begin a statement. */
	readonly starts: readonly string[]
	/** Whether UPDATE and DELETE join tables as FROM does (MySQL). */
	readonly joinsInChanges: boolean
	/** Whether the engine keeps a name without quotes in lower case. Otherwise case makes no difference. */
	readonly foldsNames: boolean
}

/** A query while it is read. */
interface OpenScope extends Scope {
	readonly sources: Source[]
	readonly outputs: Output[]
	readonly windows: string[]
}

/** What is known of an operand that is read. */
interface Operand {
	readonly scope: Scope
	/** Words that may begin it, beside those of every operand. */
	readonly before?: readonly string[]
	/** The words that may follow it. */
	readonly after?: readonly string[]
	/** Where a value is stored. */
	readonly stored?: Stored | undefined
	readonly isJoinStart?: boolean
	readonly takesOutputs?: boolean
	/** The column that each element of a list is compared with. */
	readonly listed?: readonly string[] | undefined
}

/** Brackets and queries that are read in each other. A deeper text has no completion. */
const mostDepth = 200

const outputsOf = (scope: Scope | undefined): readonly Output[] => scope?.outputs ?? []

/**
 * Reads a statement that may be half-written, and notes what may stand at the caret. It reads on behind the caret, because
 * FROM names the sources of what stands before it. It never throws.
 */
export class Reader {
	readonly #tokens: readonly ReaderToken[]
	readonly #options: ReaderOptions
	#at = 0
	#depth = 0
	#place: PlaceOf | undefined

	constructor(tokens: readonly ReaderToken[], options: ReaderOptions) {
		this.#tokens = tokens
		this.#options = options
	}

	/** Returns what may stand at the caret. */
	read(): PlaceOf {
		this.#statement([], undefined)
		while (this.#token && !this.#place) this.#unknown([])
		return this.#place ?? { kind: 'keywords', keywords: this.#options.starts }
	}

	// Tokens

	get #token(): ReaderToken | undefined {
		return this.#tokens[this.#at]
	}

	get #isCaret(): boolean {
		return this.#token?.kind === 'caret'
	}

	/** The word or sign at a place, from here. */
	#text(ahead = 0): string | undefined {
		const token = this.#tokens[this.#at + ahead]
		return token?.kind === 'word' || token?.kind === 'symbol' ? token.text : undefined
	}

	#is(...texts: readonly string[]): boolean {
		const text = this.#text()
		return text !== undefined && texts.includes(text)
	}

	#take(...texts: readonly string[]): boolean {
		if (!this.#is(...texts)) return false
		this.#at++
		return true
	}

	#takeAll(...texts: readonly string[]): void {
		while (this.#take(...texts)) {}
	}

	#isName(ahead = 0): boolean {
		const kind = this.#tokens[this.#at + ahead]?.kind
		return kind === 'word' || kind === 'name'
	}

	#isSame(a: string, b: string): boolean {
		return this.#options.foldsNames ? a === b : a.toLowerCase() === b.toLowerCase()
	}

	#isQuery(ahead = 0): boolean {
		return ['select', 'with', 'values', 'table'].includes(this.#text(ahead) ?? '')
	}

	/** Goes to one of the words outside of brackets, to the end of the bracket, or to the end. */
	#skipTo(...texts: readonly string[]): void {
		for (let depth = 0; this.#token; this.#at++) {
			if (this.#is('(')) depth++
			else if (this.#is(')')) {
				if (depth-- === 0) return
			} else if (depth === 0 && this.#is(...texts)) return
			else if (this.#isCaret) {
				this.#place ??= { kind: 'expression', scope: emptyScope([]), path: [], keywords: keywords.operands }
			}
		}
	}

	#skipBracket(): void {
		if (!this.#take('(')) return
		this.#closeBracket()
	}

	#closeBracket(): void {
		// A clause of the query around it: the text has no closing bracket.
		if (this.#token?.kind === 'word' && notTables.has(this.#token.text)) return
		this.#skipTo()
		this.#take(')')
	}

	/** Runs a reader one level deeper. @returns `undefined` if the text is too deep */
	#deeper<T>(read: () => T): T | undefined {
		if (this.#depth >= mostDepth) {
			this.#place ??= { kind: 'none' }
			this.#at = this.#tokens.length
			return undefined
		}
		this.#depth++
		try {
			return read()
		} finally {
			this.#depth--
		}
	}

	// What may stand at the caret

	#note(place: PlaceOf): void {
		this.#place ??= place
		this.#at++
	}

	/** Notes words, if the caret is here. */
	#noteWords(words: readonly string[]): boolean {
		if (!this.#isCaret) return false
		this.#note({ kind: 'keywords', keywords: words })
		return true
	}

	// Names

	/** Reads a name with dots. @returns `undefined` if the caret is a part of it, or if there is none */
	#path(placeOf: (path: readonly string[]) => PlaceOf): readonly string[] | undefined {
		const path: string[] = []
		for (;;) {
			if (this.#isCaret) {
				this.#note(placeOf(path))
				return undefined
			}
			if (!this.#isName() || this.#isClauseWord()) return path.length > 0 ? path : undefined
			path.push(this.#token?.name ?? '')
			this.#at++
			if (!this.#take('.')) return path
		}
	}

	/** Whether a clause begins here, so that the name before it is missing. A name may follow a dot directly. */
	#isClauseWord(): boolean {
		const token = this.#token
		const before = this.#tokens[this.#at - 1]
		if (token?.kind !== 'word' || !notTables.has(token.text)) return false
		return before?.text !== '.' || before.end !== token.start
	}

	/** A name that is new has no completion. */
	#newName(): void {
		this.#path(() => ({ kind: 'none' }))
	}

	#tablePath(queries: readonly Source[], joins?: Scope): readonly string[] | undefined {
		return this.#path(path => ({ kind: 'table', path, queries, ...(joins && { joins }) }))
	}

	#alias(): string | undefined {
		const hasAs = this.#take('as')
		if (hasAs && this.#isCaret) {
			this.#note({ kind: 'none' })
			return undefined
		}
		const token = this.#token
		if (!this.#isName() || !token) return undefined
		if (token.kind === 'word' && !hasAs && notAliases.has(token.text)) return undefined
		this.#at++
		return token.name
	}

	/** Reads a list of names in brackets. */
	#names(placeOf: (used: readonly string[]) => PlaceOf): readonly string[] | undefined {
		if (!this.#take('(')) return undefined
		const used: string[] = []
		const before = this.#at - 1
		while (this.#token && !this.#is(')') && !this.#isClauseWord()) {
			const isFirst = this.#tokens[this.#at - 1]?.text === ',' || this.#at === before + 1
			if (this.#isCaret) {
				if (!this.#place) this.#place = placeOf([...used, ...this.#namesBehind()])
				this.#at++
			} else if (this.#is('(')) this.#skipBracket()
			else {
				if (this.#isName() && isFirst) used.push(this.#token.name)
				this.#at++
			}
		}
		this.#take(')')
		return used
	}

	/** The names of a list behind the caret. */
	#namesBehind(): readonly string[] {
		const names: string[] = []
		for (let at = this.#at + 1; ['name', 'word', 'symbol'].includes(this.#tokens[at]?.kind ?? ''); at++) {
			const token = this.#tokens[at]
			if (token?.text === ')') break
			if (token?.name && this.#tokens[at - 1]?.text === ',') names.push(token.name)
		}
		return names
	}

	#columnNames(target: Source | undefined): readonly string[] | undefined {
		return this.#names(used => ({ kind: 'columns', targets: target ? [target] : [], used, path: [] }))
	}

	// Statements

	/** @returns what it returns, if it is a part of a query */
	#statement(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		return this.#deeper(() => this.#anyStatement(queries, parent)) ?? []
	}

	#anyStatement(before: readonly Source[], parent: Scope | undefined): readonly Output[] {
		if (this.#noteWords(this.#options.starts)) return []
		let queries = before
		if (this.#is('explain', 'analyze', 'analyse', 'describe', 'desc')) return this.#explained(queries, parent)
		if (this.#is('with')) {
			queries = this.#with(queries, parent)
			if (this.#noteWords(['select', 'insert into', 'update', 'delete from'])) return []
		}
		switch (this.#text()) {
			case 'select':
			case 'values':
			case 'table':
			case '(':
				return outputsOf(this.#query(queries, parent))
			case 'insert':
			case 'replace':
				return this.#insert(queries, parent)
			case 'update':
				return this.#update(queries, parent)
			case 'delete':
				return this.#delete(queries, parent)
			case 'merge':
				return this.#merge(queries, parent)
			case 'call':
			case 'execute':
			case 'exec':
				this.#at++
				this.#path(path => ({ kind: 'routine', path }))
				if (this.#take('(')) this.#operands({ scope: emptyScope(queries) })
				return []
			case 'perform':
				return outputsOf(this.#query(queries, parent))
			case 'use':
				this.#at++
				if (this.#isCaret) this.#note({ kind: 'schema' })
				return []
			case 'set':
				if (this.#text(1) !== 'search_path') return this.#unknown(queries)
				this.#at += 2
				this.#takeAll('to', '=')
				while (this.#token) {
					if (this.#isCaret) this.#note({ kind: 'schema' })
					else this.#at++
				}
				return []
			case 'prepare':
				this.#at++
				this.#newName()
				this.#parameters(queries)
				return this.#unknown(queries)
			case 'load':
				this.#skipTo('into')
				this.#at++
				this.#takeAll('table')
				this.#columnsOfTable(queries)
				return []
			case 'attach':
				this.#skipTo('as')
				this.#at++
				this.#newName()
				return []
			case 'show':
				this.#show(queries)
				return []
			case 'pragma':
				this.#at++
				this.#path(() => ({ kind: 'keywords', keywords: ['table_info', 'index_list', 'foreign_keys'] }))
				if (this.#take('(')) this.#tablePath(queries)
				return []
			case 'create':
			case 'alter':
			case 'drop':
			case 'truncate':
			case 'comment':
			case 'grant':
			case 'revoke':
			case 'refresh':
			case 'vacuum':
			case 'lock':
			case 'copy':
			case 'reindex':
			case 'cluster':
			case 'optimize':
				this.#define(queries)
				return []
			default:
				return this.#unknown(queries)
		}
	}

	/** EXPLAIN of a statement, and the columns of a table that other words for it show. */
	#explained(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		const verb = this.#text() ?? ''
		this.#at++
		const isStatement = verb.startsWith('e') || this.#isQuery() || explained.has(this.#text() ?? '')
		if (!isStatement) {
			this.#columnsOfTable(queries)
			return []
		}
		const isTable = this.#isName() && !explained.has(this.#text() ?? '') && !this.#isQuery()
		if (isTable) {
			this.#tablePath(queries)
			return []
		}
		this.#takeAll('analyze', 'analyse', 'verbose', 'extended', 'query', 'plan', 'format', '=', 'json', 'tree')
		if (this.#is('(') && !this.#isQuery(1)) this.#skipBracket()
		return this.#statement(queries, parent)
	}

	/** Looks for a statement inside of what is not known. */
	#unknown(queries: readonly Source[], sources: readonly Source[] = []): readonly Output[] {
		while (this.#token && !this.#place) {
			if (this.#isCaret) {
				const scope = { ...emptyScope(queries), sources }
				const words = [...this.#options.starts, ...keywords.operands]
				this.#note({ kind: 'expression', scope, path: [], keywords: words })
			} else if (this.#is(...statementWords) && this.#text(1) !== 'hold') {
				const parent = sources.length > 0 ? { ...emptyScope(queries), sources } : undefined
				return this.#statement(queries, parent)
			} else this.#at++
		}
		return []
	}

	#show(queries: readonly Source[]): void {
		this.#at++
		if (this.#noteWords(['tables', 'databases', 'columns from', 'create table', 'index from', 'all'])) return
		const isList = this.#is('tables', 'table', 'events', 'triggers')
		this.#skipTo('from', 'table', 'view', 'in')
		this.#at++
		if (!isList) this.#tablePath(queries)
		if ((isList || this.#take('from', 'in')) && this.#isCaret) this.#note({ kind: 'schema' })
	}

	#with(before: readonly Source[], parent: Scope | undefined): readonly Source[] {
		this.#at++
		const isRecursive = this.#take('recursive')
		let queries = before
		do {
			if (this.#isCaret) {
				this.#note({ kind: 'none' })
				continue
			}
			if (!this.#isName() || this.#isClauseWord()) break
			const alias = this.#token?.name ?? ''
			this.#at++
			const names = this.#names(() => ({ kind: 'none' }))
			// A recursive query sees itself, with the columns of its first part.
			const outputs: Output[] = [...(names ?? [])]
			const query: Source = { alias, outputs }
			this.#noteWords(['as'])
			this.#take('as')
			this.#takeAll('not', 'materialized')
			if (this.#take('(')) {
				const found = this.#statement(isRecursive ? [query, ...queries] : queries, parent)
				if (!names) outputs.push(...found)
				this.#closeBracket()
			}
			queries = [query, ...queries]
		} while (this.#take(','))
		return queries
	}

	// Queries

	#query(before: readonly Source[], parent: Scope | undefined): Scope | undefined {
		return this.#deeper(() => this.#anyQuery(before, parent))
	}

	#anyQuery(before: readonly Source[], parent: Scope | undefined): Scope {
		const queries = this.#is('with') ? this.#with(before, parent) : before
		let scope: Scope = this.#term(queries, parent)
		let isSet = false
		while (this.#take('union', 'intersect', 'except', 'minus')) {
			isSet = true
			this.#take('all', 'distinct')
			if (this.#noteWords(['all', 'select', 'with', 'values', 'table'])) break
			this.#term(queries, parent)
		}
		const { outputs } = scope
		if (isSet) scope = { sources: [{ alias: '', outputs }], outputs, queries, parent, windows: [] }
		if (this.#take('order')) {
			if (this.#noteWords(['by'])) return scope
			this.#take('by')
			this.#sorts(scope)
		}
		while (this.#is('limit', 'offset', 'fetch', 'for', 'lock')) this.#limit(openScope(queries, parent))
		return scope
	}

	/** What comes behind the order of a query. */
	#limit(scope: Scope): void {
		const isLock = this.#is('for', 'lock')
		this.#at++
		if (isLock && this.#noteWords(['update', 'share', 'no key update', 'key share'])) return
		if (this.#take('update', 'share', 'no', 'key') && this.#take('of')) this.#newName()
		do this.#operand({ scope, after: ['offset', 'union', 'for update'] })
		while (this.#take(','))
	}

	#term(queries: readonly Source[], parent: Scope | undefined): Scope {
		if (this.#take('(')) {
			const scope = this.#query(queries, parent) ?? emptyScope(queries)
			this.#closeBracket()
			return scope
		}
		const scope = openScope(queries, parent)
		if (this.#take('values')) {
			do {
				this.#take('row')
				if (!this.#take('(')) continue
				const count = this.#operands({ scope })
				this.#take(')')
				if (scope.outputs.length === 0)
					scope.outputs.push(...Array.from({ length: count }, (_, at) => `column${at + 1}`))
			} while (this.#take(','))
			return scope
		}
		if (this.#take('table')) {
			this.#source(scope)
			scope.outputs.push({ all: scope })
			return scope
		}
		if (!this.#take('select', 'perform')) return scope
		this.#takeAll(...selectModifiers)
		if (this.#take('on') && this.#take('(')) {
			this.#operands({ scope })
			this.#closeBracket()
		}
		do this.#item(scope)
		while (this.#take(','))
		if (this.#take('into')) {
			this.#takeAll('temporary', 'temp', 'table')
			do this.#newName()
			while (this.#take(','))
		}
		if (this.#take('from')) this.#from(scope)
		this.#tail(scope)
		return scope
	}

	#item(scope: OpenScope): void {
		const start = this.#at
		const before = this.#tokens[start - 1]?.text === ',' ? [] : ['from', 'distinct', 'all']
		this.#operand({ scope, before, after: keywords.item })
		const item = this.#tokens.slice(start, this.#at)
		const alias = this.#alias()
		const [first] = item
		const last = item.at(-1)
		if (alias !== undefined) scope.outputs.push(alias)
		else if (last?.kind === 'symbol' && last.text === '*')
			scope.outputs.push({ all: scope, of: item.length > 1 ? item.at(-3)?.name : undefined })
		else if (last?.kind === 'word' || last?.kind === 'name') scope.outputs.push(last.name)
		else if (last?.text === ')' && first?.kind === 'word') scope.outputs.push(first.name)
		this.#noteWords(keywords.item)
	}

	#tail(scope: OpenScope): void {
		for (;;) {
			if (this.#take('where', 'having', 'qualify')) this.#operand({ scope, after: keywords.condition })
			else if (this.#take('group')) {
				if (this.#noteWords(['by'])) return
				this.#take('by')
				this.#takeAll('all', 'distinct')
				this.#operands({ scope, after: keywords.group, takesOutputs: true })
				if (this.#take('with')) this.#take('rollup')
			} else if (this.#take('window')) {
				do {
					scope.windows.push(this.#token?.name ?? '')
					this.#newName()
					this.#take('as')
					if (this.#take('(')) this.#window(scope)
				} while (this.#take(','))
			} else if (this.#is('returning')) this.#returning(scope)
			else return
		}
	}

	#returning(scope: Scope): readonly Output[] {
		if (!this.#take('returning')) return []
		const item: OpenScope = { ...openScope(scope.queries, scope.parent), sources: [...scope.sources] }
		do this.#item(item)
		while (this.#take(','))
		return item.outputs
	}

	#from(scope: OpenScope): void {
		do {
			const joins = new OpenJoins(scope)
			this.#source(scope)
			while (this.#token) {
				if (this.#noteWords(keywords.from)) continue
				if (joins.isOpen && this.#is('on', 'using')) {
					this.#joinCondition(scope, joins.closed())
					continue
				}
				let isJoin = this.#take('straight_join')
				/** NATURAL and CROSS joins have no condition. */
				let hasCondition = true
				while (this.#is('natural', 'left', 'right', 'full', 'inner', 'outer', 'cross')) {
					isJoin = true
					if (this.#is('natural', 'cross')) hasCondition = false
					this.#at++
					if (this.#noteWords(['join', 'outer join'])) break
				}
				if (!this.#take('join') && !isJoin) break
				const right = scope.sources.length
				this.#source(scope, joins.sources)
				if (!hasCondition) continue
				if (this.#isCaret || this.#is('on', 'using')) this.#joinCondition(scope, joins.joined)
				else joins.open(right)
			}
		} while (this.#take(','))
	}

	/** @param joined of a source behind JOIN: the sources that it is joined to */
	#source(scope: OpenScope, joined?: readonly Source[]): void {
		const isLateral = this.#take('lateral')
		const source = this.#is('(') ? this.#bracketSource(scope, isLateral) : this.#namedSource(scope, joined)
		if (source) {
			const alias = this.#alias()
			const hasAlias = alias !== undefined || this.#tokens[this.#at - 1]?.text === 'as'
			const names = hasAlias && this.#is('(') ? this.#aliasColumns() : undefined
			const named = { ...source, ...(alias !== undefined && { alias }), ...(names && { outputs: names }) }
			// A function that returns rows has a column of its own name.
			const isFunction = named.path === undefined && named.outputs === undefined
			scope.sources.push(isFunction ? { ...named, outputs: [named.alias] } : named)
		}
		if (this.#take('tablesample')) {
			this.#at++
			this.#skipBracket()
		}
		while (this.#is('use', 'force', 'ignore') && ['index', 'key'].includes(this.#text(1) ?? '')) {
			this.#at += 2
			this.#names(() => ({ kind: 'none' }))
		}
		if (this.#is('indexed') || (this.#is('not') && this.#text(1) === 'indexed')) {
			this.#takeAll('not', 'indexed')
			if (this.#take('by')) this.#newName()
		}
	}

	#joinCondition(scope: OpenScope, sources: readonly Source[]): void {
		const seen: Scope = { ...scope, sources }
		if (this.#isCaret) this.#note({ kind: 'join', keywords: keywords.joined, scope: seen })
		if (this.#take('on')) this.#operand({ scope: seen, after: keywords.joinCondition, isJoinStart: true })
		else if (this.#take('using')) {
			const left = sources.slice(0, -1)
			const names = this.#names(used => ({ kind: 'using', left, right: sources.at(-1), used }))
			const alias = this.#is('as') ? this.#alias() : undefined
			if (alias !== undefined) scope.sources.push({ alias, outputs: names ?? [] })
		}
	}

	/** A query, or joined tables, in brackets. */
	#bracketSource(scope: OpenScope, isLateral: boolean): Source | undefined {
		this.#at++
		let source: Source | undefined
		if (this.#isQuery() || this.#isQueryInBrackets()) {
			// It sees the query around it, and the sources beside it only with LATERAL.
			const beside: Scope = { ...scope, sources: [...scope.sources], outputs: [] }
			const found = this.#query(scope.queries, isLateral ? beside : scope.parent)
			source = { alias: '', outputs: outputsOf(found) }
		} else {
			const inner = openScope(scope.queries, scope.parent)
			this.#from(inner)
			this.#closeBracket()
			// An alias hides the names inside.
			if (this.#is('as') || (this.#isName() && !notAliases.has(this.#text() ?? '')))
				return { alias: '', outputs: [{ all: inner }] }
			scope.sources.push(...inner.sources)
			return undefined
		}
		this.#closeBracket()
		return source
	}

	/** The names of the columns of a source, of a function with their types. */
	#aliasColumns(): readonly string[] {
		const names: string[] = []
		this.#take('(')
		do {
			if (this.#isCaret) this.#note({ kind: 'none' })
			else if (this.#isName() && !this.#isClauseWord()) {
				names.push(this.#token?.name ?? '')
				this.#at++
				if (!this.#is(',', ')')) this.#typeName()
			}
		} while (this.#take(','))
		this.#closeBracket()
		return names
	}

	/** Whether brackets that begin here have a query inside of them, and not joined tables. */
	#isQueryInBrackets(): boolean {
		let ahead = 0
		while (this.#text(ahead) === '(') ahead++
		if (ahead === 0 || !this.#isQuery(ahead)) return false
		for (let depth = 0, at = this.#at; at < this.#tokens.length; at++) {
			const token = this.#tokens[at]
			if (token?.kind !== 'symbol') continue
			if (token.text === '(') depth++
			else if (token.text === ')' && --depth === 0)
				return [')', 'union', 'intersect', 'except', 'order', 'limit'].includes(this.#tokens[at + 1]?.text ?? ')')
		}
		return true
	}

	/** A table, a query of WITH, or a function: without path and outputs. */
	#namedSource(scope: OpenScope, joined: readonly Source[] | undefined): Source | undefined {
		this.#take('only')
		/** Functions see the sources before them. */
		const before: Scope = { ...scope, sources: [...scope.sources] }
		if (this.#is('rows') && this.#text(1) === 'from') this.#at += 2
		if (this.#take('(')) {
			this.#operands({ scope: before })
			this.#closeBracket()
			return { alias: '' }
		}
		const joins = joined && { ...scope, sources: [...joined] }
		const path = this.#tablePath(scope.queries, joins)
		if (!path) return undefined
		const alias = path.at(-1) ?? ''
		this.#take('*')
		if (this.#take('(')) {
			this.#operands({ scope: before })
			this.#closeBracket()
			if (this.#take('with')) this.#take('ordinality')
			return { alias }
		}
		const query = path.length === 1 ? scope.queries.find(found => this.#isSame(found.alias, alias)) : undefined
		return query ?? { alias, path }
	}

	// Operands

	/** @returns their number */
	#operands(operand: Operand, stored: readonly Operand['stored'][] = []): number {
		let count = 0
		do {
			const to = stored[count]
			this.#operand(to ? { ...operand, stored: to } : operand)
			count++
		} while (this.#take(','))
		return count
	}

	#sorts(scope: Scope): void {
		do {
			this.#operand({ scope, after: keywords.sort, takesOutputs: true })
			while (this.#take('asc', 'desc', 'nulls', 'first', 'last')) {
				const isNulls = this.#tokens[this.#at - 1]?.text === 'nulls'
				this.#noteWords(isNulls ? ['first', 'last'] : ['nulls first', 'nulls last', 'limit', 'offset'])
			}
		} while (this.#take(','))
	}

	#operand(operand: Operand): void {
		this.#deeper(() => this.#anyOperand(operand))
	}

	/** Reads an expression up to a word or a sign that no expression has. */
	#anyOperand({ scope, before = [], after = ['and', 'or'], stored, isJoinStart, takesOutputs, listed }: Operand): void {
		const from = this.#at
		let needsOperand = true
		let isFirst = isJoinStart === true
		let cases = 0
		/** The operand before, if it is a column, and the one that the next operand is compared with. */
		let left: readonly string[] | undefined
		let compared = listed
		const inside: Operand = { scope, before: ['select'] }
		for (; this.#token; isFirst = false) {
			const token = this.#token
			const text = this.#text()
			const isWord = token.kind === 'word'
			if (token.kind === 'caret') {
				if (!needsOperand) this.#note({ kind: 'keywords', keywords: [...(cases > 0 ? keywords.cases : []), ...after] })
				else
					this.#note({
						kind: 'expression',
						scope,
						path: [],
						keywords: [
							...(stored ? ['default'] : []),
							...(this.#at === from ? before : []),
							...keywords.operands,
							...(cases > 0 ? keywords.cases : []),
						],
						compared,
						stored,
						...(isFirst && { isJoinStart: true }),
						...(takesOutputs && { takesOutputs }),
					})
				needsOperand = false
			} else if (text === ')' || text === ',' || text === ';' || text === ']') return
			else if (text === '[') {
				this.#at++
				this.#operands(inside)
				this.#skipTo(']')
				this.#take(']')
				needsOperand = false
			} else if (text === '(') {
				this.#bracket(inside, compared)
				needsOperand = false
				compared = undefined
			} else if (isWord && this.#endsOperand(token.text, cases > 0)) return
			else if (isWord && text === 'case') {
				cases++
				this.#at++
				needsOperand = true
				left = undefined
				compared = undefined
			} else if (isWord && text === 'end' && cases > 0) {
				cases--
				this.#at++
				needsOperand = false
			} else if (isWord && text === 'over') {
				this.#over(scope)
				needsOperand = false
			} else if (isWord && text === 'filter' && this.#text(1) === '(') {
				this.#at += 2
				if (!this.#noteWords(['where']) && this.#take('where')) this.#operand(inside)
				this.#closeBracket()
			} else if (isWord && text === 'within' && this.#text(1) === 'group') {
				this.#at += 2
				if (this.#take('(') && this.#take('order') && this.#take('by')) this.#sorts(scope)
				this.#closeBracket()
				needsOperand = false
			} else if (isWord && (text === 'rollup' || text === 'cube' || text === 'grouping') && needsOperand) {
				this.#at++
				this.#take('sets')
			} else if (isWord && constants.has(token.text) && needsOperand) {
				this.#at++
				needsOperand = false
			} else if (isWord && betweenOperands.has(token.text)) {
				const hasLeft = !needsOperand
				this.#at++
				if (text === 'is') {
					if (!this.#noteWords(['null', 'not null', ...keywords.tests]) && this.#take('not'))
						this.#noteWords(['null', ...keywords.tests])
					if (!this.#take('distinct')) {
						needsOperand = true
						continue
					}
					this.#noteWords(['from'])
					this.#take('from')
					compared = left
					needsOperand = true
					continue
				}
				if (text === 'not' && hasLeft && this.#noteWords(['in', 'like', 'between', 'null'])) {
					needsOperand = false
					continue
				}
				if (text === 'collate') {
					this.#newName()
					needsOperand = false
					continue
				}
				if (text === 'in') {
					if (this.#is('(')) this.#bracket(inside, left)
					compared = undefined
					needsOperand = this.#tokens[this.#at - 1]?.text === 'in'
					continue
				}
				compared = text === 'like' || text === 'ilike' || text === 'when' ? left : text === 'not' ? compared : undefined
				needsOperand = true
			} else if (text === '::') {
				this.#at++
				this.#path(path => ({ kind: 'type', path }))
				this.#skipBracket()
				needsOperand = false
			} else if (text === '*' && needsOperand) {
				this.#at++
				needsOperand = false
			} else if (text === '.') {
				this.#at++
				if (this.#isCaret) this.#note({ kind: 'none' })
				else this.#at++
				needsOperand = false
			} else if (token.kind === 'symbol') {
				this.#at++
				compared = /^(?:=|<>|!=|<|>|<=|>=|<=>)$/.test(token.text) ? left : undefined
				needsOperand = true
			} else if (token.kind === 'word' || token.kind === 'name') {
				// A second name is an alias, or the rest of a half-written text.
				if (!needsOperand && behindOperand.has(token.text)) {
					this.#at++
					if (text === 'at') {
						this.#takeAll('time', 'zone')
						needsOperand = true
					}
					continue
				}
				if (!needsOperand && (cases === 0 || text === 'from')) return
				if (this.#isClauseWord() && this.#text(1) !== '(') return
				left = this.#reference(scope, { compared, stored, isJoinStart: isFirst })
				needsOperand = false
			} else {
				this.#at++
				needsOperand = false
			}
		}
	}

	#endsOperand(word: string, isCase: boolean): boolean {
		if (endings.has(word)) return true
		if (!clauses.has(word)) return false
		if (isCase && (word === 'when' || word === 'then')) return false
		const isCall = this.#text(1) === '('
		return !(isCall && (word === 'left' || word === 'right' || word === 'values'))
	}

	/** Reads a column, or a call. @returns the path of a column */
	#reference(
		scope: Scope,
		{
			compared,
			stored,
			isJoinStart,
		}: {
			readonly compared: readonly string[] | undefined
			readonly stored: Operand['stored']
			readonly isJoinStart: boolean
		},
	): readonly string[] | undefined {
		const path = [this.#token?.name ?? '']
		this.#at++
		while (this.#take('.')) {
			if (this.#isCaret) {
				const isStart = isJoinStart && path.length === 1
				this.#note({ kind: 'expression', scope, path, keywords: [], compared, stored, ...(isStart && { isJoinStart }) })
				break
			}
			if (this.#take('*')) break
			if (!this.#isName() || this.#isClauseWord()) break
			path.push(this.#token?.name ?? '')
			this.#at++
		}
		if (path.length === 1 && ['timestamp', 'time'].includes(path[0] ?? ''))
			this.#takeAll('with', 'without', 'time', 'zone')
		if (!this.#is('(')) return path
		this.#at++
		this.#call(path, scope)
		return undefined
	}

	/** A query, or operands, in brackets. */
	#bracket(inside: Operand, compared: readonly string[] | undefined): void {
		this.#at++
		if (this.#isQuery()) this.#query(inside.scope.queries, inside.scope)
		else this.#operands({ ...inside, listed: compared })
		// Of a call whose name is not written yet.
		if (this.#take('order') && this.#take('by')) this.#sorts(inside.scope)
		this.#closeBracket()
	}

	#call([name]: readonly string[], scope: Scope): void {
		const called = name?.toLowerCase() ?? ''
		if (called === 'cast' || called === 'try_cast') {
			this.#operand({ scope, after: ['as'] })
			if (this.#take('as')) this.#path(path => ({ kind: 'type', path }))
		} else if (this.#isQuery()) this.#query(scope.queries, scope)
		else {
			const isPlain = !this.#take('distinct', 'all')
			this.#operands({ scope, before: isPlain ? ['distinct'] : [], after: ['and', 'or', 'order by'] })
			this.#wordsInCall(scope, called)
		}
		this.#closeBracket()
	}

	/** Arguments behind words: `extract(year from x)`, `json_object('a' value x returning text)`. */
	#wordsInCall(scope: Scope, called: string): void {
		while (this.#token && !this.#is(')', ';')) {
			if (this.#take('order')) {
				if (this.#noteWords(['by'])) return
				this.#take('by')
				this.#sorts(scope)
			} else if (this.#take('returning', 'type')) this.#typeName()
			else if (this.#is('from') ? !takesFrom.has(called) : this.#is(...clausesOfQuery)) return
			else {
				this.#at++
				this.#operands({ scope })
			}
		}
	}

	#over(scope: Scope): void {
		this.#at++
		if (this.#take('(')) this.#window(scope)
		else if (this.#isCaret) this.#note({ kind: 'window', windows: scope.windows })
		else this.#at++
	}

	#window(scope: Scope): void {
		this.#noteWords(keywords.window)
		if (this.#isName() && !this.#is('partition', 'order', 'rows', 'range', 'groups')) this.#at++
		for (;;) {
			if (this.#take('partition')) {
				if (!this.#noteWords(['by']) && this.#take('by')) this.#operands({ scope, after: keywords.window.slice(1) })
			} else if (this.#take('order')) {
				if (!this.#noteWords(['by']) && this.#take('by')) this.#sorts(scope)
			} else if (this.#take('rows', 'range', 'groups')) this.#frame(scope)
			else if (!this.#noteWords(keywords.window)) break
		}
		this.#closeBracket()
	}

	#frame(scope: Scope): void {
		while (this.#token && !this.#is(')')) {
			const before = this.#tokens[this.#at - 1]?.text ?? ''
			const isBound = before === 'between' || before === 'and'
			if (this.#noteWords(isBound ? keywords.frame : ['between', ...keywords.frame])) continue
			if (this.#is('(')) this.#bracket({ scope }, undefined)
			else if (this.#take('::')) this.#path(path => ({ kind: 'type', path }))
			else this.#at++
		}
	}

	// Changes

	#target(queries: readonly Source[], takesAlias = true, parent?: Scope): OpenScope {
		const scope = openScope(queries, parent)
		this.#takeAll('only', 'table')
		const path = this.#tablePath(queries)
		if (!path) return scope
		const alias = takesAlias ? this.#alias() : undefined
		scope.sources.push({ alias: alias ?? path.at(-1) ?? '', path })
		return scope
	}

	#insert(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.#at++
		if (this.#take('or') && !this.#noteWords(['replace', 'ignore', 'abort', 'rollback', 'fail'])) this.#at++
		if (this.#noteWords(['into'])) return []
		this.#takeAll('ignore', 'low_priority', 'delayed', 'high_priority')
		this.#take('into')
		const scope = this.#target(queries, true, parent)
		const [target] = scope.sources
		if (this.#isCaret) {
			this.#note({ kind: 'insert', target, keywords: ['values', 'select', 'default values', 'set'] })
			return []
		}
		const columns = this.#is('(') && !this.#isQuery(1) ? this.#columnNames(target) : undefined
		this.#noteWords(['values', 'select', 'default values', 'returning', 'on conflict'])
		if (this.#take('overriding')) this.#takeAll('system', 'user', 'value')
		if (this.#take('default')) this.#take('values')
		if (this.#take('set')) this.#sets(scope)
		else if (this.#take('values', 'value')) {
			const stored = target ? (columns ?? []).map(column => ({ target, column })) : []
			do {
				this.#take('row')
				if (!this.#take('(')) continue
				this.#operands({ scope: openScope(queries, parent), before: ['default'], after: [] }, stored)
				this.#closeBracket()
			} while (this.#take(','))
			this.#noteWords(['on conflict', 'returning', 'on duplicate key update'])
		} else if (this.#isQuery() || this.#is('(')) this.#query(queries, parent)
		// MySQL names the new row, for ON DUPLICATE KEY UPDATE.
		if (this.#is('as')) {
			const alias = this.#alias()
			const names = alias === undefined ? undefined : this.#names(() => ({ kind: 'none' }))
			if (alias !== undefined && target?.path)
				scope.sources.push({ alias, path: target.path, ...(names && { outputs: names }) })
		}
		if (this.#take('on')) this.#conflict(scope)
		return this.#returning(scope)
	}

	#conflict(scope: OpenScope): void {
		const [target] = scope.sources
		if (this.#noteWords(['conflict', 'duplicate key update'])) return
		if (this.#take('duplicate')) {
			if (this.#noteWords(['key update'])) return
			this.#takeAll('key', 'update')
			this.#sets(scope, ['values'])
			return
		}
		this.#take('conflict')
		this.#noteWords(['do nothing', 'do update set', 'on constraint'])
		if (this.#take('on')) {
			this.#take('constraint')
			this.#newName()
		}
		this.#indexed(scope)
		if (this.#take('where')) this.#operand({ scope, after: ['do nothing', 'do update set'] })
		if (this.#noteWords(['do nothing', 'do update set'])) return
		this.#take('do')
		if (this.#noteWords(['nothing', 'update set'])) return
		if (!this.#take('update') || !this.#take('set')) return
		const both: OpenScope = { ...openScope(scope.queries, scope.parent), sources: [...scope.sources] }
		if (target?.path) both.sources.push({ alias: 'excluded', path: target.path })
		this.#sets(both)
		if (this.#take('where')) this.#operand({ scope: both, after: ['returning', 'and', 'or'] })
	}

	/** @param before words that may begin a value */
	#sets(scope: Scope, before: readonly string[] = []): void {
		const [first] = scope.sources
		const used: string[] = []
		do {
			if (this.#is('(')) {
				this.#columnNames(first)
				if (this.#take('=')) this.#operand({ scope })
				continue
			}
			const path = this.#path(path => ({ kind: 'columns', ...this.#changedBy(path, scope), used, path: [] }))
			const column = path?.at(-1)
			if (path && column !== undefined) used.push(column)
			this.#subscripts(scope)
			this.#noteWords(['='])
			if (!this.#take('=')) continue
			const [target] = this.#changedBy(path?.slice(0, -1) ?? [], scope).targets
			const stored = target && column !== undefined ? { target, column } : undefined
			this.#operand({ scope, before, after: ['where', 'from', 'returning'], stored })
		} while (this.#take(','))
	}

	/** Elements and fields behind a column of SET. */
	#subscripts(scope: Scope): void {
		while (this.#is('[', '.')) {
			if (this.#take('.')) this.#at++
			else {
				this.#at++
				this.#operand({ scope })
				this.#skipTo(']')
				this.#take(']')
			}
		}
	}

	/** The tables that a column of SET may be of. @param path before the column */
	#changedBy([alias]: readonly string[], { sources }: Scope): { readonly targets: readonly Source[] } {
		if (alias !== undefined) return { targets: sources.filter(source => this.#isSame(source.alias, alias)) }
		return { targets: this.#options.joinsInChanges ? sources : sources.slice(0, 1) }
	}

	/** The table of UPDATE or DELETE, in MySQL with others. */
	#changed(scope: OpenScope, words: readonly string[]): void {
		if (this.#options.joinsInChanges) this.#from(scope)
		else this.#source(scope)
		this.#noteWords(words)
	}

	#update(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.#at++
		if (this.#take('or')) this.#at++
		this.#takeAll('low_priority', 'ignore')
		const scope = openScope(queries, parent)
		this.#changed(scope, ['set', 'as'])
		if (this.#take('set')) this.#sets(scope)
		if (this.#noteWords(['where', 'from', 'returning'])) return []
		if (this.#take('from')) this.#from(scope)
		if (this.#take('where')) this.#operand({ scope, after: keywords.condition })
		if (this.#take('order') && this.#take('by')) this.#sorts(scope)
		return this.#returning(scope)
	}

	#delete(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.#at++
		if (this.#noteWords(['from'])) return []
		// `delete a, b from a join b`
		if (this.#options.joinsInChanges && !this.#is('from')) this.#skipTo('from')
		this.#take('from')
		const scope = openScope(queries, parent)
		this.#changed(scope, ['where', 'using', 'returning'])
		if (this.#take('using')) {
			// Names before USING are aliases of it in MySQL.
			if (this.#options.joinsInChanges) scope.sources.length = 0
			this.#from(scope)
		}
		if (this.#take('where')) this.#operand({ scope, after: keywords.condition })
		return this.#returning(scope)
	}

	#merge(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.#at++
		if (this.#noteWords(['into'])) return []
		this.#take('into')
		const scope = this.#target(queries, true, parent)
		const [target] = scope.sources
		this.#noteWords(['using'])
		if (this.#take('using')) {
			this.#from(scope)
			this.#joinCondition(scope, [...scope.sources])
		}
		while (this.#take('when')) {
			if (this.#noteWords(['matched', 'not matched'])) return []
			this.#takeAll('not', 'matched', 'by', 'source', 'target')
			if (this.#take('and')) this.#operand({ scope, after: ['then'] })
			if (this.#noteWords(['then', 'and'])) return []
			this.#take('then')
			if (this.#noteWords(['update set', 'delete', 'insert', 'do nothing'])) return []
			if (this.#take('update')) {
				this.#take('set')
				this.#sets(scope)
			} else if (this.#take('insert')) {
				const columns = this.#columnNames(target)
				const stored = target ? (columns ?? []).map(column => ({ target, column })) : []
				if (this.#take('values') && this.#take('(')) {
					this.#operands({ scope }, stored)
					this.#closeBracket()
				}
			} else this.#takeAll('delete', 'do', 'nothing')
		}
		return this.#returning(scope)
	}

	// Definitions

	#define(queries: readonly Source[]): void {
		const verb = this.#text() ?? ''
		this.#at++
		switch (verb) {
			case 'vacuum':
			case 'lock':
			case 'copy':
			case 'refresh':
			case 'reindex':
			case 'cluster':
			case 'optimize':
				this.#takeAll('full', 'freeze', 'analyze', 'verbose', 'binary', ...objectWords)
				if (verb !== 'copy') this.#skipBracket()
				this.#takeAll(...objectWords)
				if (this.#take('(')) this.#statement(queries, undefined)
				else {
					do this.#columnsOfTable(queries)
					while (this.#take(','))
				}
				return
			case 'comment':
				this.#comment(queries)
				return
			case 'grant':
			case 'revoke':
				this.#skipTo('on')
				this.#at++
				this.#takeAll('table')
				if (this.#take('function', 'procedure', 'routine')) this.#routine(queries)
				else if (this.#take('schema')) {
					if (this.#isCaret) this.#note({ kind: 'schema' })
				} else {
					do this.#tablePath(queries)
					while (this.#take(','))
				}
				return
		}
		if (verb !== 'truncate' && this.#noteWords(keywords.objects)) return
		this.#takeAll(
			'or',
			'replace',
			'unique',
			'temporary',
			'temp',
			'unlogged',
			'global',
			'local',
			'materialized',
			'recursive',
			'foreign',
			'constraint',
		)
		// `create definer = user@host procedure`
		if (this.#is('definer')) this.#skipTo('procedure', 'function', 'trigger', 'view', 'event')
		const what = this.#text() ?? ''
		if (verb !== 'truncate' || what === 'table') this.#at++
		this.#takeAll('if', 'not', 'exists', 'only', 'concurrently')
		if (verb === 'drop' || verb === 'truncate') this.#drop(what, queries)
		else if (verb === 'create') this.#create(what, queries)
		else if (['function', 'procedure', 'routine', 'aggregate'].includes(what)) {
			this.#routine(queries)
		} else if (what === 'type' || what === 'domain') this.#alterType(queries)
		else if (['table', 'index', 'view', 'sequence'].includes(what)) this.#alterTable(queries)
		else if (what === 'schema') {
			if (this.#isCaret) this.#note({ kind: 'schema' })
		} else this.#tablePath(queries)
	}

	#comment(queries: readonly Source[]): void {
		this.#skipTo('on')
		this.#at++
		if (this.#noteWords(['table', 'column', 'function', 'schema', 'view', 'index'])) return
		if (this.#take('function', 'procedure', 'routine', 'aggregate')) {
			this.#routine(queries)
			return
		}
		if (!this.#take('column')) {
			this.#at++
			this.#tablePath(queries)
			return
		}
		this.#path(path =>
			path.length === 0
				? { kind: 'table', path, queries }
				: { kind: 'columns', targets: [{ alias: '', path }], used: [], path: [] },
		)
	}

	#columnsOfTable(queries: readonly Source[]): void {
		const [target] = this.#target(queries, false).sources
		this.#columnNames(target)
	}

	#drop(what: string, queries: readonly Source[]): void {
		const isRoutine = ['function', 'procedure', 'routine', 'aggregate'].includes(what)
		do {
			if (isRoutine) this.#routine(queries)
			else if (what === 'cast') this.#typesIn()
			else if (what === 'schema' || what === 'database') {
				if (this.#isCaret) this.#note({ kind: 'schema' })
				else this.#at++
			} else if (what === 'trigger' || what === 'policy' || what === 'rule') {
				this.#newName()
				if (this.#take('on')) this.#tablePath(queries)
			} else if (what === 'type' || what === 'domain') this.#path(path => ({ kind: 'type', path }))
			else this.#tablePath(queries)
		} while (this.#take(','))
		this.#noteWords(['cascade', 'restrict'])
	}

	#create(what: string, queries: readonly Source[]): void {
		switch (what) {
			case 'index': {
				this.#skipTo('on')
				this.#at++
				const scope = this.#target(queries, false)
				if (this.#take('using')) this.#at++
				this.#indexed(scope)
				if (this.#take('include')) this.#columnNames(scope.sources[0])
				if (this.#take('where')) this.#operand({ scope, after: keywords.condition })
				return
			}
			case 'view':
				this.#newName()
				this.#names(() => ({ kind: 'none' }))
				this.#skipTo('as')
				this.#at++
				this.#statement(queries, undefined)
				return
			case 'function':
			case 'procedure':
				this.#newName()
				this.#parameters(queries)
				this.#createRoutine(queries)
				return
			case 'aggregate':
				this.#newName()
				// Without types before: `(basetype = int, …)`.
				if (this.#text(2) !== '=') this.#parameters(queries)
				this.#settings()
				return
			case 'operator':
				while (this.#token && !this.#is('(')) this.#at++
				this.#settings()
				return
			case 'type':
				this.#newName()
				this.#createType(queries)
				return
			case 'domain':
				this.#newName()
				this.#take('as')
				this.#path(path => ({ kind: 'type', path }))
				this.#columnParts({ alias: '', outputs: ['value'] }, queries)
				return
			case 'cast':
				this.#typesIn()
				if (this.#take('with') && this.#take('function')) this.#routine(queries)
				return
			case 'rule':
				this.#newName()
				this.#createRule(queries)
				return
			case 'statistics':
				this.#newName()
				this.#skipTo('from')
				if (this.#take('from')) this.#tablePath(queries)
				return
			case 'sequence':
				this.#newName()
				this.#sequence(queries)
				return
			case 'publication':
				this.#newName()
				this.#skipTo('table')
				if (!this.#take('table')) return
				do this.#columnsOfTable(queries)
				while (this.#take(','))
				return
			case 'trigger':
				this.#newName()
				this.#createTrigger(queries)
				return
			case 'policy': {
				this.#newName()
				this.#skipTo('on')
				this.#at++
				const scope = this.#target(queries, false)
				while (this.#token && !this.#place) {
					if (this.#is('(')) this.#bracket({ scope }, undefined)
					else if (!this.#noteWords(['using', 'with check', 'for', 'to'])) this.#at++
				}
				return
			}
			case 'table':
				this.#createTable(queries)
				return
			default:
				this.#unknown(queries)
		}
	}

	/** The columns of an index, or expressions of them in brackets. */
	#indexed(scope: Scope): void {
		if (!this.#take('(')) return
		const [target] = scope.sources
		const used: string[] = []
		while (this.#token && !this.#is(')')) {
			const isColumn = this.#isCaret && this.#text(1) !== '('
			if (isColumn) this.#note({ kind: 'columns', targets: target ? [target] : [], used, path: [] })
			else if (this.#isCaret) this.#note({ kind: 'expression', scope, path: [], keywords: [] })
			else if (this.#take('collate')) this.#newName()
			else if (this.#is('(')) this.#bracket({ scope }, undefined)
			else {
				if (this.#isName()) used.push(this.#token.name)
				this.#at++
				if (this.#is('(')) this.#bracket({ scope }, undefined)
			}
		}
		this.#take(')')
	}

	/** A routine that exists, with the types of its parameters. */
	#routine(queries: readonly Source[]): void {
		this.#path(path => ({ kind: 'routine', path }))
		this.#parameters(queries)
	}

	/** The parameters of a routine: a mode, a name and a type, or the type alone. */
	#parameters(queries: readonly Source[]): void {
		if (!this.#take('(')) return
		do {
			this.#takeAll('in', 'out', 'inout', 'variadic')
			const isType = this.#typeName()
			if (isType && !this.#is(',', ')', 'default', '=', 'order')) this.#typeName()
			if (this.#take('order')) this.#take('by')
			if (this.#take('default', '=')) this.#operand({ scope: emptyScope(queries) })
		} while (this.#token && (this.#take(',') || this.#tokens[this.#at - 1]?.text === 'by'))
		this.#closeBracket()
	}

	/** Reads a type. @returns whether there was one */
	#typeName(): boolean {
		this.#take('setof')
		const path = this.#path(path => ({ kind: 'type', path }))
		if (!path) return false
		if (['double', 'character', 'bit', 'timestamp', 'time'].includes(path.at(-1) ?? ''))
			this.#takeAll('precision', 'varying', 'with', 'without', 'time', 'zone')
		if (this.#is('(')) this.#skipBracket()
		while (this.#take('[')) {
			this.#skipTo(']')
			this.#take(']')
		}
		return true
	}

	/** `(integer as text)` of a cast. */
	#typesIn(): void {
		if (!this.#take('(')) return
		this.#typeName()
		if (this.#take('as')) this.#typeName()
		this.#closeBracket()
		if (this.#isCaret) this.#noteWords(['with function', 'without function', 'with inout'])
	}

	/** `(sfunc = int4pl, stype = int4)`: names of types and routines. */
	#settings(): void {
		if (!this.#take('(')) return
		do {
			const name = this.#text() ?? ''
			this.#at++
			if (!this.#take('=')) continue
			if (/(?:type|arg)$/.test(name)) this.#typeName()
			else if (/(?:func|procedure|function)$/.test(name)) this.#path(path => ({ kind: 'routine', path }))
			this.#skipTo(',')
		} while (this.#take(','))
		this.#closeBracket()
	}

	#createType(queries: readonly Source[]): void {
		this.#take('as')
		if (this.#take('range')) this.#settings()
		if (!this.#take('(')) return
		do {
			this.#newName()
			this.#typeName()
			this.#columnParts({ alias: '', outputs: [] }, queries)
		} while (this.#take(','))
		this.#closeBracket()
	}

	#alterType(queries: readonly Source[]): void {
		if (!this.#path(path => ({ kind: 'type', path }))) return
		do {
			const isAdded = this.#take('add')
			this.#takeAll('alter', 'drop', 'attribute', 'if', 'exists', 'set', 'data')
			if (!isAdded && !this.#is('default', 'constraint')) this.#skipTo('type')
			if (this.#take('attribute')) this.#newName()
			if (this.#take('constraint')) this.#newName()
			this.#take('type')
			if (this.#take('check') && this.#is('(')) this.#bracket({ scope: emptyScope(queries) }, undefined)
			else if (this.#take('default')) this.#operand({ scope: emptyScope(queries) })
			else if (isAdded || this.#tokens[this.#at - 1]?.text === 'type') this.#typeName()
			this.#skipTo(',')
		} while (this.#take(','))
	}

	#createRule(queries: readonly Source[]): void {
		this.#skipTo('to')
		if (!this.#take('to')) return
		const path = this.#tablePath(queries)
		const row = path ? ['new', 'old'].map(alias => ({ alias, path })) : []
		if (this.#take('where'))
			this.#operand({ scope: { ...emptyScope(queries), sources: row }, after: ['do instead', 'do also'] })
		if (this.#noteWords(['do instead', 'do also', 'where'])) return
		this.#takeAll('do', 'instead', 'also')
		if (this.#noteWords(['nothing', ...this.#options.starts])) return
		this.#body(queries, row)
	}

	#sequence(queries: readonly Source[]): void {
		while (this.#token) {
			if (this.#take('as')) this.#typeName()
			else if (this.#take('owned')) {
				this.#take('by')
				this.#path(path =>
					path.length === 0
						? { kind: 'table', path, queries }
						: { kind: 'columns', targets: [{ alias: '', path }], used: [], path: [] },
				)
			} else if (!this.#noteWords(['increment by', 'start with', 'owned by', 'as', 'cycle'])) this.#at++
		}
	}

	#createRoutine(queries: readonly Source[]): void {
		this.#skipTo('return', 'begin', 'returns')
		if (this.#take('returns')) {
			if (this.#take('table') && this.#take('(')) {
				do {
					this.#newName()
					this.#typeName()
				} while (this.#take(','))
				this.#closeBracket()
			} else this.#typeName()
			this.#skipTo('return', 'begin')
		}
		if (this.#take('return')) this.#operand({ scope: emptyScope(queries) })
		this.#body(queries)
	}

	/** The statements of a routine. @param sources that each of them sees */
	#body(queries: readonly Source[], sources: readonly Source[] = []): void {
		while (this.#token && !this.#place) {
			if (this.#tokens[this.#at - 1]?.text === ';' && this.#noteWords([...this.#options.starts, 'end'])) return
			const from = this.#at
			this.#unknown(queries, sources)
			if (this.#at === from) this.#at++
		}
	}

	#createTrigger(queries: readonly Source[]): void {
		const from = this.#at
		const on = this.#tokens.findIndex(({ kind, text }, at) => at >= from && kind === 'word' && text === 'on')
		const path = on < 0 ? [] : this.#namesAt(on + 1)
		const row = path.length > 0 ? ['new', 'old'].map(alias => ({ alias, path })) : []
		while (this.#token && !this.#is('on')) {
			if (this.#isCaret && this.#tokens[from]?.kind !== 'caret')
				this.#note(
					this.#tokens[this.#at - 1]?.text === 'of' || this.#tokens[this.#at - 1]?.text === ','
						? { kind: 'columns', targets: row.slice(0, 1), used: [], path: [] }
						: { kind: 'keywords', keywords: ['before', 'after', 'insert', 'update', 'delete', 'or', 'on', 'of'] },
				)
			else this.#at++
		}
		if (!this.#take('on')) return
		this.#tablePath(queries)
		while (this.#token && !this.#is('execute', 'when', 'begin', 'set', 'insert', 'update', 'delete', 'select'))
			if (!this.#noteWords(['for each row', 'execute function', 'when', 'begin'])) this.#at++
		if (this.#take('execute')) {
			this.#takeAll('function', 'procedure')
			this.#path(path => ({ kind: 'routine', path }))
			return
		}
		this.#body(queries, row)
	}

	/** The path that begins at a token, without reading it. */
	#namesAt(from: number): readonly string[] {
		const path: string[] = []
		for (let at = from; this.#tokens[at]?.name; at += 2) {
			path.push(this.#tokens[at]?.name ?? '')
			if (this.#tokens[at + 1]?.text !== '.') break
		}
		return path
	}

	#createTable(queries: readonly Source[]): void {
		this.#newName()
		if (this.#take('like')) {
			this.#tablePath(queries)
			return
		}
		if (this.#take('of')) this.#typeName()
		if (this.#take('partition')) {
			this.#take('of')
			if (!this.#tablePath(queries)) return
		}
		const own: string[] = []
		if (this.#is('(')) this.#tableElements(own, queries)
		while (this.#token) {
			if (this.#take('as')) {
				this.#statement(queries, undefined)
				return
			}
			if (this.#is('in', 'from', 'to', 'with') && this.#text(1) === '(') {
				this.#at++
				this.#bracket({ scope: emptyScope(queries) }, undefined)
			} else if (this.#take('inherits') && this.#take('(')) {
				do this.#tablePath(queries)
				while (this.#take(','))
				this.#closeBracket()
			} else if (this.#is('by') && this.#tokens[this.#at - 1]?.text === 'partition') {
				this.#at += 2
				this.#indexed({ ...emptyScope(queries), sources: [{ alias: '', outputs: own }] })
			} else if (!this.#noteWords(['as', 'inherits', 'partition by', 'partition of', 'with', 'tablespace'])) this.#at++
		}
	}

	/** Columns and constraints of a table. @param own names of its columns, to be filled */
	#tableElements(own: string[], queries: readonly Source[]): void {
		this.#take('(')
		if (this.#take(')')) return
		do {
			const isConstraint =
				this.#is('constraint', 'primary', 'unique', 'check', 'foreign', 'like', 'exclude') ||
				(this.#options.joinsInChanges && this.#is('key', 'index', 'fulltext', 'spatial'))
			if (this.#isCaret) this.#note({ kind: 'none' })
			else if (isConstraint) this.#tableConstraint({ alias: '', outputs: own }, queries)
			else {
				own.push(this.#token?.name ?? '')
				this.#at++
				if (this.#take('with')) this.#take('options')
				else if (!this.#is('default', 'not', 'null', 'primary', ',', ')')) this.#typeName()
				this.#columnParts({ alias: '', outputs: own }, queries)
			}
		} while (this.#take(','))
		this.#closeBracket()
	}

	#columnParts(table: Source, queries: readonly Source[]): void {
		while (this.#token && !this.#is(',', ')')) {
			if (this.#take('references')) this.#columnsOfTable(queries)
			else if (this.#take('default')) this.#operand({ scope: emptyScope(queries), after: keywords.columnConstraints })
			else if (this.#take('check')) {
				if (this.#is('(')) this.#bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
			} else if (this.#take('collate')) this.#newName()
			else if (this.#is('(')) this.#bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
			else if (!this.#noteWords(keywords.columnConstraints)) this.#at++
		}
	}

	#tableConstraint(table: Source, queries: readonly Source[]): void {
		if (this.#take('constraint')) this.#newName()
		if (this.#noteWords(['primary key', 'unique', 'foreign key', 'check'])) return
		if (this.#take('like')) this.#tablePath(queries)
		else if (this.#take('check')) {
			if (this.#is('(')) this.#bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
		} else {
			this.#takeAll(
				'primary',
				'foreign',
				'unique',
				'key',
				'index',
				'fulltext',
				'spatial',
				'exclude',
				'nulls',
				'not',
				'distinct',
			)
			if (this.#isName() && !this.#is('using', 'include')) this.#at++
			if (this.#take('using') && this.#isName()) this.#at++
			this.#indexed({ ...emptyScope(queries), sources: [table] })
			if (this.#take('include')) this.#columnNames(table)
			if (this.#take('references')) this.#columnsOfTable(queries)
			if (this.#take('where') && this.#is('('))
				this.#bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
		}
		this.#skipTo(',')
	}

	#alterTable(queries: readonly Source[]): void {
		const [target] = this.#target(queries, false).sources
		if (!target || this.#noteWords(keywords.alterTable)) return
		do {
			const action = this.#text()
			this.#at++
			if (
				action === 'add' &&
				this.#is('constraint', 'primary', 'unique', 'foreign', 'check', 'index', 'key', 'fulltext')
			)
				this.#tableConstraint(target, queries)
			else if (action === 'rename' && this.#take('to')) this.#newName()
			else if (['owner', 'attach', 'detach', 'inherit', 'no'].includes(action ?? '')) {
				this.#takeAll('to', 'partition', 'inherit')
				if (action !== 'owner') this.#tablePath(queries)
			} else this.#alterColumn(action, target)
			this.#skipTo(',')
		} while (this.#take(','))
	}

	#alterColumn(action: string | undefined, target: Source): void {
		const isModified = action === 'modify' || action === 'change'
		if (!this.#take('column') && !isModified && this.#noteWords(['column', 'constraint'])) return
		this.#takeAll('if', 'exists', 'not')
		if (action === 'drop' && this.#is('constraint')) return
		if (action === 'add') {
			if (this.#isCaret) this.#note({ kind: 'none' })
			else {
				this.#at++
				this.#typeName()
				this.#columnParts(target, [])
			}
			return
		}
		const path = this.#path(() => ({ kind: 'columns', targets: [target], used: [], path: [] }))
		if (!path) return
		if (action === 'rename') {
			if (!this.#noteWords(['to']) && this.#take('to')) this.#newName()
			return
		}
		if (isModified) {
			if (action === 'change') this.#newName()
			this.#typeName()
			this.#columnParts(target, [])
			return
		}
		if (this.#noteWords(['type', 'set default', 'drop default', 'set not null', 'drop not null', 'set data type']))
			return
		this.#takeAll('set', 'data')
		if (this.#take('type')) {
			this.#typeName()
			this.#skipTo('using', ',')
			if (this.#take('using')) this.#operand({ scope: { ...emptyScope([]), sources: [target] } })
		} else if (this.#take('default'))
			this.#operand({ scope: emptyScope([]), after: [], stored: { target, column: path.at(-1) ?? '' } })
	}
}

/** The joins of one item of FROM: `a join b join c on … on …`. */
class OpenJoins {
	readonly #scope: OpenScope
	readonly #first: number
	/** Where the left side of each join begins that has no condition yet. */
	readonly #lefts: number[] = []
	#left: number

	constructor(scope: OpenScope) {
		this.#scope = scope
		this.#first = scope.sources.length
		this.#left = this.#first
	}

	get isOpen(): boolean {
		return this.#lefts.length > 0
	}

	/** All sources of the item. */
	get sources(): readonly Source[] {
		return this.#scope.sources.slice(this.#first)
	}

	/** A join without a condition so far. @param right where its right side begins */
	open(right: number): void {
		this.#lefts.push(this.#left)
		this.#left = right
	}

	/** What the condition of the last join sees. */
	get joined(): readonly Source[] {
		return this.#scope.sources.slice(this.#left)
	}

	/** Returns what the condition of the last open join sees. */
	closed(): readonly Source[] {
		this.#left = this.#lefts.pop() ?? this.#first
		return this.#scope.sources.slice(this.#left)
	}
}

/** Kinds of objects between the verb of a statement and a name. */
const objectWords = ['table', 'tables', 'materialized', 'view', 'index', 'concurrently']

/** Clauses that no call has in its brackets, so that the closing one is missing. */
const clausesOfQuery = ['where', 'group', 'having', 'limit', 'union', 'select', 'join', 'set']

/** Functions with the word FROM between their arguments. */
const takesFrom: ReadonlySet<string> = new Set(['extract', 'trim', 'substring', 'overlay', 'position', 'convert'])

const openScope = (queries: readonly Source[], parent: Scope | undefined): OpenScope => ({
	sources: [],
	outputs: [],
	windows: [],
	queries,
	parent,
})

const emptyScope = (queries: readonly Source[]): Scope => openScope(queries, undefined)
