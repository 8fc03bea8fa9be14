/** A version such as `8.13.4` is none. */
const figure = /^(?!\d+\.\d+\.)[≈<>~]? ?[-+]?\d[\d.,:\s]*(?:%|[a-zµ]{1,3}|[kmgt]i?b)?$/i

/** Whether a column of facts has numbers alone, with a unit or without one, so that it is aligned to the right. */
export function areFigures(cells: readonly string[]): boolean {
	const filled = cells.filter(cell => cell !== '' && cell !== '–')
	return filled.length > 0 && filled.every(cell => figure.test(cell))
}
