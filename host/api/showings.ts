import { randomUUID } from 'node:crypto'
import { Emitter } from '../../base/emitter.ts'
import type { ShowDesk, Showing } from '../mcp/index.ts'

/** An offer to show something, for the window. */
export type PendingShowing = Showing & { readonly id: string }

/** Upper limit, one per client. */
const most = 3
/** Time after which a showing is forgotten, in milliseconds. */
const lifetimeMs = 10 * 60_000
/** A window that the user closed is not reopened at once. */
const windowRestMs = 60_000

/** What AI clients offer to show: every window reports it, and it opens in the window where the user agrees. */
export class Showings implements ShowDesk {
	readonly #pending = new Map<string, { readonly showing: PendingShowing; readonly timer: NodeJS.Timeout }>()
	readonly #changed = new Emitter()
	readonly onChange = this.#changed.on
	readonly #hasWindow: () => boolean
	readonly #openWindow: () => Promise<boolean>
	#openedAt = Number.NEGATIVE_INFINITY

	/** `openWindow` returns whether it succeeded. */
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
	): Promise<'offered' | 'unattended' | 'too_many'> {
		if (!this.#pending.has(grantee) && this.#pending.size >= most) return 'too_many'
		if (!(await this.#ensureWindow())) return 'unattended'
		requireAllowed()
		// Others may have arrived while the window was opened.
		if (!this.#pending.has(grantee) && this.#pending.size >= most) return 'too_many'
		this.#drop(grantee)
		const timer = setTimeout(() => this.forget(grantee), lifetimeMs).unref()
		this.#pending.set(grantee, { showing: { ...showing, id: randomUUID() }, timer })
		this.#changed.fire()
		return 'offered'
	}

	/** The user accepts or dismisses it. The first answer counts; another window gets nothing. */
	take(id: string): PendingShowing | undefined {
		const found = [...this.#pending].find(([, { showing }]) => showing.id === id)
		if (!found) return undefined
		this.forget(found[0])
		return found[1].showing
	}

	/** Removes what the holder of a token offered. */
	forget(grantee: string): void {
		if (this.#drop(grantee)) this.#changed.fire()
	}

	/** Removes offers on connections that no longer allow them. */
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
