import type { ContextKind, Output, Scope, Source } from './context.ts'
import { DefinitionReader } from './definition-reader.ts'
import { emptyScope, outputsOf } from './scope.ts'
import { explained, keywords, statementWords } from './words.ts'

/**
 * Reads a statement that may be half-written, and notes what may stand at the caret. It reads on behind the caret, because
 * FROM names the sources of what stands before it. It never throws.
 */
export class Reader extends DefinitionReader {
	/** Returns what may stand at the caret. */
	read(): ContextKind {
		this.statement([], undefined)
		while (this.token && !this.place) this.unknown([])
		return this.place ?? { kind: 'keywords', keywords: this.options.starts }
	}

	/** @returns what it returns, if it is a part of a query */
	protected statement(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		return this.deeper(() => this.#anyStatement(queries, parent)) ?? []
	}

	#anyStatement(before: readonly Source[], parent: Scope | undefined): readonly Output[] {
		if (this.noteWords(this.options.starts)) return []
		let queries = before
		if (this.is('explain', 'analyze', 'analyse', 'describe', 'desc')) return this.#explained(queries, parent)
		if (this.is('with')) {
			queries = this.with(queries, parent)
			if (this.noteWords(['select', 'insert into', 'update', 'delete from'])) return []
		}
		switch (this.text()) {
			case 'select':
			case 'values':
			case 'table':
			case '(':
				return outputsOf(this.query(queries, parent))
			case 'insert':
			case 'replace':
				return this.insert(queries, parent)
			case 'update':
				return this.update(queries, parent)
			case 'delete':
				return this.delete(queries, parent)
			case 'merge':
				return this.merge(queries, parent)
			case 'call':
			case 'execute':
			case 'exec':
				this.at++
				this.path(path => ({ kind: 'routine', path }))
				if (this.take('(')) this.operands({ scope: emptyScope(queries) })
				return []
			case 'perform':
				return outputsOf(this.query(queries, parent))
			case 'use':
				this.at++
				if (this.isCaret) this.note({ kind: 'schema' })
				return []
			case 'set':
				if (this.text(1) !== 'search_path') return this.unknown(queries)
				this.at += 2
				this.takeAll('to', '=')
				while (this.token) {
					if (this.isCaret) this.note({ kind: 'schema' })
					else this.at++
				}
				return []
			case 'prepare':
				this.at++
				this.newName()
				this.parameters(queries)
				return this.unknown(queries)
			case 'load':
				this.skipTo('into')
				this.at++
				this.takeAll('table')
				this.columnsOfTable(queries)
				return []
			case 'attach':
				this.skipTo('as')
				this.at++
				this.newName()
				return []
			case 'show':
				this.#show(queries)
				return []
			case 'pragma':
				this.at++
				this.path(() => ({ kind: 'keywords', keywords: ['table_info', 'index_list', 'foreign_keys'] }))
				if (this.take('(')) this.tablePath(queries)
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
				this.define(queries)
				return []
			default:
				return this.unknown(queries)
		}
	}

	/** EXPLAIN of a statement, and the columns of a table that other words for it show. */
	#explained(queries: readonly Source[], parent: Scope | undefined): readonly Output[] {
		const verb = this.text() ?? ''
		this.at++
		const isStatement = verb.startsWith('e') || this.isQuery() || explained.has(this.text() ?? '')
		if (!isStatement) {
			this.columnsOfTable(queries)
			return []
		}
		const isTable = this.isName() && !explained.has(this.text() ?? '') && !this.isQuery()
		if (isTable) {
			this.tablePath(queries)
			return []
		}
		this.takeAll('analyze', 'analyse', 'verbose', 'extended', 'query', 'plan', 'format', '=', 'json', 'tree')
		if (this.is('(') && !this.isQuery(1)) this.skipBracket()
		return this.statement(queries, parent)
	}

	/** Looks for a statement inside of what is not known. */
	protected unknown(queries: readonly Source[], sources: readonly Source[] = []): readonly Output[] {
		while (this.token && !this.place) {
			if (this.isCaret) {
				const scope = { ...emptyScope(queries), sources }
				const words = [...this.options.starts, ...keywords.operands]
				this.note({ kind: 'expression', scope, path: [], keywords: words })
			} else if (this.is(...statementWords) && this.text(1) !== 'hold') {
				const parent = sources.length > 0 ? { ...emptyScope(queries), sources } : undefined
				return this.statement(queries, parent)
			} else this.at++
		}
		return []
	}

	#show(queries: readonly Source[]): void {
		this.at++
		if (this.noteWords(['tables', 'databases', 'columns from', 'create table', 'index from', 'all'])) return
		const isList = this.is('tables', 'table', 'events', 'triggers')
		this.skipTo('from', 'table', 'view', 'in')
		this.at++
		if (!isList) this.tablePath(queries)
		if ((isList || this.take('from', 'in')) && this.isCaret) this.note({ kind: 'schema' })
	}
}
