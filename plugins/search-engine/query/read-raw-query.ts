import { type Completions, isDriverError, type RawReading, type TypedQuery } from '@roundhouse/kit'
import { isStructured } from '../mapping/field-type.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { type CountTop, frequentValues } from './frequent-values.ts'
import { correctionOf } from './kql.ts'
import { fieldsIn, luceneSlips, plain, withoutQuotes } from './lucene-slips.ts'
import { clauseIn, clauseWords, isClause } from './raw-clause.ts'

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
		return { completions: { from: start + from, options }, ...luceneWords(text.slice(0, longestText), known) }
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

const name = String.raw`(?:\\.|[\p{L}\p{N}_@.*-])+`
const valueAt = new RegExp(String.raw`(${name})\s*:\s*(?:[<>]=?\s*)?("?)((?:\\.|[^\s"()\\])*|(?<=")[^"]*)$`, 'u')
const nameAt = new RegExp(String.raw`(?:^|[\s(!+-])(${name})?$`, 'u')

async function luceneAt(before: string, known: RawKnowledge): Promise<Completions> {
	const value = valueAt.exec(before)
	// Within quotes is text.
	if (value && isOutsideQuotes(before.slice(0, value.index))) {
		const [, field = '', quote = '', typed = ''] = value
		const from = before.length - typed.length - quote.length
		const values = await frequentValues(plain(field), plain(typed), known)
		return { from, options: values.map(text => ({ label: text, kind: 'keyword', insert: quoted(text) })) }
	}
	const found = nameAt.exec(before)
	if (!found || !isOutsideQuotes(before)) return { from: before.length, options: [] }
	const word = found[1] ?? ''
	const from = before.length - word.length
	return { from, options: [...operatorsAt(before.slice(0, from), word), ...fieldsFor(plain(word), known)] }
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
		...{ label: path, kind: 'column', detail: type, insert: `${path.replaceAll(/[\s:\\]/g, '\\$&')}:` },
	}))
}

const quoted = (text: string) =>
	/^[\p{L}\p{N}_.]+$/u.test(text) && !/^(?:AND|OR|NOT)$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`

const termIn = new RegExp(String.raw`${name}\s*:\s*(?:\([^)]*\)|[[{][^\]}]*[\]}]|\S+)`, 'gu')

/** Says in which fields a query in Lucene syntax searches, and what it is there if it is in Kibana's language. */
function luceneWords(text: string, { mapping }: RawKnowledge): Omit<RawReading, 'completions'> {
	const bare = withoutQuotes(text)
	const names = fieldsIn(bare)
	const others = bare.replaceAll(termIn, '').replaceAll(/\b(?:AND|OR|NOT)\b|&&|\|\||[()!+-]/g, '')
	if (text.trim() === '') return {}
	const understood = [
		'Lucene syntax.',
		...(names.length > 0 ? [`Fields: ${names.join(', ')}.`] : []),
		...(others.trim() !== '' ? [names.length > 0 ? 'Other words: in all fields.' : 'Words: in all fields.'] : []),
	].join(' ')
	const fault = luceneSlips(text, mapping).join(' ')
	const correction = correctionOf(text, mapping)
	return { understood, ...(fault !== '' && { fault }), ...(correction !== undefined && { correction }) }
}
