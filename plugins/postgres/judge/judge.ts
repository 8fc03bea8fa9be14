import { createHash } from 'node:crypto'
import { DriverError, isDriverError } from '@roundhouse/kit'
import { parse, type Tree } from '../console/parser.ts'
import { ofNewTable } from '../rehearsal/measure.ts'
import { quoted } from '../sql/names.ts'
import type { Query, Session } from '../wire/session.ts'
import { builtIns } from './built-ins.ts'
import { ofExtensions } from './extensions.ts'
import { changedMark, constructorMark, guardQuery, lookUpQuery } from './look-up.ts'
import { addNames, makesTable, type NamesUsed, namesUsed, noNames } from './names-used.ts'
import { namesInRoutine } from './routine.ts'
import { volatileBuiltIns } from './volatile-built-ins.ts'

/**
 * Decides whether a statement of an AI client is known to act on nothing: every function, operator, type and table that
 * its names may stand for is built in and listed, of a listed extension, or a definition made of these. Or, for a
 * rehearsal, whether a rollback undoes all that a statement can reach: then triggers, cascades and routines in SQL and
 * PL/pgSQL count too.
 */

export interface Judgement {
	/** Why it is not known to act on nothing, as a sentence. */
	readonly reason?: string
	/** Run before the statement in its transaction: fails if what was looked up has changed. */
	readonly guard: Query
	/** Whether a routine or a trigger that it reaches changes rows. */
	readonly changesMore: boolean
	/** Whether it reaches a routine or a trigger of a user. */
	readonly runsRoutine: boolean
}

/** What the driver's own text has beside a typed condition, with which it shares the search path of the user. */
export const namesBesideCondition: NamesUsed = {
	...noNames(),
	functions: new Set(
		'array_agg avg char_length concat count date_trunc floor max md5 min num_nulls octet_length percentile_cont sum to_timestamp'.split(
			' ',
		),
	),
	operators: new Set('= <> < <= > >= ~~* ~ * / ||'.split(' ')),
	// Those of its columns too, by the names that PostgreSQL gives them. A path may have a schema before the catalog.
	types: new Set(
		'text bytea date name oid tid xid xid8 cid uuid json jsonb jsonpath xml bpchar varchar char int2 int4 int8 float4 float8 bool numeric money bit varbit time timetz timestamp timestamptz interval inet cidr macaddr macaddr8 point line lseg box path polygon circle tsvector tsquery pg_lsn int4range int8range numrange daterange tsrange tstzrange int4multirange int8multirange nummultirange datemultirange tsmultirange tstzmultirange regclass regproc regprocedure regoper regoperator regtype regrole regnamespace regconfig regdictionary regcollation aclitem int2vector oidvector'.split(
			' ',
		),
	),
}

const allowed: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	builtIns
		.trim()
		.split('\n')
		.map(line => {
			const [name = '', ...rest] = line.split(' ')
			return [name, new Set(rest.join(' ').split(';'))]
		}),
)

/** Whether a function that PostgreSQL has built in acts on nothing. @param args as `oidvectortypes` writes them */
export const isListed = (name: string, args: string): boolean =>
	allowed.get(name)?.has(args) === true || `${name}(${args})` in volatileBuiltIns

const extensions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
	Object.entries(ofExtensions).map(([name, functions]) => [name, new Set(functions.split(' '))]),
)

interface Judged {
	/** The text that is sent. It determines the others. */
	readonly sql: string
	readonly tree: Tree
	/** Names that the driver adds to it. */
	readonly also?: NamesUsed | undefined
	/** Whether the guard is run before the statement, so that what is kept need not be compared before. Default: `false` */
	readonly isGuarded?: boolean
	/** Whether it is judged for a rehearsal: it may change rows. Default: `false` */
	readonly isRehearsal?: boolean
	/** Whether it is a definition, which may evaluate what its tables and types are made of. Default: `false` */
	readonly isDefinition?: boolean
	/** Whether it maintains tables that it does not name. Default: `false` */
	readonly isEverywhere?: boolean
}

/** Tables and views of the server that have values of any column: what is common in it, or what rows from before it have. */
const ofAnyType = new Set(['pg_attribute', 'pg_statistic', 'pg_stats', 'pg_stats_ext_exprs', 'pg_statistic_ext_data'])

/** Views may be made of views. No definition refers to itself, so the rounds end before that. */
const mostRounds = 50
const mostKept = 300

/**
 * A row of the look-up: its kind; the encoding of the server; for `builtIn` a name with the arguments of each such function; for a definition its
 * owner and text; else what leads to a function, its schema, name, arguments, and its extension if a superuser owns it.
 */
type Found = readonly [kind: Kind, ...parts: readonly (string | null)[]]
type Kind =
	| Definition
	| 'encoding'
	| 'busy'
	| 'builtIn'
	| 'part'
	| 'foreign'
	| 'rule'
	| 'function'
	| 'attribute'
	| 'operator'
	| 'type'
	| 'support'
	| 'class'
type Definition = 'statement' | 'expression' | 'default' | 'routine'

const isDefinition = (kind: Kind): kind is Definition =>
	kind === 'statement' || kind === 'expression' || kind === 'default' || kind === 'routine'

/** Judges the statements of one database. What it has looked up is kept, and compared with the server at each use. */
export class Judge {
	readonly #kept = new Map<string, Judgement>()

	/** Forgets what is kept, because a guard has failed. */
	forget(): void {
		this.#kept.clear()
	}

	/** @param session one with the path of the driver */
	async of(
		session: Session,
		{ sql, tree, also, isGuarded = false, isRehearsal = false, isDefinition = false, isEverywhere = false }: Judged,
		signal: AbortSignal,
	): Promise<Judgement> {
		const isChange =
			isRehearsal || isDefinition || /"(?:InsertStmt|UpdateStmt|DeleteStmt|MergeStmt)"/.test(JSON.stringify(tree))
		const key = `${isRehearsal} ${isDefinition} ${sql}`
		const kept = this.#kept.get(key)
		// What is refused runs no guard.
		const isLeftToGuard = isGuarded && kept?.reason === undefined
		if (kept && (isLeftToGuard || (await isSame(session, kept.guard, signal)))) return kept
		const names = namesUsed(tree)
		if (also) addNames(names, also)
		const block = isRehearsal && tree.DoStmt !== undefined ? await namesInRoutine(sql) : noNames()
		if (block) addNames(names, block)
		const owners = new Map<string, string>()
		let changesMore = false
		for (let round = 0; round < mostRounds; round++) {
			const hasAnyType = [...names.relations].some(one => ofAnyType.has(`${JSON.parse(one)[1]}`))
			const reach = { isChange, isRehearsal, isRefresh: isDefinition, isEverywhere, hasAnyType }
			const { rows } = await session.read(lookUpQuery(names, reach), signal)
			const lines = rows.map(([line]) => line ?? '')
			const found: readonly Found[] = lines.map(line => JSON.parse(line))
			const busy = found.find(([kind]) => kind === 'busy')
			if (busy) throw new DriverError('query_failed', `Another session changes ${busy[1]}. Try again.`)
			const inside = block ? await namesInside(found, owners, isRehearsal) : unreadable('The block')
			if (typeof inside === 'object') changesMore ||= inside.changed.size > 0
			if (typeof inside === 'object' && addNames(names, inside)) continue
			const digest = createHash('md5').update(lines.join('\n')).digest('hex')
			const reason =
				typeof inside === 'string'
					? inside
					: (reasonOf(found, names, { owners, takesNumbers: isRehearsal || isDefinition }) ??
						(isRehearsal && makesTable(tree) ? hiddenChange(names) : undefined))
			const judgement = {
				guard: guardQuery(names, reach, digest),
				changesMore,
				runsRoutine: found.some(([kind, owner]) => kind === 'routine' && !owner?.startsWith('pg_catalog.')),
				...(reason !== undefined && { reason }),
			}
			if (this.#kept.size >= mostKept) this.#kept.clear()
			this.#kept.set(key, judgement)
			return judgement
		}
		throw new DriverError('denied', 'The definitions that the statement uses change too often to be read.')
	}
}

/** Whether an error is that of a guard: a definition has changed between look-up and run. */
export const isChangedMeanwhile = (error: unknown): boolean =>
	isDriverError(error) && error.engineCode === '22P02' && error.message.includes(changedMark)

async function isSame(session: Session, guard: Query, signal: AbortSignal): Promise<boolean> {
	try {
		await session.read(guard, signal)
		return true
	} catch (error) {
		if (isChangedMeanwhile(error)) return false
		throw error
	}
}

/** By text, so that an entry is true for ever. */
const parsed = new Map<string, NamesUsed | undefined>()

const unreadable = (what: string) => `${what} can do what this driver cannot read, or what no rollback undoes.`

/** Returns the names in the definitions, or why one cannot be read. @param owners gets whose name it is */
async function namesInside(
	found: readonly Found[],
	owners: Map<string, string>,
	isRehearsal: boolean,
): Promise<NamesUsed | string> {
	const all = noNames()
	for (const [kind, owner, text] of found) {
		if (!isDefinition(kind)) continue
		const sql = kind === 'expression' || kind === 'default' ? `select ${text}` : (text ?? '')
		if (!parsed.has(sql)) {
			if (parsed.size >= mostKept * 10) parsed.clear()
			parsed.set(sql, await namesInDefinition(kind, sql))
		}
		const names = parsed.get(sql)
		if (!names && kind === 'routine') return unreadable(`It runs ${owner}, which`)
		if (!names) return 'It uses a definition that this driver cannot read.'
		// A default numbers a row, which no plan does.
		const isNumbering = kind === 'default' && !isRehearsal
		const functions = isNumbering ? names.functions.difference(new Set(['nextval'])) : names.functions
		for (const name of functions) if (!owners.has(name)) owners.set(name, owner ?? '')
		addNames(all, { ...names, functions })
	}
	return all
}

async function namesInDefinition(kind: Definition, sql: string): Promise<NamesUsed | undefined> {
	if (kind === 'routine') return namesInRoutine(sql)
	const one = await parse(sql)
	return 'statements' in one ? namesUsed({ List: [...one.statements] }) : undefined
}

interface Reasoning {
	readonly owners: ReadonlyMap<string, string>
	/** Whether it may number rows. */
	readonly takesNumbers: boolean
}

function reasonOf(found: readonly Found[], names: NamesUsed, { owners, takesNumbers }: Reasoning): string | undefined {
	const there = new Set<string>()
	for (const row of found) {
		// Such a server folds and cuts names by its own letters, which this grammar does not know.
		if (row[0] === 'encoding' && row[1] !== 'UTF8' && hasForeignName(names))
			return 'It uses a name with letters that the driver cannot look up in the encoding of this database.'
		const reason = reasonOfRow(row, { owners, takesNumbers })
		if (reason !== undefined) return reason
		there.add((row[0] === 'builtIn' ? row[1] : row[3]) ?? '')
	}
	for (const name of names.functions) if (!there.has(name)) return `There is no function ${quoted(name)}.`
	for (const name of names.keywords) if (!allowed.has(name) && !words.has(name)) return itCalls(name, undefined)
	return undefined
}

function reasonOfRow([kind, ...parts]: Found, { owners, takesNumbers }: Reasoning): string | undefined {
	if (isDefinition(kind) || kind === 'encoding' || kind === 'busy') return undefined
	if (kind === 'builtIn') {
		const [name = '', args = ''] = parts.map(part => part ?? '')
		const isKnown = (takesNumbers && numbering.has(name)) || args.split(';').every(one => isListed(name, one))
		return isKnown ? undefined : itCalls(name, owners.get(name))
	}
	if (kind === 'part') {
		const [via, kindOfPart, name = '', args] = parts
		return isListed(name ?? '', args ?? '') ? undefined : usesOf(kindOfPart, via, name ?? '')
	}
	const [via, schema, name = '', , , extension] = parts
	if (kind === 'foreign') return `It reads ${via}, a table of another server, which may change data there.`
	if (kind === 'rule') return `It uses ${via}, whose rules may change data.`
	if (extension === constructorMark) return undefined
	// It may be one on a type of PostgreSQL, of any extension. Those are trusted.
	if (kind === 'class' && typeof extension === 'string') return undefined
	const listed = typeof extension === 'string' ? extensions.get(extension) : undefined
	// What an extension's own types are made of takes values that no statement can give.
	if (listed && (kind === 'support' || listed.has(name ?? ''))) return undefined
	const full = `${quoted(schema ?? '')}.${quoted(name ?? '')}`
	if (kind === 'function' || kind === 'attribute') return itCalls(full, owners.get(name ?? '') ?? via ?? undefined)
	return usesOf(kind, via, full)
}

function usesOf(kind: Kind | string | null | undefined, via: string | null | undefined, called: string): string {
	const what = kind === 'operator' ? 'the operator' : kind === 'class' ? 'an operator class of' : 'the type'
	return `It uses ${what} ${via}, which calls ${called} and may change data.`
}

/** Functions that number rows. A number that was taken stays taken after a rollback, which loses nothing. */
const numbering = new Set(['nextval', 'currval', 'lastval'])

const itCalls = (name: string, owner: string | undefined) =>
	owner === undefined
		? `It calls ${name}, which may change data.`
		: `It uses ${owner}, which calls ${name} and may change data.`

/** The rehearsal of a new table leaves out its entries in the catalogs, among which another change would be hidden. */
function hiddenChange({ changed, relations }: NamesUsed): string | undefined {
	if (changed.size === 0) return undefined
	const catalog = [...relations].map(one => `${JSON.parse(one)[1]}`).find(name => ofNewTable.has(`pg_catalog.${name}`))
	return catalog === undefined ? undefined : `It makes a table, and may change pg_catalog.${catalog}.`
}

const hasForeignName = (names: NamesUsed) =>
	Object.values<ReadonlySet<string>>({ ...names }).some(set =>
		// JSON of a relation has its letters as they are.
		[...set].some(name => Buffer.byteLength(name) !== name.length),
	)

/** Words that are no functions of the server, which therefore has none of that name. */
const words = new Set(
	'json_exists json_query json_value json_scalar json_serialize json json_array json_objectagg json_arrayagg json_table'.split(
		' ',
	),
)
