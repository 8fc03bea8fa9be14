import { Emitter } from '../../base/emitter.ts'

/** Links to saved views, which the window reads (ui/table/views/view-link.ts). */
export const viewLinkPrefix = 'roundhouse://view/'

/**
 * The link to a saved view that the operating system or a command passed on last. The first window that takes it asks
 * the user. A link may be of anyone, so the host opens nothing.
 */
export class ViewLinks {
	#waiting: string | undefined
	readonly #changed = new Emitter()
	readonly onChange = this.#changed.on

	/** A newer link takes the place of an older one that no window has taken. */
	offer(link: string): void {
		this.#waiting = link
		this.#changed.fire()
	}

	take(): string | undefined {
		const link = this.#waiting
		this.#waiting = undefined
		return link
	}
}
