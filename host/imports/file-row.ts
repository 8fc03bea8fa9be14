import type { Json } from '@roundhouse/kit'

/** A row of a file, or why it cannot be read. */
export type FileRow =
	| {
			/** The line in which it begins, from 1. */
			readonly line: number
			/** By field. A field of CSV is text, or `undefined` if nothing stands between two delimiters. */
			readonly values: ReadonlyMap<string, Json | undefined>
	  }
	| { readonly line: number; readonly fault: string }

/** Reads the rows of a text in pieces. It holds one row at most, up to {@link maxRowLength}. */
export interface FileRows {
	/** @throws HostError `import/malformed`, `import/too_long`, after the rows before the fault */
	read(piece: string, isEnd: boolean): Iterable<FileRow>
}

/** Upper limit of one row, in characters. An unclosed quote or bracket must not fill the memory. */
export const maxRowLength = 16 * 1024 * 1024
