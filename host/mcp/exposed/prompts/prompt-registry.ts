import type { Services } from '../framework/services.ts'
import { corePrompts } from './core-prompts.ts'
import { driverPrompt } from './driver-prompts.ts'
import type { Prompt } from './prompt.ts'

/** All prompts: the core's, then those of the drivers. */
export class PromptRegistry {
	readonly #services: Services
	readonly #core: readonly Prompt[]

	constructor(services: Services) {
		this.#services = services
		this.#core = corePrompts(services)
	}

	all(): readonly Prompt[] {
		const fromDrivers = this.#services.drivers
			.installed()
			.flatMap(manifest => manifest.prompts.map(prompt => driverPrompt(manifest, prompt, this.#services)))
		return [...this.#core, ...fromDrivers]
	}

	find(name: string): Prompt | undefined {
		return this.all().find(prompt => prompt.descriptor.name === name)
	}
}
