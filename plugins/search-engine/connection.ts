import {
	type Aggregated,
	type AggregateQuery,
	type Assessment,
	type Call,
	type Change,
	type ChangeOutcome,
	type Connection,
	DriverError,
	type Encoded,
	type Explainable,
	type Explained,
	type ExportOptions,
	encode,
	encodeWithRaw,
	exportFormats,
	type FactSection,
	type FilledAction,
	type FoundTable,
	type GridOpening,
	type GridQuery,
	type HiddenColumns,
	type HiddenPart,
	type PreviewOptions,
	type RawReading,
	type RowCount,
	type RowExport,
	type ServerInfo,
	type SimilarGroups,
	type SimilarQuery,
	stringifyJson,
	type Table,
	type TableAction,
	type TableDescription,
	type TypedQuery,
	type WholeRow,
} from '@roundhouse/kit'
import { addAlias, aliasFormId } from './actions/add-alias.ts'
import { changeSettings, settingsFormId } from './actions/change-settings.ts'
import { createFormId, createIndex } from './actions/create-index.ts'
import { readCurrentSettings } from './actions/read-current-settings.ts'
import { reindex, reindexFormId } from './actions/reindex.ts'
import { aliasesOf, removeAlias, removeAliasFormId } from './actions/remove-alias.ts'
import { tableActions, targetOf } from './actions/table-actions.ts'
import { vectorSearch, vectorSearchForm } from './actions/vector-search.ts'
import { aggregated, aggregationBody } from './aggregate/aggregate.ts'
import { lacksCategories, similarBody, similarFields, similarGroups } from './aggregate/similar.ts'
import { withLookUps } from './console/assess.ts'
import { assessChanges } from './console/assess-changes.ts'
import { RestConsole } from './console/rest-console.ts'
import { applyChanges } from './edit/apply.ts'
import { insertAgain } from './edit/insert-again.ts'
import { type EditedTable, isRowIn } from './edit/plan.ts'
import { previewChanges } from './edit/preview.ts'
import { readRawDocument } from './edit/read-document.ts'
import { explain, searchOfRows, searchOfStatement } from './explain/explain.ts'
import { openExport } from './export/open-export.ts'
import { clusterFacts } from './facts/cluster-facts.ts'
import { indexFacts } from './facts/index-facts.ts'
import { DocumentGrid } from './grid/document-grid.ts'
import { FirstPage } from './grid/first-page.ts'
import { GridSearch } from './grid/grid-search.ts'
import { HeldViews } from './grid/held-views.ts'
import { refuseFailed, troublesOf } from './grid/page.ts'
import { decodeRowId, encodeRowId, rowKeyOf, rowVersionOf } from './grid/row-id.ts'
import { readHiddenPart } from './hidden/hidden-part.ts'
import { keyRequest } from './hidden/restricted-key.ts'
import { Catalog } from './mapping/catalog.ts'
import { findTables, listTables } from './mapping/find-tables.ts'
import { type Mapping, readMapping } from './mapping/mapping.ts'
import type { CountTop } from './query/frequent-values.ts'
import { planQuery, type QueryPlan } from './query/query.ts'
import { fittingRawQuery, slipsOf } from './query/raw-query.ts'
import { readRawQuery } from './query/read-raw-query.ts'
import { refuseSyntaxError } from './query/syntax-error.ts'
import { numberOf, objectOf } from './transport/answer.ts'
import type { ClusterIdentity } from './transport/cluster-identity.ts'
import type { Engine, Product, Version } from './transport/product.ts'
import { pathOf } from './transport/request-path.ts'
import type { Transport } from './transport/transport.ts'

const noMapping = readMapping({})

const limitedList: FactSection = {
	title: 'Indices',
	notice:
		'This credential may not list all indices (privilege monitor). The list has only those that it may use, without their sizes and health.',
}

interface ConnectedCluster {
	readonly product: Product
	readonly identity: ClusterIdentity
	readonly notices: readonly string[]
	readonly timeZone: string
}

/** An open connection: implements the kit's interface with the parts of this driver. */
export class SearchConnection implements Connection {
	readonly transport: Transport
	readonly console: RestConsole
	readonly #product: Product
	readonly #catalog: Catalog
	readonly #identity: ClusterIdentity
	readonly #notices: readonly string[]
	readonly #timeZone: string
	readonly #views = new HeldViews()
	#lacksCategories = false

	constructor(transport: Transport, { product, identity, notices, timeZone }: ConnectedCluster) {
		this.transport = transport
		this.#product = product
		this.#identity = identity
		this.#catalog = new Catalog(transport)
		this.console = new RestConsole(transport, {
			catalog: this.#catalog,
			version: product.version,
			identity,
			topOf: (table, call) => this.#topOf(table, call),
		})
		this.#notices = notices
		this.#timeZone = timeZone
	}

	get version(): Version {
		return this.#product.version
	}

	/** The certain properties of the engine, for the classification of requests. */
	get engine(): Engine {
		return this.#identity.engine
	}

	info(): ServerInfo {
		return {
			...this.#product.info,
			notices: [...this.#product.info.notices, ...this.#notices],
			timeZone: this.#timeZone,
		}
	}

	listTables(call: Call): Promise<readonly Table[]> {
		return listTables(this.#catalog, call.signal)
	}

	async restrictedLogin(hidden: readonly HiddenColumns[], call: Call): Promise<string> {
		return keyRequest({ hidden, tables: await this.listTables(call) })
	}

	hiddenPart(table: string, hidden: readonly HiddenColumns[], call: Call): Promise<HiddenPart> {
		return readHiddenPart({ transport: this.transport, version: this.version }, { table, marks: hidden }, call.signal)
	}

	findTables(text: string, call: Call): Promise<readonly FoundTable[]> {
		return findTables(this.#catalog, text, call.signal)
	}

	async tableActions(tables: readonly string[], call: Call): Promise<readonly TableAction[]> {
		const [listed, current, sources] = await Promise.all([
			this.#catalog.listed(call.signal),
			this.#currentSettings(tables, call),
			// Without the aliases, the other actions work.
			this.#catalog.sources(call.signal).catch(() => []),
		])
		const closed = listed.filter(({ condition }) => condition?.state === 'closed').map(({ name }) => name)
		const { isServerless } = this.engine
		const actions = tableActions(tables, {
			closed: new Set(closed),
			aliases: aliasesOf(tables, sources),
			current,
			isServerless,
		})
		const [table, ...others] = tables
		if (table === undefined || others.length > 0 || closed.includes(table)) return actions
		// Without the mapping, the other actions work.
		const mapping = await this.#catalog.smallMapping(table, call.signal).catch(() => undefined)
		const form = mapping && vectorSearchForm(mapping, this.version)
		return form === undefined ? actions : [{ label: 'Search by vector …', text: '', form }, ...actions]
	}

	async fillAction({ tables, form, values }: FilledAction, call: Call): Promise<string> {
		if (form === createFormId) return createIndex(values)
		if (form === settingsFormId)
			return changeSettings(targetOf(tables), values, await this.#currentSettings(tables, call))
		if (form === removeAliasFormId) return removeAlias(tables, values, await this.#catalog.sources(call.signal))
		const [table = ''] = tables
		const mapping = await this.#catalog.mapping(table, call.signal)
		if (form === reindexFormId) return reindex(tables, values, mapping)
		if (form === aliasFormId) return addAlias(tables, values, mapping)
		return vectorSearch({ table, mapping, version: this.version }, values)
	}

	#currentSettings(tables: readonly string[], { signal }: Call) {
		return readCurrentSettings({ transport: this.transport, isServerless: this.engine.isServerless }, tables, signal)
	}

	describeTable(table: string, call: Call): Promise<TableDescription> {
		return this.#catalog.describe(table, call.signal)
	}

	async openGrid(query: GridOpening, call: Call): Promise<DocumentGrid> {
		const current = query.isReload ? undefined : this.#catalog.recent(query.table)
		const ahead = current ? undefined : this.#requestAhead(query)
		try {
			const mapping = current ?? (await this.#catalog.refresh(query.table, call.signal))
			const plan = await this.#plan(query, mapping, call)
			return new DocumentGrid({
				transport: this.transport,
				product: this.#product,
				query,
				plan,
				mapping,
				ahead,
				timeZone: this.#timeZone,
				views: this.#views,
			})
		} catch (error) {
			ahead?.drop()
			throw error
		}
	}

	/**
	 * Requests the first page while the mapping is read, if its search is known: from an older mapping, or without one if
	 * the query needs none.
	 */
	#requestAhead(query: GridOpening): FirstPage | undefined {
		const { firstPage, table, filters, sort, raw, givesPositions } = query
		const known = this.#catalog.known(table)
		const needsMapping = filters.length > 0 || sort.length > 0
		if (firstPage === undefined || givesPositions || raw !== undefined || (needsMapping && known === undefined))
			return undefined
		const mapping = known ?? noMapping
		try {
			const { version } = this.#product
			const search = new GridSearch({
				query,
				plan: planQuery(query, { mapping, version, timeZone: this.#timeZone }),
				mapping,
			})
			return new FirstPage(this.transport, search.from(0, firstPage, true))
		} catch (error) {
			// The current mapping decides whether this is an error.
			if (error instanceof DriverError) return undefined
			throw error
		}
	}

	async countRows(query: Omit<GridQuery, 'sort'>, call: Call): Promise<RowCount> {
		const mapping = await this.#catalog.mapping(query.table, call.signal)
		const { query: body, notices } = await this.#plan(query, mapping, call)
		const path = `${pathOf(query.table)}/_count`
		const reply = await this.transport.send({ method: 'POST', path, body: { query: body }, isRead: true }, call.signal)
		const answer = reply.json()
		const counted = objectOf(answer)
		refuseFailed(counted)
		const troubles = troublesOf(counted)
		const notice = [...notices, ...troubles].join(' ')
		return { value: numberOf(counted.count), isExact: troubles.length === 0, ...(notice !== '' && { notice }) }
	}

	/** Computes groups and measures in the engine, where sums and means of whole numbers are doubles. */
	async aggregate(query: AggregateQuery, call: Call): Promise<Encoded<Aggregated>> {
		return encode(await this.#aggregate(query, call))
	}

	/** Groups messages where the cluster has `categorize_text`: with X-Pack, and a licence for machine learning. */
	async groupSimilar(query: SimilarQuery, call: Call): Promise<SimilarGroups | undefined> {
		if (this.#lacksCategories) return undefined
		const mapping = await this.#catalog.mapping(query.table, call.signal)
		const fields = similarFields(query, mapping, this.#product.version)
		if (fields === undefined) return undefined
		const plan = await this.#plan(query, mapping, call)
		const body = similarBody(query, fields, plan)
		const path = `${pathOf(query.table)}/_search`
		try {
			const reply = await this.transport.send({ method: 'POST', path, body, isRead: true }, call.signal)
			const answer = objectOf(reply.json())
			refuseFailed(answer)
			const found = similarGroups(query, fields, answer)
			return { ...found, notices: [...plan.notices, ...troublesOf(answer), ...found.notices] }
		} catch (error) {
			if (!lacksCategories(error)) throw error
			this.#lacksCategories = true
			return undefined
		}
	}

	async readRawQuery(table: string, typed: TypedQuery, call: Call): Promise<RawReading> {
		return readRawQuery(typed, {
			mapping: await this.#catalog.mapping(table, call.signal),
			complete: (text, offset) => this.console.complete(text, offset, call),
			path: `${pathOf(table)}/_search`,
			top: this.#topOf(table, call),
		})
	}

	/**
	 * Returns what a query in Lucene syntax probably does not mean; nothing if the mapping cannot be read.
	 *
	 * @throws DriverError `invalid_argument` for an error of syntax, which the engine would report without its place
	 */
	async slipsOf(table: string, text: string, { signal }: Call): Promise<readonly string[]> {
		const mapping = await this.#mappingIfReadable(table, signal)
		if (mapping === undefined) return []
		refuseSyntaxError(text, mapping)
		return slipsOf(text, mapping)
	}

	async #mappingIfReadable(table: string, signal: AbortSignal): Promise<Mapping | undefined> {
		try {
			return await this.#catalog.mapping(table, signal)
		} catch (error) {
			signal.throwIfAborted()
			// The search itself reports what is wrong with its index.
			if (error instanceof DriverError) return undefined
			throw error
		}
	}

	#topOf(table: string, call: Call): CountTop {
		return async (filters, column, limit) => {
			const asked = { table, filters, match: 'all', groups: [{ column }], measures: [], limit } as const
			return (await this.#aggregate(asked, call)).rows.flatMap(([cell]) => cell ?? [])
		}
	}

	async filterText(query: Omit<GridQuery, 'sort'>, call: Call): Promise<string> {
		const mapping = await this.#catalog.mapping(query.table, call.signal)
		return stringifyJson((await this.#plan(query, mapping, call)).query)
	}

	async #aggregate(query: AggregateQuery, call: Call): Promise<Aggregated> {
		const mapping = await this.#catalog.mapping(query.table, call.signal)
		const plan = await this.#plan(query, mapping, call)
		const computing = { mapping, version: this.#product.version, timeZone: this.#timeZone }
		const body = aggregationBody(query, { plan, ...computing })
		const path = `${pathOf(query.table)}/_search`
		const reply = await this.transport.send({ method: 'POST', path, body, isRead: true }, call.signal)
		const answer = objectOf(reply.json())
		refuseFailed(answer)
		const found = aggregated(query, answer, computing)
		return { ...found, notices: [...plan.notices, ...troublesOf(answer), ...found.notices] }
	}

	async explain(what: Explainable, call: Call): Promise<Explained> {
		if ('statement' in what) return explain(this.transport, searchOfStatement(what.statement), call.signal)
		const mapping = await this.#catalog.mapping(what.query.table, call.signal)
		const plan = await this.#plan(what.query, mapping, call)
		const found = await explain(this.transport, searchOfRows(what.query, plan, mapping), call.signal)
		return { ...found, notices: [...plan.notices, ...found.notices] }
	}

	async readRow(table: string, rowId: string, call: Call): Promise<Encoded<WholeRow>> {
		const { meta, source } = await readRawDocument(this, decodeRowId(rowId, table), call.signal)
		const [key, version] = [rowKeyOf(meta), rowVersionOf(meta)]
		const mapping = this.#catalog.known(table)
		const again = mapping && insertAgain(key, { table, mapping })
		return encodeWithRaw({
			id: encodeRowId(key),
			...(version !== undefined && { version }),
			meta,
			raw: source,
			...(again && { insertAgain: again }),
		})
	}

	async previewChanges(
		table: string,
		changes: readonly Change[],
		call: Call,
		{ without = [] }: PreviewOptions = {},
	): Promise<readonly string[]> {
		return previewChanges({ ...(await this.#edited(table, changes, call)), without }, changes, call.signal)
	}

	assessChanges(table: string, changes: readonly Change[], call: Call): Promise<Assessment> {
		return withLookUps(this, call, lookUps => assessChanges(lookUps, table, changes))
	}

	async applyChanges(table: string, changes: readonly Change[], call: Call): Promise<readonly ChangeOutcome[]> {
		const edited = await this.#edited(table, changes, call).catch(error => {
			// Nothing was sent yet.
			if (call.signal.aborted) return undefined
			throw error
		})
		return edited ? applyChanges(edited, changes, call) : changes.map(() => ({ status: 'not_sent' }))
	}

	async openExport(query: GridQuery, options: ExportOptions, call: Call): Promise<RowExport> {
		if (!exportFormats.some(format => format === options.format)) {
			throw new DriverError('unsupported', `Documents are not exported as ${options.format}.`)
		}
		const mapping = await this.#catalog.refresh(query.table, call.signal)
		const plan = await this.#plan(query, mapping, call)
		return openExport(
			{ transport: this.transport, version: this.#product.version, mapping, plan, query },
			options,
			call.signal,
		)
	}

	async #plan(query: Omit<GridQuery, 'sort'>, mapping: Mapping, { signal }: Call): Promise<QueryPlan> {
		const { table, raw } = query
		const fitting = raw?.trim()
			? await fittingRawQuery({ text: raw, table, mapping }, this.transport, signal)
			: undefined
		return planQuery(query, { mapping, version: this.#product.version, timeZone: this.#timeZone, raw: fitting })
	}

	async readFacts(table: string | undefined, { signal }: Call): Promise<readonly FactSection[]> {
		if (table === undefined) {
			const sections = await clusterFacts(this, signal)
			return this.#catalog.listsOnlyVisible ? [limitedList, ...sections] : sections
		}
		const [mapping, sources] = await Promise.all([
			this.#catalog.refresh(table, signal),
			this.#catalog.sources(signal).catch(error => {
				signal.throwIfAborted()
				if (error instanceof DriverError) return []
				throw error
			}),
		])
		const isStream = sources.some(({ name, kind }) => name === table && kind === 'data stream')
		return indexFacts(this, { name: table, mapping, isStream }, signal)
	}

	async #edited(name: string, changes: readonly Change[], { signal }: Call): Promise<EditedTable> {
		const known = await this.#catalog.mapping(name, signal)
		const isCurrent = changes.every(
			change => change.kind === 'insert' || isRowIn({ name, mapping: known }, change.rowId),
		)
		// The cached mapping may be older than an index behind an alias.
		const mapping = isCurrent ? known : await this.#catalog.refresh(name, signal)
		return { transport: this.transport, name, mapping }
	}

	async close(): Promise<void> {
		await this.#views.close(AbortSignal.timeout(4_000))
		await this.transport.close()
	}
}
