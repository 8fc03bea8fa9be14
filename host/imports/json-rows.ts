import { isExactNumber, isJsonObject, type Json, parseJson } from '@roundhouse/kit'
import { messageOf } from '../../base/errors.ts'
import { importErrors } from './errors.ts'
import { type FileRow, type FileRows, maxRowLength } from './file-row.ts'

/** Reads one JSON object in each line. */
export class JsonLineRows implements FileRows {
	#rest = ''
	#line = 1;

	*read(piece: string, isEnd: boolean): Iterable<FileRow> {
		const lines = (this.#rest + piece).split('\n')
		// Without a newline behind it, the last line may go on.
		this.#rest = isEnd ? '' : (lines.pop() ?? '')
		for (const line of lines) {
			if (line.trim() !== '') yield rowOf(line, this.#line)
			this.#line++
		}
		if (this.#rest.length > maxRowLength) throw importErrors.make('too_long', { line: this.#line, limit: maxRowLength })
	}
}

/** Reads the objects of one JSON array, of which it holds one at a time. */
export class JsonArrayRows implements FileRows {
	#isBegun = false
	#isClosed = false
	#isFirst = true
	/** Text of the current element. */
	#rest = ''
	/** How much of it was looked at. */
	#seen = 0
	#depth = 0
	#isInString = false
	#line = 1
	/** The line in which the text of the current element begins. */
	#lineOfRest = 1;

	*read(piece: string, isEnd: boolean): Iterable<FileRow> {
		this.#rest += piece
		if (!this.#isBegun) this.#begin(isEnd)
		if (this.#isBegun) yield* this.#elements()
		if (isEnd && this.#isBegun && !this.#isClosed) this.#refuse('the array is not closed')
		if (this.#isClosed && this.#rest.trim() !== '') this.#refuse('text follows the array')
		if (this.#rest.length > maxRowLength) {
			throw importErrors.make('too_long', { line: this.#lineOfRest, limit: maxRowLength })
		}
	}

	#begin(isEnd: boolean): void {
		const [blank = ''] = /^\s*/.exec(this.#rest) ?? []
		if (blank.length === this.#rest.length && !isEnd) return
		// An empty file has no rows.
		if (blank.length === this.#rest.length) return
		for (const character of blank) if (character === '\n') this.#line++
		if (this.#rest[blank.length] !== '[') this.#refuse('the file is not a JSON array')
		this.#isBegun = true
		this.#cut(blank.length + 1)
	}

	/** Finds the commas and the bracket that end an element. Parsing the element finds everything else. */
	*#elements(): Iterable<FileRow> {
		const marks = /["\\{}[\],\n]/g
		while (!this.#isClosed) {
			marks.lastIndex = this.#seen
			const found = marks.exec(this.#rest)
			if (!found) {
				this.#seen = this.#rest.length
				return
			}
			const [mark] = found
			const { index } = found
			// What is escaped may be in the next piece.
			if (mark === '\\' && index + 1 >= this.#rest.length) {
				this.#seen = index
				return
			}
			this.#seen = index + (mark === '\\' ? 2 : 1)
			if (mark === '\n') this.#line++
			else if (mark === '"') this.#isInString = !this.#isInString
			else if (this.#isInString || mark === '\\') continue
			else if (mark === '{' || mark === '[') this.#depth++
			else if (this.#depth > 0 && mark !== ',') this.#depth--
			else if (mark === '}') this.#refuse('a bracket closes nothing')
			else if (this.#depth === 0) yield* this.#end(index, mark === ']')
		}
	}

	*#end(index: number, isLast: boolean): Iterable<FileRow> {
		const text = this.#rest.slice(0, index)
		const isEmpty = text.trim() === ''
		// Only the array itself may be empty.
		if (!isEmpty || !(isLast && this.#isFirst)) yield rowOf(text, this.#lineOfRest + leadingLines(text))
		this.#isFirst = false
		this.#isClosed = isLast
		this.#cut(index + 1)
	}

	#cut(end: number): void {
		this.#rest = this.#rest.slice(end)
		this.#seen = 0
		this.#lineOfRest = this.#line
	}

	#refuse(reason: string): never {
		throw importErrors.make('malformed', { line: this.#line, reason })
	}
}

const leadingLines = (text: string) => /^\s*/.exec(text)?.[0].match(/\n/g)?.length ?? 0

function rowOf(text: string, line: number): FileRow {
	try {
		const row = parseJson(text)
		if (!isJsonObject(row)) return { line, fault: 'it is not a JSON object' }
		if (isDeeperThan(row, mostLevels)) return { line, fault: `it has more than ${mostLevels} levels` }
		return { line, values: new Map(Object.entries(row)) }
	} catch (error) {
		return { line, fault: `it is not JSON: ${messageOf(error)}` }
	}
}

/** JSON of more levels can be parsed, but not printed: that would overflow the stack and end the whole import. */
const mostLevels = 1_000

function isDeeperThan(value: Json, levels: number): boolean {
	if (typeof value !== 'object' || value === null || isExactNumber(value)) return false
	return levels === 0 || Object.values(value).some(part => isDeeperThan(part, levels - 1))
}
