import { AsyncLocalStorage } from 'node:async_hooks'
import type { Access } from '../api/console.ts'
import type { HiddenColumns } from '../api/hidden-columns.ts'

interface Permitted {
	readonly permitted: Access
	readonly costLimitRows?: number
	readonly hiddenColumns?: readonly HiddenColumns[]
}

/** What the current call was permitted to do, also in its asynchronous work. */
export class Permission {
	readonly #permitted = new AsyncLocalStorage<Permitted>()

	/** Work outside of any call may only read. */
	readonly current = (): Access => this.#permitted.getStore()?.permitted ?? 'read'

	readonly costLimitRows = (): number | undefined => this.#permitted.getStore()?.costLimitRows

	readonly hiddenColumns = (): readonly HiddenColumns[] => this.#permitted.getStore()?.hiddenColumns ?? []

	during<T>(permitted: Permitted, work: () => T): T {
		return this.#permitted.run(permitted, work)
	}
}
