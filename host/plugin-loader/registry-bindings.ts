import { z } from 'zod'
import { JsonStore } from '../../base/json-store.ts'

/** The owner of an id: the fingerprint of the registry's first root, and a publisher in that registry. */
export interface Binding {
	readonly registry: string
	readonly publisher: string
}

const schema = z.object({
	version: z.literal(2),
	ids: z.record(z.string(), z.object({ registry: z.string(), publisher: z.string() })),
})

/**
 * Binds each driver id to the registry and publisher it was first installed from. A binding outlives the driver,
 * because saved connections do too, and their secrets are sent to any driver with that id.
 */
export class RegistryBindings {
	readonly #store: JsonStore<z.infer<typeof schema>>

	private constructor(store: JsonStore<z.infer<typeof schema>>) {
		this.#store = store
	}

	static async open(path: string): Promise<RegistryBindings> {
		return new RegistryBindings(await JsonStore.open(path, schema, { version: 2, ids: {} }))
	}

	of(id: string): Binding | undefined {
		const { ids } = this.#store.value
		return Object.hasOwn(ids, id) ? ids[id] : undefined
	}

	allows(id: string, { registry, publisher }: Binding): boolean {
		const bound = this.of(id)
		return !bound || (bound.registry === registry && bound.publisher === publisher)
	}

	async bind(id: string, { registry, publisher }: Binding): Promise<void> {
		const bound = this.of(id)
		if (bound?.registry === registry && bound.publisher === publisher) return
		await this.#store.update(({ ids, ...file }) => ({
			...file,
			ids: { ...ids, [id]: { registry, publisher } },
		}))
	}

	async forget(id: string): Promise<void> {
		await this.#store.update(({ ids: { [id]: _, ...ids }, ...file }) => ({ ...file, ids }))
	}
}
