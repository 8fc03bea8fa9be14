import type { Encoded, GridPage, GridQuery } from '@roundhouse/kit'
import type { Session } from '../connections/session.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { apiErrors } from './errors.ts'

interface OpenGrid {
	readonly connection: string
	readonly query: GridQuery
	session: Session
	handle: number
}

interface PageRange {
	readonly offset: number
	readonly limit: number
}

/** The grids of one window. A grid whose driver was lost is opened anew by its next page. */
export class Grids {
	readonly #sessions: Sessions
	readonly #open = new Map<number, OpenGrid>()
	#last = 0

	constructor(sessions: Sessions) {
		this.#sessions = sessions
	}

	async open(connection: string, query: GridQuery, options: CallOptions): Promise<number> {
		const session = await this.#sessions.open(connection, options)
		const handle = await session.call('openGrid', { query }, options)
		this.#open.set(++this.#last, { connection, query, session, handle })
		return this.#last
	}

	/** @throws HostError `api/grid_closed`; DriverError */
	async page(grid: number, range: PageRange, options: CallOptions): Promise<Encoded<GridPage>> {
		const open = this.#open.get(grid)
		if (!open) throw apiErrors.make('grid_closed')
		if (!open.session.isAlive) {
			open.session = await this.#sessions.open(open.connection, options)
			open.handle = await open.session.call('openGrid', { query: open.query }, options)
		}
		return open.session.call('gridPage', { grid: open.handle, ...range }, options)
	}

	async close(grid: number): Promise<void> {
		const open = this.#open.get(grid)
		this.#open.delete(grid)
		if (open?.session.isAlive) await open.session.call('closeGrid', { grid: open.handle })
	}

	async closeAll(): Promise<void> {
		await Promise.allSettled([...this.#open.keys()].map(grid => this.close(grid)))
	}
}
