import type { Cell } from '../../host/api/api.ts'
import { count, groupedDigits } from '../words/format.ts'
import { type Decimal, decimalIn } from './decimal.ts'

/** Numbers among some cells, as decimal texts. */
export interface RangeSummary {
	readonly numbers: number
	readonly sum: string
	readonly least: string
	readonly greatest: string
	/** To six digits behind the point. */
	readonly average: string
	readonly isAverageExact: boolean
}

/** `6 numbers: sum 34.5, average 5.75, least 1, greatest 9`; `undefined` if none of them is a number. */
export function sumWords(cells: readonly Cell[]): string | undefined {
	const found = rangeSummary(cells)
	if (!found) return undefined
	const average = `${found.isAverageExact ? '' : '≈ '}${groupedDigits(found.average)}`
	const [sum, least, greatest] = [found.sum, found.least, found.greatest].map(groupedDigits)
	const numbers = found.numbers === cells.length ? '' : `${count(found.numbers)} numbers: `
	return `${numbers}sum ${sum}, average ${average}, least ${least}, greatest ${greatest}`
}

/** Returns the sum and more of the numbers among cells, exact to the last digit; `undefined` if there is none. */
export function rangeSummary(cells: readonly Cell[]): RangeSummary | undefined {
	const found = cells.flatMap(cell => decimalIn(numberText(cell)) ?? [])
	if (found.length === 0) return undefined
	const scale = Math.max(...new Set(found.map(decimal => decimal.scale)))
	const aligned = found.map(decimal => decimal.digits * 10n ** BigInt(scale - decimal.scale))
	let [sum, least, greatest] = [0n, aligned[0] ?? 0n, aligned[0] ?? 0n]
	for (const value of aligned) {
		sum += value
		if (value < least) least = value
		if (value > greatest) greatest = value
	}
	const divisor = BigInt(found.length)
	const wide = sum * 10n ** 6n
	const text = (digits: bigint, at = scale) => textOf({ digits, scale: at })
	return {
		numbers: found.length,
		sum: text(sum),
		least: text(least),
		greatest: text(greatest),
		average: text(wide / divisor, scale + 6),
		isAverageExact: wide % divisor === 0n,
	}
}

function numberText(cell: Cell): string {
	if (typeof cell === 'number') return String(cell)
	return typeof cell === 'object' && cell && 'number' in cell ? cell.number : ''
}

function textOf({ digits, scale }: Decimal): string {
	const all = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
	const part = all.slice(all.length - scale).replace(/0+$/, '')
	const whole = all.slice(0, all.length - scale)
	return `${digits < 0n ? '-' : ''}${whole}${scale === 0 || part === '' ? '' : `.${part}`}`
}
