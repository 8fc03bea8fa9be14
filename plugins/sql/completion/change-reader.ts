import type { Output, Scope, Source } from './context.ts'
import { QueryReader } from './query-reader.ts'
import { type OpenScope, openScope } from './scope.ts'
import { keywords } from './words.ts'

/** Reads INSERT, UPDATE, DELETE and MERGE. */
export abstract class ChangeReader extends QueryReader {
	protected insert(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.at++
		if (this.take('or') && !this.noteWords(['replace', 'ignore', 'abort', 'rollback', 'fail'])) this.at++
		if (this.noteWords(['into'])) return []
		this.takeAll('ignore', 'low_priority', 'delayed', 'high_priority')
		this.take('into')
		const scope = this.target(queries, true, parent)
		const [target] = scope.sources
		if (this.isCaret) {
			const set = this.options.joinsInChanges ? ['set'] : []
			this.note({ kind: 'insert', target, keywords: ['values', 'select', 'default values', ...set] })
			return []
		}
		const columns = this.is('(') && !this.isQuery(1) ? this.columnNames(target, true) : undefined
		this.noteWords(['values', 'select', 'default values', 'returning', 'on conflict'])
		if (this.take('overriding')) this.takeAll('system', 'user', 'value')
		if (this.take('default')) this.take('values')
		if (this.take('set')) this.#sets(scope)
		else if (this.take('values', 'value')) {
			const stored = target ? (columns ?? []).map(column => ({ target, column })) : []
			do {
				this.take('row')
				if (!this.take('(')) continue
				this.operands({ scope: openScope(queries, parent), before: ['default'], after: [] }, stored)
				this.closeBracket()
			} while (this.take(','))
			this.noteWords(['on conflict', 'returning', 'on duplicate key update'])
		} else if (this.isQuery() || this.is('(')) this.query(queries, parent)
		// MySQL names the new row, for ON DUPLICATE KEY UPDATE.
		if (this.is('as')) {
			const alias = this.alias()
			const names = alias === undefined ? undefined : this.names(() => ({ kind: 'none' }))
			if (alias !== undefined && target?.path)
				scope.sources.push({ alias, path: target.path, ...(names && { outputs: names }) })
		}
		if (this.take('on')) this.#conflict(scope)
		return this.returning(scope)
	}

	#conflict(scope: OpenScope): void {
		const [target] = scope.sources
		if (this.noteWords(['conflict', 'duplicate key update'])) return
		if (this.take('duplicate')) {
			if (this.noteWords(['key update'])) return
			this.takeAll('key', 'update')
			this.#sets(scope, ['values'])
			return
		}
		this.take('conflict')
		this.noteWords(['do nothing', 'do update set', 'on constraint'])
		if (this.take('on')) {
			this.take('constraint')
			this.newName()
		}
		this.indexed(scope)
		if (this.take('where')) this.operand({ scope, after: ['do nothing', 'do update set'] })
		if (this.noteWords(['do nothing', 'do update set'])) return
		this.take('do')
		if (this.noteWords(['nothing', 'update set'])) return
		if (!this.take('update') || !this.take('set')) return
		const both: OpenScope = { ...openScope(scope.queries, scope.parent), sources: [...scope.sources] }
		if (target?.path) both.sources.push({ alias: 'excluded', path: target.path })
		this.#sets(both)
		if (this.take('where')) this.operand({ scope: both, after: ['returning', 'and', 'or'] })
	}

	/** @param before words that may begin a value */
	#sets(scope: Scope, before: readonly string[] = []): void {
		const [first] = scope.sources
		const used: string[] = []
		do {
			if (this.is('(')) {
				this.columnNames(first)
				if (this.take('=')) this.operand({ scope })
				continue
			}
			const path = this.path(path => ({ kind: 'columns', ...this.#changedBy(path, scope), used, path: [] }))
			const column = path?.at(-1)
			if (path && column !== undefined) used.push(column)
			this.#subscripts(scope)
			this.noteWords(['='])
			if (!this.take('=')) continue
			const [target] = this.#changedBy(path?.slice(0, -1) ?? [], scope).targets
			const stored = target && column !== undefined ? { target, column } : undefined
			this.operand({ scope, before, after: ['where', 'from', 'returning'], stored })
		} while (this.take(','))
	}

	/** Elements and fields behind a column of SET. */
	#subscripts(scope: Scope): void {
		while (this.is('[', '.')) {
			if (this.take('.')) this.at++
			else {
				this.at++
				this.operand({ scope })
				this.skipTo(']')
				this.take(']')
			}
		}
	}

	/** The tables that a column of SET may be of. @param path before the column */
	#changedBy([alias]: readonly string[], { sources }: Scope): { readonly targets: readonly Source[] } {
		if (alias !== undefined) return { targets: sources.filter(source => this.isSame(source.alias, alias)) }
		return { targets: this.options.joinsInChanges ? sources : sources.slice(0, 1) }
	}

	/** The table of UPDATE or DELETE, in MySQL with others. */
	#changed(scope: OpenScope, words: readonly string[]): void {
		if (this.options.joinsInChanges) this.from(scope)
		else this.source(scope)
		this.noteWords(words)
	}

	protected update(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.at++
		if (this.take('or')) this.at++
		this.takeAll('low_priority', 'ignore')
		const scope = openScope(queries, parent)
		this.#changed(scope, ['set', 'as'])
		if (this.take('set')) this.#sets(scope)
		if (this.noteWords(['where', 'from', 'returning'])) return []
		if (this.take('from')) this.from(scope)
		if (this.take('where')) this.operand({ scope, after: keywords.condition })
		if (this.take('order') && this.take('by')) this.sorts(scope)
		return this.returning(scope)
	}

	protected delete(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.at++
		if (this.noteWords(['from'])) return []
		// `delete a, b from a join b`
		if (this.options.joinsInChanges && !this.is('from')) this.skipTo('from')
		this.take('from')
		const scope = openScope(queries, parent)
		this.#changed(scope, ['where', 'using', 'returning'])
		if (this.take('using')) {
			// Names before USING are aliases of it in MySQL.
			if (this.options.joinsInChanges) scope.sources.length = 0
			this.from(scope)
		}
		if (this.take('where')) this.operand({ scope, after: keywords.condition })
		return this.returning(scope)
	}

	protected merge(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		this.at++
		if (this.noteWords(['into'])) return []
		this.take('into')
		const scope = this.target(queries, true, parent)
		const [target] = scope.sources
		this.noteWords(['using'])
		if (this.take('using')) {
			this.from(scope)
			this.joinCondition(scope, [...scope.sources])
		}
		while (this.take('when')) {
			if (this.noteWords(['matched', 'not matched'])) return []
			this.takeAll('not', 'matched', 'by', 'source', 'target')
			if (this.take('and')) this.operand({ scope, after: ['then'] })
			if (this.noteWords(['then', 'and'])) return []
			this.take('then')
			if (this.noteWords(['update set', 'delete', 'insert', 'do nothing'])) return []
			if (this.take('update')) {
				this.take('set')
				this.#sets(scope)
			} else if (this.take('insert')) {
				const columns = this.columnNames(target, true)
				const stored = target ? (columns ?? []).map(column => ({ target, column })) : []
				if (this.take('values') && this.take('(')) {
					this.operands({ scope }, stored)
					this.closeBracket()
				}
			} else this.takeAll('delete', 'do', 'nothing')
		}
		return this.returning(scope)
	}

	/** The columns of an index, or expressions of them in brackets. */
	protected indexed(scope: Scope): void {
		if (!this.take('(')) return
		const [target] = scope.sources
		const used: string[] = []
		while (this.token && !this.is(')')) {
			const isColumn = this.isCaret && this.text(1) !== '('
			if (isColumn) this.note({ kind: 'columns', targets: target ? [target] : [], used, path: [] })
			else if (this.isCaret) this.note({ kind: 'expression', scope, path: [], keywords: [] })
			else if (this.take('collate')) this.newName()
			else if (this.is('(')) this.bracket({ scope }, undefined)
			else {
				if (this.isName()) used.push(this.token.name)
				this.at++
				if (this.is('(')) this.bracket({ scope }, undefined)
			}
		}
		this.take(')')
	}
}
