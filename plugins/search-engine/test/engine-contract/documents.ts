/** Content of the tables of the engine contract. */

export const keyword = { type: 'keyword' }

/** Every fortieth document has no `m`, the others have two values. */
export function manySource(n: number): string {
	return n % 40 === 0 ? `{"n":${n}}` : `{"n":${n},"m":["${n % 7}","${n % 11}"]}`
}

const textWithKeyword = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }

export const mappings = {
	properties: {
		at: { type: 'date' },
		day: { type: 'date', format: 'dd/MM/yyyy' },
		flag: { type: 'boolean' },
		ip: { type: 'ip' },
		n: { type: 'long' },
		note: { type: 'text' },
		other: { type: 'alias', path: 'who.name' },
		parts: { type: 'nested', properties: { kind: keyword, size: { type: 'integer' } } },
		price: { type: 'double' },
		small: { type: 'keyword', ignore_above: 10 },
		span: { type: 'integer_range' },
		tag: keyword,
		title: textWithKeyword,
		where: { type: 'geo_point' },
		who: { properties: { age: { type: 'integer' }, name: textWithKeyword } },
	},
}

export const documents: readonly (readonly [id: string, source: string])[] = [
	[
		'a',
		`{"title":"The Quick Fox","note":"A fox runs.","tag":["red","blue"],"n":9223372036854775807,"price":1.10,
		"at":"2024-02-29T12:00:00.000Z","day":"03/02/2021","ip":"10.1.2.3","flag":true,"where":{"lat":48.1,"lon":11.5},
		"who":{"name":"Ann","age":30},"parts":[{"kind":"x","size":3},{"kind":"y","size":9}],"span":{"gte":1,"lte":9},"small":"short"}`,
	],
	[
		'b',
		`{"title":"Quick Brown Dogs","tag":"green","n":9223372036854775806,"price":2.5,"at":"2024-03-01","day":"04/05/2020",
		"ip":"10.0.1.1","flag":false,"who.name":"Ann","who":{"age":50},"parts":[{"kind":"x","size":7}],"small":"longer than ten"}`,
	],
	[
		'c',
		'{"title":"Brown","tag":["red"],"n":1,"price":0.5,"at":"2024-02-01T00:00:00Z","day":"31/12/2019","ip":"10.0.0.1","who":{"name":"Bob"},"parts":[]}',
	],
	['d', '{"note":"","n":3,"tag":null}'],
	['e', '{}'],
].map(([id = '', source = '']) => [id, source.replaceAll(/\s*\n\s*/g, '')] as const)
