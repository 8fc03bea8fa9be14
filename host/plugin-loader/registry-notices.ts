/** Upper limits of notices: about one publisher, and about all publishers of a registry. */
const most = { publisher: 5, registry: 30 } as const

/** Notices about the publishers of one registry. A publisher decides how many faults it has, so they are counted. */
export class RegistryNotices {
	readonly #byPublisher = new Map<string, string[]>()
	#count = 0

	add(publisher: string, notice: string): void {
		this.#count++
		const known = this.#byPublisher.get(publisher) ?? []
		this.#byPublisher.set(publisher, known)
		if (known.length < most.publisher) known.push(notice)
	}

	/** Returns the first notices, and one with the number of the others. @param name the name of the registry */
	list(name: string): string[] {
		const shown = [...this.#byPublisher.values()].flat().slice(0, most.registry)
		const others = this.#count - shown.length
		return others > 0 ? [...shown, `${name} has ${others} more notices.`] : shown
	}
}
