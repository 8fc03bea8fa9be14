import { DriverError, exactNumber, type Json } from '@roundhouse/kit'
import { isNumeric } from '../mapping/field-type.ts'
import { named } from '../transport/engine-words.ts'

/**
 * Converts typed text to a value of the column's type: digits for numbers, `true` or `false` for booleans, text for all
 * others (the engine parses dates and addresses). No digit is lost.
 *
 * @throws DriverError `invalid_argument` that names the column
 */
export function typedValue(text: string, type: string, column: string): Json {
	if (isNumeric(type)) return readNumber(text, type, column)
	if (type === 'boolean') return readBoolean(text, column)
	return text
}

function readNumber(text: string, type: string, column: string): Json {
	const parts = /^([+-]?)([0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)$/.exec(text.trim())
	const [, sign = '', whole = '', rest = ''] = parts ?? []
	if (parts === null || (whole === '' && !rest.startsWith('.'))) {
		throw new DriverError('invalid_argument', `"${text}" is not a number; ${column} is of type ${named(type)}.`)
	}
	const digits = whole.replace(/^0+(?=[0-9])/, '') || '0'
	return exactNumber(`${sign === '-' ? '-' : ''}${digits}${rest}`)
}

function readBoolean(text: string, column: string): boolean {
	const word = text.trim().toLowerCase()
	if (word === 'true' || word === 'false') return word === 'true'
	throw new DriverError('invalid_argument', `"${text}" is neither true nor false; ${column} is a boolean.`)
}
