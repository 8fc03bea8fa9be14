/** Colours of the parts of a bar, as the ends of class names (`chart-part-…` of results/chart.css). */

/** Of the rows that are in no other part. */
export const otherColour = '7'

/** How bad a row of a log is. */
export type Level = 'error' | 'warning' | 'info' | 'debug'

const levels: readonly (readonly [RegExp, Level])[] = [
	[/^(emerg\w*|alert|fatal|crit\w*|severe|err(or)?)$/i, 'error'],
	[/^warn(ing)?$/i, 'warning'],
	[/^(info\w*|notice)$/i, 'info'],
	[/^(debug|trace|verbose|fine)$/i, 'debug'],
]
/** The colours that people know levels by. */
const known: Readonly<Record<Level, string>> = {
	error: 'error',
	warning: 'warning',
	info: 'info',
	debug: 'debug',
}

/** Returns the level that a word of a log means. */
export const levelOf = (word: string): Level | undefined => levels.find(([pattern]) => pattern.test(word))?.[1]

const calmestFirst: readonly Level[] = ['debug', 'info', 'warning', 'error']

/** Orders values of a level from the calmest to the worst. Words that are no level come last. */
export function byLevel(one: string, other: string): number {
	const [rank, otherRank] = [one, other].map(word => {
		const level = levelOf(word)
		return level === undefined ? calmestFirst.length : calmestFirst.indexOf(level)
	})
	return (rank ?? 0) - (otherRank ?? 0)
}

/** Whether a column has the level of a log, by its name. */
export const isLevelColumn = ({ name }: { readonly name: string }) =>
	/^((log[._]?)?(level|severity)|severity_text|level_?name)$/i.test(name)

const colours = ['0', '2', '3', '4', '5', '6', '1']

/** Returns a colour for each value, the most frequent value first. Neighbours differ, if there are enough of them. */
export function partColours(values: readonly string[]): readonly string[] {
	const taken = values.map(value => {
		const level = levelOf(value)
		return level && known[level]
	})
	const free = colours.filter(colour => !taken.includes(colour))
	return taken.map(colour => colour ?? free.shift() ?? otherColour)
}
