/** Returns the SQL of a value: a placeholder, or a literal. @param type SQL of the type that the value is to have */
export type Bind = (value: string | null, type?: string) => string

/** Writes the placeholder of a value. @param index from 1 */
export type Placeholder = (index: number, type: string | undefined) => string

/** Binds the values of one statement. */
export interface Binding {
	readonly bind: Bind
	/** What is sent apart from the text. */
	readonly values: readonly (string | null)[]
}

/** Collects values that are sent apart from the text. */
export class Parameters implements Binding {
	readonly values: (string | null)[] = []
	readonly #placeholder: Placeholder

	constructor(placeholder: Placeholder) {
		this.#placeholder = placeholder
	}

	readonly bind: Bind = (value, type) => {
		this.values.push(value)
		return this.#placeholder(this.values.length, type)
	}
}
