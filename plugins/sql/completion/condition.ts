import {
	type Cell,
	type Column,
	type Completions,
	type Filter,
	fromCell,
	isDriverError,
	type RawReading,
	stringifyJson,
	type TypedQuery,
} from '@roundhouse/kit'
import { type Completing, inQuote } from './complete.ts'
import type { CompletionContext } from './context.ts'
import { contextAt } from './context-at.ts'
import { meaning } from './tokens.ts'

/** What is known of the table for a condition that is being typed. */
export interface ConditionKnowledge {
	readonly columns: readonly Column[]
	/** @throws DriverError if the text is no condition that only reads */
	check(raw: string): Promise<void>
	/** Returns frequent values of a column. @throws DriverError if the server does not count them */
	top(filters: readonly Filter[], column: string, limit: number): Promise<readonly Cell[]>
}

type Option = Completions['options'][number]

const mostValues = 15
const before = 'select * from t where '
/** Of the words that a query takes, those of a condition. */
const words = new Set('and or not in is null like between exists true false case when then else end'.split(' '))

/** Completes a condition where the user types, and says what it means so far. */
export async function readCondition(
	{ text, offset }: TypedQuery,
	{ completing, ...known }: ConditionKnowledge & { readonly completing: Completing },
): Promise<RawReading> {
	const completions = await optionsAt(text, offset, { completing, ...known })
	if (text.trim() === '') return { completions }
	const { lexer, ...writing } = completing.dialect
	const read = lexer.tokensOf(text).map(({ kind, start, end }) => meaning(kind, text.slice(start, end), writing).name)
	const isRead = ({ name }: Column) => read.some(found => isSame(found, name, completing))
	const names = known.columns.filter(isRead).map(({ name }) => name)
	const understood = names.length > 0 ? `Condition on ${names.join(', ')}.` : 'Condition in SQL, with no column yet.'
	try {
		await known.check(text)
		return { completions, understood }
	} catch (error) {
		if (!isDriverError(error)) throw error
		return { completions, understood, fault: error.message }
	}
}

const isSame = (a: string, b: string, { dialect }: Completing) =>
	dialect.foldsNames ? a === b : a.toLowerCase() === b.toLowerCase()

async function optionsAt(
	text: string,
	offset: number,
	{ completing, ...known }: ConditionKnowledge & { readonly completing: Completing },
): Promise<Completions> {
	const place = contextAt(before + text, before.length + offset, completing.dialect)
	const from = place.start - before.length
	const typed = text.slice(from + (place.quote === undefined ? 0 : 1), offset)
	const values = await valuesOf(comparedColumn(place, known.columns, completing), typed, { completing, ...known })
	const columns =
		place.kind !== 'expression' || place.isText ? [] : columnOptions(place, typed, { completing, ...known })
	const found = [...values, ...columns, ...(place.quote === undefined ? keywordsOf(place, typed) : [])]
	return { from, options: place.after > 0 ? found.map(option => ({ ...option, replacesAfter: place.after })) : found }
}

function columnOptions(
	{ quote }: CompletionContext,
	typed: string,
	{ columns, completing }: Pick<ConditionKnowledge, 'columns'> & { readonly completing: Completing },
): readonly Option[] {
	const closing = quote === undefined ? '' : (completing.dialect.quotes[quote] ?? quote)
	const word = typed.replace(closing, '').toLowerCase()
	return columns
		.filter(({ name }) => name.toLowerCase().includes(word))
		.map(({ name, type }) => {
			const insert = quote === undefined ? completing.names.quoted(name) : inQuote(name, quote, closing)
			return { label: quote === undefined ? name : insert, kind: 'column', detail: type, insert }
		})
}

/** The words of a condition that begin with what is typed. */
function keywordsOf(place: CompletionContext, typed: string): readonly Option[] {
	if (typed === '' || (place.kind !== 'expression' && place.kind !== 'keywords')) return []
	const first = new Set(place.keywords.map(keyword => keyword.split(' ')[0] ?? ''))
	return [...first]
		.filter(word => words.has(word) && word.startsWith(typed.toLowerCase()))
		.map(label => ({ label, kind: 'keyword' }))
}

/** Returns the column that a value at the place is compared with: `state = `, `state in ('new', `. */
function comparedColumn(
	place: CompletionContext,
	columns: readonly Column[],
	completing: Completing,
): Column | undefined {
	const name = place.kind === 'expression' ? place.compared?.at(-1) : undefined
	return name === undefined ? undefined : columns.find(column => isSame(column.name, name, completing))
}

async function valuesOf(
	column: Column | undefined,
	typed: string,
	{ top, completing }: Pick<ConditionKnowledge, 'top'> & { readonly completing: Completing },
): Promise<readonly Option[]> {
	if (!column || (column.kind !== 'text' && column.kind !== 'boolean')) return []
	const word = typed.replaceAll("''", "'")
	const begins = column.filterFields?.[0]?.operators?.includes('starts_with')
	const filters: readonly Filter[] =
		word !== '' && begins ? [{ column: column.name, operator: 'starts_with', values: [word] }] : []
	const printed = (text: string) => (column.kind === 'boolean' ? text : completing.names.literal(text))
	try {
		const texts = (await top(filters, column.name, mostValues)).map(textOf)
		return texts
			.filter(text => text.toLowerCase().startsWith(word.toLowerCase()))
			.map(label => ({ label, kind: 'keyword', insert: printed(label) }))
	} catch (error) {
		if (isDriverError(error)) return []
		throw error
	}
}

function textOf(cell: Cell): string {
	const value = fromCell(cell)
	return typeof value === 'string' ? value : stringifyJson(value ?? null)
}
