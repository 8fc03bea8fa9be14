import { z } from 'zod'
import { JsonStore } from '../base/json-store.ts'

const schema = z.object({ version: z.literal(1), registries: z.record(z.string(), z.string()) })

/**
 * Which registry each driver id belongs to, by the fingerprint of its root: the one it was first installed from. A
 * binding outlives the driver, because saved connections do, and their secrets go to whatever bears the id.
 */
export class RegistryBindings {
	readonly #store: JsonStore<z.infer<typeof schema>>

	private constructor(store: JsonStore<z.infer<typeof schema>>) {
		this.#store = store
	}

	static async open(path: string): Promise<RegistryBindings> {
		return new RegistryBindings(await JsonStore.open(path, schema, { version: 1, registries: {} }))
	}

	registryOf(id: string): string | undefined {
		const { registries } = this.#store.value
		return Object.hasOwn(registries, id) ? registries[id] : undefined
	}

	async bind(id: string, fingerprint: string): Promise<void> {
		if (this.registryOf(id) === fingerprint) return
		await this.#store.update(({ registries, ...file }) => ({
			...file,
			registries: { ...registries, [id]: fingerprint },
		}))
	}

	async forget(id: string): Promise<void> {
		await this.#store.update(({ registries: { [id]: _, ...registries }, ...file }) => ({ ...file, registries }))
	}
}
