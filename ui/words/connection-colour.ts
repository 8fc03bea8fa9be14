/** On light and on dark. Any two are at least 0.11 apart in OKLab, and 0.14 from the red of production. */
const shades = {
	violet: ['#7a3fc4', '#b586f5'],
	blue: ['#1f66d0', '#5f9cf8'],
	cyan: ['#0a7d92', '#3fc3d6'],
	green: ['#3d7a1e', '#8fc95a'],
	stone: ['#6f665a', '#b3a898'],
	pink: ['#b8328a', '#ee85c8'],
} as const
export type Colour = keyof typeof shades
// `Object.keys` returns strings.
export const colours = Object.keys(shades) as readonly Colour[]

/** Returns the red of production, the chosen colour of a connection, or one derived from its id. */
export function connectionColour(connection: {
	readonly id: string
	readonly isProduction: boolean
	readonly colour?: Colour
}): string {
	if (connection.isProduction) return 'var(--production)'
	let sum = 0
	for (const letter of connection.id) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521
	return colourOf(connection.colour ?? colours[sum % colours.length] ?? 'blue')
}

/** Readable on light and dark. */
export function colourOf(colour: Colour): string {
	const [onLight, onDark] = shades[colour]
	return `light-dark(${onLight}, ${onDark})`
}
