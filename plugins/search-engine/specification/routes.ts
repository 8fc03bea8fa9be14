import { basename } from 'node:path'
import { types as t } from '@babel/core'
import { nodesIn, parseFile } from './syntax.ts'

/** One API of a client: its paths, the methods of each, and its parameters. */
export interface Api {
	/** For example `indices.get_mapping`. */
	readonly name: string
	readonly routes: readonly Route[]
	/** The parameters of path, query and body, if the client lists them. */
	readonly accepted: Accepted | undefined
}

interface Route {
	readonly methods: readonly string[]
	/** For example `/{index}/_doc/{id}`. */
	readonly path: string
}

interface Accepted {
	readonly path: readonly string[]
	readonly body: readonly string[]
	readonly query: readonly string[]
	/** Whether the only body member is the whole body. */
	readonly isWholeBody: boolean
}

/** Returns the APIs of one file of a client, whose functions build the method and the path of a request. */
export async function apisIn(file: string): Promise<Api[]> {
	const namespace = basename(file, '.js')
	const program = await parseFile(file)
	const common = textsOf(variableIn(program, 'commonQueryParams')) ?? []
	const apis: Api[] = []
	for (const node of nodesIn(program)) {
		if (!t.isFunctionDeclaration(node) && !t.isFunctionExpression(node) && !t.isClassMethod(node)) continue
		const routes = routesIn(node.body)
		if (routes.length > 0) apis.push({ name: nameOf(node, namespace), routes, accepted: acceptedIn(node.body, common) })
	}
	return apis
}

type ApiFunction = t.FunctionDeclaration | t.FunctionExpression | t.ClassMethod

/** Newer clients pass their name to the transport; in older ones it is the name of the function. */
function nameOf(node: ApiFunction, namespace: string): string {
	const said = propertyIn(node.body, 'name')
	if (t.isStringLiteral(said)) return said.value
	const id = t.isClassMethod(node) ? node.key : node.id
	const own = t.isIdentifier(id) ? snakeCase(id.name.replace(/Api$/, '')) : ''
	return own === namespace ? namespace : `${namespace}.${own.replace(`${namespace}_`, '')}`
}

export function snakeCase(name: string): string {
	return name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
}

/** Returns each path with its methods: `method` and `path` are set in one block, or once for all. */
function routesIn(body: t.BlockStatement): Route[] {
	const routes: Route[] = []
	for (const block of nodesIn(body)) {
		if (!t.isBlockStatement(block)) continue
		const path = valuesSet(block, 'path')
			.map(pathOf)
			.find(found => found !== '')
		const methods = valuesSet(block, 'method').flatMap(methodsOf)
		if (path !== undefined && methods.length > 0) routes.push({ methods: [...new Set(methods)], path })
	}
	return routes
}

/** Returns the values assigned to a variable by the direct statements of a block. */
function valuesSet(block: t.BlockStatement, name: string): t.Expression[] {
	return block.body.flatMap(statement => {
		const inner =
			t.isIfStatement(statement) && !t.isBlockStatement(statement.consequent) ? statement.consequent : statement
		if (t.isVariableDeclaration(inner))
			return inner.declarations.flatMap(({ id, init }) => (t.isIdentifier(id, { name }) && init ? [init] : []))
		if (!t.isExpressionStatement(inner) || !t.isAssignmentExpression(inner.expression)) return []
		const { left, right } = inner.expression
		return t.isIdentifier(left, { name }) ? [right] : []
	})
}

function methodsOf(value: t.Expression): string[] {
	if (t.isConditionalExpression(value)) return [...methodsOf(value.consequent), ...methodsOf(value.alternate)]
	return t.isStringLiteral(value) && value.value !== '' ? [value.value] : []
}

/** Returns the path of a template, or of a concatenation of texts and values. */
function pathOf(value: t.Expression): string {
	if (t.isStringLiteral(value)) return value.value
	if (t.isBinaryExpression(value) && t.isExpression(value.left)) return pathOf(value.left) + pathOf(value.right)
	if (!t.isTemplateLiteral(value)) return `{${parameterIn(value)}}`
	return value.quasis
		.map(({ value: { raw } }, index) => {
			const put = value.expressions[index]
			return put ? `${raw}{${parameterIn(put)}}` : raw
		})
		.join('')
}

/**
 * Returns `index` for `encodeURIComponent(params.index.toString())`, `task_id` for `encodeURIComponent(task_id ||
 * taskId)`.
 */
function parameterIn(value: t.Node): string {
	for (const node of nodesIn(value)) {
		if (t.isMemberExpression(node) && t.isIdentifier(node.object, { name: 'params' }) && t.isIdentifier(node.property))
			return node.property.name
	}
	const names = [...nodesIn(value)].flatMap(node => (t.isIdentifier(node) ? [node.name] : []))
	return names.find(name => name !== 'encodeURIComponent') ?? ''
}

function acceptedIn(body: t.BlockStatement, common: readonly string[]): Accepted | undefined {
	const isWholeBody = [...nodesIn(body)].some(isWholeAssignment)
	const accepted = propertyIn(body, 'acceptedParams')
	if (t.isObjectExpression(accepted)) {
		const query = [...textsIn(accepted, 'query'), ...common]
		return { path: textsIn(accepted, 'path'), body: textsIn(accepted, 'body'), query, isWholeBody }
	}
	const path = textsOf(variableIn(body, 'acceptedPath'))
	return path && { path, body: textsOf(variableIn(body, 'acceptedBody')) ?? [], query: [], isWholeBody }
}

/** Matches `body = params[key]`. */
function isWholeAssignment(node: t.Node): boolean {
	return (
		t.isAssignmentExpression(node) &&
		t.isIdentifier(node.left, { name: 'body' }) &&
		t.isMemberExpression(node.right) &&
		t.isIdentifier(node.right.property, { name: 'key' })
	)
}

function textsIn(object: t.ObjectExpression, key: string): readonly string[] {
	return textsOf(propertyIn(object, key)) ?? []
}

function textsOf(node: t.Node | undefined): string[] | undefined {
	if (!t.isArrayExpression(node)) return undefined
	return node.elements.flatMap(element => (t.isStringLiteral(element) ? [element.value] : []))
}

function propertyIn(node: t.Node, name: string): t.Node | undefined {
	for (const found of nodesIn(node))
		if (t.isObjectProperty(found) && t.isIdentifier(found.key, { name })) return found.value
	return undefined
}

function variableIn(node: t.Node, name: string): t.Node | undefined {
	for (const found of nodesIn(node))
		if (t.isVariableDeclarator(found) && t.isIdentifier(found.id, { name })) return found.init ?? undefined
	return undefined
}
