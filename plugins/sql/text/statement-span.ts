import type { Token } from './lexer.ts'

/** A statement in a text, without the blanks and comments around it and without its end (`;`). */
export interface StatementSpan {
	readonly start: number
	readonly end: number
	readonly tokens: readonly Token[]
	/** The lines below COPY … FROM STDIN, up to a line `\.`, which belongs to the statement. */
	readonly data?: string
}

/** Finds the statements of a text. Statements without words are left out. */
export type Split = (text: string) => readonly StatementSpan[]
