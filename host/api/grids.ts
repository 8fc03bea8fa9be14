import type { Encoded, GridPage, GridQuery } from '@roundhouse/kit'
import type { RowRange, Session } from '../connections/session.ts'
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
	/**
	 * Under way after the driver was lost; pages that are requested meanwhile share it, so none of them can cancel it.
	 */
	reopening: Promise<void> | undefined
}

interface Opening extends RowRange {
	readonly connection: string
	readonly query: GridQuery
}

/** The grids of one caller, by the caller's numbers. A grid whose driver was lost is opened again by its next page. */
export class Grids {
	readonly #sessions: Sessions
	readonly #open = new Map<number, Promise<OpenGrid>>()

	constructor(sessions: Sessions) {
		this.#sessions = sessions
	}

	/**
	 * Opens a grid under a number of the caller, who may request pages and close it before this settles.
	 * @returns its first rows
	 * @throws HostError `api/grid_open`; DriverError
	 */
	async open(grid: number, opening: Opening, options: CallOptions): Promise<Encoded<GridPage>> {
		if (this.#open.has(grid)) throw apiErrors.make('grid_open')
		const { connection, query } = opening
		const opened = this.#openInDriver(opening, options)
		this.#open.set(
			grid,
			opened.then(({ current }) => ({ connection, query, current, reopening: undefined })),
		)
		try {
			const { page } = await opened
			// The caller has gone and will close nothing.
			options.signal?.throwIfAborted()
			return page
		} catch (error) {
			await this.close(grid).catch(() => {})
			throw error
		}
	}

	/** @throws HostError `api/grid_closed`; DriverError */
	async page(grid: number, range: RowRange, options: CallOptions): Promise<Encoded<GridPage>> {
		const open = await this.#open.get(grid)
		if (!open) throw apiErrors.make('grid_closed')
		if (!open.current.session.isAlive) await this.#reopen(open)
		const { session, handle } = open.current
		return session.call('gridPage', { grid: handle, ...range }, options)
	}

	/** Returns the session that a grid is open in. @throws HostError `api/grid_closed` */
	async sessionOf(grid: number): Promise<Session> {
		const open = await this.#open.get(grid)
		if (!open) throw apiErrors.make('grid_closed')
		return open.current.session
	}

	async close(grid: number): Promise<void> {
		const entry = this.#open.get(grid)
		this.#open.delete(grid)
		// A grid that could not be opened, or not again, has nothing to close.
		const open = await entry?.catch(() => undefined)
		await open?.reopening?.catch(() => {})
		if (open?.current.session.isAlive) await open.current.session.call('closeGrid', { grid: open.current.handle })
	}

	async closeAll(): Promise<void> {
		await Promise.allSettled([...this.#open.keys()].map(grid => this.close(grid)))
	}

	#reopen(open: OpenGrid): Promise<void> {
		const reopen = async () => {
			try {
				open.current = (await this.#openInDriver({ ...open, offset: 0, limit: 1 })).current
			} finally {
				open.reopening = undefined
			}
		}
		open.reopening ??= reopen()
		return open.reopening
	}

	async #openInDriver({ connection, query, offset, limit }: Opening, options?: CallOptions) {
		const session = await this.#sessions.open(connection, options)
		const { grid, page } = await session.openGrid(query, { offset, limit }, options)
		const current: DriverGrid = { session, handle: grid }
		return { current, page }
	}
}
