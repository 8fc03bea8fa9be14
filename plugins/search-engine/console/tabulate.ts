import {
	type Cell,
	type Column,
	type ConsoleResult,
	type FactSection,
	fromCell,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'
import { foundIn } from '../grid/page.ts'
import { aggregationRows, type ChartAxis, type NamedValues } from './aggregation-rows.ts'
import { type EsqlAnswer, esqlAnswer, esqlTroubles } from './esql-answer.ts'
import { clusterTroubles, leftOut, leftOutNotice } from './left-out.ts'
import { panelsOf } from './panels.ts'
import { suggestionRows } from './suggestion-rows.ts'

type Body = ConsoleResult['body']

interface View {
	readonly body: Body
	readonly notices: readonly string[]
}

/** How an answer is shown. */
export interface Shown extends View {
	readonly panels: readonly FactSection[]
}

/** What is known of the request. */
export interface Asked {
	/** Whether the request asked for values by column instead of by row. */
	readonly isColumnar?: boolean
}

/**
 * Returns the view of an answer (contract, part B, "Console output"): hits for a search, elements for an array, buckets
 * for an aggregation; formatted JSON for anything else. A notice names what the rows do not show.
 */
export function viewOf(answer: Json, maxRows: number, asked: Asked = {}): Shown {
	const { panels, shown } = panelsOf(answer)
	return { ...bodyOf(answer, { maxRows, asked, shown }), panels }
}

/** How much of an answer is shown. `shown` are the parts that panels show. */
interface ShownPart {
	readonly maxRows: number
	readonly asked: Asked
	readonly shown: readonly string[]
}

/** @param shown members that panels already show */
function bodyOf(answer: Json, { maxRows, asked: { isColumnar }, shown }: ShownPart): View {
	if (Array.isArray(answer) && answer.every(isJsonObject)) return table(answer.map(flat), maxRows)
	if (!isJsonObject(answer)) return view(asJson)
	const troubles = clusterTroubles(answer)
	const isSearch = isJsonObject(answer.hits) && Array.isArray(answer.hits.hits)
	if (isSearch) return withNotices(troubles, searchView(answer, maxRows, shown))
	if (!('columns' in answer)) return view(asJson)
	const esql = esqlAnswer(answer, isColumnar)
	const before = [...esqlTroubles(answer), ...troubles]
	if (esql === undefined) return view(asJson, before)
	const shownRows = table(esql.rows, maxRows, { first: [...esql.types.keys()], types: esql.types })
	const axis = esqlAxis(esql)
	return withNotices(before, drawnBy(axis, shownRows), leftOutNotice(leftOut(answer)))
}

/** Returns the column of time, and the column with the parts of each instant if the rows are groups of both. */
function esqlAxis({ types, rows }: EsqlAnswer): ChartAxis | undefined {
	const namesOf = (...kinds: readonly string[]) =>
		[...types].filter(([, type]) => kinds.includes(type)).map(([name]) => name)
	const [name] = namesOf('date', 'date_nanos')
	if (name === undefined) return undefined
	const [stack, ...others] = namesOf('keyword')
	if (stack === undefined || others.length > 0) return { name, isTime: true }
	const times = new Set(rows.map(row => row.get(name)))
	const groups = new Set(rows.map(row => stringifyJson([row.get(name) ?? null, row.get(stack) ?? null])))
	const isGrouped = times.size < rows.length && groups.size === rows.length
	return { name, isTime: true, ...(isGrouped && { stack }) }
}

function view(body: Body, notices: readonly string[] = []): View {
	return { body, notices }
}

function withNotices(before: readonly string[], { body, notices }: View, after: readonly string[] = []): View {
	return { body, notices: [...before, ...notices, ...after] }
}

/** Unchanged. The reader formats it. */
const asJson: Body = { view: 'json' }

/** A search without hits is shown by its aggregations, its suggestions, or its profile. */
function searchView(answer: JsonObject, maxRows: number, shown: readonly string[]): View {
	const { hits, total } = foundIn(answer)
	const { aggregations, suggest } = answer
	if (hits.length === 0 && isJsonObject(aggregations)) {
		const found = aggregationRows(aggregations)
		if (found === undefined) return view(asJson)
		const others = leftOutNotice(leftOut(answer, [...shown, 'aggregations']))
		return withNotices(found.notices, drawnBy(found.axis, withTotals(found.totals, table(found.rows, maxRows))), others)
	}
	const suggestions = isJsonObject(suggest) ? suggestionRows(suggest) : []
	if (hits.length === 0 && suggestions.length > 0)
		return withNotices(
			[],
			table(suggestions.map(flatRow), maxRows),
			leftOutNotice(leftOut(answer, [...shown, 'suggest'])),
		)
	const others = leftOut(answer, shown)
	if (hits.length === 0 && 'profile' in answer) return view(asJson)
	const { body, notices } = table(hits.map(hitValues), maxRows, { first: ['_id', '_index', '_score'] })
	const counted = total !== undefined && body.view === 'rows' ? { ...body, total } : body
	return view(counted, [...notices, ...leftOutNotice(others)])
}

/** Adds the values over all rows, if an aggregation has some. */
function withTotals(totals: NamedValues, { body, notices }: View): View {
	if (totals.size === 0 || body.view !== 'rows') return { body, notices }
	const named = [...totals].map(([name, value]) => ({ name, value: toCell(value) }))
	return { body: { ...body, totals: named }, notices }
}

const hasValue = (cell: Cell | undefined) => cell !== undefined && fromCell(cell) !== undefined

/** Adds a chart of the numbers along an axis. */
function drawnBy(axis: ChartAxis | undefined, { body, notices }: View): View {
	if (axis === undefined || body.view !== 'rows' || body.rows.length < 2) return { body, notices }
	const { name: by, ...others } = axis
	const { columns, rows } = body
	const stackAt = columns.findIndex(({ name }) => name === axis.stack)
	/** A column may have values only in rows over all parts. */
	const isDrawn = (index: number) => stackAt === -1 || rows.some(row => hasValue(row[index]) && hasValue(row[stackAt]))
	const values = columns
		.filter(({ name, kind }, index) => kind === 'number' && name !== by && name !== axis.stack && isDrawn(index))
		.map(({ name }) => name)
	return values.length === 0 ? { body, notices } : { body: { ...body, chart: { by, ...others, values } }, notices }
}

/** Returns a hit as columns: its metadata, its flattened document, and what else the search requested. */
function hitValues(hit: JsonObject): NamedValues {
	const { _id, _index, _score, _source, _type: _, _seq_no, _primary_term, _version, ...others } = hit
	const values = new Map<string, Json | undefined>([
		['_id', _id],
		['_index', _index],
		['_score', _score ?? null],
	])
	if (isJsonObject(_source)) flatten(Object.entries(_source), '', values)
	for (const [name, value] of Object.entries(others)) values.set(name, value)
	return values
}

function flat(object: JsonObject): NamedValues {
	return flatRow(new Map(Object.entries(object)))
}

function flatRow(row: NamedValues): NamedValues {
	const values = new Map<string, Json | undefined>()
	flatten(row, '', values)
	return values
}

function flatten(
	entries: Iterable<readonly [string, Json | undefined]>,
	prefix: string,
	values: Map<string, Json | undefined>,
) {
	for (const [key, value] of entries) {
		if (isJsonObject(value) && Object.keys(value).length > 0) flatten(Object.entries(value), `${prefix}${key}.`, values)
		else values.set(`${prefix}${key}`, value)
	}
}

/** Upper limit of columns. Rows with data as keys would create a column for each key, more than memory can hold. */
const maxColumns = 1_000

/** The columns that come first, and their types. */
interface ColumnHints {
	readonly first?: readonly string[] | undefined
	readonly types?: ReadonlyMap<string, string> | undefined
}

/** Makes a table. Columns are in the order of their first occurrence. */
function table(
	rows: readonly NamedValues[],
	maxRows: number,
	{ first = [], types = new Map() }: ColumnHints = {},
): View {
	const samples = samplesOf(rows, first)
	const names = [...samples.keys()].slice(0, maxColumns)
	const cells: (readonly Cell[])[] = []
	for (let length = 0; cells.length < Math.min(rows.length, maxRows) && length < maxCharacters; ) {
		const row = rows[cells.length]
		const own = names.map((name): Cell => toCell(row?.get(name)))
		cells.push(own)
		length += lengthOf(own)
	}
	const body: Body = {
		view: 'rows',
		columns: names.map(name => columnFor(name, samples.get(name), types.get(name))),
		rows: cells,
		isTruncated: rows.length > cells.length,
	}
	return view(body, [...columnsNotice(samples.size), ...rowsNotice(cells.length, Math.min(rows.length, maxRows))])
}

/** Upper limit of a table. The window reads it all at once, and a longer one would block it. */
const maxCharacters = 4_000_000

function lengthOf(cells: readonly Cell[]): number {
	let length = 0
	for (const cell of cells) {
		if (typeof cell === 'string') length += cell.length
		else length += typeof cell === 'object' && cell !== null && 'json' in cell ? cell.json.length : 10
	}
	return length
}

function rowsNotice(shown: number, wanted: number): string[] {
	if (shown === wanted) return []
	return [`Only the first ${shown} of ${wanted} rows are shown, because they are long. The raw answer has all of them.`]
}

function columnsNotice(count: number): string[] {
	if (count <= maxColumns) return []
	return [`Only ${maxColumns.toLocaleString('en')} of the ${count.toLocaleString('en')} columns are shown.`]
}

/** Returns the columns, each with the first value that shows its kind. */
function samplesOf(rows: readonly NamedValues[], first: readonly string[]): ReadonlyMap<string, Json | undefined> {
	const samples = new Map<string, Json | undefined>(first.map(name => [name, undefined]))
	for (const row of rows) {
		for (const [name, value] of row) {
			const known = samples.get(name)
			if (known === undefined || known === null) samples.set(name, value)
		}
	}
	return samples
}

function columnFor(name: string, sample: Json | undefined, engineType: string | undefined): Column {
	const [type, kind] = typeOf(sample)
	return { name, type: engineType ?? type, kind, isKey: name === '_id', isReadOnly: true, isSortable: false }
}

function typeOf(value: Json | undefined): readonly [string, Column['kind']] {
	if (typeof value === 'number' || isExactNumber(value)) return ['number', 'number']
	if (typeof value === 'boolean') return ['boolean', 'boolean']
	return typeof value === 'object' && value !== null ? ['json', 'json'] : ['string', 'text']
}
