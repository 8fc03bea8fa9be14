import { AsyncLocalStorage } from 'node:async_hooks'
import type { Access } from '../api/console.ts'

interface Permitted {
	readonly permitted: Access
	readonly costLimitRows?: number
}

/** What the call in hand was permitted, wherever its work has led. */
export class Permission {
	readonly #permitted = new AsyncLocalStorage<Permitted>()

	/** Nothing that no call began may do more than read. */
	readonly current = (): Access => this.#permitted.getStore()?.permitted ?? 'read'

	readonly costLimitRows = (): number | undefined => this.#permitted.getStore()?.costLimitRows

	during<T>(permitted: Permitted, work: () => T): T {
		return this.#permitted.run(permitted, work)
	}
}
