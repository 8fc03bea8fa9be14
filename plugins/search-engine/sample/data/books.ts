import { exactNumber, type Json, type JsonObject } from '@roundhouse/kit'
import { Random } from './random.ts'
import { adjectives, familyNames, givenNames, nouns, places, sentence } from './words.ts'

const keyword = { type: 'keyword' }

/** Covers many field types: text with and without `.keyword`, objects, nested arrays, an alias, large numbers. */
export const bookMapping: JsonObject = {
	properties: {
		attributes: { type: 'flattened' },
		author: {
			properties: {
				born: { type: 'integer' },
				country: keyword,
				name: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
			},
		},
		barcode: { type: 'unsigned_long' },
		cover: { type: 'binary', doc_values: true },
		excerpts: { type: 'text' },
		genres: keyword,
		in_print: { type: 'boolean' },
		isbn: { type: 'long' },
		languages: keyword,
		pages: { type: 'integer' },
		price: { type: 'double' },
		published: { type: 'date' },
		rating: { type: 'half_float' },
		reader_age: { type: 'integer_range' },
		reviews: {
			type: 'nested',
			properties: { date: { type: 'date' }, stars: { type: 'byte' }, text: { type: 'text' }, user: keyword },
		},
		summary: { type: 'text' },
		title: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
		writer: { type: 'alias', path: 'author.name' },
	},
}

const genres = [
	'biography',
	'children',
	'crime',
	'essay',
	'fantasy',
	'history',
	'poetry',
	'romance',
	'science',
	'travel',
]
const countries = ['AT', 'BR', 'DE', 'ES', 'FR', 'HR', 'IN', 'IT', 'JP', 'NG', 'PE', 'PL', 'PT', 'SE', 'TR']
const languages = ['de', 'en', 'es', 'fr', 'it', 'ja', 'pl', 'pt', 'sv', 'tr']

export function* books(count: number): Generator<{ id: string; source: JsonObject }> {
	const random = new Random(1871)
	for (let number = 1; number <= count; number++) yield { id: String(number), source: book(random, number) }
	yield { id: 'collected-works', source: collectedWorks(random) }
	// The engine treats a key with a dot as the field of an object. Real indices contain both spellings.
	yield {
		id: 'dotted-key',
		source: { title: 'The Dotted Key', 'author.name': 'Ada Novák', pages: 120, genres: ['essay'] },
	}
	yield {
		id: 'path/with ünusual?characters#1',
		source: { title: 'An Awkward Identifier', pages: 8, price: exactNumber('1.10') },
	}
}

function book(random: Random, number: number): JsonObject {
	const price = `${random.integer(4, 80)}.${random.pick(['00', '50', '90', '95', '99'])}`
	return {
		title: titleOf(random),
		author: {
			name: `${random.pick(givenNames)} ${random.pick(familyNames)}`,
			born: random.integer(1840, 1998),
			country: random.pick(countries),
		},
		genres: random.some(genres, random.integer(1, 3)),
		isbn: exactNumber(`90${random.digits(17)}`),
		barcode: exactNumber(`17${random.digits(18)}`),
		price: exactNumber(price),
		pages: random.integer(32, 1200),
		published: random.day(1950, 2024),
		in_print: random.chance(0.7),
		languages: random.some(languages, random.integer(1, 3)),
		...(random.chance(0.9) && { rating: exactNumber(`${random.integer(1, 4)}.${random.integer(0, 9)}`) }),
		...optionalParts(random, number),
		reviews: Array.from({ length: random.integer(0, 4) }, () => review(random)),
	}
}

/** Fields that not every document has, because missing, null and empty differ. */
function optionalParts(random: Random, number: number): JsonObject {
	return {
		summary: number % 17 === 0 ? null : number % 23 === 0 ? '' : `${sentence(random)} ${sentence(random)}`,
		...(number % 5 === 0 && {
			attributes: {
				binding: random.pick(['hard', 'soft']),
				shelf: `${random.integer(1, 40)}-${random.pick(['A', 'B', 'C'])}`,
			},
		}),
		...(number % 7 === 0 && { reader_age: { gte: random.integer(3, 12), lte: random.integer(13, 99) } }),
		...(number % 50 === 0 && { cover: Buffer.from(random.hex(48), 'hex').toString('base64') }),
	}
}

function titleOf(random: Random): string {
	const noun = random.pick(nouns)
	const adjective = random.pick(adjectives)
	return random.pick([
		`The ${adjective} ${noun}`,
		`${noun} of ${random.pick(places)}`,
		`A ${adjective} ${noun}`,
		`${adjective} ${noun}s`,
	])
}

function review(random: Random): Json {
	return {
		user: `${random.pick(givenNames).toLowerCase()}${random.integer(1, 99)}`,
		stars: random.integer(1, 5),
		...(random.chance(0.8) && { text: sentence(random) }),
		date: random.day(2015, 2024),
	}
}

/** A document of over a megabyte, nearly all of it in one array. */
function collectedWorks(random: Random): JsonObject {
	return {
		title: 'Collected Works, in One Volume',
		author: { name: 'Zoë Quispe', born: 1903, country: 'PE' },
		genres,
		isbn: exactNumber('9223372036854775807'),
		barcode: exactNumber('18446744073709551615'),
		price: exactNumber('249.00'),
		pages: 14200,
		published: '1999-12-31',
		in_print: true,
		excerpts: Array.from({ length: 6000 }, () => `${sentence(random)} ${sentence(random)} ${sentence(random)}`),
		reviews: [{ user: 'uma1', stars: 5, text: 'Heavy.', date: '2020-02-29' }],
	}
}
