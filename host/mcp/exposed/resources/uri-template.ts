/** What one step of a template takes: a first character, and where it goes on, any number of others. */
interface Step {
	readonly first: (character: string) => boolean
	readonly more?: (character: string) => boolean
	readonly isOptional?: boolean
}

const isAnything = () => true
const isInSegment = (character: string) => !'/?#'.includes(character)
const isInQuery = (character: string) => character !== '#'

/**
 * An RFC 6570 template as a test for the URIs it may expand to: `{name}` is one segment, `{+name}` may hold slashes.
 *
 * The template is a driver's and the URI a client's, and as a regular expression several variables in a row would try
 * every way to share a long URI among them. So all ways are followed at once: one look at each character.
 */
export function templateTest(template: string): (uri: string) => boolean {
	const steps = stepsOf(template)
	return uri => {
		// A place is a number: twice a step's index before the step, and one more inside it.
		let places = before(0, steps)
		for (const character of uri) {
			const next = new Set<number>()
			for (const place of places) {
				const step = steps[place >> 1]
				const isInside = place % 2 === 1
				if (!step || !(isInside ? step.more : step.first)?.(character)) continue
				if (step.more) next.add(place | 1)
				for (const following of before((place >> 1) + 1, steps)) next.add(following)
			}
			places = next
			if (places.size === 0) return false
		}
		return places.has(steps.length * 2)
	}
}

/** The places before a step, and before those that may follow it where it is left out. */
function before(index: number, steps: readonly Step[]): Set<number> {
	const places = new Set([index * 2])
	for (let at = index; steps[at]?.isOptional; at++) places.add((at + 1) * 2)
	return places
}

function stepsOf(template: string): readonly Step[] {
	return template
		.split(/(\{[^{}]*\})/)
		.flatMap(part => (/^\{.*\}$/.test(part) ? [variable(part[1])] : [...part].map(letter)))
}

function letter(expected: string): Step {
	return { first: character => character === expected }
}

function variable(operator: string | undefined): Step {
	if (operator === '?' || operator === '&') {
		return { first: character => '?&'.includes(character), more: isInQuery, isOptional: true }
	}
	const isAllowed = operator === '+' || operator === '#' ? isAnything : isInSegment
	return { first: isAllowed, more: isAllowed }
}
