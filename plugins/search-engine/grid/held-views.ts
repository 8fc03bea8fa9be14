import { randomBytes } from 'node:crypto'
import { isJsonObject, type Json, parseJson, stringifyJson } from '@roundhouse/kit'
import type { OpenView } from './open-view.ts'
import type { Position } from './positions.ts'

/** A client pages in few tables at a time. A node has 500 contexts for all of its users. */
const mostHeld = 8

/** A view, and where in it a page begins. */
export interface ViewPosition {
	readonly view: OpenView
	readonly position: Position
}

/**
 * The points-in-time that stay open between the pages of AI clients, which close their grid after each page. The one that
 * was used least recently is closed for a new one.
 */
export class HeldViews {
	/** By name, in the order of their last use. */
	readonly #views = new Map<string, OpenView>()

	/** Keeps a view open. @returns its name in the positions of rows */
	hold(view: OpenView): string {
		const known = [...this.#views].find(([, other]) => other.isSameAs(view))?.[0]
		const name = known ?? randomBytes(6).toString('hex')
		this.#use(name, view)
		for (const [oldest, other] of this.#views) {
			if (this.#views.size <= mostHeld) break
			this.#views.delete(oldest)
			other.release()
		}
		return name
	}

	/** Returns where a row was, or `undefined` if its view is closed. */
	find(text: string): ViewPosition | undefined {
		const read = parseJson(text)
		const { view: name, sort } = isJsonObject(read) ? read : {}
		const view = typeof name === 'string' ? this.#views.get(name) : undefined
		if (view === undefined || !Array.isArray(sort)) return undefined
		this.#use(String(name), view)
		return { view, position: sort }
	}

	/** Closes all views. One that cannot be closed expires. */
	async close(signal: AbortSignal): Promise<void> {
		const views = [...this.#views.values()]
		this.#views.clear()
		await Promise.allSettled(views.map(view => view.close(signal)))
	}

	#use(name: string, view: OpenView): void {
		this.#views.delete(name)
		this.#views.set(name, view)
	}
}

/** The host takes positions up to this length. */
const longestPosition = 4_000

/** Returns the place of a row as text, or `undefined` if its values are too long. */
export function positionText(name: string, sort: Json | undefined): string | undefined {
	const text = Array.isArray(sort) ? stringifyJson({ view: name, sort }) : ''
	return text === '' || text.length > longestPosition ? undefined : text
}
