/** Upper limits of notices: about one publisher, and about all publishers of a registry. */
const most = { publisher: 5, registry: 30 } as const

/** How many of the drivers that a list leaves out are named. */
const mostNamed = 5

/** Notices about the publishers of one registry. A publisher decides how many faults it has, so they are counted. */
export class RegistryNotices {
	readonly #byPublisher = new Map<string, string[]>()
	/** Ids of drivers that the list leaves out, by publisher. */
	readonly #unlisted = new Map<string, string[]>()
	#count = 0

	add(publisher: string, notice: string): void {
		this.#count++
		const known = this.#byPublisher.get(publisher) ?? []
		this.#byPublisher.set(publisher, known)
		if (known.length < most.publisher) known.push(notice)
	}

	/** Notes that the list leaves out a driver, because its publisher has too many. */
	leaveOut(publisher: string, id: string): void {
		const known = this.#unlisted.get(publisher) ?? []
		this.#unlisted.set(publisher, known)
		known.push(id)
	}

	/** Returns the first notices, and one with the number of the others. @param name the name of the registry */
	list(name: string): string[] {
		const unlisted = [...this.#unlisted].map(([publisher, ids]) => unlistedNotice(publisher, ids))
		const shown = [...unlisted, ...[...this.#byPublisher.values()].flat()].slice(0, most.registry)
		const others = this.#count + unlisted.length - shown.length
		return others > 0 ? [...shown, `${name} has ${others} more notices.`] : shown
	}
}

function unlistedNotice(publisher: string, ids: readonly string[]): string {
	const named = [...ids.slice(0, mostNamed), ...(ids.length > mostNamed ? ['…'] : [])].join(', ')
	const count = `${ids.length.toLocaleString('en')} more ${ids.length === 1 ? 'driver' : 'drivers'}`
	return `${publisher} has ${count} than this list shows: ${named}. To install one: roundhouse plugin install ${publisher}/ID`
}
