import { ProtocolError, shuttingDown } from './protocol/errors.ts'
import { defaultSettings, type McpSettings } from './settings.ts'

/** Whether the endpoint serves requests, and with which settings. Both change while it runs. */
export class Serving {
	/** Refuses every request with this reason, independent of the settings. */
	readonly #refusal: string | undefined
	#settings: McpSettings
	#isClosing = false

	constructor(settings: Partial<McpSettings> | undefined, refusal: string | undefined) {
		this.#settings = { ...defaultSettings, ...settings }
		this.#refusal = refusal
	}

	get settings(): McpSettings {
		return this.#settings
	}

	configure(changed: Partial<McpSettings>): void {
		this.#settings = { ...this.#settings, ...changed }
	}

	/** Refuses every request from now on. */
	close(): void {
		this.#isClosing = true
	}

	/** @throws ProtocolError `unavailable`, `server_disabled` */
	require(): void {
		if (this.#isClosing) throw shuttingDown('unavailable')
		if (this.#refusal !== undefined) throw new ProtocolError('server_disabled', this.#refusal)
		if (!this.#settings.enabled) throw new ProtocolError('server_disabled')
	}
}
