import type { ContextKind, Scope, Source } from './context.ts'
import { emptyScope } from './scope.ts'
import type { ReaderToken } from './tokens.ts'
import { keywords, notAliases, notTables } from './words.ts'

/** How an engine's statements differ for a reader. */
export interface ReaderOptions {
	/** Words that begin a statement. */
	readonly starts: readonly string[]
	/** Whether UPDATE and DELETE join tables as FROM does, and INSERT takes SET (MySQL). */
	readonly joinsInChanges: boolean
	/** Whether the engine keeps a name without quotes in lower case. Otherwise case makes no difference. */
	readonly foldsNames: boolean
}

/** Brackets and queries that are read in each other. A deeper text has no completion. */
const mostDepth = 200

/** Walks over the tokens of a statement, and keeps what may stand at the caret: the first that is noted. */
export class Cursor {
	protected readonly tokens: readonly ReaderToken[]
	protected readonly options: ReaderOptions
	protected at = 0
	#depth = 0
	protected place: ContextKind | undefined

	constructor(tokens: readonly ReaderToken[], options: ReaderOptions) {
		this.tokens = tokens
		this.options = options
	}

	protected get token(): ReaderToken | undefined {
		return this.tokens[this.at]
	}

	protected get isCaret(): boolean {
		return this.token?.kind === 'caret'
	}

	/** The word or sign at a place, from here. */
	protected text(ahead = 0): string | undefined {
		const token = this.tokens[this.at + ahead]
		return token?.kind === 'word' || token?.kind === 'symbol' ? token.text : undefined
	}

	protected is(...texts: readonly string[]): boolean {
		const text = this.text()
		return text !== undefined && texts.includes(text)
	}

	protected take(...texts: readonly string[]): boolean {
		if (!this.is(...texts)) return false
		this.at++
		return true
	}

	protected takeAll(...texts: readonly string[]): void {
		while (this.take(...texts)) {}
	}

	protected isName(ahead = 0): boolean {
		const kind = this.tokens[this.at + ahead]?.kind
		return kind === 'word' || kind === 'name'
	}

	protected isSame(a: string, b: string): boolean {
		return this.options.foldsNames ? a === b : a.toLowerCase() === b.toLowerCase()
	}

	protected isQuery(ahead = 0): boolean {
		return ['select', 'with', 'values', 'table'].includes(this.text(ahead) ?? '')
	}

	/** Goes to one of the words outside of brackets, to the end of the bracket, or to the end. */
	protected skipTo(...texts: readonly string[]): void {
		for (let depth = 0; this.token; this.at++) {
			if (this.is('(')) depth++
			else if (this.is(')')) {
				if (depth-- === 0) return
			} else if (depth === 0 && this.is(...texts)) return
			else if (this.isCaret) {
				this.place ??= { kind: 'expression', scope: emptyScope([]), path: [], keywords: keywords.operands }
			}
		}
	}

	protected skipBracket(): void {
		if (!this.take('(')) return
		this.closeBracket()
	}

	protected closeBracket(): void {
		// A clause of the query around it: the text has no closing bracket.
		if (this.token?.kind === 'word' && notTables.has(this.token.text)) return
		this.skipTo()
		this.take(')')
	}

	/** Runs a reader one level deeper. @returns `undefined` if the text is too deep */
	protected deeper<T>(read: () => T): T | undefined {
		if (this.#depth >= mostDepth) {
			this.place ??= { kind: 'none' }
			this.at = this.tokens.length
			return undefined
		}
		this.#depth++
		try {
			return read()
		} finally {
			this.#depth--
		}
	}

	protected note(place: ContextKind): void {
		this.place ??= place
		this.at++
	}

	/** Notes words, if the caret is here. */
	protected noteWords(words: readonly string[]): boolean {
		if (!this.isCaret) return false
		this.note({ kind: 'keywords', keywords: words })
		return true
	}

	/** Reads a name with dots. @returns `undefined` if the caret is a part of it, or if there is none */
	protected path(contextOf: (path: readonly string[]) => ContextKind): readonly string[] | undefined {
		const path: string[] = []
		for (;;) {
			if (this.isCaret) {
				this.note(contextOf(path))
				return undefined
			}
			if (!this.isName() || this.isClauseWord()) return path.length > 0 ? path : undefined
			path.push(this.token?.name ?? '')
			this.at++
			if (!this.take('.')) return path
		}
	}

	/** Whether a clause begins here, so that the name before it is missing. A name may follow a dot directly. */
	protected isClauseWord(): boolean {
		const token = this.token
		const before = this.tokens[this.at - 1]
		if (token?.kind !== 'word' || !notTables.has(token.text)) return false
		return before?.text !== '.' || before.end !== token.start
	}

	/** A name that is new has no completion. */
	protected newName(): void {
		this.path(() => ({ kind: 'none' }))
	}

	protected tablePath(queries: readonly Source[], joins?: Scope): readonly string[] | undefined {
		return this.path(path => ({ kind: 'table', path, queries, ...(joins && { joins }) }))
	}

	protected alias(): string | undefined {
		const hasAs = this.take('as')
		if (hasAs && this.isCaret) {
			this.note({ kind: 'none' })
			return undefined
		}
		const token = this.token
		if (!this.isName() || !token) return undefined
		if (token.kind === 'word' && !hasAs && notAliases.has(token.text)) return undefined
		this.at++
		return token.name
	}

	/** Reads a list of names in brackets. */
	protected names(contextOf: (used: readonly string[]) => ContextKind): readonly string[] | undefined {
		if (!this.take('(')) return undefined
		const used: string[] = []
		const before = this.at - 1
		while (this.token && !this.is(')') && !this.isClauseWord()) {
			const isFirst = this.tokens[this.at - 1]?.text === ',' || this.at === before + 1
			if (this.isCaret) {
				if (!this.place) this.place = contextOf([...used, ...this.#namesBehind()])
				this.at++
			} else if (this.is('(')) this.skipBracket()
			else {
				if (this.isName() && isFirst) used.push(this.token.name)
				this.at++
			}
		}
		this.take(')')
		return used
	}

	/** The names of a list behind the caret. */
	#namesBehind(): readonly string[] {
		const names: string[] = []
		for (let at = this.at + 1; ['name', 'word', 'symbol'].includes(this.tokens[at]?.kind ?? ''); at++) {
			const token = this.tokens[at]
			if (token?.text === ')') break
			if (token?.name && this.tokens[at - 1]?.text === ',') names.push(token.name)
		}
		return names
	}

	protected columnNames(target: Source | undefined, isInsert = false): readonly string[] | undefined {
		return this.names(used => ({ kind: 'columns', targets: target ? [target] : [], used, path: [], isInsert }))
	}

	/** Reads a type. @returns whether there was one */
	protected typeName(): boolean {
		this.take('setof')
		const path = this.path(path => ({ kind: 'type', path }))
		if (!path) return false
		if (['double', 'character', 'bit', 'timestamp', 'time'].includes(path.at(-1) ?? ''))
			this.takeAll('precision', 'varying', 'with', 'without', 'time', 'zone')
		if (this.is('(')) this.skipBracket()
		while (this.take('[')) {
			this.skipTo(']')
			this.take(']')
		}
		return true
	}

	/** The path that begins at a token, without reading it. */
	protected namesAt(from: number): readonly string[] {
		const path: string[] = []
		for (let at = from; this.tokens[at]?.name; at += 2) {
			path.push(this.tokens[at]?.name ?? '')
			if (this.tokens[at + 1]?.text !== '.') break
		}
		return path
	}
}
