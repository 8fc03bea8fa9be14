import { exactNumber, type JsonObject } from '@roundhouse/kit'
import { Random } from './random.ts'
import { adjectives, familyNames, nouns, places as towns } from './words.ts'

const keyword = { type: 'keyword' }

/** `dynamic: false`: fields outside of the mapping, such as `legacy_code`, are stored but not indexed. */
export const placeMapping: JsonObject = {
	dynamic: 'false',
	properties: {
		address: { properties: { city: keyword, country: keyword, postcode: keyword, street: { type: 'text' } } },
		category: keyword,
		closed: { type: 'date', format: 'dd/MM/yyyy' },
		gateway: { type: 'ip' },
		location: { type: 'geo_point' },
		name: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
		opened: { type: 'date' },
		rating: { type: 'float' },
		visitors: { type: 'long' },
		website: keyword,
		wheelchair: { type: 'boolean' },
	},
}

const categories = [
	'bakery',
	'cinema',
	'gallery',
	'library',
	'museum',
	'park',
	'pharmacy',
	'station',
	'theatre',
	'workshop',
]
const countries = [
	'AT',
	'BE',
	'CH',
	'DK',
	'EE',
	'ES',
	'FI',
	'FR',
	'HR',
	'IE',
	'IT',
	'LT',
	'LV',
	'NL',
	'NO',
	'PL',
	'PT',
	'SE',
	'SI',
]

export function* placeDocuments(count: number): Generator<{ id: string; source: JsonObject; routing?: string }> {
	const random = new Random(1903)
	for (let number = 1; number <= count; number++) {
		const source = place(random, number)
		// Some documents have a routing value, which is also required to read or change them.
		yield number % 100 === 0
			? { id: `place-${number}`, source, routing: `region-${number % 7}` }
			: { id: `place-${number}`, source }
	}
}

function place(random: Random, number: number): JsonObject {
	const category = random.pick(categories)
	const city = random.pick(towns)
	const name = `${random.pick(adjectives)} ${random.pick(nouns)} ${category[0]?.toUpperCase()}${category.slice(1)}`
	const [day, month] = [random.integer(1, 28), random.integer(1, 12)].map(part => String(part).padStart(2, '0'))
	return {
		name,
		category,
		location: {
			lat: exactNumber(`${random.integer(36, 65)}.${random.digits(5)}`),
			lon: exactNumber(`${random.integer(-9, 28)}.${random.digits(5)}`),
		},
		address: {
			street: `${random.pick(familyNames)} Street ${random.integer(1, 200)}`,
			city,
			postcode: random.digits(5),
			country: random.pick(countries),
		},
		opened: random.day(1880, 2023),
		...(number % 11 === 0 && { closed: `${day}/${month}/${random.integer(2000, 2023)}` }),
		gateway:
			number % 9 === 0
				? `2001:db8::${random.hex(4)}`
				: `10.${random.integer(0, 255)}.${random.integer(0, 255)}.${random.integer(1, 254)}`,
		wheelchair: random.chance(0.6),
		...(number % 13 !== 0 && { rating: exactNumber(`${random.integer(1, 4)}.${random.integer(1, 9)}`) }),
		visitors: random.integer(100, 4_000_000),
		...(number % 3 === 0 && { website: `https://${category}-${number}.example/` }),
		...(number % 40 === 0 && { legacy_code: { system: 'A', number: exactNumber(random.digits(19)) } }),
	}
}
