import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { contextAt } from '@roundhouse/sql'
import { completing } from '../../plugins/postgres/console/complete.ts'
import { parse } from '../../plugins/postgres/console/parser.ts'
import { tokensOf } from '../../plugins/postgres/sql/lexer.ts'
import { split } from '../../plugins/postgres/sql/split.ts'
import { marker, placeIn, type TreePlace } from './postgres-places.ts'

/**
 * `npm run fuzz -- completion [files…]`: deletes one name at a time in files of SQL, and compares what completion reads at
 * its place with PostgreSQL's own tree of the statement. Files of PostgreSQL's regression tests are meant, which
 * github.com/pganalyze/libpg_query has in test/sql/postgres_regress.
 */

/** Names of each statement that are deleted. */
const mostNames = 6
const longestStatement = 6_000
const mostShown = 40

interface Count {
	positions: number
	sameKind: number
	same: number
}

const counts = new Map<string, Count>()
const different: string[] = []
const times: number[] = []

const flat = (levels: readonly (readonly string[])[]) =>
	levels
		.map(names =>
			names
				.filter(Boolean)
				.map(name => name.toLowerCase())
				.sort()
				.join(','),
		)
		.filter(Boolean)
		.join(' | ')

async function wantedAt(text: string, start: number, end: number): Promise<TreePlace | undefined> {
	// A type before a text is an operand.
	if (/^\s*'/.test(text.slice(end))) return undefined
	const parsed = await parse(text.slice(0, start) + marker + text.slice(end))
	return 'statements' in parsed ? placeIn(parsed.statements[0] ?? null) : undefined
}

/** What the reader says, in the words of the tree. */
function readAt(text: string, offset: number) {
	const startedAt = performance.now()
	const place = contextAt(text, offset, completing.dialect)
	times.push(performance.now() - startedAt)
	const levels: string[][] = []
	const scope = place.kind === 'expression' ? place.scope : undefined
	for (let at = scope; at; at = at.parent) levels.push(at.sources.map(({ alias }) => alias))
	const queries = scope?.queries ?? (place.kind === 'table' ? place.queries : [])
	return { kind: place.kind, levels: flat(levels), queries: flat([queries.map(({ alias }) => alias)]) }
}

async function compare(file: string, statement: string): Promise<void> {
	const names = tokensOf(statement)
		.filter(({ kind, start }) => kind === 'quotedIdentifier' || (kind === 'word' && !/\d/.test(statement[start] ?? '')))
		.slice(1)
	const step = Math.max(1, Math.floor(names.length / mostNames))
	for (let at = 0; at < names.length; at += step) {
		const { start = 0, end = 0 } = names[at] ?? {}
		const wanted = await wantedAt(statement, start, end)
		if (!wanted) continue
		const text = statement.slice(0, start) + statement.slice(end)
		const read = readAt(text, start)
		const count = counts.get(wanted.kind) ?? { positions: 0, sameKind: 0, same: 0 }
		counts.set(wanted.kind, count)
		count.positions++
		const isKind = read.kind === wanted.kind
		const hasScope = wanted.kind === 'expression'
		const hasQueries = hasScope || wanted.kind === 'table'
		const isSame =
			isKind &&
			(!hasScope || read.levels === flat(wanted.levels)) &&
			(!hasQueries || read.queries === flat([wanted.queries]))
		if (isKind) count.sameKind++
		if (isSame) count.same++
		else {
			const around = `${text.slice(Math.max(0, start - 90), start)}|${text.slice(start, start + 40)}`.replace(
				/\s+/g,
				' ',
			)
			const scopes = isKind
				? ` [${flat(wanted.levels)} with ${wanted.queries}] read [${read.levels} with ${read.queries}]`
				: ''
			different.push(`${basename(file)}: ${wanted.kind}, read ${read.kind}${scopes}\n  ${around}`)
		}
	}
}

for (const file of process.argv.slice(2)) {
	const text = readFileSync(file, 'utf8')
	for (const { start, end } of split(text)) {
		const statement = text.slice(start, end)
		// Commands of psql are no SQL.
		if (statement.length <= longestStatement && !statement.includes('\\')) await compare(file, statement)
	}
}
const total = [...counts.values()].reduce(
	(sum, { positions, sameKind, same }) => ({
		positions: sum.positions + positions,
		sameKind: sum.sameKind + sameKind,
		same: sum.same + same,
	}),
	{ positions: 0, sameKind: 0, same: 0 },
)
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`
const every = Math.max(1, Math.floor(different.length / mostShown))
for (const text of different.filter((_, at) => at % every === 0)) console.log(text)
for (const [kind, { positions, sameKind, same }] of [...counts, ['all', total] as const])
	console.log(
		`${kind}: ${positions} positions, kind ${percent(sameKind, positions)}, and scope ${percent(same, positions)}`,
	)
times.sort((a, b) => a - b)
if (times.length > 0)
	console.log(`ms: median ${times[times.length >> 1]?.toFixed(2)}, worst ${times.at(-1)?.toFixed(1)}`)
