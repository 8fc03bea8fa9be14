import {
	type Cell,
	type Column,
	type ConsoleResult,
	isExactNumber,
	isJsonObject,
	type Json,
	type JsonObject,
	stringifyJson,
	toCell,
} from '@roundhouse/kit'
import { readFound } from '../grid/page.ts'
import { aggregationRows, type NamedValues } from './aggregation-rows.ts'

type Body = ConsoleResult['body']

/**
 * The view of an answer (contract, part B, "Console output"): a search gives its hits, an array its elements, an
 * aggregation its buckets; anything else is formatted JSON.
 */
export function viewOf(answer: Json, maxRows: number): { readonly body: Body; readonly notices: readonly string[] } {
	if (Array.isArray(answer) && answer.every(isJsonObject)) return plain(table(answer.map(flat), maxRows))
	if (isJsonObject(answer) && isJsonObject(answer.hits) && Array.isArray(answer.hits.hits))
		return searchView(answer, maxRows)
	const tabular = isJsonObject(answer) ? columnsAndValues(answer) : undefined
	return plain(tabular === undefined ? formatted(answer) : table(tabular, maxRows))
}

function plain(body: Body) {
	return { body, notices: [] }
}

function formatted(answer: Json): Body {
	return { view: 'json', json: stringifyJson(answer, 2) }
}

function searchView(answer: JsonObject, maxRows: number) {
	const { hits, total } = readFound(answer)
	const aggregations = isJsonObject(answer.aggregations) ? answer.aggregations : undefined
	if (hits.length === 0 && aggregations !== undefined) {
		const rows = aggregationRows(aggregations)
		return plain(rows === undefined ? formatted(answer) : table(rows, maxRows))
	}
	const body = table(hits.map(hitValues), maxRows, ['_id', '_index', '_score'])
	const notices =
		aggregations === undefined ? [] : ['The answer also holds aggregations; set "size": 0 to see them as a table.']
	return { body: total !== undefined && body.view === 'rows' ? { ...body, total } : body, notices }
}

/** A hit: its metadata, its document flattened, and what else the search asked for. */
function hitValues(hit: JsonObject): NamedValues {
	const { _id, _index, _score, _source, _type: _, _seq_no, _primary_term, _version, ...others } = hit
	const values = new Map<string, Json | undefined>([
		['_id', _id],
		['_index', _index],
		['_score', _score ?? null],
	])
	if (isJsonObject(_source)) flatten(_source, '', values)
	for (const [name, value] of Object.entries(others)) values.set(name, value)
	return values
}

function flat(object: JsonObject): NamedValues {
	const values = new Map<string, Json | undefined>()
	flatten(object, '', values)
	return values
}

function flatten(object: JsonObject, prefix: string, values: Map<string, Json | undefined>) {
	for (const [key, value] of Object.entries(object)) {
		if (isJsonObject(value) && Object.keys(value).length > 0) flatten(value, `${prefix}${key}.`, values)
		else values.set(`${prefix}${key}`, value)
	}
}

/** ES|QL answers with columns and rows of values. */
function columnsAndValues({ columns, values }: JsonObject): NamedValues[] | undefined {
	if (!Array.isArray(columns) || !Array.isArray(values) || !columns.every(isJsonObject)) return undefined
	return values.map(
		row => new Map(columns.map((column, index) => [String(column.name), Array.isArray(row) ? row[index] : null])),
	)
}

/** Columns in the order in which the rows bring them. */
function table(rows: readonly NamedValues[], maxRows: number, first: readonly string[] = []): Body {
	const names = [...new Set([...first, ...rows.flatMap(row => [...row.keys()])])]
	const shown = rows.slice(0, maxRows)
	return {
		view: 'rows',
		columns: names.map(name => columnFor(name, rows)),
		rows: shown.map(row => names.map((name): Cell => toCell(row.get(name)))),
		isTruncated: rows.length > shown.length,
	}
}

function columnFor(name: string, rows: readonly NamedValues[]): Column {
	const sample = rows.map(row => row.get(name)).find(value => value !== undefined && value !== null)
	const [type, kind] = typeOf(sample)
	return { name, type, kind, isKey: name === '_id', isReadOnly: true, isSortable: false }
}

function typeOf(value: Json | undefined): readonly [string, Column['kind']] {
	if (typeof value === 'number' || isExactNumber(value)) return ['number', 'number']
	if (typeof value === 'boolean') return ['boolean', 'boolean']
	return typeof value === 'object' && value !== null ? ['json', 'json'] : ['string', 'text']
}
