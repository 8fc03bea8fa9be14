import { types as t } from '@babel/core'
import { nodesIn, parseFile, sentenceOf } from './syntax.ts'

/** A member of an object, with its types if several declarations define it. */
export interface Member {
	readonly types: readonly t.TSType[]
	readonly doc: string
}

/** The types of a client by name. */
export class Declarations {
	readonly #interfaces = new Map<string, t.TSInterfaceDeclaration>()
	readonly #aliases = new Map<string, t.TSTypeAliasDeclaration>()

	static async read(path: string): Promise<Declarations> {
		const declarations = new Declarations()
		for (const node of nodesIn(await parseFile(path))) {
			if (t.isTSInterfaceDeclaration(node)) declarations.#interfaces.set(node.id.name, node)
			if (t.isTSTypeAliasDeclaration(node)) declarations.#aliases.set(node.id.name, node)
		}
		return declarations
	}

	hasInterface(name: string): boolean {
		return this.#interfaces.has(name)
	}

	/** Returns the type that a name stands for, with these types in place of its parameters. */
	alias(name: string, given: readonly t.TSType[] = []): t.TSType | undefined {
		const found = this.#aliases.get(name)
		const parameters = found?.typeParameters?.params.map(({ name }) => name) ?? []
		if (found === undefined || parameters.length === 0 || given.length === 0) return found?.typeAnnotation
		const copy = t.cloneNode(found.typeAnnotation)
		// In place, because the copy has no other reader.
		for (const node of nodesIn(copy)) {
			for (const [key, value] of Object.entries(node)) {
				const replace = (one: unknown) => given[parameters.indexOf(referenceOf(one as t.Node))] ?? one
				Object.assign(node, { [key]: Array.isArray(value) ? value.map(replace) : replace(value) })
			}
		}
		return copy
	}

	/** Returns the members of an interface, including inherited ones. */
	membersOf(name: string): Map<string, Member> {
		const found = this.#interfaces.get(name)
		if (found === undefined) {
			// An alias of an interface, or an intersection of several.
			const parts = partsOf(this.alias(name)).flatMap(part => [...this.membersOf(part)])
			return new Map(parts)
		}
		const inherited = (found.extends ?? []).flatMap(({ expression, typeParameters }) => {
			const base = t.isIdentifier(expression) ? expression.name : ''
			const [only] = typeParameters?.params ?? []
			return [...this.membersOf(isWrapper(base) ? referenceOf(only) : base)]
		})
		return new Map([...inherited, ...membersIn(found.body.body)])
	}

	/** Returns the types of index signatures. */
	othersOf(name: string): t.TSType[] {
		const found = this.#interfaces.get(name)
		return found === undefined ? [] : othersIn(found.body.body)
	}
}

export function membersIn(elements: readonly t.TSTypeElement[]): Map<string, Member> {
	return new Map(
		elements.flatMap((element): [string, Member][] => {
			if (!t.isTSPropertySignature(element) || !element.typeAnnotation) return []
			const { key, typeAnnotation, leadingComments } = element
			const name = t.isIdentifier(key) ? key.name : t.isStringLiteral(key) ? key.value : undefined
			if (name === undefined) return []
			return [[name, { types: [typeAnnotation.typeAnnotation], doc: sentenceOf(leadingComments) }]]
		}),
	)
}

export function othersIn(elements: readonly t.TSTypeElement[]): t.TSType[] {
	return elements.flatMap(element =>
		t.isTSIndexSignature(element) && element.typeAnnotation ? [element.typeAnnotation.typeAnnotation] : [],
	)
}

/** Returns whether a type only modifies another type. */
export function isWrapper(name: string): boolean {
	return ['Partial', 'Required', 'Readonly', 'NonNullable', 'Omit', 'Pick', 'ExactlyOne', 'Array'].includes(name)
}

/** Returns the name of a type reference, without its module. */
export function referenceOf(type: t.Node | undefined): string {
	if (!t.isTSTypeReference(type)) return ''
	const { typeName, typeParameters } = type
	const name = t.isIdentifier(typeName) ? typeName.name : typeName.right.name
	return isWrapper(name) ? referenceOf(typeParameters?.params[0]) : name
}

function partsOf(type: t.TSType | undefined): string[] {
	if (t.isTSIntersectionType(type)) return type.types.flatMap(partsOf)
	const name = referenceOf(type)
	return name === '' ? [] : [name]
}
