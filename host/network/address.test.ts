import { withShownDefaults } from '@roundhouse/kit/form'
import { expect, test } from 'vitest'
import { testManifest } from '../../tests/support/manifest.ts'
import { addressesOf, canonicalHost, labelOf, parseAddresses } from './address.ts'

test.each([
	['db', 'db:9200'],
	['DB.Example.:9300', 'db.example:9300'],
	['10.0.0.7', '10.0.0.7:9200'],
	['[::1]:9201', '[::1]:9201'],
	['::1', '[::1]:9200'],
	['[::ffff:10.0.0.7]:9201', '10.0.0.7:9201'],
	['10.0.0.7..', '10.0.0.7:9200'],
	['http://db', 'db:80'],
	['https://db', 'db:443'],
	['https://db:443/prefix?x=1', 'db:443'],
	['postgres://someone:secret@db/name', 'db:9200'],
	['bücher.example', 'xn--bcher-kva.example:9200'],
	['one, two:1;three\nfour', 'one:9200 two:1 three:9200 four:9200'],
	['http://', ''],
	['db:0 db:65536 db:port', ''],
	['', ''],
])('%j is parsed as %s', (text, expected) => {
	expect(parseAddresses(text, 9200).map(labelOf).join(' ')).toBe(expected)
})

test.each(['a/b', 'a b', 'a?b', 'a@b', 'a:80', ''])('%j is not a host', host => {
	expect(canonicalHost(host)).toBe(undefined)
})

test('addresses come from the fields of a form with the shown defaults; the port may have a separate field', () => {
	const { form } = testManifest('x', {
		form: [
			{ key: 'hosts', label: 'Hosts', type: 'text', default: 'localhost:9200', addresses: { defaultPort: 9200 } },
			{ key: 'server', label: 'Server', type: 'text', addresses: { defaultPort: 5432, portField: 'port' } },
			{ key: 'port', label: 'Port', type: 'number' },
			{ key: 'note', label: 'Note', type: 'text', default: 'elsewhere' },
		],
	})
	const named = (settings: Readonly<Record<string, string | number>>) =>
		addressesOf(form, withShownDefaults(form, settings)).map(labelOf)
	expect(named({})).toEqual(['localhost:9200'])
	expect(named({ hosts: '', server: 'db', port: 5433 })).toEqual(['localhost:9200', 'db:5433'])
	expect(named({ hosts: 'a', server: 'db' })).toEqual(['a:9200', 'db:5432'])
})

test('a default counts only if its field was shown; a typed value always counts', () => {
	const visibleWhen = { field: 'mode', is: ['far'] }
	const { form } = testManifest('x', {
		form: [
			{ key: 'mode', label: 'Mode', type: 'text', default: 'near' },
			{ key: 'trusted', label: 'Trusted', type: 'switch' },
			{ key: 'far', label: 'Far', type: 'text', default: 'far.example', visibleWhen, addresses: { defaultPort: 1 } },
			{
				key: 'usual',
				label: 'Usual',
				type: 'text',
				default: 'usual.example',
				visibleWhen: [{ field: 'trusted', is: [false] }],
				addresses: { defaultPort: 1 },
			},
		],
	})
	const named = (settings: Readonly<Record<string, string | boolean>>) =>
		addressesOf(form, withShownDefaults(form, settings)).map(labelOf)
	expect(named({})).toEqual(['usual.example:1'])
	expect(named({ mode: 'far', trusted: true })).toEqual(['far.example:1'])
	expect(named({ far: 'typed.example', trusted: true })).toEqual(['typed.example:1'])
})
