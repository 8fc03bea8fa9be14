import type { Scope, Source, Stored } from './context.ts'
import { Cursor } from './cursor.ts'
import { behindOperand, betweenOperands, clauses, constants, endings, keywords } from './words.ts'

/** What is known of an operand that is read. */
export interface Operand {
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

/** Reads expressions: operands, calls, windows, and the queries in them. */
export abstract class ExpressionReader extends Cursor {
	/** Reads a query. @returns its scope, or `undefined` if the text is too deep */
	protected abstract query(before: readonly Source[], parent: Scope | undefined): Scope | undefined

	/** @returns their number */
	protected operands(operand: Operand, stored: readonly Operand['stored'][] = []): number {
		let count = 0
		do {
			const to = stored[count]
			this.operand(to ? { ...operand, stored: to } : operand)
			count++
		} while (this.take(','))
		return count
	}

	protected sorts(scope: Scope): void {
		do {
			this.operand({ scope, after: keywords.sort, takesOutputs: true })
			while (this.take('asc', 'desc', 'nulls', 'first', 'last')) {
				const isNulls = this.tokens[this.at - 1]?.text === 'nulls'
				this.noteWords(isNulls ? ['first', 'last'] : ['nulls first', 'nulls last', 'limit', 'offset'])
			}
		} while (this.take(','))
	}

	protected operand(operand: Operand): void {
		this.deeper(() => this.#anyOperand(operand))
	}

	/** Reads an expression up to a word or a sign that no expression has. */
	#anyOperand({ scope, before = [], after = ['and', 'or'], stored, isJoinStart, takesOutputs, listed }: Operand): void {
		const from = this.at
		let needsOperand = true
		let isFirst = isJoinStart === true
		let cases = 0
		/** The operand before, if it is a column, and the one that the next operand is compared with. */
		let left: readonly string[] | undefined
		let compared = listed
		const inside: Operand = { scope, before: ['select'] }
		for (; this.token; isFirst = false) {
			const token = this.token
			const text = this.text()
			const isWord = token.kind === 'word'
			if (token.kind === 'caret') {
				if (!needsOperand) this.note({ kind: 'keywords', keywords: [...(cases > 0 ? keywords.cases : []), ...after] })
				else
					this.note({
						kind: 'expression',
						scope,
						path: [],
						keywords: [
							...(stored ? ['default'] : []),
							...(this.at === from ? before : []),
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
				this.at++
				this.operands(inside)
				this.skipTo(']')
				this.take(']')
				needsOperand = false
			} else if (text === '(') {
				this.bracket(inside, compared)
				needsOperand = false
				compared = undefined
			} else if (isWord && this.#endsOperand(token.text, cases > 0)) return
			else if (isWord && text === 'case') {
				cases++
				this.at++
				needsOperand = true
				left = undefined
				compared = undefined
			} else if (isWord && text === 'end' && cases > 0) {
				cases--
				this.at++
				needsOperand = false
			} else if (isWord && text === 'over') {
				this.#over(scope)
				needsOperand = false
			} else if (isWord && text === 'filter' && this.text(1) === '(') {
				this.at += 2
				if (!this.noteWords(['where']) && this.take('where')) this.operand(inside)
				this.closeBracket()
			} else if (isWord && text === 'within' && this.text(1) === 'group') {
				this.at += 2
				if (this.take('(') && this.take('order') && this.take('by')) this.sorts(scope)
				this.closeBracket()
				needsOperand = false
			} else if (isWord && (text === 'rollup' || text === 'cube' || text === 'grouping') && needsOperand) {
				this.at++
				this.take('sets')
			} else if (isWord && constants.has(token.text) && needsOperand) {
				this.at++
				needsOperand = false
			} else if (isWord && betweenOperands.has(token.text)) {
				const hasLeft = !needsOperand
				this.at++
				if (text === 'is') {
					if (!this.noteWords(['null', 'not null', ...keywords.tests]) && this.take('not'))
						this.noteWords(['null', ...keywords.tests])
					if (!this.take('distinct')) {
						needsOperand = true
						continue
					}
					this.noteWords(['from'])
					this.take('from')
					compared = left
					needsOperand = true
					continue
				}
				if (text === 'not' && hasLeft && this.noteWords(['in', 'like', 'between', 'null'])) {
					needsOperand = false
					continue
				}
				if (text === 'collate') {
					this.newName()
					needsOperand = false
					continue
				}
				if (text === 'in') {
					if (this.is('(')) this.bracket(inside, left)
					compared = undefined
					needsOperand = this.tokens[this.at - 1]?.text === 'in'
					continue
				}
				compared = text === 'like' || text === 'ilike' || text === 'when' ? left : text === 'not' ? compared : undefined
				needsOperand = true
			} else if (text === '::') {
				this.at++
				this.path(path => ({ kind: 'type', path }))
				this.skipBracket()
				needsOperand = false
			} else if (text === '*' && needsOperand) {
				this.at++
				needsOperand = false
			} else if (text === '.') {
				this.at++
				if (this.isCaret) this.note({ kind: 'none' })
				else this.at++
				needsOperand = false
			} else if (token.kind === 'symbol') {
				this.at++
				compared = /^(?:=|<>|!=|<|>|<=|>=|<=>)$/.test(token.text) ? left : undefined
				needsOperand = true
			} else if (token.kind === 'word' || token.kind === 'name') {
				// A second name is an alias, or the rest of a half-written text.
				if (!needsOperand && behindOperand.has(token.text)) {
					this.at++
					if (text === 'at') {
						this.takeAll('time', 'zone')
						needsOperand = true
					}
					continue
				}
				if (!needsOperand && (cases === 0 || text === 'from')) return
				if (this.isClauseWord() && this.text(1) !== '(') return
				left = this.#reference(scope, { compared, stored, isJoinStart: isFirst })
				needsOperand = false
			} else {
				this.at++
				needsOperand = false
			}
		}
	}

	#endsOperand(word: string, isCase: boolean): boolean {
		if (endings.has(word)) return true
		if (!clauses.has(word)) return false
		if (isCase && (word === 'when' || word === 'then')) return false
		const isCall = this.text(1) === '('
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
		const path = [this.token?.name ?? '']
		this.at++
		while (this.take('.')) {
			if (this.isCaret) {
				const isStart = isJoinStart && path.length === 1
				this.note({ kind: 'expression', scope, path, keywords: [], compared, stored, ...(isStart && { isJoinStart }) })
				break
			}
			if (this.take('*')) break
			if (!this.isName() || this.isClauseWord()) break
			path.push(this.token?.name ?? '')
			this.at++
		}
		if (path.length === 1 && ['timestamp', 'time'].includes(path[0] ?? ''))
			this.takeAll('with', 'without', 'time', 'zone')
		if (!this.is('(')) return path
		this.at++
		this.#call(path, scope)
		return undefined
	}

	/** A query, or operands, in brackets. */
	protected bracket(inside: Operand, compared: readonly string[] | undefined): void {
		this.at++
		if (this.isQuery()) this.query(inside.scope.queries, inside.scope)
		else this.operands({ ...inside, listed: compared })
		// Of a call whose name is not written yet.
		if (this.take('order') && this.take('by')) this.sorts(inside.scope)
		this.closeBracket()
	}

	#call([name]: readonly string[], scope: Scope): void {
		const called = name?.toLowerCase() ?? ''
		if (called === 'cast' || called === 'try_cast') {
			this.operand({ scope, after: ['as'] })
			if (this.take('as')) this.path(path => ({ kind: 'type', path }))
		} else if (this.isQuery()) this.query(scope.queries, scope)
		else {
			const isPlain = !this.take('distinct', 'all')
			this.operands({ scope, before: isPlain ? ['distinct'] : [], after: ['and', 'or', 'order by'] })
			this.#wordsInCall(scope, called)
		}
		this.closeBracket()
	}

	/** Arguments behind words: `extract(year from x)`, `json_object('a' value x returning text)`. */
	#wordsInCall(scope: Scope, called: string): void {
		while (this.token && !this.is(')', ';')) {
			if (this.take('order')) {
				if (this.noteWords(['by'])) return
				this.take('by')
				this.sorts(scope)
			} else if (this.take('returning', 'type')) this.typeName()
			else if (this.is('from') ? !takesFrom.has(called) : this.is(...clausesOfQuery)) return
			else {
				this.at++
				this.operands({ scope })
			}
		}
	}

	#over(scope: Scope): void {
		this.at++
		if (this.take('(')) this.window(scope)
		else if (this.isCaret) this.note({ kind: 'window', windows: scope.windows })
		else this.at++
	}

	protected window(scope: Scope): void {
		this.noteWords(keywords.window)
		if (this.isName() && !this.is('partition', 'order', 'rows', 'range', 'groups')) this.at++
		for (;;) {
			if (this.take('partition')) {
				if (!this.noteWords(['by']) && this.take('by')) this.operands({ scope, after: keywords.window.slice(1) })
			} else if (this.take('order')) {
				if (!this.noteWords(['by']) && this.take('by')) this.sorts(scope)
			} else if (this.take('rows', 'range', 'groups')) this.#frame(scope)
			else if (!this.noteWords(keywords.window)) break
		}
		this.closeBracket()
	}

	#frame(scope: Scope): void {
		while (this.token && !this.is(')')) {
			const before = this.tokens[this.at - 1]?.text ?? ''
			const isBound = before === 'between' || before === 'and'
			if (this.noteWords(isBound ? keywords.frame : ['between', ...keywords.frame])) continue
			if (this.is('(')) this.bracket({ scope }, undefined)
			else if (this.take('::')) this.path(path => ({ kind: 'type', path }))
			else this.at++
		}
	}
}

/** Clauses that no call has in its brackets, so that the closing one is missing. */
const clausesOfQuery = ['where', 'group', 'having', 'limit', 'union', 'select', 'join', 'set']

/** Functions with the word FROM between their arguments. */
const takesFrom: ReadonlySet<string> = new Set(['extract', 'trim', 'substring', 'overlay', 'position', 'convert'])
