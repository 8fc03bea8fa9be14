import type { Token } from './lexer.ts'

/** A statement in a text, without the blanks and comments around it and without its end (`;`). */
export interface Piece {
	readonly start: number
	readonly end: number
	readonly tokens: readonly Token[]
	/** The lines below COPY … FROM STDIN, up to a line `\.`, which belongs to the piece. */
	readonly data?: string
}

/** Finds the statements of a text. Pieces without words are left out. */
export type Split = (text: string) => readonly Piece[]
