import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'

/** Finds a marker in PostgreSQL's tree of a statement: what it stands for, and which sources and queries it sees. */

export interface TreePlace {
	readonly kind: 'expression' | 'table' | 'columns' | 'using' | 'type' | 'routine'
	/** Aliases of sources, of the nearest query first. */
	readonly levels: readonly (readonly string[])[]
	/** Names of the queries of WITH. */
	readonly queries: readonly string[]
}

type Seen = Pick<TreePlace, 'levels' | 'queries'>

export const marker = 'caret_is_here'

const nothing: Seen = { levels: [], queries: [] }
const objectOf = (json: Json | undefined): JsonObject => (isJsonObject(json ?? null) ? (json as JsonObject) : {})
const listOf = (json: Json | undefined): readonly Json[] => (Array.isArray(json) ? json : [])
const textOf = (json: Json | undefined): string => (typeof json === 'string' ? json : '')
/** Whether a list of names has the marker. */
const isMarked = (json: Json | undefined): boolean =>
	listOf(json).some(one => textOf(objectOf(objectOf(one).String).sval) === marker)
const within = (sources: readonly string[], seen: Seen): Seen => ({ ...seen, levels: [[...sources], ...seen.levels] })

/** Statements whose first table is new. */
const creates = new Set(['CreateStmt', 'ViewStmt', 'CreateSeqStmt', 'CompositeTypeStmt', 'CreateForeignTableStmt'])

/** Returns the place of the marker in a tree, or `undefined` if it is a new name or stands where no rule here looks. */
export function placeIn(json: Json | undefined, seen: Seen = nothing): TreePlace | undefined {
	if (Array.isArray(json)) return firstOf(json.map(one => () => placeIn(one, seen)))
	if (!isJsonObject(json ?? null)) return undefined
	return firstOf(
		Object.entries(objectOf(json)).map(
			([key, value]) =>
				() =>
					member(key, value ?? null, seen),
		),
	)
}

function firstOf(finds: readonly (() => TreePlace | undefined)[]): TreePlace | undefined {
	for (const find of finds) {
		const found = find()
		if (found) return found
	}
	return undefined
}

function member(key: string, value: Json, seen: Seen): TreePlace | undefined {
	const node = objectOf(value)
	if (textOf(node.relname) === marker || textOf(node.schemaname) === marker) return { kind: 'table', ...seen }
	if (key === 'ColumnRef') return isMarked(node.fields) ? { kind: 'expression', ...seen } : undefined
	if (key === 'FuncCall' && isMarked(node.funcname)) return { kind: 'expression', ...seen }
	if (key === 'funccall' && isMarked(node.funcname)) return { kind: 'routine', ...seen }
	if (['TypeName', 'typeName', 'returnType'].includes(key) && isMarked(node.names)) return { kind: 'type', ...seen }
	if (key === 'IndexElem' && textOf(node.name) === marker) return { kind: 'columns', ...seen }
	if (key === 'intoClause' || key === 'into') return undefined
	// The grammar reads names of routines as types there.
	if (key === 'DefElem' && !/(?:type|arg)$/.test(textOf(node.defname))) return undefined
	// A bound of a frame has no columns.
	if (key === 'startOffset' || key === 'endOffset') return undefined
	if (creates.has(key)) {
		const { relation, view, sequence, typevar, ...others } = node
		return placeIn(others, key === 'CreateStmt' ? within([], seen) : seen)
	}
	const read = Object.hasOwn(statements, key) ? statements[key] : undefined
	return read ? read(node, seen) : placeIn(value, seen)
}

const statements: Readonly<Record<string, (node: JsonObject, seen: Seen) => TreePlace | undefined>> = {
	SelectStmt: select,
	InsertStmt: insert,
	UpdateStmt: (node, seen) => change(node, node.fromClause, seen),
	DeleteStmt: (node, seen) => change(node, node.usingClause, seen),
	MergeStmt: (node, seen) => change(node, node.sourceRelation ? [node.sourceRelation] : [], seen),
	IndexStmt: onTable,
	AlterTableStmt: onTable,
	CreatePolicyStmt: onTable,
	CreateTrigStmt: (node, seen) => placeIn(node, within(['new', 'old'], seen)),
	RuleStmt: (node, seen) => placeIn(node, within(['new', 'old'], seen)),
	Constraint: constraint,
	CopyStmt: (node, seen) => (isMarked(node.attlist) ? { kind: 'columns', ...seen } : placeIn(node, seen)),
	DropStmt: (node, seen) => {
		const isTable = /_(?:TABLE|VIEW|MATVIEW|INDEX|SEQUENCE)$/.test(textOf(node.removeType))
		const isFound = listOf(node.objects).some(one => isMarked(objectOf(objectOf(one).List).items))
		return isTable && isFound ? { kind: 'table', ...seen } : undefined
	},
}

function onTable(node: JsonObject, seen: Seen): TreePlace | undefined {
	const relation = objectOf(node.relation ?? node.table)
	return placeIn(node, within([textOf(relation.relname)], seen))
}

function constraint(node: JsonObject, seen: Seen): TreePlace | undefined {
	if ([node.keys, node.fk_attrs, node.pk_attrs].some(isMarked)) return { kind: 'columns', ...seen }
	return placeIn(node, textOf(node.contype) === 'CONSTR_DEFAULT' ? nothing : seen)
}

/** Returns the place in WITH, or what a statement sees behind it. */
function withQueries(json: Json | undefined, seen: Seen): TreePlace | Seen {
	const { ctes, recursive } = objectOf(json)
	let after = seen
	for (const one of listOf(ctes)) {
		const { ctename, ctequery } = objectOf(objectOf(one).CommonTableExpr)
		const more = { ...after, queries: [textOf(ctename), ...after.queries] }
		const found = placeIn(ctequery, recursive === true ? more : after)
		if (found) return found
		after = more
	}
	return after
}

function select(node: JsonObject, outer: Seen): TreePlace | undefined {
	const seen = withQueries(node.withClause, outer)
	if ('kind' in seen) return seen
	const sources: string[] = []
	const { withClause, intoClause, larg, rarg, fromClause, limitCount, limitOffset, ...others } = node
	return firstOf([
		() => (larg ? select(objectOf(larg), seen) : undefined),
		() => (rarg ? select(objectOf(rarg), seen) : undefined),
		() => from(fromClause, sources, seen),
		() => placeIn(others, within(sources, seen)),
		() => placeIn([limitCount ?? null, limitOffset ?? null], seen),
	])
}

/** Adds the sources of FROM. */
function from(json: Json | undefined, sources: string[], seen: Seen): TreePlace | undefined {
	return firstOf(listOf(json).map(item => () => source(item, sources, seen)))
}

function source(item: Json, sources: string[], seen: Seen): TreePlace | undefined {
	const [[kind, value] = ['', null]] = Object.entries(objectOf(item))
	const node = objectOf(value ?? null)
	const alias = textOf(objectOf(node.alias).aliasname)
	const add = (name: string) => void sources.push(alias || name)
	switch (kind) {
		case 'RangeVar': {
			const found = member(kind, value ?? null, seen)
			add(textOf(node.relname))
			return found
		}
		case 'RangeSubselect': {
			const found = placeIn(node.subquery, node.lateral === true ? within(sources, seen) : seen)
			add('')
			return found
		}
		case 'RangeFunction': {
			const calls = JSON.stringify(node.functions ?? null)
			const inside = placeIn(node.functions, within(sources, seen))
			const name = /"funcname":(\[.*?\])/.exec(calls)?.[1] ?? ''
			add([...name.matchAll(/"sval":"([^"]*)"/g)].at(-1)?.[1] ?? '')
			if (inside?.kind === 'expression' && name.includes(marker)) return { kind: 'table', ...seen }
			return inside ?? placeIn(node.coldeflist, seen)
		}
		case 'JoinExpr': {
			const start = sources.length
			const found = firstOf([
				() => source(node.larg ?? null, sources, seen),
				() => source(node.rarg ?? null, sources, seen),
			])
			if (found) return found
			if (isMarked(node.usingClause)) return { kind: 'using', ...seen }
			return placeIn(node.quals, within(sources.slice(start), seen))
		}
		case 'RangeTableSample':
			return source(node.relation ?? null, sources, seen) ?? placeIn(node.args, within([], seen))
		default: {
			const found = placeIn(value, within(sources, seen))
			add('')
			return found
		}
	}
}

function targets(json: Json | undefined, seen: Seen): TreePlace | undefined {
	return firstOf(
		listOf(json).map(one => () => {
			const { name, val, indirection } = objectOf(objectOf(one).ResTarget)
			if (textOf(name) === marker) return { kind: 'columns', ...seen } as const
			return placeIn([val ?? null, indirection ?? null], seen)
		}),
	)
}

const nameOf = (relation: JsonObject) => textOf(objectOf(relation.alias).aliasname) || textOf(relation.relname)

function insert(node: JsonObject, outer: Seen): TreePlace | undefined {
	const seen = withQueries(node.withClause, outer)
	if ('kind' in seen) return seen
	const name = nameOf(objectOf(node.relation))
	const conflict = objectOf(node.onConflictClause)
	return firstOf([
		() => member('relation', node.relation ?? null, seen),
		() => targets(node.cols, seen),
		() => placeIn(node.selectStmt, seen),
		() => placeIn(conflict.infer, within([name], seen)),
		() => targets(conflict.targetList, within([name, 'excluded'], seen)),
		() => placeIn(conflict.whereClause, within([name, 'excluded'], seen)),
		() => placeIn(returned(node), within([name], seen)),
	])
}

const returned = (node: JsonObject) => node.returningList ?? objectOf(node.returningClause).exprs ?? null

/** UPDATE, DELETE and MERGE. */
function change(node: JsonObject, others: Json | undefined, outer: Seen): TreePlace | undefined {
	const seen = withQueries(node.withClause, outer)
	if ('kind' in seen) return seen
	const sources = [nameOf(objectOf(node.relation))]
	const whens = listOf(node.mergeWhenClauses).map(one => objectOf(objectOf(one).MergeWhenClause))
	return firstOf([
		() => member('relation', node.relation ?? null, seen),
		() => from(others, sources, seen),
		() => targets(node.targetList, within(sources, seen)),
		() => placeIn([node.whereClause ?? null, node.joinCondition ?? null, returned(node)], within(sources, seen)),
		...whens.flatMap(when => [
			() => targets(when.targetList, within(sources, seen)),
			() => placeIn([when.condition ?? null, when.values ?? null], within(sources, seen)),
		]),
	])
}
