/** Hue and lightness (on light and on dark) of the colours that are easy to tell apart, in OKLCH. */
const shades = {
	teal: [190, 0.52, 0.75],
	blue: [262, 0.52, 0.72],
	green: [148, 0.55, 0.75],
	pink: [350, 0.62, 0.76],
	yellow: [92, 0.72, 0.85],
	sky: [232, 0.62, 0.8],
	mint: [168, 0.65, 0.84],
	violet: [298, 0.52, 0.74],
	red: [27, 0.56, 0.7],
} as const
export type Colour = keyof typeof shades
export const colours = Object.keys(shades) as readonly Colour[]
/** Red means danger, so only a user chooses it. */
const chosenByItself = colours.filter(colour => colour !== 'red')

/** Returns the chosen colour of a connection, or one derived from its id. */
export function connectionColour({ id, colour }: { readonly id: string; readonly colour?: Colour }): string {
	let sum = 0
	for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521
	return colourOf(colour ?? chosenByItself[sum % chosenByItself.length] ?? 'teal')
}

/** Readable on light and dark. */
export function colourOf(colour: Colour): string {
	const [hue, onLight, onDark] = shades[colour]
	return `light-dark(oklch(${onLight} 0.15 ${hue}), oklch(${onDark} 0.14 ${hue}))`
}
