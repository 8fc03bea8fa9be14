import { redact } from './redaction.ts'

/**
 * Errors of the host. Each boundary keeps one registry of codes (`const errors = defineErrors('plugin', {...})`), so
 * that every way to fail is listed in one place, documented in docs/errors.md, and carries what the reader can do.
 */
export class HostError<Code extends string = string> extends Error {
	override readonly name = 'HostError'
	/** `<boundary>/<code>`, for example `plugin/signature_invalid`. */
	readonly code: `${string}/${Code}`

	constructor(code: `${string}/${Code}`, message: string, options?: ErrorOptions) {
		// Redacted where it is made, so that nothing can leak later.
		super(redact(message), options)
		this.code = code
	}
}

/** Templates of one boundary; `{name}` is filled from the values given when the error is made. */
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

/** The message of anything that was thrown, redacted, on one line. */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message : String(error)
	return redact(message).replace(/\s+/g, ' ').trim()
}
