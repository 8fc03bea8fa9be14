/** One step of a template: it matches a first character and, with `more`, any number of further characters. */
interface Step {
	readonly first: (character: string) => boolean
	readonly more?: (character: string) => boolean
	readonly isOptional?: boolean
}

const isAnything = () => true
const isInSegment = (character: string) => !'/?#'.includes(character)
const isInQuery = (character: string) => character !== '#'

/**
 * Compiles an RFC 6570 template to a test for URIs: `{name}` is one segment, `{+name}` may contain slashes.
 *
 * Both the template of a driver and the URI of a client are untrusted. A regular expression with several variables
 * would backtrack exponentially. So this simulates an automaton, which reads each character once.
 */
export function templateTest(template: string): (uri: string) => boolean {
	const steps = stepsOf(template)
	return uri => {
		// A place is a state of the automaton: 2 * index before a step, 2 * index + 1 inside it.
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

/** Returns the places before a step, and before the steps that follow if it is optional. */
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
