import { isText, kindOf } from '../../mapping/field-type.ts'
import { type CompletionSources, described, fieldsAt, keyword, namesOf, type Suggestion } from './completion-sources.ts'
import type { CompletionContext } from './context.ts'
import { valuesOfKey } from './fixed-words.ts'
import type { BodyNode, Endpoint } from './specification.ts'

/** The place of typing in its text. */
export interface CursorContext<P extends CompletionContext> {
	readonly place: P
	readonly text: string
	readonly at: number
}

export async function bodyAt(
	{ place, text, at }: CursorContext<CompletionContext & { kind: 'body' }>,
	{ body }: Endpoint,
	known: CompletionSources,
): Promise<readonly Suggestion[]> {
	const typed = (node: BodyNode | undefined, level: number) => node?.withType(place.types[level] ?? '') ?? node
	let node = typed(body, 0)
	for (const [level, key] of place.keys.entries()) node = typed(node?.under(key), level + 1)
	if (place.expects === 'key') {
		const found = await keysAt({ place, text, at }, node, known)
		return found.map(option => ({
			...option,
			...keyShape(option, { place, text, at }, node?.under(option.label)),
		}))
	}
	const key = place.keys.at(-1) ?? ''
	const named = namedIn(requestAround(text, at), key)
	const expression = expressionOf(place.segments)
	const frequent = await frequentAt(place, expression, known)
	const found = await valuesAt({ key, named, expression }, node, known)
	const written = place.isQuoted ? found : found.map(option => ({ ...option, insert: literal(option.label) }))
	const values = [...written, ...frequent]
	return values.length > 0 || place.isQuoted || node === undefined ? values : objectsOf(node, { place, text, at })
}

/** Returns the objects that can be a value, for example in a list of queries, each by its first key. */
function objectsOf(
	node: BodyNode,
	context: CursorContext<CompletionContext & { kind: 'body' }>,
): readonly Suggestion[] {
	return Array.from(node.keys, keyword).map(option => {
		const inside = valueShape(option, context, node.under(option.label))
		const key = `"${option.label}": `
		return {
			...option,
			insert: `{ ${key}${inside.open}${inside.close} }`,
			cursor: 2 + key.length + inside.open.length,
		}
	})
}

/** Keys whose values are lists. The specification names only what is in the list. */
const listKeys: ReadonlySet<string> = new Set([
	'must',
	'should',
	'must_not',
	'filter',
	'sort',
	'fields',
	'docvalue_fields',
	'stored_fields',
	'actions',
	'search_after',
	'rescore',
	'indices_boost',
	'docs',
	'ids',
	'knn',
])

/**
 * Returns how a key is inserted: with its quotes and the brackets or quotes of its value, and the cursor between them. A
 * key that has a value already is replaced alone.
 */
function keyShape(
	option: Suggestion,
	{ place, text, at }: CursorContext<CompletionContext & { kind: 'body' }>,
	value: BodyNode | undefined,
): Pick<Suggestion, 'insert' | 'cursor' | 'replacesAfter'> {
	const { label } = option
	const after = text.slice(at)
	const quote = place.isQuoted ? '' : '"'
	if (/^[\w.]*"?\s*:/.test(after)) return place.isQuoted ? {} : { insert: `"${label}"` }
	const { open, close } = spread(valueShape(option, { place, text, at }, value), text, at)
	const insert = `${quote}${label}": ${open}${close}`
	return {
		insert,
		...(close !== '' && { cursor: insert.length - close.length }),
		...(place.isQuoted && after.startsWith('"') && { replacesAfter: 1 }),
	}
}

/** Returns what encloses the value of a key. */
function valueShape(
	option: Suggestion,
	{ place }: CursorContext<CompletionContext & { kind: 'body' }>,
	value: BodyNode | undefined,
) {
	const isEsql = place.segments[0] === '_query' && place.keys.length === 0 && option.label === 'query'
	const textBrackets: Brackets | undefined = isEsql ? ['"', '"'] : undefined
	const [open, close] = textBrackets ?? fieldBrackets(option, place.keys.at(-1)) ?? bracketsOf(option.label, value)
	return { open, close }
}

/** Puts an object on further lines if its key stands alone on a line: a body keeps its lines. */
function spread({ open, close }: { readonly open: string; readonly close: string }, text: string, at: number) {
	const start = text.lastIndexOf('\n', at - 1) + 1
	const [, indent] = /^([ \t]*)"?[\w.]*$/.exec(text.slice(start, at)) ?? []
	const isAlone = indent !== undefined && /^"?[ \t]*,?[ \t]*(?:\n|$)/.test(text.slice(at))
	return open === '{' && isAlone ? { open: `{\n${indent}  `, close: `\n${indent}}` } : { open, close }
}

/** Queries whose fields have a single value. */
const singleValueQueries: ReadonlySet<string> = new Set([
	'term',
	'match',
	'match_phrase',
	'match_phrase_prefix',
	'match_bool_prefix',
	'prefix',
	'wildcard',
	'regexp',
	'fuzzy',
])

/** Returns what encloses the value of a field in a query, by the type of the field; `undefined` for other keys. */
function fieldBrackets({ kind, detail = '' }: Suggestion, query: string | undefined): Brackets | undefined {
	if (kind !== 'column' || query === undefined) return undefined
	if (query === 'range') return ['{', '}']
	if (query === 'terms') return ['[', ']']
	if (!singleValueQueries.has(query)) return undefined
	return ['number', 'boolean'].includes(kindOf(detail)) ? ['', ''] : ['"', '"']
}

type Brackets = readonly [open: string, close: string]

function bracketsOf(label: string, value: BodyNode | undefined): Brackets {
	if (listKeys.has(label)) return ['[', ']']
	if (value === undefined) return ['', '']
	if (value.isField) return ['"', '"']
	if (value.values.length > 0) return value.values.includes('true') ? ['', ''] : ['"', '"']
	const isObject = value.keys.size > 0 || value.takesFields || value.under('any name') !== undefined
	return isObject ? ['{', '}'] : ['', '']
}

async function keysAt(
	{ place, text, at }: CursorContext<CompletionContext & { kind: 'body' }>,
	node: BodyNode | undefined,
	known: CompletionSources,
): Promise<readonly Suggestion[]> {
	const { keys, segments } = place
	const isClusterSettings = segments[0] === '_cluster' && segments[1] === 'settings' && keys.length === 1
	if (isClusterSettings) return (await known.clusterSettings()).map(one => described(one, 'keyword'))
	if (keys.at(-1) === 'order') {
		const nested = [...requestAround(text, at).matchAll(/"(?:aggs|aggregations)"\s*:\s*\{\s*"([^"]+)"/g)]
		return [...new Set(['_count', '_key', ...nested.map(match => match[1] ?? '')])].map(label => keyword([label, '']))
	}
	if (node === undefined) return []
	const fields = node.takesFields ? await fieldsAt(expressionOf(segments), known) : []
	const dotted = node.keys.has('number_of_replicas') && keys.at(-1) !== 'index' ? [...node.keys] : []
	return [
		...Array.from(node.keys, keyword),
		...dotted
			.filter(([key]) => !node.keys.has(`index.${key}`) && !key.includes('.'))
			.map(([key, info]) => keyword([`index.${key}`, info])),
		...fields,
	]
}

/** Keys whose values name indices, aliases and data streams. */
const nameKeys: ReadonlySet<string> = new Set(['index', '_index', 'indices'])

async function valuesAt(
	{ key, named, expression }: { readonly key: string; readonly named: readonly string[]; readonly expression: string },
	node: BodyNode | undefined,
	known: CompletionSources,
): Promise<readonly Suggestion[]> {
	const fields = node?.isField ? await fieldsAt(expression, known) : []
	const offered = [...named, ...(node?.values ?? []), ...(valuesOfKey.get(key) ?? [])]
	// The API takes any scalar as the value of a field; its type knows better.
	const field = offered.includes('true') ? (await known.mapping(expression))?.fields.get(key) : undefined
	const values = field === undefined || field.type === 'boolean' ? offered : []
	const hasOwn = values.length > 0 || fields.length > 0
	const names = hasOwn || !(nameKeys.has(key) || key === 'alias') ? [] : await namesOf(known)
	return [
		...values.map(value => keyword([value, ''])),
		...fields,
		...names.filter(({ detail }) => key !== 'alias' || detail === 'alias'),
	]
}

/** Members of a query on a field that hold its value: `{"term": {"status": {"value": "new"}}}`. */
const valueKeys: ReadonlySet<string> = new Set(['value', 'query', 'gt', 'gte', 'lt', 'lte'])

/** Returns frequent values of the field of a query whose value is typed. The words of a text are no values. */
async function frequentAt(
	{ keys, word, isQuoted }: CompletionContext & { kind: 'body' },
	expression: string,
	known: CompletionSources,
): Promise<readonly Suggestion[]> {
	const path = valueKeys.has(keys.at(-1) ?? '') && keys.length > 2 ? keys.slice(0, -1) : keys
	const [query = '', name = ''] = path.slice(-2)
	if (expression === '' || !(singleValueQueries.has(query) || query === 'terms' || query === 'range')) return []
	const fields = (await known.mapping(expression))?.fields
	const named = fields?.get(name)
	const owner = named ?? fields?.get(name.slice(0, Math.max(0, name.lastIndexOf('.'))))
	const type = named?.type ?? [...(owner?.subfields.values() ?? [])].find(({ path }) => path === name)?.type
	if (owner === undefined || type === undefined || isText(type) || type === 'boolean') return []
	const values = await known.values(expression, owner.path, word)
	return values.map(label => {
		const printed = kindOf(type) === 'number' ? label : JSON.stringify(label)
		return { label, kind: 'keyword', insert: isQuoted ? JSON.stringify(label).slice(1, -1) : printed }
	})
}

/** Parts of an analysis that a request defines and refers to by a name, by the last word of the key. */
const definedParts = ['analyzer', 'normalizer', 'tokenizer', 'filter', 'char_filter']

/** Returns the names that the analysis of the same request defines for this key. */
function namedIn(request: string, key: string): readonly string[] {
	const part = definedParts.findLast(name => key === name || key.endsWith(`_${name}`))
	if (part === undefined) return []
	const analysis = request.slice(Math.max(0, request.indexOf('"analysis"')))
	const settings = new RegExp(`"${part}"\\s*:\\s*\\{`).exec(analysis)
	if (settings === null || analysis === request) return []
	const names: string[] = []
	let depth = 1
	const rest = analysis.slice(settings.index + settings[0].length)
	for (const [token, name] of rest.matchAll(/[{}]|"((?:[^"\\\n]|\\.)*)"(?=\s*:\s*\{)|"(?:[^"\\\n]|\\.)*"/g)) {
		if (token === '{') depth++
		else if (token === '}') depth--
		else if (depth === 1 && name !== undefined) names.push(name)
		if (depth === 0) break
	}
	return names
}

/** Returns the text of the request around a place, up to the next request. */
function requestAround(text: string, at: number): string {
	const starts = Array.from(text.matchAll(/^[ \t]*(?:GET|POST|PUT|DELETE|HEAD)\b/gim), ({ index }) => index)
	return text.slice(
		starts.findLast(start => start < at) ?? 0,
		starts.find(start => start >= at),
	)
}

function literal(word: string): string {
	return word === 'true' || word === 'false' ? word : JSON.stringify(word)
}

/** Returns the name, the list or the pattern of a path; '' for all indices. */
function expressionOf([first]: readonly string[]): string {
	return first === undefined || first.startsWith('_') ? '' : first
}
