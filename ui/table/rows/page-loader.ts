/** A fast scroll passes pages that no user reads: only pages in view about once a frame are fetched. */
const betweenMs = 12
/** Rows that are fetched ahead in the direction of the scroll. */
const rowsAhead = 200

/** A page under way. */
interface Loading {
	readonly abort: AbortController
	readonly done: Promise<void>
}

interface Options {
	/** Fetches and stores a page. Does not reject. */
	load(page: number, signal: AbortSignal): Promise<void>
	/** Whether all rows of a page are stored. */
	has(page: number): boolean
	lastPage(): number
	/** Rows of a page. */
	pageSize(): number
	onLoading(isLoading: boolean): void
}

/** Decides which pages are fetched and which requests are cancelled while the user scrolls. */
export class PageLoader {
	readonly #options: Options
	readonly #loading = new Map<number, Loading>()
	#inView: readonly [first: number, last: number] = [0, 0]
	#isGoingUp = false
	#next: ReturnType<typeof setTimeout> | undefined

	constructor(options: Options) {
		this.#options = options
	}

	/** Indices of the first and last row in view. */
	get inView(): readonly [first: number, last: number] {
		return this.#inView
	}

	/** Fetches a page unless it is stored or under way. */
	load(page: number): Promise<void> {
		if (this.#options.has(page)) return Promise.resolve()
		const underWay = this.#loading.get(page)
		if (underWay) return underWay.done
		const abort = new AbortController()
		const done = this.#options.load(page, abort.signal).finally(() => {
			if (this.#loading.get(page) === entry) this.#loading.delete(page)
			this.#options.onLoading(this.#loading.size > 0)
		})
		const entry: Loading = { abort, done }
		this.#loading.set(page, entry)
		this.#options.onLoading(true)
		return done
	}

	/** Fetches what comes into view and ahead of it, a few times during a glance. */
	show(first: number, last: number): void {
		if (first !== this.#inView[0]) this.#isGoingUp = first < this.#inView[0]
		this.#inView = [first, last]
		this.#next ??= setTimeout(() => this.#loadInView(), betweenMs)
	}

	/** Cancels all requests. */
	stop(): void {
		clearTimeout(this.#next)
		this.#next = undefined
		for (const { abort } of this.#loading.values()) abort.abort()
		this.#loading.clear()
	}

	#loadInView(): void {
		this.#next = undefined
		const { lastPage, pageSize } = this.#options
		const pagesAhead = rowsAhead / pageSize()
		const [from, to] = this.#inView.map(index => Math.floor(index / pageSize())) as [number, number]
		const low = Math.max(0, this.#isGoingUp ? from - pagesAhead : from)
		const high = Math.min(Math.max(lastPage(), to), this.#isGoingUp ? to : to + pagesAhead)
		for (const [page, { abort }] of this.#loading) {
			if (page >= low && page <= high) continue
			abort.abort()
			// It may come into view again before its answer reports the abort.
			this.#loading.delete(page)
		}
		for (let page = from; page <= to; page++) void this.load(page)
		for (let page = to + 1; page <= high; page++) void this.load(page)
		for (let page = from - 1; page >= low; page--) void this.load(page)
	}
}
