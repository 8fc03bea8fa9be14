import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import type { ApiRow, NodeRow, VersionTable } from '../console/complete/specification-table.ts'
import { Declarations, type Member } from './declarations.ts'
import { type Description, descriptionsIn } from './descriptions.ts'
import { Grammar } from './grammar.ts'
import { otherMethods } from './other-methods.ts'
import { type Api, apisIn } from './routes.ts'
import { serverlessEndpoints, shapeOf } from './serverless-endpoints.ts'
import { filesIn } from './syntax.ts'

/** One major version of the engine, as its client describes it. */
export interface Client {
	readonly apis: readonly Api[]
	readonly descriptions: ReadonlyMap<string, Description>
	readonly types: Declarations
	/** The parameters of the oldest client, which are separate from its types. */
	readonly parameters: Declarations | undefined
}

/** @param folder of the package */
export async function readClient(folder: string, isOldest: boolean): Promise<Client> {
	const api = join(folder, isOldest ? 'api' : 'lib/api')
	const sources = await filesIn(join(api, 'api'), '.js')
	const apis = (await Promise.all(sources.map(apisIn))).flat()
	const types = await Declarations.read(join(api, 'types.d.ts'))
	if (isOldest)
		return {
			apis,
			types,
			descriptions: new Map(),
			parameters: await Declarations.read(join(api, 'requestParams.d.ts')),
		}
	const described = await Promise.all((await filesIn(join(api, 'api'), '.d.ts')).map(descriptionsIn))
	return { apis, types, descriptions: new Map(described.flatMap(found => [...found])), parameters: undefined }
}

/** Returns the index of a text, and adds it if necessary. */
export type Keep = (text: string) => number

/** @param newer clients that may describe what this one does not */
export function tableOf(client: Client, newer: readonly Client[], keep: Keep): VersionTable {
	const onServerless = Map.groupBy(serverlessEndpoints(), ({ path }) => shapeOf(path))
	const grammar = new Grammar(
		client.types,
		newer.map(({ types }) => types),
	)
	const apis = client.apis.map((api): ApiRow => {
		const described = [client, ...newer].flatMap(({ descriptions }) => descriptions.get(api.name) ?? [])
		const request = described[0]?.request || `${pascalCase(api.name)}Request`
		const { query, body } = membersOf(client, api, {
			members: membersWithDocs(request, client, newer),
			queryOfNewer: queryOfNewer(api, newer),
		})
		const isDeprecated = described[0]?.isDeprecated ?? false
		return [
			keep(described.find(({ doc }) => doc !== '')?.doc ?? ''),
			keep(described.find(({ url }) => url !== '')?.url ?? ''),
			body(grammar),
			[...query].flatMap(([name, member]) => [keep(name), grammar.nodeOf(member.types), keep(member.doc)]),
			api.routes.flatMap(({ methods, path }) => {
				const all = new Set([
					...methods,
					...Object.entries(otherMethods).flatMap(([method, names]) => (names.includes(api.name) ? [method] : [])),
				])
				// Document types were removed in 8 and deprecated in 7.
				const offered = (onServerless.get(shapeOf(path)) ?? []).flatMap(({ methods }) => methods)
				return [
					keep([...all].join(' ')),
					keep(path),
					Number(isDeprecated || path.includes('/{type}')),
					keep([...all].filter(method => offered.includes(method)).join(' ')),
				]
			}),
		]
	})
	const nodes = grammar.nodes.map((node): NodeRow => {
		if (node === undefined) return [[], [], 0, 0, 0, []]
		const keys = [...node.keys].flatMap(([name, { node: under, doc }]) => [keep(name), under, keep(doc)])
		const variants = [...node.variants].flatMap(([value, under]) => [keep(value), under])
		return [keys, node.values.map(keep), node.fields ?? 0, node.names ?? 0, Number(node.isField), variants]
	})
	return { apis, nodes }
}

/**
 * Returns the query parameters of newer clients. The client of 8 lists a parameter of query and body only for the body.
 */
function queryOfNewer({ name }: Api, newer: readonly Client[]): Set<string> {
	const same = newer.flatMap(({ apis }) => apis.find(api => api.name === name) ?? [])
	return new Set(same.flatMap(({ accepted }) => accepted?.query ?? []))
}

interface Members {
	readonly query: ReadonlyMap<string, Member>
	readonly body: (grammar: Grammar) => number
}

/** Returns the members of a request, described by a newer client if necessary. */
function membersWithDocs(request: string, { types }: Client, newer: readonly Client[]): Map<string, Member> {
	const described = newer.map(client => client.types.membersOf(request))
	const members = [...types.membersOf(request)].map(([name, member]): [string, Member] => {
		const doc = member.doc || (described.flatMap(others => others.get(name)?.doc || []).at(0) ?? '')
		return [name, { ...member, doc }]
	})
	return new Map(members)
}

interface DescribedRequest {
	readonly members: ReadonlyMap<string, Member>
	/** Query parameters that newer clients list. */
	readonly queryOfNewer: ReadonlySet<string>
}

function membersOf(
	{ parameters }: Client,
	{ name, routes, accepted }: Api,
	{ members, queryOfNewer }: DescribedRequest,
): Members {
	const inPath = new Set(routes.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part)))
	if (parameters !== undefined) {
		const all = parameters.membersOf(pascalCase(name))
		const own = [...all].filter(([key]) => !inPath.has(key) && !notSent.has(key))
		const query = own.map(([key, { types }]): [string, Member] => [key, { types, doc: members.get(key)?.doc ?? '' }])
		return { query: new Map(query), body: grammar => grammar.nodeOf(members.get('body')?.types ?? []) }
	}
	const inBody = new Set(accepted?.body ?? [])
	const isQuery = (key: string) =>
		accepted && accepted.query.length > 0
			? accepted.query.includes(key)
			: !accepted?.path.includes(key) &&
				!inPath.has(key) &&
				!notSent.has(key) &&
				(!inBody.has(key) || queryOfNewer.has(key))
	const said = (accepted?.query ?? []).map((key): [string, Member] => [key, { types: [], doc: '' }])
	const query = new Map([...said, ...[...members].filter(([key]) => isQuery(key))])
	const [whole] = accepted?.isWholeBody ? inBody : []
	return {
		query,
		body: grammar =>
			whole === undefined
				? grammar.nodeOfMembers(new Map([...members].filter(([key]) => inBody.has(key))))
				: grammar.nodeOf(members.get(whole)?.types ?? []),
	}
}

/** Members of a request that only the client uses. */
const notSent = new Set(['body', 'method', 'ignore', 'querystring'])

function pascalCase(name: string): string {
	return name.replaceAll(/(?:^|[._])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the folder of a package, by its alias in package.json. */
export function packageFolder(alias: string): string {
	const found = findPackageJSON(alias, import.meta.url)
	if (found === undefined) throw new Error(`${alias} is not installed: run npm ci`)
	return dirname(found)
}
