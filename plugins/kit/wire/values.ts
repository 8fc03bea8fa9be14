import { z } from 'zod'
import { type AggregateQuery, measureFunctions } from '../api/aggregate.ts'
import { type Cell, isCutCell } from '../api/cell.ts'
import type { Change, ChangeOutcome } from '../api/change.ts'
import type { ServerInfo } from '../api/connection.ts'
import type {
	AskedPlace,
	Assessment,
	Completions,
	Effect,
	Explainable,
	Held,
	Pasted,
	ResultOrder,
	Statement,
	Verdict,
} from '../api/console.ts'
import type { Encoded } from '../api/encoded.ts'
import { type DriverErrorCode, driverErrorCodes } from '../api/errors.ts'
import type { Explained } from '../api/explain.ts'
import { type ExportOptions, exportFormats, type StatementExportOptions } from '../api/export.ts'
import type { FactSection } from '../api/facts.ts'
import { filterOperators } from '../api/filter.ts'
import type { HiddenColumns, HiddenPart } from '../api/hidden-columns.ts'
import { type ImportOptions, importConflicts } from '../api/import.ts'
import { exportId, type Settings, settingValueSchema } from '../api/manifest.ts'
import type { Completion, CompletionRequest } from '../api/mcp.ts'
import type { RawReading } from '../api/raw-query.ts'
import type { Count, GridQuery, PageBorder, RowCount } from '../api/rows.ts'
import type { SimilarGroups, SimilarQuery } from '../api/similar.ts'
import type { DatabaseObject, FilledAction, FoundColumn, FoundTable, Table, TableAction } from '../api/table.ts'
import type { TableChange, TableForm, TableFormPlace, TriedChange } from '../api/table-form.ts'
import { tied } from './tied.ts'

/** Schemas of the driver API's values, each tied to its type. */

export const handle = z.int().nonnegative()
export const shortText = z.string().max(100_000)
const offset = z.int().nonnegative()
export const errorCode = z.enum(Object.keys(driverErrorCodes) as [DriverErrorCode, ...DriverErrorCode[]])

export const bytes: z.ZodType<Uint8Array> = z.instanceof(Uint8Array, {
	error: 'it must be bytes, as encode() returns them',
})
/** Bytes that the driver encoded. The host forwards them without parsing; only the final reader parses them. */
export const encoded = <T>(): z.ZodType<Encoded<T>> => bytes

export const list = <T>(item: z.ZodType<T>, most = Number.POSITIVE_INFINITY): z.ZodType<readonly T[]> =>
	z.array(item).max(most)

export const settings = tied<Settings>()(z.record(z.string(), settingValueSchema))

export const serverInfo = tied<ServerInfo>()(
	z.object({
		product: shortText,
		version: shortText,
		notices: z.array(shortText).max(100),
		timeZone: z.string().min(1).max(100).exactOptional(),
	}),
)

const counted = z.object({
	value: z.number().nonnegative(),
	isExact: z.boolean(),
	bound: z.enum(['least', 'about']).exactOptional(),
})
const count = tied<Count>()(counted)
export const rowCount = tied<RowCount>()(counted.extend({ notice: shortText.exactOptional() }))

const sort = z.array(z.object({ column: z.string(), direction: z.enum(['asc', 'desc']) }))

/** Columns of a result by their indices. */
export const resultOrder = tied<ResultOrder>()(
	z.object({
		columns: z.int().positive().max(10_000),
		by: z.array(z.object({ at: z.int().nonnegative(), direction: z.enum(['asc', 'desc']) })).max(10),
		where: z
			.array(
				z.object({
					at: z.int().nonnegative(),
					is: z.enum(['same', 'other']),
					text: z.string().max(100_000).nullable(),
					kind: z.enum(['text', 'number', 'boolean', 'date']),
				}),
			)
			.max(20)
			.optional(),
	}),
)

const factState = z.enum(['good', 'warning', 'bad']).exactOptional()
const fact = z.object({ name: shortText, value: shortText, state: factState })

export const table = tied<Table>()(
	z.object({
		name: shortText,
		kind: z.string().min(1).max(100).exactOptional(),
		path: z.array(z.string().min(1).max(1000)).max(10).exactOptional(),
		title: shortText.exactOptional(),
		database: shortText.exactOptional(),
		cannot: z
			.object({
				update: shortText.exactOptional(),
				insert: shortText.exactOptional(),
				delete: shortText.exactOptional(),
			})
			.exactOptional(),
		rowCount: z.number().nonnegative().exactOptional(),
		isRowCountEstimated: z.boolean().exactOptional(),
		partitionOf: z.string().exactOptional(),
		sizeBytes: z.number().nonnegative().exactOptional(),
		condition: z.object({ state: z.enum(['closed', 'bad', 'warning']), text: shortText }).exactOptional(),
		sort: sort.max(10).exactOptional(),
		details: z
			.array(
				z.object({
					name: z.string().min(1).max(100),
					value: z.union([z.string().max(1000), z.number()]),
					state: factState,
				}),
			)
			.max(20)
			.exactOptional(),
	}),
)

const actionField = z.object({
	key: z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/),
	label: z.string().min(1).max(200),
	type: z.enum(['text', 'number', 'select', 'switch']),
	default: settingValueSchema.exactOptional(),
	placeholder: z.string().exactOptional(),
	help: z.string().exactOptional(),
	required: z.boolean().exactOptional(),
	options: z.array(z.object({ value: z.string(), label: z.string() })).exactOptional(),
	visibleWhen: z.object({ field: z.string(), is: z.array(settingValueSchema) }).exactOptional(),
})

export const tableAction = tied<TableAction>()(
	z
		.object({
			label: z.string().min(1).max(200),
			text: z.string(),
			isDraft: z.boolean().exactOptional(),
			removes: z.literal(true).exactOptional(),
			form: z
				.object({
					id: z.string().min(1).max(100),
					fields: z.array(actionField).max(50),
					canRun: z.boolean().exactOptional(),
				})
				.exactOptional(),
		})
		.refine(({ text, form }) => (text === '') === (form !== undefined), { message: 'has either a text or a form' }),
)

export const filledAction = tied<FilledAction>()(
	z.object({ tables: z.array(z.string()).max(10_000), form: z.string(), values: settings }),
)

const mostParts = 5_000
const ids = z.array(z.string()).max(mostParts)
const definition = z.object({
	path: z.array(z.string()).max(10),
	name: z.string().max(1000),
	comment: shortText.exactOptional(),
	columns: z
		.array(
			z.object({
				id: z.string(),
				name: z.string().max(1000),
				type: shortText,
				isNotNull: z.boolean(),
				default: shortText.exactOptional(),
				comment: shortText.exactOptional(),
				attributes: shortText.exactOptional(),
			}),
		)
		.max(mostParts),
	keys: z
		.array(
			z.object({
				id: z.string(),
				name: z.string().max(1000),
				kind: z.enum(['primary', 'unique', 'foreign', 'check']),
				columns: ids,
				references: z
					.object({ table: z.string(), columns: ids, onDelete: z.string(), onUpdate: z.string() })
					.exactOptional(),
				expression: shortText.exactOptional(),
			}),
		)
		.max(mostParts),
	indexes: z
		.array(
			z.object({
				id: z.string(),
				name: z.string().max(1000),
				method: z.string().max(100),
				isUnique: z.boolean(),
				columns: z.array(z.object({ column: z.string(), isDescending: z.boolean() })).max(mostParts),
			}),
		)
		.max(mostParts),
})

export const tableFormPlace = tied<TableFormPlace>()(
	z.union([z.object({ table: z.string() }), z.object({ path: z.array(z.string()).max(10) })]),
)

export const tableForm = tied<TableForm>()(
	z.object({
		definition,
		types: z.array(shortText).max(mostParts),
		defaults: z.array(shortText).max(100),
		keys: z.array(definition.shape.keys.element.shape.kind).max(4),
		methods: z.array(z.string().min(1).max(100)).max(100),
		rules: z.array(z.string().min(1).max(100)).max(20),
		movesColumns: z.boolean(),
		savesWhole: z.boolean().exactOptional(),
		notice: shortText.exactOptional(),
		untouched: z.array(shortText).max(mostParts),
		database: z.string().max(1_000).exactOptional(),
	}),
)

export const tableChange = tied<TableChange>()(z.object({ before: definition.exactOptional(), after: definition }))

export const triedChange = tied<TriedChange>()(
	z.object({
		untried: shortText.exactOptional(),
		tookMs: z.number().nonnegative().exactOptional(),
		facts: z.array(fact).max(1_000),
		fault: shortText.exactOptional(),
	}),
)

export const foundTable = tied<FoundTable>()(
	z.object({
		name: shortText,
		kind: z.string().min(1).max(100),
		detail: shortText.exactOptional(),
		sort: sort.max(10).exactOptional(),
	}),
)

export const foundColumn = tied<FoundColumn>()(z.object({ table: shortText, name: shortText, type: shortText }))

export const hiddenColumns = tied<HiddenColumns>()(
	z.object({
		table: z.string(),
		columns: list(z.string(), 10_000),
		mayCount: list(z.string(), 10_000).exactOptional(),
		isOptional: z.boolean().exactOptional(),
	}),
)

export const hiddenPart = tied<HiddenPart>()(
	z.object({
		columns: list(shortText, 10_000),
		counted: list(shortText, 10_000).exactOptional(),
		refused: shortText.exactOptional(),
		takesNoChanges: shortText.exactOptional(),
		changes: z
			.object({
				inserts: z.boolean(),
				deletes: z.boolean(),
				updates: list(shortText, 10_000),
				insertSets: list(shortText, 10_000).exactOptional(),
				reason: shortText.exactOptional(),
			})
			.exactOptional(),
	}),
)

export const databaseObject = tied<DatabaseObject>()(
	z.object({
		name: shortText,
		kind: z.string().min(1).max(100),
		path: z.array(shortText).max(10),
		title: shortText,
	}),
)

const filters = z.array(
	z.object({ column: z.string(), operator: z.enum(filterOperators), values: z.array(z.string()) }),
)
const match = z.enum(['all', 'any'])

const rowQuery = z.object({
	table: z.string(),
	filters,
	match,
	raw: z.string().exactOptional(),
	isReload: z.boolean().exactOptional(),
})
export const gridQuery = tied<GridQuery>()(rowQuery.extend({ sort }))
export const pageBorder = tied<PageBorder>()(z.object({ offset: z.int().positive(), position: z.string().max(4_000) }))
export const unsortedQuery = tied<Omit<GridQuery, 'sort'>>()(rowQuery)

export const aggregateQuery = tied<AggregateQuery>()(
	rowQuery.omit({ isReload: true }).extend({
		groups: z.array(z.object({ column: z.string(), interval: z.string().exactOptional() })).max(10),
		measures: z.array(z.object({ function: z.enum(measureFunctions), column: z.string() })).max(20),
		order: z
			.object({
				measure: z.union([z.int().nonnegative(), z.literal(['count', 'group'])]),
				direction: z.enum(['asc', 'desc']),
			})
			.exactOptional(),
		limit: z.int().positive().max(10_000),
	}),
)

export const similarQuery = tied<SimilarQuery>()(
	rowQuery.omit({ isReload: true }).extend({
		column: z.string(),
		time: z.string(),
		from: z.iso.datetime(),
		to: z.iso.datetime(),
		parts: z.int().positive().max(200),
		limit: z.int().positive().max(1_000),
	}),
)

export const similarGroups = tied<SimilarGroups>()(
	z.object({
		groups: list(
			z.object({
				pattern: shortText,
				count: z.number().nonnegative(),
				example: shortText,
				first: shortText,
				last: shortText,
				counts: list(z.number().nonnegative(), 200),
				filters,
			}),
			1_000,
		),
		notices: list(shortText),
	}),
)

export const exportOptions = tied<ExportOptions>()(
	z.object({
		format: exportId,
		columns: z.array(z.string()).exactOptional(),
		rowIds: z.array(z.string()).max(10_000).exactOptional(),
		limit: z.int().positive().exactOptional(),
		guardFormulas: z.boolean().exactOptional(),
		without: list(z.string(), 10_000).exactOptional(),
	}),
)

export const statementExportOptions = tied<StatementExportOptions>()(
	z.object({ format: z.enum(exportFormats), guardFormulas: z.boolean().exactOptional() }),
)

const cell = tied<Cell>()(
	z.union([
		z.null(),
		z.boolean(),
		z.string(),
		z.number(),
		z.strictObject({ number: z.string() }),
		z.strictObject({ json: z.string(), cutFrom: z.number().exactOptional() }),
		z.strictObject({ text: z.string(), cutFrom: z.number() }),
		z.strictObject({ bytes: z.base64(), cutFrom: z.number().exactOptional() }),
		z.strictObject({ unread: z.literal(true) }),
		z.strictObject({ missing: z.literal(true) }),
	]),
)
/**
 * Accepts any column name. `z.record` is not used, because it drops the key `__proto__`, so a change to a column with
 * that name would be lost silently.
 */
const cells = z.preprocess(
	value => (typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : value),
	z.map(z.string(), cell).transform((byName): Readonly<Record<string, Cell>> => Object.fromEntries(byName)),
)
const rowRef = { rowId: z.string(), version: z.string().exactOptional() }
export const change = tied<Change>()(
	z
		.discriminatedUnion('kind', [
			z.object({ kind: z.literal('update'), ...rowRef, set: cells }),
			z.object({ kind: z.literal('insert'), values: cells }),
			z.object({ kind: z.literal('delete'), ...rowRef }),
		])
		.refine(isWhole, 'a new value must not be cut'),
)

/** Only values that are read can be cut, not values that are written. */
function isWhole(change: Change): boolean {
	if (change.kind === 'delete') return true
	const written = change.kind === 'insert' ? change.values : change.set
	return !Object.values(written).some(isCutCell)
}

export const changeOutcome = tied<ChangeOutcome>()(
	z.discriminatedUnion('status', [
		z.object({
			status: z.literal('applied'),
			rowId: shortText.exactOptional(),
			version: shortText.exactOptional(),
			values: z.record(z.string(), cell).exactOptional(),
		}),
		z.object({ status: z.literal('conflict'), message: shortText }),
		z.object({ status: z.literal('failed'), message: shortText, column: shortText.exactOptional() }),
		z.object({ status: z.literal('unknown'), message: shortText }),
		z.object({ status: z.literal('not_sent') }),
	]),
)

export const importOptions = tied<ImportOptions>()(
	z.object({ columns: z.array(z.string()).min(1), onConflict: z.enum(importConflicts) }),
)
export const importedRows = list(list(cell.refine(value => !isCutCell(value), 'a new value must not be cut')), 10_000)

export const access = z.enum(['read', 'write', 'destructive'])

const askedPlace = tied<AskedPlace>()(
	z.object({
		start: offset,
		end: offset,
		name: z.string().max(100),
		doubled: z.string().max(10).exactOptional(),
	}),
)

export const faultDetails = {
	at: offset.exactOptional(),
	hint: shortText.exactOptional(),
	engineCode: z.string().max(200).exactOptional(),
}

const fault = z.object({ code: errorCode, message: shortText, ...faultDetails })

const judged = z.object({
	start: offset,
	end: offset,
	access,
	summary: shortText,
	reason: shortText.exactOptional(),
	isOpaque: z.literal(true).exactOptional(),
	isSelective: z.literal(true).exactOptional(),
	secrets: list(z.object({ start: offset, end: offset }), 10_000).exactOptional(),
	isUnread: z.boolean().exactOptional(),
	transaction: z.enum(['begins', 'commits', 'rolls_back', 'undone']).exactOptional(),
	grant: z.object({ target: z.string().min(1).max(1000), rows: z.int().nonnegative() }).exactOptional(),
	asks: list(askedPlace, 10_000).exactOptional(),
	fault: fault.exactOptional(),
})
export const verdict = tied<Verdict>()(judged)
export const parameters = cells.refine(values => !Object.values(values).some(isCutCell), 'a value must not be cut')
export const statement = tied<Statement>()(judged.extend({ text: z.string(), parameters: parameters.exactOptional() }))

/** Members of `Namespace`. */
export const namespace = {
	database: z.string().max(1_000).exactOptional(),
	schema: z.string().min(1).max(1_000).exactOptional(),
}

export const explainable = tied<Explainable>()(
	z.union([
		z.object({
			statement,
			isPlanOnly: z.boolean().exactOptional(),
			...namespace,
		}),
		z.object({ query: gridQuery }),
	]),
)
export const explained = tied<Explained>()(
	z.object({
		wasRun: z.boolean(),
		tookMs: z.number().nonnegative().exactOptional(),
		steps: z
			.array(
				z.object({
					name: shortText,
					detail: shortText.exactOptional(),
					depth: z.int().nonnegative().max(1000),
					rows: z.number().nonnegative().exactOptional(),
					estimatedRows: z.number().nonnegative().exactOptional(),
					estimatedCost: z.number().nonnegative().exactOptional(),
					tookMs: z.number().nonnegative().exactOptional(),
					loops: z.number().nonnegative().exactOptional(),
					share: z.number().min(0).max(1).exactOptional(),
				}),
			)
			.max(1000),
		notices: z.array(shortText).max(100),
	}),
)

const changedRow = z.array(z.string().max(1000).nullable()).max(2000)
const changedCount = z.int().nonnegative()

export const effect = tied<Effect>()(
	z.object({
		tables: z
			.array(
				z.object({
					table: shortText,
					inserted: changedCount,
					updated: changedCount,
					deleted: changedCount,
					rows: z
						.object({
							columns: z.array(shortText).max(2000),
							changes: z
								.array(z.object({ before: changedRow.exactOptional(), after: changedRow.exactOptional() }))
								.max(10),
						})
						.exactOptional(),
					keys: z.string().max(200).exactOptional(),
				}),
			)
			.max(1000),
		place: z.string().max(1000),
	}),
)

export const held = tied<Held>()(
	z.object({ identity: z.string().min(1).max(1000), rows: z.int().nonnegative().exactOptional() }),
)

export const assessment = tied<Assessment>()(
	z.object({
		effect: effect.exactOptional(),
		unrehearsed: shortText.exactOptional(),
		fault: fault.exactOptional(),
		affects: count.exactOptional(),
		destroys: shortText.exactOptional(),
		held: held.exactOptional(),
		scope: z.string().min(1).max(1000).exactOptional(),
	}),
)

export const pasted = tied<Pasted>()(z.object({ text: z.string(), notice: shortText.exactOptional() }))

export const completions = tied<Completions>()(
	z.object({
		from: offset,
		options: z
			.array(
				z.object({
					label: shortText,
					kind: z.enum(['method', 'endpoint', 'parameter', 'keyword', 'function', 'schema', 'table', 'column']),
					detail: shortText.exactOptional(),
					info: shortText.exactOptional(),
					url: z
						.url({ protocol: /^https$/ })
						.max(2000)
						.exactOptional(),
					isDeprecated: z.boolean().exactOptional(),
					insert: shortText.exactOptional(),
					cursor: z.int().nonnegative().exactOptional(),
					replacesAfter: z.int().nonnegative().max(100).exactOptional(),
					isCertain: z.boolean().exactOptional(),
				}),
			)
			.max(1000),
	}),
)

export const rawReading = tied<RawReading>()(
	z.object({
		completions,
		understood: shortText.exactOptional(),
		fault: shortText.exactOptional(),
		correction: shortText.exactOptional(),
	}),
)

const action = z.object({ label: shortText, statement: shortText })
export const factSection = tied<FactSection>()(
	z.object({
		title: shortText,
		facts: z.array(fact).max(10_000).exactOptional(),
		list: z
			.object({
				columns: z.array(shortText).max(100),
				rows: z
					.array(
						z.object({
							cells: z.array(shortText).max(100),
							state: factState,
							actions: z.array(action).max(4).exactOptional(),
						}),
					)
					.max(10_000),
			})
			.exactOptional(),
		code: shortText.exactOptional(),
		notice: shortText.exactOptional(),
		statement: shortText.exactOptional(),
	}),
)

export const completionRequest = tied<CompletionRequest>()(
	z.object({
		ref: z.discriminatedUnion('type', [
			z.object({ type: z.literal('ref/prompt'), name: z.string() }),
			z.object({ type: z.literal('ref/resource'), uri: z.string() }),
		]),
		argument: z.object({ name: z.string(), value: z.string() }),
		context: z.record(z.string(), z.string()).exactOptional(),
	}),
)

export const completion = tied<Completion>()(
	z.object({
		values: z.array(z.string()).max(100),
		total: z.int().exactOptional(),
		hasMore: z.boolean().exactOptional(),
	}),
)
