import { redact } from './redaction.ts'

/**
 * Errors of the host. Each boundary keeps one registry of codes (`const errors = defineErrors('plugin', {...})`). So
 * every way to fail is listed in one place and documented in docs/errors.md, and each message says what the user can
 * do.
 */
export class HostError<Code extends string = string> extends Error {
	override readonly name = 'HostError'
	/** `<boundary>/<code>`, for example `plugin/signature_invalid`. */
	readonly code: `${string}/${Code}`

	constructor(code: `${string}/${Code}`, message: string, options?: ErrorOptions) {
		// Redacted in the constructor, so that no later use can leak a secret.
		super(redact(message), options)
		this.code = code
	}
}

/** Message templates of one boundary. `{name}` is replaced by the values passed when the error is made. */
type Templates = Readonly<Record<string, string>>

export interface ErrorRegistry<T extends Templates> {
	readonly boundary: string
	readonly templates: T
	make(code: keyof T & string, values?: Readonly<Record<string, string | number>>, options?: ErrorOptions): HostError
	is(error: unknown, code: keyof T & string): boolean
}

export function defineErrors<const T extends Templates>(boundary: string, templates: T): ErrorRegistry<T> {
	return {
		boundary,
		templates,
		make: (code, values = {}, options) =>
			new HostError(
				`${boundary}/${code}`,
				(templates[code] ?? code).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')),
				options,
			),
		is: (error, code) => error instanceof HostError && error.code === `${boundary}/${code}`,
	}
}

/**
 * Returns the message of any thrown value, redacted and on one line, without characters that steer a terminal: drivers,
 * registries and engines write messages too. The joiners of emoji and scripts stay.
 */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error)
	return redact(message)
		.replace(/(?:(?![\u200c\u200d])[\s\p{Cc}\p{Cf}])+/gu, ' ')
		.trim()
}
