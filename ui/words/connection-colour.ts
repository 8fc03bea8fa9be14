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

interface Coloured {
	readonly id: string
	readonly isProduction: boolean
	readonly colour?: Colour
}

/** By connection without a chosen colour. */
const derived = new Map<string, Colour>()

/**
 * Gives the connections without a chosen colour different ones, as long as there are some left. The oldest keeps the
 * colour of its id.
 */
export function tellApart(connections: readonly (Coloured & { readonly createdAt: string })[]): void {
	const others = connections.filter(({ isProduction }) => !isProduction)
	const taken = new Set(others.flatMap(({ colour }) => colour ?? []))
	const open = others.filter(({ colour }) => colour === undefined)
	for (const { id } of open.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1))) {
		const own = colours.indexOf(derivedFrom(id))
		const inTurn = [...colours.slice(own), ...colours.slice(0, own)]
		const free = inTurn.find(colour => !taken.has(colour)) ?? derivedFrom(id)
		taken.add(free)
		derived.set(id, free)
	}
}

function derivedFrom(id: string): Colour {
	let sum = 0
	for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 65_521
	return colours[sum % colours.length] ?? 'blue'
}

/** Returns the red of production, the chosen colour of a connection, or one of those that are left. */
export function connectionColour({ id, isProduction, colour }: Coloured): string {
	if (isProduction) return 'var(--production)'
	return colourOf(colour ?? derived.get(id) ?? derivedFrom(id))
}

/** Readable on light and dark. */
export function colourOf(colour: Colour): string {
	const [onLight, onDark] = shades[colour]
	return `light-dark(${onLight}, ${onDark})`
}
