import type { SimilarGroups, SimilarQuery } from '../../../host/api/api.ts'
import type { Engine } from '../../state/engine.tsx'
import { counted } from '../../words/format.ts'
import { readMoment } from '../time/moment.ts'
import { patternOf } from './mask.ts'

/** A message with its time, as text. */
export interface Message {
	readonly text: string
	readonly time: string
}

/** Groups messages by their patterns, where the engine does not. Pure. */
export function groupSample(
	messages: readonly Message[],
	{ column, from, to, parts, limit }: Pick<SimilarQuery, 'column' | 'from' | 'to' | 'parts' | 'limit'>,
	rowNoun: Engine['rowNoun'],
): SimilarGroups {
	const [start, end] = [Date.parse(from), Date.parse(to)]
	const groups = new Map<string, { example: string; times: number[] }>()
	let empty = 0
	for (const { text, time } of messages) {
		const pattern = patternOf(text)
		if (pattern === '') {
			empty++
			continue
		}
		const group = groups.get(pattern) ?? { example: text, times: [] }
		groups.set(pattern, group)
		group.times.push(readMoment(time) ?? Number.NaN)
	}
	const largest = [...groups].toSorted(([, one], [, other]) => other.times.length - one.times.length)
	const left = largest.slice(limit)
	const messagesLeft = left.reduce((sum, [, { times }]) => sum + times.length, 0)
	return {
		groups: largest.slice(0, limit).map(([pattern, { example, times }]) => {
			const counts = new Array<number>(parts).fill(0)
			const known = times.filter(time => !Number.isNaN(time)).toSorted((one, other) => one - other)
			for (const time of known) {
				const part = Math.floor(((time - start) / (end - start)) * parts)
				if (part >= 0 && part < parts) counts[part] = (counts[part] ?? 0) + 1
			}
			const edge = (time: number | undefined) => (time === undefined ? '' : new Date(time).toISOString())
			return {
				pattern,
				count: times.length,
				example,
				first: edge(known[0]),
				last: edge(known.at(-1)),
				counts,
				filters: [{ column, operator: 'wildcard', values: [pattern] }],
			}
		}),
		notices: [
			...(left.length > 0 && (largest[0]?.[1].times.length ?? 0) > 1
				? [
						`${left.length.toLocaleString('en')} smaller groups with ${messagesLeft.toLocaleString('en')} messages are not shown.`,
					]
				: []),
			...(empty > 0 ? [`${counted(empty, rowNoun)} ${empty === 1 ? 'has' : 'have'} no ${column}.`] : []),
		],
	}
}
