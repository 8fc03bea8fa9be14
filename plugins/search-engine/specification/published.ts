import { readdirSync, readFileSync } from 'node:fs'
import { packageFolder } from './version.ts'

/**
 * Reads the same clients line by line, for tests: the table is compared with a reader that shares no code with the
 * generator.
 */
export interface PublishedRoute {
	readonly method: string
	/** `{}` replaces a name. */
	readonly path: string
	readonly query: readonly string[]
}

const folder = (major: number) => packageFolder(`elasticsearch-${major}`)

export function publishedTypes(major: number): string {
	return readFileSync(`${folder(major)}${major === 7 ? '/api/types.d.ts' : '/lib/api/types.d.ts'}`, 'utf8')
}

export function publishedRoutes(major: number): PublishedRoute[] {
	const sources = `${folder(major)}${major === 7 ? '/api/api' : '/lib/api/api'}`
	const files = readdirSync(sources).filter(name => name.endsWith('.js'))
	return files.flatMap(file => {
		const text = readFileSync(`${sources}/${file}`, 'utf8')
		return text.split(functionStart).flatMap((part, index, parts) => {
			if (index % 2 === 0) return []
			const body = parts[index + 1] ?? ''
			const query = queryOf(major, { namespace: file.replace('.js', ''), name: part, body })
			return [...body.matchAll(route)].flatMap(([, , method = '', path = '']) =>
				[...method.matchAll(/'([A-Z]+)'/g)].map(([, name = '']) => ({ method: name, path: plainPath(path), query })),
			)
		})
	})
}

const functionStart = /^ *(?:async )?(?:function )?(?:\w+\.prototype\.\w+ = function )?(\w+) ?\(params, options.*\{$/m
const route = /(method == null\) |const |)method = (.*?);?\n\s*(?:const )?path = (.*?);?\n/g

function plainPath(path: string): string {
	return path
		.replaceAll(/\$\{.*?\}(?=[/`])/g, '{}')
		.replaceAll(/encodeURIComponent\([^)]*\)/g, "'{}'")
		.replaceAll(/[`']|\s*\+\s*/g, '')
}

function queryOf(
	major: number,
	{ namespace, name, body }: { readonly namespace: string; readonly name: string; readonly body: string },
): string[] {
	if (major === 9) {
		const [, own = ''] = /acceptedParams: \{[\s\S]*?query: \[([^\]]*)\]/.exec(body) ?? []
		return wordsIn(own)
	}
	if (major === 7) {
		const [, apart = ''] = /let \{(.*?)\} = params/.exec(body) ?? []
		const request = name.replace(/Api$/, '').replace(/^./, first => first.toUpperCase())
		return requestMembers(request).filter(member => !apart.split(/,\s*/).includes(member))
	}
	const [, request = ''] =
		new RegExp(`${name}\\(this: That, params\\??: T\\.(\\w+)`).exec(declarations8(namespace)) ?? []
	const elsewhere = [...body.matchAll(/accepted(?:Path|Body) = \[([^\]]*)\]/g)].flatMap(([, list = '']) =>
		wordsIn(list),
	)
	return membersOfInterface(bodyKeyTypes(), request).filter(member => member !== 'body' && !elsewhere.includes(member))
}

const wordsIn = (list: string) => [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)

const declarations8 = (namespace: string) => readFileSync(`${folder(8)}/lib/api/api/${namespace}.d.ts`, 'utf8')

let keptTypes: string | undefined
function bodyKeyTypes(): string {
	keptTypes ??= readFileSync(`${folder(8)}/lib/api/typesWithBodyKey.d.ts`, 'utf8')
	return keptTypes
}

/** Returns the members of a request in the oldest client, including the names in its path. */
function requestMembers(request: string): string[] {
	const members = membersOfInterface(readFileSync(`${folder(7)}/api/requestParams.d.ts`, 'utf8'), request)
	return members.filter(member => !['body', 'method', 'ignore'].includes(member))
}

/** Returns the direct members of an interface, by their indentation. */
export function membersOfInterface(text: string, name: string): string[] {
	return linesOf(text, name).flatMap(line => /^(?: {2}| {4})(\w+)\??:/.exec(line)?.[1] ?? [])
}

/** Returns the lines of an interface, including those of interfaces that it extends by a plain name. */
export function linesOf(text: string, name: string): string[] {
	const start = new RegExp(`^(?:export )?(?:declare )?interface ${name}(?:<.*?>)? (?:extends (.*?) )?\\{$`, 'm').exec(
		text,
	)
	if (start === null) return []
	const end = text.indexOf('\n}', start.index)
	return text.slice(start.index, end).split('\n').slice(1)
}
