import type { Encoded, GridPage, GridQuery } from '@roundhouse/kit'
import type { Session } from '../connections/session.ts'
import type { Sessions } from '../connections/sessions.ts'
import type { CallOptions } from '../driver-runtime/driver-calls.ts'
import { apiErrors } from './errors.ts'

/** A grid in its driver's process. */
interface DriverGrid {
	readonly session: Session
	readonly handle: number
}

interface OpenGrid {
	readonly connection: string
	readonly query: GridQuery
	current: DriverGrid
	/** Asked for with the grid, before the window has heard that it is open. */
	first: PageAhead | undefined
	/** Under way where the driver was lost; the pages that come meanwhile share it, so none of them can call it off. */
	reopening: Promise<DriverGrid> | undefined
}

interface PageRange {
	readonly offset: number
	readonly limit: number
}

interface PageAhead {
	readonly limit: number
	readonly page: Promise<Encoded<GridPage>>
	readonly abort: AbortController
}

function firstPageOf({ session, handle }: DriverGrid, { firstPage: limit }: GridQuery): PageAhead | undefined {
	if (limit === undefined) return undefined
	const abort = new AbortController()
	const page = session.call('gridPage', { grid: handle, offset: 0, limit }, { signal: abort.signal })
	// Whoever takes it is told; until then nobody is.
	page.catch(() => {})
	return { limit, page, abort }
}

/** The grids of one caller. A grid whose driver was lost is opened anew by its next page. */
export class Grids {
	readonly #sessions: Sessions
	readonly #open = new Map<number, OpenGrid>()
	#last = 0

	constructor(sessions: Sessions) {
		this.#sessions = sessions
	}

	async open(connection: string, query: GridQuery, options: CallOptions): Promise<number> {
		const current = await this.#openInDriver(connection, query, options)
		if (options.signal?.aborted) {
			// Whoever asked has gone, and closes nothing any more.
			await current.session.call('closeGrid', { grid: current.handle }).catch(() => {})
			options.signal.throwIfAborted()
		}
		const first = firstPageOf(current, query)
		this.#open.set(++this.#last, { connection, query, current, first, reopening: undefined })
		return this.#last
	}

	/** @throws HostError `api/grid_closed`; DriverError */
	async page(grid: number, range: PageRange, options: CallOptions): Promise<Encoded<GridPage>> {
		const open = this.#open.get(grid)
		if (!open) throw apiErrors.make('grid_closed')
		const { first } = open
		open.first = undefined
		if (first && range.offset === 0 && range.limit === first.limit && open.current.session.isAlive) {
			const stop = () => first.abort.abort(options.signal?.reason)
			if (options.signal?.aborted) stop()
			options.signal?.addEventListener('abort', stop, { once: true })
			return first.page
		}
		first?.abort.abort()
		const { session, handle } = open.current.session.isAlive ? open.current : await this.#reopen(open)
		return session.call('gridPage', { grid: handle, ...range }, options)
	}

	async close(grid: number): Promise<void> {
		const open = this.#open.get(grid)
		this.#open.delete(grid)
		open?.first?.abort.abort()
		// One that cannot be opened anew has nothing to close.
		await open?.reopening?.catch(() => {})
		if (open?.current.session.isAlive) await open.current.session.call('closeGrid', { grid: open.current.handle })
	}

	async closeAll(): Promise<void> {
		await Promise.allSettled([...this.#open.keys()].map(grid => this.close(grid)))
	}

	#reopen(open: OpenGrid): Promise<DriverGrid> {
		const reopen = async () => {
			try {
				open.current = await this.#openInDriver(open.connection, open.query)
				return open.current
			} finally {
				open.reopening = undefined
			}
		}
		open.reopening ??= reopen()
		return open.reopening
	}

	async #openInDriver(connection: string, query: GridQuery, options?: CallOptions): Promise<DriverGrid> {
		const session = await this.#sessions.open(connection, options)
		return { session, handle: await session.call('openGrid', { query }, options) }
	}
}
