import {
	type Cell,
	type Column,
	type ConsoleResult,
	type FactSection,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
	logTextNames,
	type ResultOrigin,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'
import { foundIn } from '../grid/page.ts'
import { aggregationRows, type ChartAxis, type NamedValues } from './aggregation-rows.ts'
import { bulkAnswer } from './bulk-answer.ts'
import { type EsqlAnswer, esqlAnswer, esqlWarnings } from './esql-answer.ts'
import { clusterWarnings, leftOut, leftOutNotice } from './left-out.ts'
import { panelsOf } from './panels.ts'
import { suggestionRows } from './suggestion-rows.ts'

type Body = ConsoleResult['body']

/** A part of an answer beside its hits. */
export interface TitledView extends View {
	readonly title: string
}

interface View {
	readonly body: Body
	readonly notices: readonly string[]
	/** The aggregations of an answer that has hits too. */
	readonly beside?: readonly TitledView[]
}

/** How a response is shown. */
export interface ResponseView extends View {
	readonly panels: readonly FactSection[]
}

/** Properties of the request that affect the view. */
export interface RequestProperties {
	/** Whether the request asks for values by column instead of by row. */
	readonly isColumnar?: boolean
}

/**
 * Returns the view of a response (contract, part B, "Console output"): hits for a search, elements for an array, buckets
 * for an aggregation; formatted JSON for anything else. A notice names what the rows do not show.
 */
export function viewOf(response: Json, maxRows: number, properties: RequestProperties = {}): ResponseView {
	const { panels, shown } = panelsOf(response)
	return { ...bodyOf(response, { maxRows, properties, shown }), panels }
}

/** Options of a view: the row limit, the properties of the request, and the members that panels already show. */
interface ViewOptions {
	readonly maxRows: number
	readonly properties: RequestProperties
	readonly shown: readonly string[]
}

/** @param shown members that panels already show */
function bodyOf(response: Json, { maxRows, properties: { isColumnar }, shown }: ViewOptions): View {
	if (Array.isArray(response) && response.every(isJsonObject)) return table(response.map(flat), maxRows)
	if (!isJsonObject(response)) return view(asJson)
	const warnings = clusterWarnings(response)
	const isSearch = isJsonObject(response.hits) && Array.isArray(response.hits.hits)
	if (isSearch) return withNotices(warnings, searchView(response, maxRows, shown))
	const bulk = bulkAnswer(response)
	if (bulk) return withNotices(bulk.notices, table(bulk.rows, maxRows))
	if (!('columns' in response)) return view(asJson)
	const esql = esqlAnswer(response, isColumnar)
	const before = [...esqlWarnings(response), ...warnings]
	if (esql === undefined) return view(asJson, before)
	const shownRows = table(esql.rows, maxRows, { first: [...esql.types.keys()], types: esql.types })
	return withNotices(before, withChart(esqlAxis(esql), shownRows), leftOutNotice(leftOut(response)))
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

function withNotices(before: readonly string[], view: View, after: readonly string[] = []): View {
	return { ...view, notices: [...before, ...view.notices, ...after] }
}

/** The response as JSON. The client formats it. */
const asJson: Body = { view: 'json' }

/** A search without hits is shown by its aggregations, its suggestions, or its profile. */
function searchView(response: JsonObject, maxRows: number, shown: readonly string[]): View {
	const { hits, total } = foundIn(response)
	const { aggregations, suggest } = response
	if (hits.length === 0 && isJsonObject(aggregations)) {
		const found = aggregationView(aggregations, maxRows)
		return found ? withNotices([], found, leftOutNotice(leftOut(response, [...shown, 'aggregations']))) : view(asJson)
	}
	const suggestions = isJsonObject(suggest) ? suggestionRows(suggest) : []
	if (hits.length === 0 && suggestions.length > 0)
		return withNotices(
			[],
			table(suggestions.map(flatRow), maxRows),
			leftOutNotice(leftOut(response, [...shown, 'suggest'])),
		)
	const beside = isJsonObject(aggregations) ? besideHits(aggregations, maxRows) : []
	const others = leftOut(response, [...shown, ...(beside.length > 0 ? ['aggregations'] : [])])
	if (hits.length === 0 && 'profile' in response) return view(asJson)
	const found = hits.map(hitValues)
	const { body, notices } = table(found, maxRows, { first: readFirst(found) })
	const counted =
		body.view === 'rows' ? { ...body, ...(total !== undefined && { total }), ...originOf(hits, body.columns) } : body
	return { ...view(counted, [...notices, ...leftOutNotice(others)]), ...(beside.length > 0 && { beside }) }
}

/** Returns aggregations as a table, or `undefined` if they do not fit one. */
function aggregationView(aggregations: JsonObject, maxRows: number): View | undefined {
	const found = aggregationRows(aggregations)
	if (found === undefined) return undefined
	const rows = withTotals(found.totals, computed(table(found.rows, maxRows)))
	return withNotices(found.notices, withChart(found.axis, rows))
}

/** Returns the aggregations of an answer with hits: one table, or each for itself if they do not fit one. */
function besideHits(aggregations: JsonObject, maxRows: number): readonly TitledView[] {
	const all = aggregationView(aggregations, maxRows)
	if (all) return [{ title: 'Aggregations', ...all }]
	return Object.entries(aggregations).map(([title, one]) => {
		const found = aggregationView({ [title]: one }, maxRows)
		return { title, ...(found ?? view({ view: 'json', json: stringifyJson(one) })) }
	})
}

/** Returns the one index that all hits are from, whose documents they name by their ids. */
function originOf(hits: readonly JsonObject[], columns: readonly Column[]): { readonly origins?: ResultOrigin[] } {
	const [index, ...others] = new Set(hits.map(({ _index }) => _index))
	if (typeof index !== 'string' || others.length > 0 || !hits.every(({ _id }) => typeof _id === 'string')) return {}
	const documents = hits.flatMap(({ _source }) => (isJsonObject(_source) ? [flat(_source)] : []))
	const names = columns.map(({ name }) =>
		name === '_id' || documents.some(document => document.has(name)) ? name : '',
	)
	const at = columns.findIndex(({ name }) => name === '_id')
	return { origins: [{ table: index, key: [{ column: '_id', at }], columns: [...columns.keys()], names }] }
}

function computed({ body, notices }: View): View {
	return { body: body.view === 'rows' ? { ...body, isComputed: true } : body, notices }
}

/** Adds the totals over all rows, if an aggregation returns totals. */
function withTotals(totals: NamedValues, { body, notices }: View): View {
	if (totals.size === 0 || body.view !== 'rows') return { body, notices }
	const named = [...totals].map(([name, value]) => ({ name, value: toCell(value) }))
	return { body: { ...body, totals: named }, notices }
}

/** Adds a chart of the numbers along an axis. */
function withChart(axis: ChartAxis | undefined, { body, notices }: View): View {
	if (axis === undefined || body.view !== 'rows' || body.rows.length < 2) return { body, notices }
	const { name: by, ...others } = axis
	const { columns } = body
	/** Parts of a bar must add up, which means do not. */
	const isDrawn = ({ name, type }: Column) =>
		axis.stack === undefined || name === 'doc_count' || /^(?:long|integer|unsigned_long)$/.test(type)
	const values = columns
		.filter(column => column.kind === 'number' && column.name !== by && column.name !== axis.stack && isDrawn(column))
		.map(({ name }) => name)
	return values.length === 0 ? { body, notices } : { body: { ...body, chart: { by, ...others, values } }, notices }
}

/**
 * Returns the columns that come first: the metadata, or the time and the text of hits of a log. Only a few columns are in
 * view beside the request.
 */
function readFirst(hits: readonly NamedValues[]): readonly string[] {
	const named = (names: readonly string[]) => names.find(name => hits.some(hit => typeof hit.get(name) === 'string'))
	const time = named(['@timestamp', 'timestamp'])
	const text = named(logTextNames)
	return time === undefined || text === undefined ? ['_id', '_index', '_score'] : [time, text]
}

/** Returns the columns of a hit: its flattened document, its metadata, and other members that the search requested. */
function hitValues(hit: JsonObject): NamedValues {
	const { _id, _index, _score, _source, _type: _, _seq_no, _primary_term, _version, ...others } = hit
	const values = new Map<string, Json | undefined>()
	if (isJsonObject(_source)) flatten(Object.entries(_source), '', values)
	const metadata = { _id, _index, _score: _score ?? null }
	for (const [name, value] of Object.entries(metadata)) values.set(name, value)
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

/**
 * Upper limit of columns. If data is used as keys, each key becomes a column, and the columns could exhaust the memory.
 */
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

/**
 * Maximum number of characters of a table. The window parses a table at once, so a longer table would block the window.
 */
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
	return [
		`Only the first ${shown} of ${wanted} rows are shown, because they are long. The raw response contains all of them.`,
	]
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
