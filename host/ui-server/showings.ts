import { randomUUID } from 'node:crypto'
import { Emitter } from '../base/emitter.ts'
import type { ShowDesk, Showing } from '../mcp/index.ts'

/** Something to see, as the window tells of it. */
export type PendingShowing = Showing & { readonly id: string }

/** More than these nobody reads; each client has one of them. */
const most = 3
/** By then the person does something else. */
const restMs = 10 * 60_000
/** A window that the person closed does not come back at once. */
const windowRestMs = 60_000

/** What AI clients want the person to see: every window tells of it, and it shows in the one where they say so. */
export class Showings implements ShowDesk {
	readonly #pending = new Map<string, { readonly showing: PendingShowing; readonly timer: NodeJS.Timeout }>()
	readonly #changed = new Emitter()
	readonly onChange = this.#changed.on
	readonly #hasWindow: () => boolean
	readonly #openWindow: () => Promise<boolean>
	#openedAt = Number.NEGATIVE_INFINITY

	/** `openWindow` says whether it could. */
	constructor(hasWindow: () => boolean, openWindow: () => Promise<boolean>) {
		this.#hasWindow = hasWindow
		this.#openWindow = openWindow
	}

	pending(): readonly PendingShowing[] {
		return [...this.#pending.values()].map(({ showing }) => showing)
	}

	async offer(
		grantee: string,
		showing: Showing,
		requireAllowed: () => void,
	): Promise<'offered' | 'nobody' | 'too_many'> {
		if (!this.#pending.has(grantee) && this.#pending.size >= most) return 'too_many'
		if (!(await this.#ensureWindow())) return 'nobody'
		requireAllowed()
		// Others may have come while the window was opened.
		if (!this.#pending.has(grantee) && this.#pending.size >= most) return 'too_many'
		this.#drop(grantee)
		const timer = setTimeout(() => this.forget(grantee), restMs).unref()
		this.#pending.set(grantee, { showing: { ...showing, id: randomUUID() }, timer })
		this.#changed.fire()
		return 'offered'
	}

	/** The person wants to see it, or not; the first answer counts, and another window gets nothing. */
	take(id: string): PendingShowing | undefined {
		const found = [...this.#pending].find(([, { showing }]) => showing.id === id)
		if (!found) return undefined
		this.forget(found[0])
		return found[1].showing
	}

	/** Takes back what a token's holder wanted to show. */
	forget(grantee: string): void {
		if (this.#drop(grantee)) this.#changed.fire()
	}

	/** Takes back what is to be seen on connections of which there is nothing to see any more. */
	keepOnly(isThere: (connection: Showing['connection']) => boolean): void {
		for (const [grantee, { showing }] of this.#pending) if (!isThere(showing.connection)) this.forget(grantee)
	}

	#drop(grantee: string): boolean {
		clearTimeout(this.#pending.get(grantee)?.timer)
		return this.#pending.delete(grantee)
	}

	async #ensureWindow(): Promise<boolean> {
		if (this.#hasWindow()) return true
		if (performance.now() - this.#openedAt < windowRestMs) return false
		this.#openedAt = performance.now()
		return this.#openWindow()
	}
}
