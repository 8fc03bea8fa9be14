import type { Output, Scope, Source } from './context.ts'
import { ExpressionReader } from './expression-reader.ts'
import { emptyScope, OpenJoins, type OpenScope, openScope, outputsOf } from './scope.ts'
import { keywords, notAliases, selectModifiers } from './words.ts'

/** Reads queries: WITH, SELECT, FROM and what comes behind them. */
export abstract class QueryReader extends ExpressionReader {
	/** Reads a statement. @returns what it returns, if it is a part of a query */
	protected abstract statement(queries: readonly Source[], parent: Scope | undefined): readonly Output[]

	protected with(before: readonly Source[], parent: Scope | undefined): readonly Source[] {
		this.at++
		const isRecursive = this.take('recursive')
		let queries = before
		do {
			if (this.isCaret) {
				this.note({ kind: 'none' })
				continue
			}
			if (!this.isName() || this.isClauseWord()) break
			const alias = this.token?.name ?? ''
			this.at++
			const names = this.names(() => ({ kind: 'none' }))
			// A recursive query sees itself, with the columns of its first part.
			const outputs: Output[] = [...(names ?? [])]
			const query: Source = { alias, outputs }
			this.noteWords(['as'])
			this.take('as')
			this.takeAll('not', 'materialized')
			if (this.take('(')) {
				const found = this.statement(isRecursive ? [query, ...queries] : queries, parent)
				if (!names) outputs.push(...found)
				this.closeBracket()
			}
			queries = [query, ...queries]
		} while (this.take(','))
		return queries
	}

	protected query(before: readonly Source[], parent: Scope | undefined): Scope | undefined {
		return this.deeper(() => this.#anyQuery(before, parent))
	}

	#anyQuery(before: readonly Source[], parent: Scope | undefined): Scope {
		const queries = this.is('with') ? this.with(before, parent) : before
		let scope: Scope = this.#term(queries, parent)
		let isSet = false
		while (this.take('union', 'intersect', 'except', 'minus')) {
			isSet = true
			this.take('all', 'distinct')
			if (this.noteWords(['all', 'select', 'with', 'values', 'table'])) break
			this.#term(queries, parent)
		}
		const { outputs } = scope
		if (isSet) scope = { sources: [{ alias: '', outputs }], outputs, queries, parent, windows: [] }
		if (this.take('order')) {
			if (this.noteWords(['by'])) return scope
			this.take('by')
			this.sorts(scope)
		}
		while (this.is('limit', 'offset', 'fetch', 'for', 'lock')) this.#limit(openScope(queries, parent))
		return scope
	}

	/** What comes behind the order of a query. */
	#limit(scope: Scope): void {
		const isLock = this.is('for', 'lock')
		this.at++
		if (isLock && this.noteWords(['update', 'share', 'no key update', 'key share'])) return
		if (this.take('update', 'share', 'no', 'key') && this.take('of')) this.newName()
		do this.operand({ scope, after: ['offset', 'union', 'for update'] })
		while (this.take(','))
	}

	#term(queries: readonly Source[], parent: Scope | undefined): Scope {
		if (this.take('(')) {
			const scope = this.query(queries, parent) ?? emptyScope(queries)
			this.closeBracket()
			return scope
		}
		const scope = openScope(queries, parent)
		if (this.take('values')) {
			do {
				this.take('row')
				if (!this.take('(')) continue
				const count = this.operands({ scope })
				this.take(')')
				if (scope.outputs.length === 0)
					scope.outputs.push(...Array.from({ length: count }, (_, at) => `column${at + 1}`))
			} while (this.take(','))
			return scope
		}
		if (this.take('table')) {
			this.source(scope)
			scope.outputs.push({ all: scope })
			return scope
		}
		if (!this.take('select', 'perform')) return scope
		this.takeAll(...selectModifiers)
		if (this.take('on') && this.take('(')) {
			this.operands({ scope })
			this.closeBracket()
		}
		do this.#item(scope)
		while (this.take(','))
		if (this.take('into')) {
			this.takeAll('temporary', 'temp', 'table')
			do this.newName()
			while (this.take(','))
		}
		if (this.take('from')) this.from(scope)
		this.#tail(scope)
		return scope
	}

	#item(scope: OpenScope): void {
		const start = this.at
		const before = this.tokens[start - 1]?.text === ',' ? [] : ['from', 'distinct', 'all']
		this.operand({ scope, before, after: keywords.item })
		const item = this.tokens.slice(start, this.at)
		const alias = this.alias()
		const [first] = item
		const last = item.at(-1)
		if (alias !== undefined) scope.outputs.push(alias)
		else if (last?.kind === 'symbol' && last.text === '*')
			scope.outputs.push({ all: scope, of: item.length > 1 ? item.at(-3)?.name : undefined })
		else if (last?.kind === 'word' || last?.kind === 'name') scope.outputs.push(last.name)
		else if (last?.text === ')' && first?.kind === 'word') scope.outputs.push(first.name)
		this.noteWords(keywords.item)
	}

	#tail(scope: OpenScope): void {
		for (;;) {
			if (this.take('where', 'having', 'qualify')) this.operand({ scope, after: keywords.condition })
			else if (this.take('group')) {
				if (this.noteWords(['by'])) return
				this.take('by')
				this.takeAll('all', 'distinct')
				this.operands({ scope, after: keywords.group, takesOutputs: true })
				if (this.take('with')) this.take('rollup')
			} else if (this.take('window')) {
				do {
					scope.windows.push(this.token?.name ?? '')
					this.newName()
					this.take('as')
					if (this.take('(')) this.window(scope)
				} while (this.take(','))
			} else if (this.is('returning')) this.returning(scope)
			else return
		}
	}

	protected returning(scope: Scope): readonly Output[] {
		if (!this.take('returning')) return []
		const item: OpenScope = { ...openScope(scope.queries, scope.parent), sources: [...scope.sources] }
		do this.#item(item)
		while (this.take(','))
		return item.outputs
	}

	protected from(scope: OpenScope): void {
		do {
			const joins = new OpenJoins(scope)
			this.source(scope)
			while (this.token) {
				if (this.noteWords(keywords.from)) continue
				if (joins.isOpen && this.is('on', 'using')) {
					this.joinCondition(scope, joins.closed())
					continue
				}
				let isJoin = this.take('straight_join')
				/** NATURAL and CROSS joins have no condition. */
				let hasCondition = true
				while (this.is('natural', 'left', 'right', 'full', 'inner', 'outer', 'cross')) {
					isJoin = true
					if (this.is('natural', 'cross')) hasCondition = false
					this.at++
					if (this.noteWords(['join', 'outer join'])) break
				}
				if (!this.take('join') && !isJoin) break
				const right = scope.sources.length
				this.source(scope, joins.sources)
				if (!hasCondition) continue
				if (this.isCaret || this.is('on', 'using')) this.joinCondition(scope, joins.joined)
				else joins.open(right)
			}
		} while (this.take(','))
	}

	/** @param joined of a source behind JOIN: the sources that it is joined to */
	protected source(scope: OpenScope, joined?: readonly Source[]): void {
		const isLateral = this.take('lateral')
		const source = this.is('(') ? this.#bracketSource(scope, isLateral) : this.#namedSource(scope, joined)
		if (source) {
			const alias = this.alias()
			const hasAlias = alias !== undefined || this.tokens[this.at - 1]?.text === 'as'
			const names = hasAlias && this.is('(') ? this.#aliasColumns() : undefined
			const named = { ...source, ...(alias !== undefined && { alias }), ...(names && { outputs: names }) }
			// A function that returns rows has a column with its name.
			const isFunction = named.path === undefined && named.outputs === undefined
			scope.sources.push(isFunction ? { ...named, outputs: [named.alias] } : named)
		}
		if (this.take('tablesample')) {
			this.at++
			this.skipBracket()
		}
		while (this.is('use', 'force', 'ignore') && ['index', 'key'].includes(this.text(1) ?? '')) {
			this.at += 2
			this.names(() => ({ kind: 'none' }))
		}
		if (this.is('indexed') || (this.is('not') && this.text(1) === 'indexed')) {
			this.takeAll('not', 'indexed')
			if (this.take('by')) this.newName()
		}
	}

	protected joinCondition(scope: OpenScope, sources: readonly Source[]): void {
		const seen: Scope = { ...scope, sources }
		if (this.isCaret) this.note({ kind: 'join', keywords: keywords.joined, scope: seen })
		if (this.take('on')) this.operand({ scope: seen, after: keywords.joinCondition, isJoinStart: true })
		else if (this.take('using')) {
			const left = sources.slice(0, -1)
			const names = this.names(used => ({ kind: 'using', left, right: sources.at(-1), used }))
			const alias = this.is('as') ? this.alias() : undefined
			if (alias !== undefined) scope.sources.push({ alias, outputs: names ?? [] })
		}
	}

	/** A query, or joined tables, in brackets. */
	#bracketSource(scope: OpenScope, isLateral: boolean): Source | undefined {
		this.at++
		let source: Source | undefined
		if (this.isQuery() || this.#isQueryInBrackets()) {
			// It sees the query around it, and the sources beside it only with LATERAL.
			const beside: Scope = { ...scope, sources: [...scope.sources], outputs: [] }
			const found = this.query(scope.queries, isLateral ? beside : scope.parent)
			source = { alias: '', outputs: outputsOf(found) }
		} else {
			const inner = openScope(scope.queries, scope.parent)
			this.from(inner)
			this.closeBracket()
			// An alias hides the names inside.
			if (this.is('as') || (this.isName() && !notAliases.has(this.text() ?? '')))
				return { alias: '', outputs: [{ all: inner }] }
			scope.sources.push(...inner.sources)
			return undefined
		}
		this.closeBracket()
		return source
	}

	/** The names of the columns of a source, of a function with their types. */
	#aliasColumns(): readonly string[] {
		const names: string[] = []
		this.take('(')
		do {
			if (this.isCaret) this.note({ kind: 'none' })
			else if (this.isName() && !this.isClauseWord()) {
				names.push(this.token?.name ?? '')
				this.at++
				if (!this.is(',', ')')) this.typeName()
			}
		} while (this.take(','))
		this.closeBracket()
		return names
	}

	/** Whether brackets that begin here have a query inside of them, and not joined tables. */
	#isQueryInBrackets(): boolean {
		let ahead = 0
		while (this.text(ahead) === '(') ahead++
		if (ahead === 0 || !this.isQuery(ahead)) return false
		for (let depth = 0, at = this.at; at < this.tokens.length; at++) {
			const token = this.tokens[at]
			if (token?.kind !== 'symbol') continue
			if (token.text === '(') depth++
			else if (token.text === ')' && --depth === 0)
				return [')', 'union', 'intersect', 'except', 'order', 'limit'].includes(this.tokens[at + 1]?.text ?? ')')
		}
		return true
	}

	/** A table, a query of WITH, or a function: without path and outputs. */
	#namedSource(scope: OpenScope, joined: readonly Source[] | undefined): Source | undefined {
		this.take('only')
		/** Functions see the sources before them. */
		const before: Scope = { ...scope, sources: [...scope.sources] }
		if (this.is('rows') && this.text(1) === 'from') this.at += 2
		if (this.take('(')) {
			this.operands({ scope: before })
			this.closeBracket()
			return { alias: '' }
		}
		const joins = joined && { ...scope, sources: [...joined] }
		const path = this.tablePath(scope.queries, joins)
		if (!path) return undefined
		const alias = path.at(-1) ?? ''
		this.take('*')
		if (this.take('(')) {
			this.operands({ scope: before })
			this.closeBracket()
			if (this.take('with')) this.take('ordinality')
			return { alias }
		}
		const query = path.length === 1 ? scope.queries.find(found => this.isSame(found.alias, alias)) : undefined
		return query ?? { alias, path }
	}

	protected target(queries: readonly Source[], takesAlias = true, parent?: Scope): OpenScope {
		const scope = openScope(queries, parent)
		this.takeAll('only', 'table')
		const path = this.tablePath(queries)
		if (!path) return scope
		const alias = takesAlias ? this.alias() : undefined
		scope.sources.push({ alias: alias ?? path.at(-1) ?? '', path })
		return scope
	}

	protected columnsOfTable(queries: readonly Source[]): void {
		const [target] = this.target(queries, false).sources
		this.columnNames(target)
	}
}
