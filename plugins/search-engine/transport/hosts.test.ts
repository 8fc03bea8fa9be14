import { expect, test } from 'vitest'
import { parseCloudId, parseHosts } from './hosts.ts'

test('parses a host with or without a port, as a URL or an address', () => {
	const plain = (text: string) => parseHosts(text, false).map(node => `${node.origin}${node.prefix}`)
	expect(plain('localhost')).toEqual(['http://localhost:9200'])
	expect(plain('es1:9201, es2')).toEqual(['http://es1:9201', 'http://es2:9200'])
	expect(plain('http://es1')).toEqual(['http://es1:80'])
	expect(plain('http://es1:80/team/search/')).toEqual(['http://es1:80/team/search'])
	expect(plain('::1')).toEqual(['http://[::1]:9200'])
	expect(plain('[::1]:9300')).toEqual(['http://[::1]:9300'])
	expect(plain('10.0.0.1')).toEqual(['http://10.0.0.1:9200'])
	expect(parseHosts('https://es.example', true)[0]?.origin).toBe('https://es.example:443')
	expect(parseHosts('es.example', true)[0]?.origin).toBe('https://es.example:9200')
})

test('the SSL mode determines the scheme; rejects a URL with the other one', () => {
	expect(() => parseHosts('https://es', false)).toThrow(/^Connection failed: .*SSL mode is Disabled/)
	expect(() => parseHosts('http://es', true)).toThrow(/^Connection failed: .*requires TLS/)
})

test('rejects what is not a host, without repeating a password', () => {
	for (const text of ['', ' , ', 'ftp://es', 'es:0', 'es:99999', 'es:port', 'es?x=1', 'es#a', 'http://']) {
		expect(() => parseHosts(text, false), text).toThrow(/^Connection failed: /)
	}
	expect(() => parseHosts('http://elastic:hunter2@es', false)).toThrow(
		/^(?!.*hunter2)Connection failed: .*Authentication/,
	)
})

test('parses a Cloud ID', () => {
	const id = `deployment:${Buffer.from('eu.example.io$abc123$def456').toString('base64')}`
	expect(parseCloudId(id, true).origin).toBe('https://abc123.eu.example.io:443')
	const withPort = `deployment:${Buffer.from('eu.example.io:9243$abc123').toString('base64')}`
	expect(parseCloudId(withPort, true).origin).toBe('https://abc123.eu.example.io:9243')
	expect(() => parseCloudId(id, false)).toThrow('Elastic Cloud requires TLS')
	expect(() => parseCloudId('deployment:nonsense', true)).toThrow('cannot be read')
})
