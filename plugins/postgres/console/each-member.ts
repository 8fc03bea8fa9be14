import { isJsonObject, type Json, type JsonObject } from '@roundhouse/kit'
import type { Tree } from './parser.ts'

/**
 * Visits each member of each object of a tree. Without recursion and without a limit, because trees are deep, and what a
 * judge does not look at would count as harmless.
 *
 * @param isLeftOut whether a member and its parts are not visited. Default: none
 */
export function eachMember(
	tree: Tree,
	visit: (key: string, value: Json, owner: JsonObject) => void,
	isLeftOut?: (key: string, value: Json) => boolean,
): void {
	const waiting: Json[] = [tree]
	for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
		if (Array.isArray(node)) {
			// All of them, one by one: a call takes a limited number of arguments.
			for (const part of node) waiting.push(part)
			continue
		}
		if (!isJsonObject(node)) continue
		for (const [key, value] of Object.entries(node)) {
			if (isLeftOut?.(key, value)) continue
			visit(key, value, node)
			if (typeof value === 'object' && value !== null) waiting.push(value)
		}
	}
}
