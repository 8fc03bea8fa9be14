import { types as t } from '@babel/core'
import { type Declarations, isWrapper, type Member, membersIn, othersIn, referenceOf } from './declarations.ts'

/** A place in a body, as a client's types describe it. Numbers refer to other places. */
export interface GrammarNode {
	readonly keys: ReadonlyMap<string, { readonly node: number; readonly doc: string }>
	/** Node under the name of a field. */
	readonly fields: number | undefined
	/** Node under a name that the user chooses. */
	readonly names: number | undefined
	readonly values: readonly string[]
	readonly isField: boolean
	/** Nodes of the objects that have this value of `type`. */
	readonly variants: ReadonlyMap<string, number>
}

/** What a type consists of, after names, unions and lists are resolved. */
type Part =
	| { readonly is: 'interface'; readonly name: string }
	| { readonly is: 'literal'; readonly type: t.TSTypeLiteral }
	| { readonly is: 'map'; readonly byField: boolean; readonly of: t.TSType }
	| { readonly is: 'value'; readonly text: string }
	| { readonly is: 'field' | 'document' }

/** Types of documents, whose keys are the fields of the index. */
const documentTypes = new Set(['TDocument', 'TPartialDocument', 'TDocumentR'])

/** Types with index signatures that mean fields: queries and sorts. */
const keyedByField = /^(QueryDsl|Sort|GeoDistanceSort)/

const emptyNode: GrammarNode = {
	keys: new Map(),
	fields: undefined,
	names: undefined,
	values: [],
	isField: false,
	variants: new Map(),
}

/** Converts types to places, one for each requested combination. A recursive type becomes a cycle. */
export class Grammar {
	readonly #declarations: Declarations
	readonly #newer: readonly Declarations[]
	readonly #numbers = new Map<string, number>()
	readonly #literals = new Map<t.TSTypeLiteral, number>()
	readonly nodes: (GrammarNode | undefined)[] = []

	/** @param newer declarations of newer clients, which describe what older ones only name */
	constructor(declarations: Declarations, newer: readonly Declarations[]) {
		this.#declarations = declarations
		this.#newer = newer
		// Node 0 is the unknown place.
		this.nodeOf([])
	}

	/** Returns the place where any of these types is possible. */
	nodeOf(types: readonly t.TSType[], within = ''): number {
		return this.#nodeOfParts(types.flatMap(type => this.#partsOf(type, within, new Set())))
	}

	#nodeOfParts(parts: readonly Part[]): number {
		const key = [...new Set(parts.map(part => this.#keyOf(part)))].sort().join(' ')
		const known = this.#numbers.get(key)
		if (known !== undefined) return known
		const number = this.nodes.length
		this.#numbers.set(key, number)
		// The number is assigned before the keys are read, because they may refer to this node.
		this.nodes.push(undefined)
		this.nodes[number] = this.#describe(parts, number)
		return number
	}

	/** Returns the place of an object with some of the members of a declaration. */
	nodeOfMembers(members: ReadonlyMap<string, Member>): number {
		if (members.size === 0) return 0
		const number = this.nodes.length
		this.nodes.push(undefined)
		const keys = [...members].map(([name, { types, doc }]) => [name, { node: this.nodeOf(types), doc }] as const)
		this.nodes[number] = { ...emptyNode, keys: new Map(keys) }
		return number
	}

	#describe(parts: readonly Part[], own: number): GrammarNode {
		const members = new Map<string, Member & { readonly within: string }>()
		const fields: t.TSType[] = []
		const names: t.TSType[] = []
		const values = new Set<string>()
		const add = (found: ReadonlyMap<string, Member>, within: string) => {
			for (const [name, { types, doc }] of found) {
				const before = members.get(name)
				const described = before?.doc || doc || this.#describedByNewer(within, name)
				members.set(name, { types: [...(before?.types ?? []), ...types], doc: described, within })
			}
		}
		for (const part of parts) {
			if (part.is === 'value') values.add(part.text)
			if (part.is === 'map') (part.byField ? fields : names).push(part.of)
			if (part.is === 'literal') {
				add(membersIn(part.type.members), '')
				names.push(...othersIn(part.type.members))
			}
			if (part.is === 'interface') {
				add(this.#declarations.membersOf(part.name), part.name)
				const others = this.#declarations.othersOf(part.name)
				;(keyedByField.test(part.name) ? fields : names).push(...others)
			}
		}
		const isDocument = parts.some(({ is }) => is === 'document')
		return {
			keys: new Map(
				[...members].map(([name, { types, doc, within }]) => [name, { node: this.nodeOf(types, within), doc }]),
			),
			fields: fields.length > 0 ? this.nodeOf(fields) : isDocument ? own : undefined,
			names: names.length > 0 ? this.nodeOf(names) : undefined,
			values: [...values],
			isField: parts.some(({ is }) => is === 'field'),
			variants: this.#variantsOf(parts),
		}
	}

	/** Of several interfaces, those that differ by the value of `type`: fields of a mapping, analyzers, repositories. */
	#variantsOf(parts: readonly Part[]): ReadonlyMap<string, number> {
		if (parts.length < 2) return new Map()
		const variants = parts.flatMap(part => {
			if (part.is !== 'interface') return []
			const types = this.#declarations.membersOf(part.name).get('type')?.types ?? []
			const values = types.flatMap(type => this.#partsOf(type, '', new Set()))
			return values.flatMap(value => (value.is === 'value' ? [[value.text, part] as const] : []))
		})
		const byValue = Map.groupBy(variants, ([value]) => value)
		return new Map([...byValue].map(([value, same]) => [value, this.#nodeOfParts(same.map(([, part]) => part))]))
	}

	#describedByNewer(type: string, member: string): string {
		return this.#newer.flatMap(newer => newer.membersOf(type).get(member)?.doc || []).at(0) ?? ''
	}

	#keyOf(part: Part): string {
		switch (part.is) {
			case 'interface':
				return part.name
			case 'value':
				return JSON.stringify(part.text)
			case 'map':
				return `${part.byField ? 'fields' : 'names'}<${this.nodeOf([part.of])}>`
			case 'literal': {
				const number = this.#literals.get(part.type) ?? this.#literals.size
				this.#literals.set(part.type, number)
				return `{${number}}`
			}
			default:
				return part.is
		}
	}

	#partsOf(type: t.TSType, within: string, seen: ReadonlySet<string>): Part[] {
		if (t.isTSUnionType(type) || t.isTSIntersectionType(type))
			return type.types.flatMap(one => this.#partsOf(one, within, seen))
		if (t.isTSArrayType(type)) return this.#partsOf(type.elementType, within, seen)
		if (t.isTSParenthesizedType(type)) return this.#partsOf(type.typeAnnotation, within, seen)
		if (t.isTSTupleType(type))
			return type.elementTypes.flatMap(one => (t.isTSNamedTupleMember(one) ? [] : this.#partsOf(one, within, seen)))
		if (t.isTSBooleanKeyword(type)) return ['true', 'false'].map(text => ({ is: 'value', text }))
		if (t.isTSLiteralType(type)) {
			const { literal } = type
			const isSimple = t.isStringLiteral(literal) || t.isBooleanLiteral(literal)
			return isSimple ? [{ is: 'value', text: String(literal.value) }] : []
		}
		if (t.isTSTypeLiteral(type)) return this.#literalOf(type, within)
		return t.isTSTypeReference(type) ? this.#referredTo(type, within, seen) : []
	}

	/** An inline index signature belongs to the enclosing declaration and is interpreted by its name. */
	#literalOf(type: t.TSTypeLiteral, within: string): Part[] {
		const others = othersIn(type.members)
		if (others.length === 0 || !keyedByField.test(within)) return [{ is: 'literal', type }]
		return others.map(of => ({ is: 'map', byField: true, of }))
	}

	#referredTo(type: t.TSTypeReference, within: string, seen: ReadonlySet<string>): Part[] {
		const name = t.isIdentifier(type.typeName) ? type.typeName.name : type.typeName.right.name
		const [first, second] = type.typeParameters?.params ?? []
		if (isWrapper(name) && first) return this.#partsOf(first, within, seen)
		if (name === 'Record' && second) return [{ is: 'map', byField: isFieldName(first), of: second }]
		if (name === 'Field') return [{ is: 'field' }]
		if (documentTypes.has(name)) return [{ is: 'document' }]
		if (this.#declarations.hasInterface(name)) return [{ is: 'interface', name }]
		const alias = this.#declarations.alias(name, type.typeParameters?.params)
		if (alias === undefined || seen.has(name)) return []
		return this.#partsOf(alias, name, new Set([...seen, name]))
	}
}

function isFieldName(type: t.TSType | undefined): boolean {
	return ['Field', 'Fields'].includes(referenceOf(type))
}
