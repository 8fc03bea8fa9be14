import {
	type Column,
	DriverError,
	denseCells,
	type Encoded,
	encode,
	type Filter,
	type GridPage,
	type HiddenColumns,
	type HiddenPart,
	isDriverError,
	type Row,
	type TableDescription,
} from '@roundhouse/kit'
import type { ConnectionMethod, ConnectionParams, ResultOf } from '@roundhouse/kit/wire/methods'
import type { Session } from '../../connections/session.ts'
import { quotedInput } from '../protocol/outgoing-text.ts'
import { decodeAnswer } from './decode-answer.ts'
import { type HiddenTables, hiddenTables, isWithin } from './hidden-tables.ts'

/**
 * Keeps the values of hidden columns from AI clients, on a connection that hides columns. Each method of a driver has its
 * rule here, and a method without one is refused. What the columns reach is read before the call and after it, so that no
 * change of a definition or of the marks passes between them.
 */

/** What a rule knows of its call. */
interface Guarded<M extends ConnectionMethod> {
	readonly params: ConnectionParams<M>
	readonly hidden: HiddenTables
	readonly session: Session
	readonly signal: AbortSignal | undefined
}

interface Rule<M extends ConnectionMethod> {
	/** Whether the driver withholds the columns itself, which the manifest says. */
	readonly needsDriver?: (params: ConnectionParams<M>) => boolean
	/** Returns the table whose columns are checked. */
	readonly table?: (params: ConnectionParams<M>) => string | undefined
	/** Refuses the call, or returns what to send. @throws DriverError `denied` */
	readonly before?: (call: Guarded<M>) => ConnectionParams<M> | Promise<ConnectionParams<M>>
	/** Removes values from the answer. */
	readonly after?: (answer: ResultOf<M>, call: Guarded<M>) => ResultOf<M>
}

/** What a hidden column is called in place of its type. */
const hiddenType = 'hidden by the user'

const rules: { readonly [M in ConnectionMethod]?: Rule<M> } = {
	listTables: {},
	findColumns: {},
	describeTable: {
		after: (answer, { params, hidden, session }) => {
			const part = hidden.of(params.table)
			return part ? encode(described(decodeAnswer('describeTable', answer, session), part)) : answer
		},
	},
	openGrid: {
		table: ({ query }) => query.table,
		before: ({ params, hidden }) => {
			requireFree(hidden, params.query)
			for (const { column } of params.query.sort) requireFreeColumn(hidden, params.query.table, column)
			// A place in the order is made of values.
			if (!hidden.of(params.query.table)) return params
			const { after, ...rest } = params
			return { ...rest, givesPositions: false }
		},
		after: (answer, { params, hidden, session }) => {
			const part = hidden.of(params.query.table)
			return part ? shownPage(answer, part, session) : answer
		},
	},
	countRows: {
		table: ({ query }) => query.table,
		before: ({ params, hidden }) => {
			requireFree(hidden, params.query)
			return params
		},
		after: ({ notice, ...count }, { params, hidden }) =>
			notice === undefined || hidden.of(params.query.table) ? count : { ...count, notice },
	},
	aggregate: {
		table: ({ query }) => query.table,
		before: ({ params, hidden }) => {
			const { table, groups, measures } = params.query
			requireFree(hidden, params.query)
			for (const { column } of [...groups, ...measures]) requireFreeColumn(hidden, table, column)
			return params
		},
		after: (answer, { params, hidden, session }) =>
			hidden.of(params.query.table) ? encode({ ...decodeAnswer('aggregate', answer, session), notices: [] }) : answer,
	},
	openExport: {
		table: ({ query }) => query.table,
		before: async ({ params, hidden, session, signal }) => {
			const { query, options } = params
			requireFree(hidden, query)
			for (const { column } of query.sort) requireFreeColumn(hidden, query.table, column)
			for (const column of options.columns ?? []) requireFreeColumn(hidden, query.table, column)
			if (options.columns || !hidden.of(query.table)) return params
			const described = await session.call('describeTable', { table: query.table }, { signal })
			const { columns } = decodeAnswer('describeTable', described, session)
			const free = columns.map(({ name }) => name).filter(name => !hidden.hides(query.table, name))
			if (free.length === 0) throw refused('All columns of the table are hidden by the user.')
			return { ...params, options: { ...options, columns: free } }
		},
	},
	// Of an export that was opened by the rule above.
	readExport: {},
	explain: {
		needsDriver: ({ what }) => 'statement' in what,
		table: ({ what }) => ('query' in what ? what.query.table : undefined),
		before: ({ params, hidden }) => {
			if (!('query' in params.what)) return params
			const { query } = params.what
			requireFree(hidden, query)
			if (hidden.of(query.table)) throw refused('The plan of a table with hidden columns could show their values.')
			return params
		},
	},
	previewChanges: changing(),
	assessChanges: changing(),
	applyChanges: changing(),
	analyse: { needsDriver: () => true },
	assess: { needsDriver: () => true },
	runConsole: { needsDriver: () => true },
	// The driver works on the text alone.
	bindParameters: {},
}

function changing<M extends 'previewChanges' | 'assessChanges' | 'applyChanges'>(): Rule<M> {
	return {
		table: ({ table }) => table,
		before: ({ params, hidden }) => {
			hidden.requireReadable(params.table)
			const part = hidden.of(params.table)
			if (part && part.columns.length > 0)
				throw refused('AI clients cannot change a table that has columns hidden by the user.')
			if (part?.takesNoChanges !== undefined) throw refused(part.takesNoChanges)
			return params
		},
	}
}

/** A call, and how it is sent. */
interface GuardedCall<M extends ConnectionMethod> {
	readonly session: Session
	/** Returns what is hidden now. */
	readonly marks: () => readonly HiddenColumns[]
	readonly params: ConnectionParams<M>
	readonly signal: AbortSignal | undefined
	readonly send: (params: ConnectionParams<M>) => Promise<ResultOf<M>>
}

/** Makes a call without values of hidden columns in its answer. @throws DriverError `denied` */
export async function callWithoutHidden<M extends ConnectionMethod>(
	method: M,
	{ session, marks, params, signal, send }: GuardedCall<M>,
): Promise<ResultOf<M>> {
	const rule: Rule<M> | undefined = rules[method]
	if (!rule) throw refused('This is not available to AI clients while the connection hides columns.')
	if (rule.needsDriver?.(params) && !session.console.withholdsColumns) {
		throw refused('This connection hides columns, and its driver cannot run statements without them.')
	}
	const { table: tableOf, before, after } = rule
	if (!tableOf && !before && !after) return send(params)
	const table = tableOf?.(params)
	const read = () => hiddenTables(session, { marks: marks(), table }, signal)
	const hidden = await read()
	const guarded = { params, hidden, session, signal }
	const sent = before ? await before(guarded) : params
	const answer = await send(sent).catch(error => {
		throw table !== undefined && hidden.of(table) ? withoutWords(error) : error
	})
	if ((await read()).digest !== hidden.digest) {
		throw refused('What this connection hides, or a definition in it, changed during the call. Send the call again.')
	}
	return after ? after(answer, { ...guarded, params: sent }) : answer
}

const refused = (reason: string) => new DriverError('denied', reason)

/** @throws DriverError `denied` if the rows of a query are not free of hidden values */
function requireFree(
	hidden: HiddenTables,
	{ table, raw, filters }: { readonly table: string; readonly raw?: string; readonly filters: readonly Filter[] },
): void {
	if (raw !== undefined)
		throw refused('raw: a condition could reach columns that are hidden by the user. Use filters, or a statement.')
	hidden.requireReadable(table)
	for (const { column } of filters) requireFreeColumn(hidden, table, column)
}

function requireFreeColumn(hidden: HiddenTables, table: string, column: string): void {
	if (hidden.hides(table, column)) throw refused(`The column "${quotedInput(column)}" is hidden by the user.`)
}

/** Words of a driver without the engine's code are about the arguments of the call. */
function withoutWords(error: unknown): unknown {
	if (!isDriverError(error)) return error
	const { code, engineCode } = error
	if (engineCode === undefined && code !== 'query_failed' && code !== 'internal_failure') return error
	return new DriverError(code, 'It failed. The words of the error could show values that are hidden by the user.')
}

const isHiddenName = (part: HiddenPart) => {
	const names = new Set(part.columns)
	return (name: string) =>
		part.refused !== undefined || names.has(name) || part.columns.some(column => isWithin(name, column))
}

/** Returns a column with what its name says alone. */
function hiddenColumn({ name, isKey }: Column): Column {
	return { name, type: hiddenType, kind: 'other', isKey, isReadOnly: true, isSortable: false, filterFields: [] }
}

function described(description: TableDescription, part: HiddenPart): TableDescription {
	const isHidden = isHiddenName(part)
	const { definition: _, indexes, note, ...rest } = description
	const named = [...part.columns, ...description.columns.map(({ name }) => name).filter(isHidden)]
	const said = part.refused ?? note
	return {
		...rest,
		...(said !== undefined && { note: said }),
		columns: description.columns.map(column => (isHidden(column.name) ? hiddenColumn(column) : column)),
		// The condition of an index can hold a value.
		...(indexes && {
			indexes: indexes.filter(text => !/\bwhere\b/i.test(text) && !named.some(name => text.includes(name))),
		}),
	}
}

/** Returns a page in which hidden columns are named and empty. An id, a version and a place are made of values. */
function shownPage(encoded: Encoded<GridPage>, part: HiddenPart, session: Session): Encoded<GridPage> {
	const { request: _, ...page } = decodeAnswer('openGrid', encoded, session)
	const isHidden = page.columns.map(({ name }) => isHiddenName(part)(name))
	const rows = page.rows.map(
		(row): Row => ({
			id: '',
			cells: denseCells(row, page.columns.length).map((cell = null, at) => (isHidden[at] ? null : cell)),
		}),
	)
	const names = page.columns.flatMap(({ name }, at) => (isHidden[at] ? [name] : []))
	return encode({
		...page,
		columns: page.columns.map((column, at) => (isHidden[at] ? hiddenColumn(column) : column)),
		rows,
		notices: names.length > 0 ? [`Hidden by the user, so their cells are empty: ${names.join(', ')}.`] : [],
	})
}
