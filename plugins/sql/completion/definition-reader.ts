import { ChangeReader } from './change-reader.ts'
import type { Output, Source } from './context.ts'
import { emptyScope } from './scope.ts'
import { keywords } from './words.ts'

/** Reads statements that define, drop and describe objects. */
export abstract class DefinitionReader extends ChangeReader {
	/** Looks for a statement inside of what is not known. @param sources that it sees */
	protected abstract unknown(queries: readonly Source[], sources?: readonly Source[]): readonly Output[]

	protected define(queries: readonly Source[]): void {
		const verb = this.text() ?? ''
		this.at++
		switch (verb) {
			case 'vacuum':
			case 'lock':
			case 'copy':
			case 'refresh':
			case 'reindex':
			case 'cluster':
			case 'optimize':
				this.takeAll('full', 'freeze', 'analyze', 'verbose', 'binary', ...objectWords)
				if (verb !== 'copy') this.skipBracket()
				this.takeAll(...objectWords)
				if (this.take('(')) this.statement(queries, undefined)
				else {
					do this.columnsOfTable(queries)
					while (this.take(','))
				}
				return
			case 'comment':
				this.#comment(queries)
				return
			case 'grant':
			case 'revoke':
				this.skipTo('on')
				this.at++
				this.takeAll('table')
				if (this.take('function', 'procedure', 'routine')) this.#routine(queries)
				else if (this.take('schema')) {
					if (this.isCaret) this.note({ kind: 'schema' })
				} else {
					do this.tablePath(queries)
					while (this.take(','))
				}
				return
		}
		if (verb !== 'truncate' && this.noteWords(keywords.objects)) return
		this.takeAll(
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
		if (this.is('definer')) this.skipTo('procedure', 'function', 'trigger', 'view', 'event')
		const what = this.text() ?? ''
		if (verb !== 'truncate' || what === 'table') this.at++
		this.takeAll('if', 'not', 'exists', 'only', 'concurrently')
		if (verb === 'drop' || verb === 'truncate') this.#drop(what, queries)
		else if (verb === 'create') this.#create(what, queries)
		else if (['function', 'procedure', 'routine', 'aggregate'].includes(what)) {
			this.#routine(queries)
		} else if (what === 'type' || what === 'domain') this.#alterType(queries)
		else if (['table', 'index', 'view', 'sequence'].includes(what)) this.#alterTable(queries)
		else if (what === 'schema') {
			if (this.isCaret) this.note({ kind: 'schema' })
		} else this.tablePath(queries)
	}

	#comment(queries: readonly Source[]): void {
		this.skipTo('on')
		this.at++
		if (this.noteWords(['table', 'column', 'function', 'schema', 'view', 'index'])) return
		if (this.take('function', 'procedure', 'routine', 'aggregate')) {
			this.#routine(queries)
			return
		}
		if (!this.take('column')) {
			this.at++
			this.tablePath(queries)
			return
		}
		this.path(path =>
			path.length === 0
				? { kind: 'table', path, queries }
				: { kind: 'columns', targets: [{ alias: '', path }], used: [], path: [] },
		)
	}

	#drop(what: string, queries: readonly Source[]): void {
		const isRoutine = ['function', 'procedure', 'routine', 'aggregate'].includes(what)
		do {
			if (isRoutine) this.#routine(queries)
			else if (what === 'cast') this.#typesIn()
			else if (what === 'schema' || what === 'database') {
				if (this.isCaret) this.note({ kind: 'schema' })
				else this.at++
			} else if (what === 'trigger' || what === 'policy' || what === 'rule') {
				this.newName()
				if (this.take('on')) this.tablePath(queries)
			} else if (what === 'type' || what === 'domain') this.path(path => ({ kind: 'type', path }))
			else this.tablePath(queries)
		} while (this.take(','))
		this.noteWords(['cascade', 'restrict'])
	}

	#create(what: string, queries: readonly Source[]): void {
		switch (what) {
			case 'index': {
				this.skipTo('on')
				this.at++
				const scope = this.target(queries, false)
				if (this.take('using')) this.at++
				this.indexed(scope)
				if (this.take('include')) this.columnNames(scope.sources[0])
				if (this.take('where')) this.operand({ scope, after: keywords.condition })
				return
			}
			case 'view':
				this.newName()
				this.names(() => ({ kind: 'none' }))
				this.skipTo('as')
				this.at++
				this.statement(queries, undefined)
				return
			case 'function':
			case 'procedure':
				this.newName()
				this.parameters(queries)
				this.#createRoutine(queries)
				return
			case 'aggregate':
				this.newName()
				// Without types before: `(basetype = int, …)`.
				if (this.text(2) !== '=') this.parameters(queries)
				this.#settings()
				return
			case 'operator':
				while (this.token && !this.is('(')) this.at++
				this.#settings()
				return
			case 'type':
				this.newName()
				this.#createType(queries)
				return
			case 'domain':
				this.newName()
				this.take('as')
				this.path(path => ({ kind: 'type', path }))
				this.#columnParts({ alias: '', outputs: ['value'] }, queries)
				return
			case 'cast':
				this.#typesIn()
				if (this.take('with') && this.take('function')) this.#routine(queries)
				return
			case 'rule':
				this.newName()
				this.#createRule(queries)
				return
			case 'statistics':
				this.newName()
				this.skipTo('from')
				if (this.take('from')) this.tablePath(queries)
				return
			case 'sequence':
				this.newName()
				this.#sequence(queries)
				return
			case 'publication':
				this.newName()
				this.skipTo('table')
				if (!this.take('table')) return
				do this.columnsOfTable(queries)
				while (this.take(','))
				return
			case 'trigger':
				this.newName()
				this.#createTrigger(queries)
				return
			case 'policy': {
				this.newName()
				this.skipTo('on')
				this.at++
				const scope = this.target(queries, false)
				while (this.token && !this.place) {
					if (this.is('(')) this.bracket({ scope }, undefined)
					else if (!this.noteWords(['using', 'with check', 'for', 'to'])) this.at++
				}
				return
			}
			case 'table':
				this.#createTable(queries)
				return
			default:
				this.unknown(queries)
		}
	}

	/** A routine that exists, with the types of its parameters. */
	#routine(queries: readonly Source[]): void {
		this.path(path => ({ kind: 'routine', path }))
		this.parameters(queries)
	}

	/** The parameters of a routine: a mode, a name and a type, or the type alone. */
	protected parameters(queries: readonly Source[]): void {
		if (!this.take('(')) return
		do {
			this.takeAll('in', 'out', 'inout', 'variadic')
			const isType = this.typeName()
			if (isType && !this.is(',', ')', 'default', '=', 'order')) this.typeName()
			if (this.take('order')) this.take('by')
			if (this.take('default', '=')) this.operand({ scope: emptyScope(queries) })
		} while (this.token && (this.take(',') || this.tokens[this.at - 1]?.text === 'by'))
		this.closeBracket()
	}

	/** `(integer as text)` of a cast. */
	#typesIn(): void {
		if (!this.take('(')) return
		this.typeName()
		if (this.take('as')) this.typeName()
		this.closeBracket()
		if (this.isCaret) this.noteWords(['with function', 'without function', 'with inout'])
	}

	/** `(sfunc = int4pl, stype = int4)`: names of types and routines. */
	#settings(): void {
		if (!this.take('(')) return
		do {
			const name = this.text() ?? ''
			this.at++
			if (!this.take('=')) continue
			if (/(?:type|arg)$/.test(name)) this.typeName()
			else if (/(?:func|procedure|function)$/.test(name)) this.path(path => ({ kind: 'routine', path }))
			this.skipTo(',')
		} while (this.take(','))
		this.closeBracket()
	}

	#createType(queries: readonly Source[]): void {
		this.take('as')
		if (this.take('range')) this.#settings()
		if (!this.take('(')) return
		do {
			this.newName()
			this.typeName()
			this.#columnParts({ alias: '', outputs: [] }, queries)
		} while (this.take(','))
		this.closeBracket()
	}

	#alterType(queries: readonly Source[]): void {
		if (!this.path(path => ({ kind: 'type', path }))) return
		do {
			const isAdded = this.take('add')
			this.takeAll('alter', 'drop', 'attribute', 'if', 'exists', 'set', 'data')
			if (!isAdded && !this.is('default', 'constraint')) this.skipTo('type')
			if (this.take('attribute')) this.newName()
			if (this.take('constraint')) this.newName()
			this.take('type')
			if (this.take('check') && this.is('(')) this.bracket({ scope: emptyScope(queries) }, undefined)
			else if (this.take('default')) this.operand({ scope: emptyScope(queries) })
			else if (isAdded || this.tokens[this.at - 1]?.text === 'type') this.typeName()
			this.skipTo(',')
		} while (this.take(','))
	}

	#createRule(queries: readonly Source[]): void {
		this.skipTo('to')
		if (!this.take('to')) return
		const path = this.tablePath(queries)
		const row = path ? ['new', 'old'].map(alias => ({ alias, path })) : []
		if (this.take('where'))
			this.operand({ scope: { ...emptyScope(queries), sources: row }, after: ['do instead', 'do also'] })
		if (this.noteWords(['do instead', 'do also', 'where'])) return
		this.takeAll('do', 'instead', 'also')
		if (this.noteWords(['nothing', ...this.options.starts])) return
		this.#body(queries, row)
	}

	#sequence(queries: readonly Source[]): void {
		while (this.token) {
			if (this.take('as')) this.typeName()
			else if (this.take('owned')) {
				this.take('by')
				this.path(path =>
					path.length === 0
						? { kind: 'table', path, queries }
						: { kind: 'columns', targets: [{ alias: '', path }], used: [], path: [] },
				)
			} else if (!this.noteWords(['increment by', 'start with', 'owned by', 'as', 'cycle'])) this.at++
		}
	}

	#createRoutine(queries: readonly Source[]): void {
		this.skipTo('return', 'begin', 'returns')
		if (this.take('returns')) {
			if (this.take('table') && this.take('(')) {
				do {
					this.newName()
					this.typeName()
				} while (this.take(','))
				this.closeBracket()
			} else this.typeName()
			this.skipTo('return', 'begin')
		}
		if (this.take('return')) this.operand({ scope: emptyScope(queries) })
		this.#body(queries)
	}

	/** The statements of a routine. @param sources that each of them sees */
	#body(queries: readonly Source[], sources: readonly Source[] = []): void {
		while (this.token && !this.place) {
			if (this.tokens[this.at - 1]?.text === ';' && this.noteWords([...this.options.starts, 'end'])) return
			const from = this.at
			this.unknown(queries, sources)
			if (this.at === from) this.at++
		}
	}

	#createTrigger(queries: readonly Source[]): void {
		const from = this.at
		const on = this.tokens.findIndex(({ kind, text }, at) => at >= from && kind === 'word' && text === 'on')
		const path = on < 0 ? [] : this.namesAt(on + 1)
		const row = path.length > 0 ? ['new', 'old'].map(alias => ({ alias, path })) : []
		while (this.token && !this.is('on')) {
			if (this.isCaret && this.tokens[from]?.kind !== 'caret')
				this.note(
					this.tokens[this.at - 1]?.text === 'of' || this.tokens[this.at - 1]?.text === ','
						? { kind: 'columns', targets: row.slice(0, 1), used: [], path: [] }
						: { kind: 'keywords', keywords: ['before', 'after', 'insert', 'update', 'delete', 'or', 'on', 'of'] },
				)
			else this.at++
		}
		if (!this.take('on')) return
		this.tablePath(queries)
		while (this.token && !this.is('execute', 'when', 'begin', 'set', 'insert', 'update', 'delete', 'select'))
			if (!this.noteWords(['for each row', 'execute function', 'when', 'begin'])) this.at++
		if (this.take('execute')) {
			this.takeAll('function', 'procedure')
			this.path(path => ({ kind: 'routine', path }))
			return
		}
		this.#body(queries, row)
	}

	#createTable(queries: readonly Source[]): void {
		this.newName()
		if (this.take('like')) {
			this.tablePath(queries)
			return
		}
		if (this.take('of')) this.typeName()
		if (this.take('partition')) {
			this.take('of')
			if (!this.tablePath(queries)) return
		}
		const own: string[] = []
		if (this.is('(')) this.#tableElements(own, queries)
		while (this.token) {
			if (this.take('as')) {
				this.statement(queries, undefined)
				return
			}
			if (this.is('in', 'from', 'to', 'with') && this.text(1) === '(') {
				this.at++
				this.bracket({ scope: emptyScope(queries) }, undefined)
			} else if (this.take('inherits') && this.take('(')) {
				do this.tablePath(queries)
				while (this.take(','))
				this.closeBracket()
			} else if (this.is('by') && this.tokens[this.at - 1]?.text === 'partition') {
				this.at += 2
				this.indexed({ ...emptyScope(queries), sources: [{ alias: '', outputs: own }] })
			} else if (!this.noteWords(['as', 'inherits', 'partition by', 'partition of', 'with', 'tablespace'])) this.at++
		}
	}

	/** Columns and constraints of a table. @param own names of its columns, to be filled */
	#tableElements(own: string[], queries: readonly Source[]): void {
		this.take('(')
		if (this.take(')')) return
		do {
			const isConstraint =
				this.is('constraint', 'primary', 'unique', 'check', 'foreign', 'like', 'exclude') ||
				(this.options.joinsInChanges && this.is('key', 'index', 'fulltext', 'spatial'))
			if (this.isCaret) this.note({ kind: 'none' })
			else if (isConstraint) this.#tableConstraint({ alias: '', outputs: own }, queries)
			else {
				own.push(this.token?.name ?? '')
				this.at++
				if (this.take('with')) this.take('options')
				else if (!this.is('default', 'not', 'null', 'primary', ',', ')')) this.typeName()
				this.#columnParts({ alias: '', outputs: own }, queries)
			}
		} while (this.take(','))
		this.closeBracket()
	}

	#columnParts(table: Source, queries: readonly Source[]): void {
		while (this.token && !this.is(',', ')')) {
			if (this.take('references')) this.columnsOfTable(queries)
			else if (this.take('default')) this.operand({ scope: emptyScope(queries), after: keywords.columnConstraints })
			else if (this.take('check')) {
				if (this.is('(')) this.bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
			} else if (this.take('collate')) this.newName()
			else if (this.is('(')) this.bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
			else if (!this.noteWords(keywords.columnConstraints)) this.at++
		}
	}

	#tableConstraint(table: Source, queries: readonly Source[]): void {
		if (this.take('constraint')) this.newName()
		if (this.noteWords(['primary key', 'unique', 'foreign key', 'check'])) return
		if (this.take('like')) this.tablePath(queries)
		else if (this.take('check')) {
			if (this.is('(')) this.bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
		} else {
			this.takeAll(
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
			if (this.isName() && !this.is('using', 'include')) this.at++
			if (this.take('using') && this.isName()) this.at++
			this.indexed({ ...emptyScope(queries), sources: [table] })
			if (this.take('include')) this.columnNames(table)
			if (this.take('references')) this.columnsOfTable(queries)
			if (this.take('where') && this.is('('))
				this.bracket({ scope: { ...emptyScope(queries), sources: [table] } }, undefined)
		}
		this.skipTo(',')
	}

	#alterTable(queries: readonly Source[]): void {
		const [target] = this.target(queries, false).sources
		if (!target || this.noteWords(keywords.alterTable)) return
		do {
			const action = this.text()
			this.at++
			if (
				action === 'add' &&
				this.is('constraint', 'primary', 'unique', 'foreign', 'check', 'index', 'key', 'fulltext')
			)
				this.#tableConstraint(target, queries)
			else if (action === 'rename' && this.take('to')) this.newName()
			else if (['owner', 'attach', 'detach', 'inherit', 'no'].includes(action ?? '')) {
				this.takeAll('to', 'partition', 'inherit')
				if (action !== 'owner') this.tablePath(queries)
			} else this.#alterColumn(action, target)
			this.skipTo(',')
		} while (this.take(','))
	}

	#alterColumn(action: string | undefined, target: Source): void {
		const isModified = action === 'modify' || action === 'change'
		if (!this.take('column') && !isModified && this.noteWords(['column', 'constraint'])) return
		this.takeAll('if', 'exists', 'not')
		if (action === 'drop' && this.is('constraint')) return
		if (action === 'add') {
			if (this.isCaret) this.note({ kind: 'none' })
			else {
				this.at++
				this.typeName()
				this.#columnParts(target, [])
			}
			return
		}
		const path = this.path(() => ({ kind: 'columns', targets: [target], used: [], path: [] }))
		if (!path) return
		if (action === 'rename') {
			if (!this.noteWords(['to']) && this.take('to')) this.newName()
			return
		}
		if (isModified) {
			if (action === 'change') this.newName()
			this.typeName()
			this.#columnParts(target, [])
			return
		}
		if (this.noteWords(['type', 'set default', 'drop default', 'set not null', 'drop not null', 'set data type']))
			return
		this.takeAll('set', 'data')
		if (this.take('type')) {
			this.typeName()
			this.skipTo('using', ',')
			if (this.take('using')) this.operand({ scope: { ...emptyScope([]), sources: [target] } })
		} else if (this.take('default'))
			this.operand({ scope: emptyScope([]), after: [], stored: { target, column: path.at(-1) ?? '' } })
	}
}

/** Kinds of objects between the verb of a statement and a name. */
const objectWords = ['table', 'tables', 'materialized', 'view', 'index', 'concurrently']
