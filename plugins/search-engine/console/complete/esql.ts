import { esqlTokens } from '../esql-text.ts'
import {
	aggregateFunctions,
	type EsqlWord,
	groupingFunctions,
	metadataFields,
	processingCommands,
	scalarFunctions,
	sourceCommands,
	timeSeriesFunctions,
} from './esql-words.ts'

/** What can stand at the end of an ES|QL query that is being typed. */
export interface EsqlContext {
	readonly word: string
	readonly commands: readonly EsqlWord[]
	readonly functions: readonly EsqlWord[]
	readonly keywords: readonly string[]
	/** Whether names of indices are possible. */
	readonly takesIndex: boolean
	/** Whether names of fields are possible. */
	readonly takesFields: boolean
	/** The index expression of `FROM`; `undefined` after a command that makes other columns. */
	readonly source: string | undefined
	/** Columns that earlier commands made. */
	readonly made: readonly string[]
}

const nothing = { commands: [], functions: [], keywords: [], takesIndex: false, takesFields: false }
const inConditions = ['AND', 'OR', 'NOT', 'IN', 'LIKE', 'RLIKE', 'IS NULL', 'IS NOT NULL', 'true', 'false', 'null']

/** Reads a query up to the place of typing. Returns `undefined` in a text or a comment. */
export function esqlAt(query: string): EsqlContext | undefined {
	const commands = splitCommands(query)
	if (commands === undefined) return undefined
	const earlier = commands.slice(0, -1)
	const current = commands.at(-1) ?? ''
	const word = /[\w.@*-]*$/.exec(current)?.[0] ?? ''
	const common = { ...nothing, word, ...columnsOf(earlier) }
	if (/^\s*\w*$/.test(current)) {
		return { ...common, commands: earlier.length === 0 ? sourceCommands : processingCommands }
	}
	const before = current.slice(0, current.length - word.length)
	const command = /^\s*((?:LOOKUP|INLINE)\s+\w+|\w+)/i.exec(current)?.[1]?.toUpperCase().replace(/\s+/, ' ') ?? ''
	const isOfSeries = /^\s*TS\b/i.test(earlier[0] ?? '')
	return { ...common, ...argumentsOf(command, before, isOfSeries) }
}

/** @param isOfSeries whether the rows are those of time series (`TS`) */
function argumentsOf(command: string, before: string, isOfSeries: boolean): Partial<EsqlContext> {
	const isAfter = (keyword: string) => new RegExp(`\\b${keyword}\\b`, 'i').test(before)
	switch (command) {
		case 'FROM':
		case 'TS':
			return isAfter('METADATA') ? { keywords: metadataFields } : { takesIndex: true, keywords: ['METADATA'] }
		case 'SHOW':
			return { keywords: ['INFO'] }
		case 'WHERE':
			return { takesFields: true, functions: scalarFunctions, keywords: inConditions }
		case 'EVAL':
		case 'ROW':
			return { takesFields: command === 'EVAL', functions: scalarFunctions, keywords: ['true', 'false', 'null'] }
		case 'STATS':
		case 'INLINE STATS':
			return isAfter('BY')
				? { takesFields: true, functions: [...groupingFunctions, ...scalarFunctions] }
				: {
						takesFields: true,
						functions: [...(isOfSeries ? timeSeriesFunctions : []), ...aggregateFunctions, ...scalarFunctions],
						keywords: ['BY', 'WHERE'],
					}
		case 'SORT':
			return { takesFields: true, functions: scalarFunctions, keywords: ['ASC', 'DESC', 'NULLS FIRST', 'NULLS LAST'] }
		case 'RENAME':
			return { takesFields: true, keywords: ['AS'] }
		case 'ENRICH':
			return { takesFields: isAfter('ON'), keywords: isAfter('ON') ? ['WITH'] : ['ON'] }
		case 'LOOKUP JOIN':
			return isAfter('ON') ? { takesFields: true } : { takesIndex: true, keywords: ['ON'] }
		case 'CHANGE_POINT':
			return { takesFields: true, keywords: ['ON', 'AS'] }
		case 'KEEP':
		case 'DROP':
		case 'MV_EXPAND':
		case 'DISSECT':
		case 'GROK':
			return { takesFields: true }
		default:
			return {}
	}
}

/** Splits at the pipes. Returns `undefined` if the end is in a text or a comment. */
function splitCommands(query: string): readonly string[] | undefined {
	const commands = ['']
	for (const { kind, start, end, isClosed } of esqlTokens(query)) {
		if (!isClosed && end === query.length) return undefined
		if (kind === 'pipe') commands.push('')
		else if (kind !== 'comment') commands[commands.length - 1] += query.slice(start, end)
	}
	return commands
}

function columnsOf(earlier: readonly string[]): Pick<EsqlContext, 'source' | 'made'> {
	const source = /^\s*(?:FROM|TS)\s+([^\n]*?)(?:\s+METADATA\b|\s*$)/i.exec(earlier[0] ?? '')?.[1]?.replace(/\s+/g, '')
	const last = earlier.findLastIndex(command => /^\s*STATS\b/i.test(command))
	const made = earlier.slice(Math.max(last, 0)).flatMap(namesMadeBy)
	return { source: last < 0 ? source : undefined, made: [...new Set(made)] }
}

function namesMadeBy(command: string): readonly string[] {
	const [, name = '', rest = ''] = /^\s*(\w+)([\s\S]*)$/.exec(command) ?? []
	if (/^(?:RENAME|CHANGE_POINT)$/i.test(name))
		return [...rest.matchAll(/\bAS\s+([\w.@]+)/gi)].map(match => match[1] ?? '')
	if (!/^(?:EVAL|ROW|STATS|INLINE)$/i.test(name)) return []
	const [values = '', by = ''] = rest.split(/\bBY\b/i)
	const groups = by
		.split(',')
		.map(group => group.trim())
		.filter(group => /^[\w.@]+$/.test(group))
	const named = [...`${values},${by}`.matchAll(/(?:^|[,\s])([\w.@]+)\s*=(?!=)/g)].map(match => match[1] ?? '')
	return [...named, ...groups]
}
