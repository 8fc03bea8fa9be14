import type { ExportOptions, GridQuery, JsonObject } from '@roundhouse/kit'
import { runtimeFields } from '../grid/page.ts'
import { ResultWindow } from '../grid/result-window.ts'
import { columnsOf } from '../mapping/columns.ts'
import type { Mapping } from '../mapping/mapping.ts'
import type { SortKey } from '../mapping/sort-key.ts'
import type { QueryPlan } from '../query/query.ts'
import { byLastWrite, isByScore, planSort } from '../query/sort.ts'
import { isAtLeast, type Version } from '../transport/product.ts'
import type { Transport } from '../transport/transport.ts'
import { chosenSource } from './chosen-source.ts'
import { DocumentExport } from './document-export.ts'
import { encoderOf } from './encoder.ts'
import { PointSource } from './point-source.ts'
import { ScrollSource } from './scroll-source.ts'
import { SelectionSource } from './selection-source.ts'

interface ExportedTable {
	readonly transport: Transport
	readonly version: Version
	readonly mapping: Mapping
	readonly plan: QueryPlan
	readonly query: GridQuery
}

/** Opens the export of a filtered and sorted table, or of selected rows. */
export async function openExport(
	{ transport, version, mapping, plan, query }: ExportedTable,
	options: ExportOptions,
	signal: AbortSignal,
): Promise<DocumentExport> {
	const { query: matching, isRanked } = plan
	const { keys: sorted } = planSort(query.sort, mapping, plan)
	const keys = options.without?.length ? [...sorted, byLastWrite] : sorted
	const columns = options.columns ?? namesOf(mapping, isRanked && isByScore(keys))
	const encoder = encoderOf(options, columns, mapping)
	if (options.rowIds !== undefined) {
		return new DocumentExport(
			new SelectionSource({ transport, table: query.table }, options.rowIds),
			encoder,
			options.limit,
		)
	}
	const body = {
		query: matching,
		...(isRanked && columns.includes('_score') && { track_scores: true }),
		...documentsOf(columns, options, mapping),
		...(options.format === 'csv' && runtimeFields(mapping)),
	}
	const { limit = Number.POSITIVE_INFINITY } = options
	const whole = {
		transport,
		table: query.table,
		body,
		keys: orderOf(keys, isRanked),
		limit,
		window: new ResultWindow(mapping.windowRows),
	}
	const source = isAtLeast(version, 7, 12) ? await PointSource.open(whole, signal) : new ScrollSource(whole)
	return new DocumentExport(source, encoder, limit)
}

/** A CSV of chosen columns needs only a part of each document, which can have thousands of fields. */
function documentsOf(
	columns: readonly string[],
	{ format, columns: chosen, without = [] }: ExportOptions,
	mapping: Mapping,
): JsonObject {
	if (without.length > 0) return { _source: { excludes: without } }
	if (format !== 'csv' || chosen === undefined) return {}
	const source = chosenSource(columns, mapping)
	return source === undefined ? {} : { _source: source }
}

/** Like the grid. A score without a ranking would be a column of zeros. */
function namesOf(mapping: Mapping, isRanked: boolean): string[] {
	const names = columnsOf(mapping).map(column => column.name)
	return isRanked ? names : names.filter(name => name !== '_score')
}

/** Like the grid. */
function orderOf(keys: readonly SortKey[], isRanked: boolean): readonly SortKey[] {
	return keys.length === 0 && isRanked ? [{ field: '_score', order: 'desc', nestedIn: [] }] : keys
}
