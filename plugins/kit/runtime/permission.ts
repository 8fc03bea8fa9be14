import { AsyncLocalStorage } from 'node:async_hooks'
import type { Access } from '../api/console.ts'

/** What the call in hand was permitted, wherever its work has led. */
export class Permission {
	readonly #permitted = new AsyncLocalStorage<Access>()

	/** Nothing that no call began may do more than read. */
	readonly current = (): Access => this.#permitted.getStore() ?? 'read'

	during<T>(permitted: Access, work: () => T): T {
		return this.#permitted.run(permitted, work)
	}
}
