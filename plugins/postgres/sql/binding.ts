import type { Bind, Placeholder } from '@roundhouse/sql'
import { literal } from './names.ts'

/** How values get into SQL. */

const cast = (type: string | undefined) => (type === undefined ? '' : `::${type}`)

export const placeholder: Placeholder = (index, type) => `$${index}${cast(type)}`

/** Writes values into the text, for COPY, which takes no others, and for previews that are sent as they are. */
export const inline: Bind = (value, type) => {
	// Digits alone read better, and mean the same.
	if (value !== null && /^(?:small|big)?int(?:eger)?$/.test(type ?? '') && /^-?\d+$/.test(value)) return value
	return `${value === null ? 'null' : literal(value)}${cast(type)}`
}
