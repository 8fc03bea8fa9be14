import { cutText } from '@roundhouse/kit/cut-text'
import { formatted } from './lay-out.ts'
import { kindOf, type Member, membersOf, pathOf, rootOf, type ValueKind } from './members.ts'

/** A value of a document and those of its children that were read. */
export interface TreeNode {
	readonly member: Member
	readonly kind: ValueKind
	/** 0 is the document. */
	readonly depth: number
	readonly parent: TreeNode | undefined
	readonly children: TreeNode[]
	isOpen: boolean
	/** Creates the children that were not read. */
	rest: Generator<Member, undefined> | undefined
	hasMore: boolean
}

/** A line of a tree: a value, or a note that there are more. */
export interface TreeLine {
	readonly node: TreeNode
	readonly isMore: boolean
}

const smallBytes = 20_000

/** Which objects of a document start open. */
export interface TreeOpening {
	/** Levels of them. */
	readonly depth: number
	/** Size of the largest document with open objects. */
	readonly mostBytes: number
}

const usualOpening: TreeOpening = { depth: 2, mostBytes: smallBytes }
/** Nearly all documents are read whole, with their stack traces. */
export const fieldsOpening: TreeOpening = { depth: 8, mostBytes: 200_000 }

/** More of a text is not shown in place. */
const wholeCharacters = 100_000

/** Members that are searched at first; each further search doubles the number. */
const firstChildren = 200

/** JSON as a tree that is read in place, as far as it is opened. */
export class JsonTree {
	readonly root: TreeNode
	readonly #bytes: Uint8Array

	constructor(bytes: Uint8Array, { depth, mostBytes }: TreeOpening = usualOpening) {
		this.#bytes = bytes
		this.root = this.#node(rootOf(bytes), undefined)
		this.open(this.root)
		if (bytes.length <= mostBytes) this.#openObjects(this.root, depth)
	}

	#openObjects({ children }: TreeNode, depth: number): void {
		if (depth < 2) return
		for (const child of children) {
			if (child.kind !== 'object') continue
			this.open(child)
			this.#openObjects(child, depth - 1)
		}
	}

	/** Whether a value has more than its line shows: members, or a text that is long or has line breaks. */
	opens({ kind, member: { start, end } }: TreeNode): boolean {
		if (kind === 'object' || kind === 'list') return true
		if (kind !== 'text') return false
		return end - start > lineBytes || decoder.decode(this.#bytes.subarray(start, end)).includes('\\n')
	}

	open(node: TreeNode): void {
		if (!this.opens(node)) return
		node.isOpen = true
		if (node.kind !== 'text' && node.rest === undefined) this.more(node)
	}

	/** Reads more members of an open value. */
	more(node: TreeNode): void {
		node.rest ??= membersOf(this.#bytes, node.member.start)
		for (let left = Math.max(firstChildren, node.children.length); left > 0; left--) {
			const { value } = node.rest.next()
			if (value === undefined) {
				node.hasMore = false
				return
			}
			node.children.push(this.#node(value, node))
		}
		node.hasMore = true
	}

	/** The visible lines, from the top. */
	lines(): readonly TreeLine[] {
		const lines: TreeLine[] = []
		const add = (node: TreeNode) => {
			if (node.depth > 0 || node.kind === 'text' || node.kind === 'other') lines.push({ node, isMore: false })
			if (!node.isOpen) return
			for (const child of node.children) add(child)
			if (node.hasMore) lines.push({ node, isMore: true })
		}
		add(this.root)
		return lines
	}

	/** A short description of a value; the text itself if it is open. */
	preview(node: TreeNode): string {
		const { start, end } = node.member
		if (node.kind === 'object' || node.kind === 'list') {
			const [open, close] = node.kind === 'object' ? '{}' : '[]'
			const known = node.rest === undefined ? '…' : `${node.children.length}${node.hasMore ? '+' : ''}`
			return known === '0' ? `${open}${close}` : `${open} ${known} ${close}`
		}
		if (node.isOpen) {
			const text = this.copy(node)
			return cutText(text, wholeCharacters)
		}
		const shown = decoder.decode(this.#bytes.subarray(start, Math.min(end, start + previewBytes)))
		return end - start > previewBytes ? `${shown}…` : shown
	}

	/** The value beside its name: a text without quotes and with its line breaks, and a short list as it is. */
	reading(node: TreeNode): string {
		const { start, end } = node.member
		if (node.kind === 'text' && (node.isOpen || end - start <= smallBytes))
			return cutText(this.copy(node), node.isOpen ? wholeCharacters : readCharacters)
		if (node.kind === 'list' && !node.isOpen && end - start <= readListBytes) return this.json(node)
		return node.kind === 'object' ? '' : this.preview(node)
	}

	/** Returns the value at a path of names with dots, which are a name with dots or objects in objects. */
	find(path: string, from = this.root): TreeNode | undefined {
		const own = from.children.find(({ member }) => member.key === path)
		if (own) return own
		for (const child of from.children) {
			const { key } = child.member
			const found = path.startsWith(`${key}.`) ? this.find(path.slice(`${key}.`.length), child) : undefined
			if (found) return found
		}
		return undefined
	}

	/** The names and places that lead to a value. */
	keys(node: TreeNode): readonly Member['key'][] {
		const keys: Member['key'][] = []
		for (let at = node; at.parent !== undefined; at = at.parent) keys.unshift(at.member.key)
		return keys
	}

	path(node: TreeNode): string {
		return pathOf(this.keys(node))
	}

	/** The value as JSON. */
	json({ member: { start, end } }: TreeNode): string {
		return decoder.decode(this.#bytes.subarray(start, end))
	}

	/** Text without quotes, else JSON. */
	copy(node: TreeNode): string {
		const json = formatted(this.#bytes.subarray(node.member.start, node.member.end))
		if (node.kind !== 'text') return json
		try {
			return JSON.parse(json)
		} catch {
			// A truncated document may end inside of a text.
			return json
		}
	}

	#node(member: Member, parent: TreeNode | undefined): TreeNode {
		const kind = kindOf(this.#bytes, member.start)
		const depth = parent === undefined ? 0 : parent.depth + 1
		return { member, kind, depth, parent, children: [], isOpen: false, rest: undefined, hasMore: false }
	}
}

const previewBytes = 300
/** More of a text is read when its line opens. */
const readCharacters = 1_000
const readListBytes = 120
/** A longer text may not fit its line. */
const lineBytes = 40
const decoder = new TextDecoder()
