import { z } from 'zod'
import { JsonStore } from '../base/json-store.ts'

/** Whose an id is: a registry, by the fingerprint of its first root, and the publisher there. */
export interface Binding {
	readonly registry: string
	/** Not known of what was installed when registries had no publishers. */
	readonly publisher?: string | undefined
}

const current = z.object({
	version: z.literal(2),
	ids: z.record(z.string(), z.object({ registry: z.string(), publisher: z.string().optional() })),
})
/** As it was when an id had a registry alone. */
const former = z
	.object({ version: z.literal(1), registries: z.record(z.string(), z.string()) })
	.transform(({ registries }): z.infer<typeof current> => {
		const ids = Object.entries(registries).map(([id, registry]) => [id, { registry }])
		return { version: 2, ids: Object.fromEntries(ids) }
	})
const schema = z.union([current, former])

/**
 * Which registry and publisher each driver id belongs to: those it was first installed from. A binding outlives the
 * driver, because saved connections do, and their secrets go to whatever bears the id.
 */
export class RegistryBindings {
	readonly #store: JsonStore<z.infer<typeof current>>

	private constructor(store: JsonStore<z.infer<typeof current>>) {
		this.#store = store
	}

	static async open(path: string): Promise<RegistryBindings> {
		return new RegistryBindings(await JsonStore.open(path, schema, { version: 2, ids: {} }))
	}

	of(id: string): Binding | undefined {
		const { ids } = this.#store.value
		return Object.hasOwn(ids, id) ? ids[id] : undefined
	}

	allows(id: string, { registry, publisher }: Required<Binding>): boolean {
		const bound = this.of(id)
		return !bound || (bound.registry === registry && (!bound.publisher || bound.publisher === publisher))
	}

	async bind(id: string, { registry, publisher }: Binding): Promise<void> {
		const bound = this.of(id)
		if (bound?.registry === registry && bound.publisher === publisher) return
		await this.#store.update(({ ids, ...file }) => ({
			...file,
			ids: { ...ids, [id]: { registry, ...(publisher && { publisher }) } },
		}))
	}

	async forget(id: string): Promise<void> {
		await this.#store.update(({ ids: { [id]: _, ...ids }, ...file }) => ({ ...file, ids }))
	}

	/** Lets go of ids whose registry is told by `isGone` to be none any more. */
	async forgetWhere(isGone: (registry: string) => boolean): Promise<void> {
		const gone = Object.entries(this.#store.value.ids).filter(([, { registry }]) => isGone(registry))
		for (const [id] of gone) await this.forget(id)
	}
}
