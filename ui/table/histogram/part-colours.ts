/** Colours of the parts of a bar, as the ends of class names (`chart-part-…` of results/chart.css). */

/** Of the rows that are in no other part. */
export const otherColour = '7'

/** Words of logs for how bad a row is have the colour that people know them by. */
const known: readonly (readonly [RegExp, string])[] = [
	[/^(emerg\w*|alert|fatal|crit\w*|severe|err(or)?)$/i, 'error'],
	[/^warn(ing)?$/i, '1'],
	[/^(info\w*|notice)$/i, '0'],
	[/^(debug|trace|verbose|fine)$/i, '5'],
]
const colours = ['0', '2', '3', '4', '5', '6', '1']

/** Returns a colour for each value, the most frequent value first. Neighbours differ, if there are enough of them. */
export function partColours(values: readonly string[]): readonly string[] {
	const taken = values.map(value => known.find(([pattern]) => pattern.test(value))?.[1])
	const free = colours.filter(colour => !taken.includes(colour))
	return taken.map(colour => colour ?? free.shift() ?? otherColour)
}
