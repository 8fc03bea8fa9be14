import {
	type Change,
	type ChangeOutcome,
	type Column,
	DriverError,
	denseCells,
	type Encoded,
	encode,
	encodeWithRaw,
	type Filter,
	type GridPage,
	type HiddenColumns,
	type HiddenPart,
	isDriverError,
	type Row,
	rawText,
	type TableDescription,
	type WholeRow,
} from '@roundhouse/kit'
import type { ConnectionMethod, ConnectionParams, ResultOf } from '@roundhouse/kit/wire/methods'
import type { Session } from '../../connections/session.ts'
import { hiddenMember, readDocument } from '../../undo/document.ts'
import { quotedInput } from '../protocol/outgoing-text.ts'
import { decodeAnswer } from './decode-answer.ts'
import { hides, readHiddenPart } from './hidden-part.ts'

/**
 * Keeps the values of hidden columns from AI clients, on a connection that hides columns. Each method of a driver has its
 * rule here, and a method without one is refused. What is hidden of a table is read before the call and after it, so that no
 * change of a definition or of the marks passes between them.
 */

/** What a rule knows of a call on a table. */
interface Guarded<M extends ConnectionMethod> {
	readonly params: ConnectionParams<M>
	/** What is hidden of the table. */
	readonly part: HiddenPart
	readonly session: Session
	readonly signal: AbortSignal | undefined
}

/** A call on a table, whose columns are checked. */
interface TableRule<M extends ConnectionMethod> {
	readonly tableOf: (params: ConnectionParams<M>) => string
	/** Refuses the call, or returns what to send. @throws DriverError `denied` */
	readonly before: (call: Guarded<M>) => ConnectionParams<M> | Promise<ConnectionParams<M>>
	/** Removes values from the answer. Called only if something of the table is hidden. */
	readonly after?: (answer: ResultOf<M>, call: Guarded<M>) => ResultOf<M>
}

/** `harmless`: neither names nor shows a value. `statement`: the driver withholds the columns, if its manifest declares that. */
type Rule<M extends ConnectionMethod> = 'harmless' | 'statement' | TableRule<M>
type RuleOf<M extends ConnectionMethod> = Rule<M> | ((params: ConnectionParams<M>) => Rule<M> | undefined)

/** What a hidden column is called in place of its type. */
const hiddenType = 'hidden by the user'

const rules: { readonly [M in ConnectionMethod]?: RuleOf<M> } = {
	listTables: 'harmless',
	findColumns: 'harmless',
	describeTable: {
		tableOf: ({ table }) => table,
		before: ({ params }) => params,
		after: (answer, { part, session }) => encode(described(decodeAnswer('describeTable', answer, session), part)),
	},
	openGrid: {
		tableOf: ({ query }) => query.table,
		before: ({ params, part }) => {
			requireFree(part, params.query)
			requireFreeColumns(part, params.query.sort)
			if (!hidesAny(part)) return params
			// A place in the order is made of values.
			const { after, ...rest } = params
			return { ...rest, givesPositions: false, without: part.columns }
		},
		after: (answer, { part, session }) => shownPage(answer, part, session),
	},
	countRows: {
		tableOf: ({ query }) => query.table,
		before: ({ params, part }) => {
			requireFree(part, params.query)
			return params
		},
		after: ({ notice, ...count }) => count,
	},
	aggregate: {
		tableOf: ({ query }) => query.table,
		before: ({ params, part }) => {
			const { groups, measures } = params.query
			requireFree(part, params.query)
			requireFreeColumns(part, [...groups, ...measures])
			return params
		},
		after: (answer, { session }) => encode({ ...decodeAnswer('aggregate', answer, session), notices: [] }),
	},
	openExport: {
		tableOf: ({ query }) => query.table,
		before: async ({ params, part, session, signal }) => {
			const { query, options } = params
			requireFree(part, query)
			requireFreeColumns(part, query.sort)
			requireFreeColumns(
				part,
				(options.columns ?? []).map(column => ({ column })),
			)
			if (!hidesAny(part)) return params
			const answer = await session.call('describeTable', { table: query.table }, { signal })
			const { columns } = decodeAnswer('describeTable', answer, session)
			requireFreeKey(part, columns)
			const without = part.columns
			if (options.columns) return { ...params, options: { ...options, without } }
			const free = columns.map(({ name }) => name).filter(name => !hides(part, name))
			if (free.length === 0) throw refused('All columns of the table are hidden by the user.')
			return { ...params, options: { ...options, columns: free, without } }
		},
	},
	// Of an export that was opened by the rule above.
	readExport: 'harmless',
	// The plan of rows could be that of a view on hidden columns.
	explain: ({ what }) => ('statement' in what ? 'statement' : undefined),
	// Only of rows that a client changes.
	readRow: {
		tableOf: ({ table }) => table,
		before: async call => {
			requireChangeable(call.part)
			await requireRowsKnown(call)
			return call.params
		},
		after: (answer, { part, session }) => shownRow(decodeAnswer('readRow', answer, session), part),
	},
	previewChanges: {
		...changedRows<'previewChanges'>(),
		before: async call => {
			await requireFreeChanges(call)
			return hidesAny(call.part) ? { ...call.params, without: call.part.columns } : call.params
		},
	},
	assessChanges: changedRows(),
	applyChanges: { ...changedRows<'applyChanges'>(), after: outcomes => outcomes.map(shownOutcome) },
	analyse: 'statement',
	assess: 'statement',
	runConsole: 'statement',
	// The driver works on the text alone.
	bindParameters: 'harmless',
}

function changedRows<M extends 'previewChanges' | 'assessChanges' | 'applyChanges'>(): TableRule<M> {
	return {
		tableOf: ({ table }) => table,
		before: async call => {
			await requireFreeChanges(call)
			return call.params
		},
	}
}

type ChangingMethod = 'previewChanges' | 'assessChanges' | 'applyChanges'

/** @throws DriverError `denied` with the reason if clients must not make the changes */
async function requireFreeChanges(call: Guarded<ChangingMethod>): Promise<void> {
	const { params, part } = call
	requireChangeable(part)
	for (const change of params.changes) requireFreeChange(part, change)
	if (params.changes.some(({ kind }) => kind !== 'insert')) await requireRowsKnown(call)
}

/** @throws DriverError `denied` with the reason if clients must change no row of a table */
function requireChangeable(part: HiddenPart): void {
	requireReadable(part)
	if (part.takesNoChanges !== undefined) throw refused(part.takesNoChanges)
	if (hidesAny(part) && !part.changes)
		throw refused('AI clients cannot change this table: it has columns hidden by the user.')
}

/** @throws DriverError `denied` if a change sets a hidden column, or a hidden value could decide whether it succeeds */
function requireFreeChange(part: HiddenPart, change: Change): void {
	if (!hidesAny(part) || !part.changes) return
	const { inserts, deletes, updates, insertSets, reason } = part.changes
	const decided = reason ? `. ${reason}` : ': a value of a hidden column could decide whether that succeeds.'
	if (change.kind === 'delete') {
		if (!deletes) throw refused(`Rows of this table cannot be deleted${decided}`)
		return
	}
	const names = Object.keys(change.kind === 'insert' ? change.values : change.set)
	requireFreeColumns(
		part,
		names.map(column => ({ column })),
	)
	if (change.kind === 'insert' && !inserts) throw refused(`Rows of this table cannot be inserted${decided}`)
	const settable = change.kind === 'update' ? updates : insertSets
	const other = settable && names.find(name => !settable.includes(name))
	if (other) throw refused(`The column "${quotedInput(other)}" cannot be set${decided}`)
}

/** A row is found by its id. @throws DriverError `denied` if that could be made of hidden values */
async function requireRowsKnown({ params, part, session, signal }: Guarded<'readRow' | ChangingMethod>): Promise<void> {
	if (!hidesAny(part)) return
	const answer = await session.call('describeTable', { table: params.table }, { signal })
	const { columns } = decodeAnswer('describeTable', answer, session)
	if (!hasFreeKey(part, columns))
		throw refused('The rows of this table have no key, or a hidden one. Change them with a statement.')
}

/** Whether the rows of a table have a key without hidden columns. */
const hasFreeKey = (part: HiddenPart, columns: readonly Column[]) =>
	columns.some(({ isKey }) => isKey) && !columns.some(({ name, isKey }) => isKey && hides(part, name))

/** Returns a row without what is hidden. Without that it cannot be inserted again. */
function shownRow({ id, version, raw, rawCutFrom, jsonNulls }: WholeRow, part: HiddenPart): Encoded<WholeRow> {
	const document = rawCutFrom === undefined ? readDocument(rawText({ raw })) : undefined
	if (!document) throw refused('The row cannot be read without the columns that are hidden by the user.')
	const hidden = [...document.texts.keys()].filter(name => hides(part, name))
	const free = [...document.texts].filter(([name]) => !hides(part, name))
	const text = `{${free.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
	return encodeWithRaw({
		id,
		...(version !== undefined && { version }),
		meta: { [hiddenMember]: hidden },
		...(jsonNulls && { jsonNulls: jsonNulls.filter(name => !hides(part, name)) }),
		raw: Buffer.from(text),
	})
}

/** Returns what became of a change, without the values that the row has now and the words of the engine. */
function shownOutcome(outcome: ChangeOutcome): ChangeOutcome {
	if (outcome.status === 'failed') return { status: 'failed', message: withheldWords }
	if (outcome.status === 'unknown') return { status: 'unknown', message: unknownWords }
	if (outcome.status !== 'applied') return outcome
	const { values: _, ...shown } = outcome
	return shown
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
	const found: RuleOf<M> | undefined = rules[method]
	const rule = typeof found === 'function' ? found(params) : found
	if (!rule) throw refused('This is not available to AI clients while the connection hides columns.')
	if (rule === 'statement' && !session.console.withholdsColumns)
		throw refused('This connection hides columns, and its driver cannot run statements without them.')
	if (rule === 'harmless' || rule === 'statement') return send(params)
	const { tableOf, before, after } = rule
	const table = tableOf(params)
	const read = () => readHiddenPart(session, { marks: marks(), table }, signal)
	const part = await read()
	const isFree = !hidesAny(part) && part.refused === undefined
	const guarded = { params, part, session, signal }
	const sent = await before(guarded)
	const answer = await send(sent).catch(error => {
		throw isFree ? error : withoutWords(error)
	})
	if (JSON.stringify(await read()) !== JSON.stringify(part))
		throw refused(
			`What this connection hides, or a definition in it, changed during the call. ${
				method === 'applyChanges'
					? 'So its answer is not shown, and rows may have been changed. Read them before you send it again.'
					: 'Send the call again.'
			}`,
		)
	return after && !isFree ? after(answer, guarded) : answer
}

const refused = (reason: string) => new DriverError('denied', reason)

const hidesAny = ({ columns }: HiddenPart) => columns.length > 0

/** @throws DriverError `denied` with the reason if clients must read no row of a table */
function requireReadable(part: HiddenPart): void {
	if (part.refused !== undefined) throw refused(part.refused)
}

/** @throws DriverError `denied` if the rows of a query are not free of hidden values */
function requireFree(
	part: HiddenPart,
	{ raw, filters }: { readonly raw?: string; readonly filters: readonly Filter[] },
): void {
	if (raw !== undefined)
		throw refused('raw: a condition could reach columns that are hidden by the user. Use filters, or a statement.')
	requireReadable(part)
	requireFreeColumns(part, filters)
}

/** Rows come in the order of their key. @throws DriverError `denied` if that is hidden */
function requireFreeKey(part: HiddenPart, columns: readonly Column[]): void {
	if (columns.some(({ name, isKey }) => isKey && hides(part, name)))
		throw refused(
			'The key of the table is hidden by the user, and its rows come in the order of the key. Use a statement.',
		)
}

function requireFreeColumns(part: HiddenPart, named: readonly { readonly column: string }[]): void {
	const hidden = named.find(({ column }) => hides(part, column))
	if (hidden) throw refused(`The column "${quotedInput(hidden.column)}" is hidden by the user.`)
}

/** Words of a driver without the engine's code are about the arguments of the call. */
function withoutWords(error: unknown): unknown {
	if (!isDriverError(error)) return error
	const { code, engineCode } = error
	if (engineCode === undefined && code !== 'query_failed' && code !== 'internal_failure') return error
	return new DriverError(code, withheldWords)
}

const unknownWords =
	'The change may or may not have been made. Read the row again. The words of the error could show values that are hidden by the user.'
const withheldWords = 'It failed. The words of the error could show values that are hidden by the user.'

const idOf = ({ id, version }: Row) => ({ id, ...(version !== undefined && { version }) })

/** Returns a column with what its name says alone. */
function hiddenColumn({ name, isKey }: Column, { counted = [] }: HiddenPart): Column {
	const type = counted.includes(name) ? `${hiddenType}, statements may count and join it` : hiddenType
	return { name, type, kind: 'other', isKey, isReadOnly: true, isSortable: false, filterFields: [] }
}

/** The names below a hidden object can be values. */
const isBelowHidden = (name: string, { columns }: HiddenPart) =>
	!columns.includes(name) && columns.some(hidden => name.startsWith(`${hidden}.`))

function described(description: TableDescription, part: HiddenPart): TableDescription {
	const { definition: _, indexes, note, ...rest } = description
	const said = part.refused ?? note
	const named = [...part.columns, ...description.columns.map(({ name }) => name).filter(name => hides(part, name))]
	return {
		...rest,
		...(said !== undefined && { note: said }),
		columns: description.columns
			.filter(({ name }) => !isBelowHidden(name, part))
			.map(column => (hides(part, column.name) ? hiddenColumn(column, part) : column)),
		// The condition of an index can hold a value.
		...(indexes && {
			indexes: indexes.filter(text => !/\bwhere\b/i.test(text) && !named.some(name => text.includes(name))),
		}),
	}
}

/**
 * Returns a page in which hidden columns are named and empty. An id, a version and a place are made of values. Ids and
 * versions of rows that a client may change are not.
 */
function shownPage(encoded: Encoded<GridPage>, part: HiddenPart, session: Session): Encoded<GridPage> {
	const { request: _, ...page } = decodeAnswer('openGrid', encoded, session)
	const shownAt = page.columns.flatMap(({ name }, at) => (isBelowHidden(name, part) ? [] : [at]))
	const columns = shownAt.flatMap(at => page.columns[at] ?? [])
	const isHidden = columns.map(({ name }) => hides(part, name))
	const hasIds = part.changes !== undefined && hasFreeKey(part, columns)
	const rows = page.rows.map((row): Row => {
		const cells = denseCells(row, page.columns.length)
		return {
			...(hasIds ? idOf(row) : { id: '' }),
			cells: shownAt.map((at, place) => (isHidden[place] ? null : (cells[at] ?? null))),
		}
	})
	requireFreeKey(part, page.columns)
	const names = columns.flatMap(({ name }, at) => (isHidden[at] ? [name] : []))
	return encode({
		...page,
		columns: columns.map((column, at) => (isHidden[at] ? hiddenColumn(column, part) : column)),
		rows,
		notices: names.length > 0 ? [`Hidden by the user, so their cells are empty: ${names.join(', ')}.`] : [],
	})
}
