import { type Cell, type Column, exactNumber, type ResultBody, toCell } from '@roundhouse/kit'

type Rows = Extract<ResultBody, { readonly view: 'rows' }>

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Reads the text table of a `_cat` answer with a header line (`?v`) as rows. Returns `undefined` if the text is not such a
 * table. Columns are aligned by spaces, and a value may contain spaces itself, so a column begins at a place that is blank
 * in every line.
 */
export function catTable(text: string, maxRows: number): Rows | undefined {
	const [header = '', ...lines] = text.split('\n').filter(line => line.trim() !== '')
	const starts = columnStarts(header, lines)
	if (starts.length === 0) return undefined
	const columns = starts.map((start, index) => ({
		name: header.slice(start, starts[index + 1]).trim(),
		values: lines.map(line => line.slice(start, starts[index + 1]).trim()),
	}))
	const names = columns.map(({ name }) => name)
	if (new Set(names).size < names.length || names.some(name => /\s|^$/.test(name))) return undefined
	const typed = columns.map(({ name, values }) => {
		const isNumber = values.every(value => value === '' || numberPattern.test(value)) && values.some(Boolean)
		return { column: columnOf(name, isNumber), cells: values.map(value => cellOf(value, isNumber)) }
	})
	const count = Math.min(lines.length, maxRows)
	return {
		view: 'rows',
		columns: typed.map(({ column }) => column),
		rows: Array.from({ length: count }, (_, row) => typed.map(({ cells }) => cells[row] ?? null)),
		isTruncated: lines.length > count,
		rawView: 'text',
	}
}

/**
 * Returns the offsets at which columns begin. A column follows a position that is blank in every line, and contains a
 * word of the header.
 */
function columnStarts(header: string, lines: readonly string[]): readonly number[] {
	const width = Math.max(header.length, ...lines.map(({ length }) => length))
	const all = [header, ...lines]
	const isBlank = (at: number) => all.every(line => (line[at] ?? ' ') === ' ')
	const starts: number[] = []
	for (let at = 0; at < width; at++) {
		if (isBlank(at) || (at > 0 && !isBlank(at - 1))) continue
		// If a column value contains a blank, no header word follows this blank.
		const end = nextBlank(isBlank, at, width)
		if (starts.length === 0 || header.slice(at, end).trim() !== '') starts.push(at)
	}
	return starts
}

function nextBlank(isBlank: (at: number) => boolean, from: number, width: number): number {
	let at = from
	while (at < width && !isBlank(at)) at++
	return at
}

function columnOf(name: string, isNumber: boolean): Column {
	const kind = isNumber ? 'number' : 'text'
	return { name, type: kind, kind, isKey: false, isReadOnly: true, isSortable: false }
}

function cellOf(value: string, isNumber: boolean): Cell {
	if (value === '') return null
	return isNumber ? toCell(exactNumber(value)) : value
}
