import { basename } from 'node:path'
import { types as t } from '@babel/core'
import { referenceOf } from './declarations.ts'
import { snakeCase } from './routes.ts'
import { linkOf, nodesIn, parseFile, sentenceOf } from './syntax.ts'

/** The documentation of one API in a client's declarations. */
export interface Description {
	readonly doc: string
	readonly url: string
	readonly isDeprecated: boolean
	/** Name of the type of its parameters. */
	readonly request: string
}

/** Returns the APIs of one declaration file, by name. */
export async function descriptionsIn(file: string): Promise<Map<string, Description>> {
	const namespace = basename(file, '.d.ts')
	const found = new Map<string, Description>()
	for (const node of nodesIn(await parseFile(file))) {
		if (t.isExportDefaultDeclaration(node) && t.isTSDeclareFunction(node.declaration))
			describe(namespace, node, node.declaration.params)
		if (t.isTSDeclareMethod(node) && t.isIdentifier(node.key))
			describe(`${namespace}.${snakeCase(node.key.name)}`, node, node.params)
	}
	return found

	/** The comment precedes the first of several signatures. */
	function describe(name: string, { leadingComments }: t.Node, parameters: readonly t.Node[]) {
		if (found.has(name)) return
		const parameter = parameters.find(one => t.isIdentifier(one, { name: 'params' }))
		const annotation = t.isIdentifier(parameter) ? parameter.typeAnnotation : undefined
		const type = t.isTSTypeAnnotation(annotation) ? annotation.typeAnnotation : undefined
		found.set(name, {
			doc: sentenceOf(leadingComments),
			url: linkOf(leadingComments),
			isDeprecated: speaksOfDeprecation(leadingComments?.at(-1)?.value ?? ''),
			request: referenceOf(t.isTSUnionType(type) ? type.types[0] : type),
		})
	}
}

/** Recognizes deprecation by its wording, because the client has no tag for it. */
function speaksOfDeprecation(comment: string): boolean {
	return /\b(?:is|are|was|been) deprecated\b|^[^.]*\blegacy\b/i.test(comment) && !/^\W*Get deprecation/i.test(comment)
}
