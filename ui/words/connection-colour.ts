/** The number of colours that are easy to tell apart. Red is not among them, because it means danger. */
const hues = { teal: 195, blue: 260, green: 145, pink: 310, yellow: 80, sky: 230, mint: 170, violet: 285 }
export type Colour = keyof typeof hues
export const colours = Object.keys(hues) as readonly Colour[]

/** Returns the chosen colour of a connection, or one derived from its id. */
export function connectionColour({ id, colour }: { readonly id: string; readonly colour?: Colour }): string {
	let sum = 0
	for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521
	return colourOf(colour ?? colours[sum % colours.length] ?? 'teal')
}

/** Readable on light and dark. */
export function colourOf(colour: Colour): string {
	const hue = hues[colour]
	return `light-dark(oklch(0.52 0.13 ${hue}), oklch(0.75 0.12 ${hue}))`
}
