import { literal } from './names.ts'

/** How values get into SQL. */

/** Returns the SQL of a value: a placeholder, or a literal. */
export type Bind = (value: string | null, type?: string) => string

const cast = (type: string | undefined) => (type === undefined ? '' : `::${type}`)

/** Collects values that are sent apart from the text. */
export class Parameters {
	readonly values: (string | null)[] = []
	readonly bind: Bind = (value, type) => {
		this.values.push(value)
		return `$${this.values.length}${cast(type)}`
	}
}

/** Writes values into the text, for COPY, which takes no others, and for previews that are sent as they are. */
export const inline: Bind = (value, type) => {
	// Digits alone read better, and mean the same.
	if (value !== null && /^(?:small|big)?int(?:eger)?$/.test(type ?? '') && /^-?\d+$/.test(value)) return value
	return `${value === null ? 'null' : literal(value)}${cast(type)}`
}
