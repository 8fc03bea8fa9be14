import { isJsonObject } from '@roundhouse/kit'
import { isBlank } from '@roundhouse/sql'
import { tokensOf } from '../sql/lexer.ts'
import type { Query } from '../wire/session.ts'
import { isRun } from './access.ts'
import type { Tree } from './parser.ts'

/** Returns the part of a read that the server runs: all, what EXPLAIN measures, or nothing. */
export function costlyPart(query: Query, tree: Tree | undefined): Query | undefined {
	if (tree?.VariableShowStmt !== undefined) return undefined
	const explain = tree?.ExplainStmt
	if (!isJsonObject(explain)) return query
	return isRun(explain.options) ? { ...query, sql: explainedIn(query.sql), explained: undefined } : undefined
}

/** Returns the statement behind `explain (…)`, or behind `explain analyze verbose`. */
export function explainedIn(sql: string): string {
	const [, ...tokens] = tokensOf(sql).filter(token => !isBlank(token))
	const textOf = (at: number) => sql.slice(tokens[at]?.start, tokens[at]?.end)
	let at = 0
	if (textOf(0) === '(' && !/^select|values|with|table|\($/i.test(textOf(1))) while (textOf(at++) !== ')');
	else while (/^(?:analy[sz]e|verbose)$/i.test(textOf(at))) at++
	return sql.slice(tokens[at]?.start)
}
