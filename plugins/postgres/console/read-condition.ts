import {
	type Cell,
	type Completions,
	type Filter,
	fromCell,
	isDriverError,
	type RawReading,
	stringifyJson,
	type TypedQuery,
} from '@roundhouse/kit'
import { isBlank, type Token } from '@roundhouse/sql'
import type { ShapeColumn } from '../catalog/shape.ts'
import { tokensOf } from '../sql/lexer.ts'
import { literal, quoted } from '../sql/names.ts'

/** What is known of the table for a condition that is being typed. */
export interface ConditionKnowledge {
	readonly columns: readonly ShapeColumn[]
	/** @throws DriverError if the text is no condition that only reads */
	check(raw: string): Promise<void>
	/** Returns frequent values of a column. @throws DriverError if the server does not count them */
	top(filters: readonly Filter[], column: string, limit: number): Promise<readonly Cell[]>
}

type Option = Completions['options'][number]

const mostValues = 15
const operators = new Set(['=', '<>', '!=', 'like', 'ilike', '(', ','])
const words = 'and or not in is null like ilike between exists true false case when then else end'.split(' ')

/** Completes a condition where the user types, and says what it means so far. */
export async function readCondition({ text, offset }: TypedQuery, known: ConditionKnowledge): Promise<RawReading> {
	const completions = await optionsAt(text.slice(0, offset), known)
	if (text.trim() === '') return { completions }
	const read = tokensOf(text).map(token => nameOf(text, token))
	const names = known.columns.filter(({ name }) => read.includes(name)).map(({ name }) => name)
	const understood = `A condition of SQL. Columns: ${names.length > 0 ? names.join(', ') : 'none yet'}.`
	try {
		await known.check(text)
		return { completions, understood }
	} catch (error) {
		if (!isDriverError(error)) throw error
		return { completions, understood, fault: error.message }
	}
}

async function optionsAt(before: string, known: ConditionKnowledge): Promise<Completions> {
	const all = tokensOf(before)
	const tokens = all.filter(token => !isBlank(token))
	const last = tokens.at(-1)
	const isText = last?.kind === 'string' && last.isUnterminated === true
	const isOther = last?.isUnterminated && !isText && last.kind !== 'quotedIdentifier'
	if (isOther || all.at(-1)?.kind === 'comment') return { from: before.length, options: [] }
	const isTyping =
		last !== undefined &&
		last.end === before.length &&
		(isText || last.kind === 'word' || last.kind === 'quotedIdentifier')
	const typed = isTyping ? before.slice(last.start) : ''
	const from = before.length - typed.length
	const column = comparedColumn(before, isTyping ? tokens.slice(0, -1) : tokens, known.columns)
	const values = column ? await valuesOf(column, typed, known) : []
	if (isText) return { from, options: values }
	const word = typed.replace(/^"|"$/g, '').replaceAll('""', '"').toLowerCase()
	const columns = known.columns
		.filter(({ name }) => name.toLowerCase().includes(word))
		.map(({ name, type }) => ({ label: name, kind: 'column', detail: type, insert: quoted(name) }) as const)
	const fitting = words.filter(one => word !== '' && one.startsWith(word))
	return { from, options: [...values, ...columns, ...fitting.map(label => ({ label, kind: 'keyword' }) as const)] }
}

/** Returns the column that a value at the end is compared with: `state = `, `state in ('new', `. */
function comparedColumn(
	before: string,
	tokens: readonly Token[],
	columns: readonly ShapeColumn[],
): ShapeColumn | undefined {
	const texts = tokens.map(token => nameOf(before, token))
	if (!operators.has(texts.at(-1)?.toLowerCase() ?? '') && texts.at(-1) !== '>') return undefined
	const isList = /^[(,]$/.test(texts.at(-1) ?? '')
	const at = isList ? texts.findLastIndex(text => text.toLowerCase() === 'in') : texts.length - 1
	const name = texts.slice(0, Math.max(0, at)).findLast(text => !/^(?:not|[<>!=]+)$/i.test(text))
	return at < 0 ? undefined : columns.find(column => column.name === name)
}

async function valuesOf(column: ShapeColumn, typed: string, { top }: ConditionKnowledge): Promise<readonly Option[]> {
	if (column.kind !== 'text' && column.kind !== 'boolean') return []
	const word = typed.replace(/^'/, '').replaceAll("''", "'")
	const begins = column.filterFields?.[0]?.operators?.includes('starts_with')
	const filters: readonly Filter[] =
		word !== '' && begins ? [{ column: column.name, operator: 'starts_with', values: [word] }] : []
	try {
		const texts = (await top(filters, column.name, mostValues)).map(textOf)
		return texts
			.filter(text => text.toLowerCase().startsWith(word.toLowerCase()))
			.map(label => ({ label, kind: 'keyword', insert: printed(column, label) }))
	} catch (error) {
		if (isDriverError(error)) return []
		throw error
	}
}

const printed = ({ kind }: ShapeColumn, text: string) => (kind === 'boolean' ? text : literal(text))

function textOf(cell: Cell): string {
	const value = fromCell(cell)
	return typeof value === 'string' ? value : stringifyJson(value ?? null)
}

/** Returns a name as the server reads it, and any other token as it is. */
function nameOf(text: string, { kind, start, end }: Token): string {
	const found = text.slice(start, end)
	if (kind === 'quotedIdentifier') return found.slice(1, -1).replaceAll('""', '"')
	return kind === 'word' ? found.toLowerCase() : found
}
