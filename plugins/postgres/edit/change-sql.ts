import { type Cell, type Change, DriverError, isJsonObject, type Json, parseJson, stringifyJson } from '@roundhouse/kit'
import { type ChangeParts, changeText, columnAt as columnOfText } from '@roundhouse/sql'
import { columnIn, type Shape, type ShapeColumn } from '../catalog/shape.ts'
import { hasVersion, isRow, returnedOf, rowKeyOf, target } from '../grid/row-key.ts'
import { inline } from '../sql/binding.ts'
import { literal, quoted } from '../sql/names.ts'

/** Returns the statement of a change. It returns id and version of the row. @throws DriverError */
export const changeSql = (shape: Shape, change: Change): string => changeText(partsOf(shape), change)

/** Returns the statement of a change that is run elsewhere, where its answer is not read. @throws DriverError */
export const copiedSql = (shape: Shape, change: Change): string =>
	changeText({ ...partsOf(shape), tail: { insert: '', update: '', delete: '' } }, change)

/** Returns the column whose value is at an offset of {@link changeSql}, if one is. */
export const columnAt = (shape: Shape, change: Change, offset: number): string | undefined =>
	columnOfText(partsOf(shape), change, offset)

function partsOf(shape: Shape): ChangeParts {
	const returning = ` returning ${returnedOf(shape).join(', ')}`
	const aliased = target(shape, ' as')
	return {
		cannot: shape.cannot,
		target: { insert: aliased, update: aliased, delete: aliased },
		tail: { insert: shape.kind === 'v' ? '' : returning, update: returning, delete: returning },
		noValues: ' default values',
		quoted,
		valueSql: (name, cell) => valueSql(editable(shape, name), cell),
		rowCondition({ rowId, version }) {
			if (version !== undefined) return `${isRow(shape, rowId, inline)} and ${hasVersion(shape, version, inline)}`
			if (rowKeyOf(shape).by !== 'place') return isRow(shape, rowId, inline)
			throw new DriverError(
				'invalid_argument',
				`${shape.name} has no key, so another row may have taken the place of this one. Send the \`version\` that was read with the row.`,
			)
		},
	}
}

function editable(shape: Shape, name: string): ShapeColumn {
	const column = columnIn(shape, name)
	if (column.generated === 'always')
		throw new DriverError('invalid_argument', `${name} is computed by the server, so it takes no value.`)
	return column
}

/** Digits without quotes read better, and mean the same. Only a negative zero would lose its sign. */
const plainNumber = /^(?:-(?=.*[1-9]))?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Returns a value as a literal. Without a type it takes that of its column, which refuses what is too long. */
export function valueSql(column: ShapeColumn, cell: Cell): string {
	const { kind, base } = column
	const text = textOf(column, cell)
	if (text === null) return 'null'
	// The server would round a decimal without quotes for a column of whole numbers. It refuses one in quotes.
	const isRounded = /^int/.test(base) && /\.\d*[1-9]/.test(text)
	if (kind === 'number' && plainNumber.test(text) && !isRounded) return text
	if (kind === 'boolean' && (text === 'true' || text === 'false')) return text
	return literal(text)
}

/** A column, or a parameter of a statement, whose type only the server knows. */
type Target = Pick<ShapeColumn, 'name'> & Partial<Pick<ShapeColumn, 'kind' | 'sqlType' | 'isComposite'>>

/** Returns a value in the text format of the server. @throws DriverError `invalid_argument` */
export function textOf(column: Target, cell: Cell): string | null {
	if (cell === null) return null
	const text = plainText(column, cell)
	if (text.includes('\u0000'))
		throw new DriverError('invalid_argument', `${column.name}: PostgreSQL stores no text with a NUL character.`)
	// The encoder would replace it by another character.
	if (!text.isWellFormed())
		throw new DriverError(
			'invalid_argument',
			`${column.name}: The text contains half of a character (a lone surrogate).`,
		)
	return text
}

function plainText(column: Target, cell: Exclude<Cell, null>): string {
	if (typeof cell !== 'object') return String(cell)
	if ('bytes' in cell) return `\\x${Buffer.from(cell.bytes, 'base64').toString('hex')}`
	if ('json' in cell) return column.kind === 'other' ? literalOf(column, parsed(column, cell.json)) : cell.json
	if ('number' in cell) return cell.number
	if ('text' in cell) return cell.text
	throw new DriverError('invalid_argument', 'A missing value cannot be stored.')
}

/** @throws DriverError `invalid_argument` for a text that is not JSON */
function parsed({ name }: Target, json: string): Json {
	try {
		return parseJson(json)
	} catch {
		throw new DriverError('invalid_argument', `${name}: The value is not JSON.`)
	}
}

/** Returns a JSON array as a literal of an array. @throws DriverError `invalid_argument` with the form that works */
function literalOf(column: Target, value: Json): string {
	const { name, sqlType = '', isComposite } = column
	if (sqlType.endsWith('[]') && Array.isArray(value))
		return arrayLiteral(value, { name, ofJson: /^jsonb?\[/.test(sqlType) })
	const form = isComposite ? '(Main,"Berlin, 1")' : sqlType === 'hstore' ? '"key"=>"value"' : undefined
	if (form === undefined) return stringifyJson(value)
	throw new DriverError('invalid_argument', `${name}: Send a text as PostgreSQL writes it, for example ${form}`)
}

function arrayLiteral(
	items: readonly Json[],
	{ name, ofJson }: { readonly name: string; readonly ofJson: boolean },
): string {
	const elements = items.map(item => {
		if (item === null) return 'NULL'
		if (ofJson) return quotedElement(stringifyJson(item))
		if (Array.isArray(item)) return arrayLiteral(item, { name, ofJson })
		if (!isJsonObject(item)) return quotedElement(typeof item === 'string' ? item : stringifyJson(item))
		const form = '{"(Main,\\"Berlin, 1\\")"}'
		throw new DriverError('invalid_argument', `${name}: Send a text as PostgreSQL writes it, for example ${form}`)
	})
	return `{${elements.join(',')}}`
}

const quotedElement = (text: string) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
