import { type Completions, isDriverError, type RawReading, type TypedQuery } from '@roundhouse/kit'
import { isStructured } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { type CountTop, frequentValues } from './frequent-values.ts'
import { correctionOf } from './kql.ts'
import { fieldsOf, luceneSlips, withoutQuotes } from './lucene-slips.ts'
import { name, plain, quotedText, typedText } from './lucene-syntax.ts'
import { clauseIn, clauseWords, isClause } from './raw-clause.ts'
import { syntaxErrorIn, syntaxErrorWords } from './syntax-error.ts'

/** What is known of the table for a query that is being typed. */
export interface RawKnowledge {
	readonly mapping: Mapping
	/** The path of its searches. */
	readonly path: string
	/** Completes a text of the console. */
	complete(text: string, offset: number): Promise<Completions>
	readonly top: CountTop
}

type Option = Completions['options'][number]

const mostFields = 100
const longestText = 2_000

/** Completes a raw query where the user types, and says what it means so far. */
export async function readRawQuery({ text, offset }: TypedQuery, known: RawKnowledge): Promise<RawReading> {
	if (!isClause(text)) {
		// The expressions look back from the end, which takes long for a long text.
		const start = Math.max(0, offset - longestText)
		const { from, options } = await luceneAt(text.slice(start, offset), known)
		return { completions: { from: start + from, options }, ...luceneWords(text, known) }
	}
	// The console knows the query language, so the clause is completed in its place there.
	const before = `POST ${known.path}\n{"query": `
	const { from, options } = await known.complete(`${before}${text}}`, before.length + offset)
	const completions = { from: Math.max(0, from - before.length), options: options.slice(0, mostFields) }
	try {
		return { completions, understood: `A query clause as JSON: ${clauseWords(clauseIn(text))}` }
	} catch (error) {
		if (!isDriverError(error)) throw error
		return { completions, understood: 'A query clause as JSON. It is not complete yet.' }
	}
}

const valueAt = new RegExp(String.raw`(${name})\s*:\s*(?:[<>]=?\s*)?("?)((?:\\.|[^\s"()\\])*|(?<=")[^"]*)$`, 'u')
const groupAt = new RegExp(String.raw`(${name})\s*:\s*\(((?:${quotedText}|\\.|[^"()\\])*)("[^"]*)?$`, 'u')
const nameAt = new RegExp(String.raw`(?:^|[\s(!+-])(${name})?$`, 'u')

async function luceneAt(before: string, known: RawKnowledge): Promise<Completions> {
	const value = valueAt.exec(before)
	// Within quotes is text.
	if (value && isOutsideQuotes(before.slice(0, value.index))) {
		const [, field = '', quote = '', typed = ''] = value
		const from = before.length - typed.length - quote.length
		return { from, options: await valuesAt(field, plain(typed), known) }
	}
	const group = groupAt.exec(before)
	if (group && isOutsideQuotes(before.slice(0, group.index))) return await inGroup(before, group, known)
	const found = nameAt.exec(before)
	if (!found || !isOutsideQuotes(before)) return { from: before.length, options: [] }
	const word = found[1] ?? ''
	const from = before.length - word.length
	return { from, options: [...operatorsAt(before.slice(0, from), word), ...fieldsFor(plain(word), known)] }
}

/** Values of one field in parentheses: `level:(error OR warn`. */
async function inGroup(
	before: string,
	[, field = '', values = '', quote = '']: RegExpExecArray,
	known: RawKnowledge,
): Promise<Completions> {
	const word = quote === '' ? (/(?:\\.|[^\s+!\\-])*$/u.exec(values)?.[0] ?? '') : quote
	const earlier = quote === '' ? values.slice(0, values.length - word.length) : values
	const isFirst = /(?:^|[\s+!-](?:AND|OR|NOT)\s+|[+!-])\s*$/i.test(earlier)
	const operators = isFirst || quote !== '' ? [] : operatorsAt(earlier, word)
	const options = isFirst || word !== '' ? await valuesAt(field, typedText(word), known) : []
	return { from: before.length - word.length, options: [...operators, ...options] }
}

async function valuesAt(field: string, typed: string, known: RawKnowledge): Promise<readonly Option[]> {
	const values = await frequentValues(plain(field), typed, known)
	return values.map(text => ({ label: text, kind: 'keyword', insert: quoted(text) }))
}

const isOutsideQuotes = (before: string) => before.split('"').length % 2 === 1

/** Operators need something before them; NOT may begin. */
function operatorsAt(before: string, word: string): readonly Option[] {
	const isFirst = before.trim() === '' || /(?:\b(?:AND|OR|NOT)|[(!+-])\s*$/.test(before)
	const fitting = (isFirst ? ['NOT'] : ['AND', 'OR', 'NOT']).filter(one => one.startsWith(word.toUpperCase()))
	if (word === '' && isFirst) return []
	return fitting.map(label => ({ label, kind: 'keyword', insert: `${label} ` }))
}

function fieldsFor(word: string, { mapping }: RawKnowledge): readonly Option[] {
	const typed = word.toLowerCase()
	// A query in Lucene syntax does not look into nested objects.
	const all = [...mapping.fields.values()].filter(
		({ type, nestedIn }) => nestedIn.length === 0 && (!isStructured(type) || type === 'flattened'),
	)
	const begins = all.filter(({ path }) => path.toLowerCase().startsWith(typed))
	const holds = all.filter(field => !begins.includes(field) && field.path.toLowerCase().includes(typed))
	return [...begins, ...holds].slice(0, mostFields).map(({ path, type }) => ({
		label: path,
		kind: 'column',
		detail: type,
		insert: `${path.replaceAll(/[\s:\\]/g, '\\$&')}:`,
	}))
}

const quoted = (text: string) =>
	/^[\p{L}\p{N}_.]+$/u.test(text) && !/^(?:AND|OR|NOT)$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`

const termIn = new RegExp(String.raw`${name}\s*:\s*(?:\([^)]*\)|[[{][^\]}]*[\]}]|\S+)`, 'gu')

/** Says in which fields a query in Lucene syntax searches, and what it is there if it is in Kibana's language. */
function luceneWords(typed: string, { mapping }: RawKnowledge): Omit<RawReading, 'completions'> {
	if (typed.trim() === '') return {}
	const error = syntaxErrorIn(typed, mapping)
	if (error?.isIncomplete) return { understood: `Lucene syntax. It is not complete yet: ${error.what}.` }
	if (error) return { understood: 'Lucene syntax.', fault: syntaxErrorWords(typed, error) }
	const text = typed.slice(0, longestText)
	const names = fieldsOf(text, mapping.fields)
	const bare = withoutQuotes(text)
	const others = bare.replaceAll(termIn, '').replaceAll(/\b(?:AND|OR|NOT)\b|&&|\|\||[()!+-]/g, '')
	const understood = [
		'Lucene syntax.',
		...(names.length > 0 ? [`Fields: ${names.join(', ')}.`] : []),
		...(others.trim() !== '' ? [names.length > 0 ? 'Other words: in all fields.' : 'Words: in all fields.'] : []),
	].join(' ')
	const fault = luceneSlips(text, mapping).join(' ')
	const correction = correctionOf(text, mapping)
	if (correction !== undefined && isClause(correction))
		return { understood: 'Conditions on nested objects.', fault, correction }
	return { understood, ...(fault !== '' && { fault }), ...(correction !== undefined && { correction }) }
}
