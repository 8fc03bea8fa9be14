import { isCell } from './cell.ts'
import { cutText } from './cut-text.ts'
import { isExactNumber, isJsonNumber } from './json.ts'

/**
 * The shape of answers that a driver encodes itself. No schema reads their bytes on the way, so the reader checks the
 * parsed value: a wrong row must not become a silent `null` or a TypeError in the window. The checks name the place of
 * the first fault in the driver's data. They cost about a tenth of the parsing.
 */

/**
 * Returns what is wrong at a place, or `undefined`. Places of parts are written only for a fault: a page has thousands of
 * cells.
 */
type Check = (value: unknown, place: string) => string | undefined

const shownCharacters = 40

/** Returns a value as JSON for a message, truncated if it is long. */
export function abbreviated(value: unknown): string {
	if (value === undefined) return 'nothing'
	return cutText(JSON.stringify(value) ?? String(value), shownCharacters)
}

function is(what: string, fits: (value: unknown) => boolean): Check {
	return (value, place) => (fits(value) ? undefined : `${place}: ${abbreviated(value)} is not ${what}`)
}

const string = is('a string', value => typeof value === 'string')
const boolean = is('true or false', value => typeof value === 'boolean')
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactNumber(value)
const number = is('a number', isJsonNumber)
const object = is('an object', isObject)
const array = is('an array', Array.isArray)

function oneOf(...words: readonly string[]): Check {
	return (value, place) =>
		words.includes(value as string) ? undefined : `${place}: ${abbreviated(value)} is none of ${words.join(', ')}`
}

/** Checks members by name. A name with `?` at its end may be absent. */
function members(checks: Readonly<Record<string, Check>>): Check {
	const wanted = Object.entries(checks).map(([key, check]) => {
		const name = key.replace(/\?$/, '')
		return { name, isOptional: key !== name, check }
	})
	return (value, place) => {
		const fault = object(value, place)
		if (fault) return fault
		for (const { name, isOptional, check } of wanted) {
			const member = (value as Readonly<Record<string, unknown>>)[name]
			if (isOptional && member === undefined) continue
			if (check(member, '') !== undefined) return check(member, `${place}.${name}`)
		}
		return undefined
	}
}

function each(check: Check): Check {
	return (value, place) => {
		const fault = array(value, place)
		if (fault) return fault
		const items = value as readonly unknown[]
		const at = items.findIndex(item => check(item, '') !== undefined)
		return at < 0 ? undefined : check(items[at], `${place}[${at}]`)
	}
}

function both(first: Check, then: Check): Check {
	return (value, place) => first(value, place) ?? then(value, place)
}

const cells = each(
	is(
		'a cell: null, a boolean, a string, a number, {number}, {json}, {text, cutFrom}, {bytes}, {unread: true} or {missing: true}',
		isCell,
	),
)

const column = members({
	name: string,
	type: string,
	kind: oneOf('text', 'number', 'boolean', 'date', 'json', 'binary', 'other'),
	isKey: boolean,
	isReadOnly: is(`true, false or 'after_insert'`, value => typeof value === 'boolean' || value === 'after_insert'),
	isSortable: boolean,
	'isRequired?': boolean,
	'isNotNull?': boolean,
	'takesNonFinite?': boolean,
	'default?': string,
	'generated?': oneOf('always', 'default'),
	'keyPosition?': number,
	'choices?': each(string),
	'isVolatile?': boolean,
	'isUniform?': boolean,
	'zone?': oneOf('none', 'UTC'),
})
const reference = members({ columns: each(string), table: string, to: each(string) })
const count = members({ value: number, isExact: boolean, 'bound?': oneOf('least', 'about') })

interface Rows {
	readonly columns: readonly unknown[]
	readonly rows: readonly unknown[]
}

/** Every row has a cell for each column, or for each column that it lists in `at`. */
function rowsFit(cellsOf: (row: never) => { readonly cells: readonly unknown[]; readonly at?: unknown }): Check {
	return (value, place) => {
		const { columns, rows } = value as Rows
		for (const [index, row] of rows.entries()) {
			const { cells, at } = cellsOf(row as never)
			const here = `${place}.rows[${index}]`
			if (at === undefined) {
				if (cells.length === columns.length) continue
				return `${here}.cells: ${cells.length} cells for ${columns.length} columns`
			}
			if (!Array.isArray(at)) return `${here}.at: ${abbreviated(at)} is not an array`
			if (at.length !== cells.length) return `${here}.at: ${at.length} columns for ${cells.length} cells`
			const astray = at.find(column => !Number.isInteger(column) || column < 0 || column >= columns.length)
			if (astray !== undefined) return `${here}.at: ${abbreviated(astray)} is the index of no column`
		}
		return undefined
	}
}

const bareRows = rowsFit((cells: readonly unknown[]) => ({ cells }))
const page = both(
	members({
		columns: each(column),
		rows: each(members({ id: string, 'version?': string, 'position?': string, cells })),
		'references?': each(reference),
		'referrers?': each(reference),
		'cannot?': members({ 'insert?': string, 'update?': string, 'delete?': string }),
		total: count,
		tookMs: number,
		notices: each(string),
	}),
	rowsFit((row: { readonly cells: readonly unknown[]; readonly at?: unknown }) => row),
)
const resultRows = both(
	members({ columns: each(column), rows: each(cells), 'total?': count, isTruncated: boolean }),
	bareRows,
)
const body: Check = (value, place) =>
	members({ view: oneOf('rows', 'json', 'text') })(value, place) ??
	((value as { readonly view: string }).view === 'rows' ? resultRows(value, place) : undefined)

const part = { status: string, 'affected?': number, notices: each(string), body, 'title?': string }
const fault = members({ code: string, message: string, 'at?': number, 'hint?': string, 'engineCode?': string })

/** A result, or the question that takes its place. */
function orAsk(result: Readonly<Record<string, Check>>): Check {
	return (value, place) => {
		const isOther = isObject(value) && ('ask' in value || 'missingCapability' in value)
		return members(isOther ? { 'ask?': object, 'missingCapability?': object } : result)(value, place)
	}
}

const content = members({ type: string })
const shapes = {
	openGrid: page,
	gridPage: page,
	describeTable: members({
		name: string,
		columns: each(column),
		'references?': each(reference),
		'referrers?': each(reference),
	}),
	aggregate: both(
		members({
			columns: each(members({ name: string, type: string })),
			rows: each(cells),
			isTruncated: boolean,
			'timeZone?': string,
			'estimated?': each(number),
			notices: each(string),
		}),
		bareRows,
	),
	readRow: members({ id: string, 'version?': string, meta: object, 'insertAgain?': object }),
	runConsole: members({
		...part,
		tookMs: number,
		'fault?': fault,
		'exceeded?': string,
		'database?': string,
		'schema?': string,
		'more?': each(members(part)),
		'transaction?': oneOf('open', 'failed'),
	}),
	callTool: orAsk({ content: each(content), 'structuredContent?': object, 'isError?': boolean }),
	getPrompt: orAsk({ messages: each(members({ role: oneOf('user', 'assistant'), content })) }),
	readResource: orAsk({ contents: each(members({ uri: string, 'text?': string, 'blob?': string })) }),
} as const satisfies Readonly<Record<string, Check>>

/** Methods whose answers the driver encodes as JSON. */
export type EncodedMethod = keyof typeof shapes

/**
 * Returns the first fault in a parsed answer, with its place in the driver's data: `gridPage.rows[3].cells: 2 cells for
 * 5 columns`.
 */
export function faultOfAnswer(method: EncodedMethod, answer: unknown): string | undefined {
	return shapes[method](answer, method)
}

/** Methods that may have changed something before they answered. */
const writing: ReadonlySet<string> = new Set(['applyChanges', 'runConsole', 'callTool'])

/** Returns the sentences for the user about a wrong answer. `fault` is for the author of the driver. */
export function wrongAnswer(method: string, fault: string, driver: string): string {
	const effect = writing.has(method) ? 'It may have changed data all the same.' : 'Nothing was changed.'
	return `The driver ${driver} answered incorrectly. ${effect} Report this to its publisher: ${fault}.`
}
