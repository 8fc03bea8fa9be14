import { parseJson } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOfValue } from './fit.ts'

const why = (type: string, json: string, more: object = {}) => faultOfValue(parseJson(json), { type, ...more })

test.each([
	['byte', '127', '128', '-129', '1.5', '"x"', '{"a":1}'],
	['short', '-32768', '32768'],
	['integer', '2147483647', '2147483648', '[1,2,2147483648]'],
	['long', '9223372036854775807', '9223372036854775808'],
	['long', '5.0', '5.1'],
	['unsigned_long', '18446744073709551615', '18446744073709551616', '-1'],
	['half_float', '65504', '65520'],
	['float', '3.4e38', '3.5e38'],
	['double', '1e308', '1e309', 'true'],
	['boolean', '"true"', '"yes"', '1'],
	['ip', '"::1"', '"10.0.0.256"', '"10.0.0.0/8"', '7'],
	['ip', '["10.0.0.1","fe80::1"]', '["10.0.0.1","x"]'],
	['date', '"2024-02-29"', '"2023-02-29"', '"29.2.2024"', '"2024-13-01"', '"2024-01-01T25:00"', 'true'],
	['date', '"2024-02-29T12:00:00.123456789+01:00"', '"2024-02-29 12:00"'],
	['date', '1709164800000'],
	['date', '"1709164800000"'],
	['geo_point', '{"lat":48.1,"lon":11.5}', '{"lat":98.1,"lon":11.5}', '{"lat":"48","lon":"200"}'],
	['geo_point', '[11.5,48.1]', '[11.5,98.1]', '[[11.5,48.1],[11.5,98.1]]'],
	['geo_point', '"48.1,11.5"', '"98.1,11.5"'],
	['geo_point', '"u281z7j57"'],
	['keyword', '{"any":["thing"]}'],
	['integer | keyword', '"x"'],
] as const)('%s accepts %s, and rejects the values after it', (type, good, ...bad) => {
	expect(why(type, good), good).toBeUndefined()
	expect(why(type, 'null')).toBeUndefined()
	for (const json of bad) expect(why(type, json), json).toMatch(/\w{3}/)
})

test('leaves a custom format and a mapping with ignore_malformed to the engine', () => {
	expect(why('date', '"31/12/2020"', { format: 'dd/MM/yyyy' })).toBeUndefined()
	expect(why('integer', '"x"', { ignoresMalformed: true })).toBeUndefined()
})

test('accepts every valid day, and no 30th of February', () => {
	const years = { min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }
	fc.assert(
		fc.property(fc.date(years), date => {
			expect(why('date', JSON.stringify(date.toISOString()))).toBeUndefined()
			expect(why('date', JSON.stringify(`${date.toISOString().slice(0, 4)}-02-30`))).toBeDefined()
		}),
	)
})

test('accepts any value and any type without an error', () => {
	const type = fc.constantFrom('byte', 'long', 'float', 'double', 'boolean', 'ip', 'date', 'geo_point', 'keyword', '')
	fc.assert(
		fc.property(type, fc.json(), (name, json) => {
			expect(['string', 'undefined']).toContain(typeof why(name, json))
		}),
		{ numRuns: 2000 },
	)
})
