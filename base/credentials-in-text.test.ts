import { parseJson } from '@roundhouse/kit/json'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutCredentials } from './credentials-in-text.ts'

const encodedSource = encodeURIComponent('{"password":"hunter2"}')

test.each([
	'{"password":"hunter2"}',
	'{"x-api-key":"hunter2"}',
	'{"api-key":"hunter2"}',
	'{"X_API_KEY" : "hunter2"}',
	'{"apiKey":"hunter2"}',
	'{"password_hash":"hunter2"}',
	'{"passwordHash":"hunter2"}',
	'{"password":424242}',
	'{"password":-42.4242e3}',
	'{"p\\u0061ssword":"hunter2"}',
	'{"password":"hunt\\u0065r2"}',
	'{"password" /* the old one */ : "hunter2"}',
	'{"password": // the old one\n "hunter2"}',
	'{"password" # the old one\n: "hunter2"}',
	'{"password":"""hunter2"""}',
	'{"password":"hunter2',
	'{"Cookie":"sid=hunter2"}',
	'{"set-cookie":["sid=hunter2","b=424242"]}',
	'{"client.secret":["hunter2"]}',
	'{"headers":{"Authorization":"Custom hunter2"}}',
	'{"pass":"hunter2"}',
	'{"jwt":"hunter2"}',
	'GET /_search?api-key=hunter2',
	'GET /_search?a=1;api_key=hunter2&b=2',
	'GET /_search?api%2Dkey=hunter2',
	'GET /_search?x-api-key=hunter2',
	'GET /_search?access.token=hunter2',
	`POST /_search?source=${encodedSource}`,
	`POST /_search?a=b;source=${encodedSource}&c=d`,
	'POST /_search?source={"password":"hunter2"}',
	'X-Api-Key: hunter2',
	'Cookie: sid=hunter2; other=424242',
	'proxy-authorization: Custom hunter2',
	"curl -H 'X-Api-Key: hunter2' http://x/",
	'curl -H "Cookie: sid=hunter2" http://x/',
	'curl -u elastic:hunter2 http://x',
	'curl --user=elastic:hunter2 http://x',
	'http://elastic:hunter2@x/',
	'Authorization: Bearer hunter2',
	'{"body":"{\\"password\\":\\"hunter2\\"}"}',
	'{"text":"""{"password": "hunter2"}"""}',
	'{"url":"http://x/?token=hunter2"}',
	'{"url":"https:\\/\\/ada:hunter2@x/"}',
	'{"url":"https:\\u002f\\u002fada:hunter2@x/"}',
	'{"a":"\\u0042earer: Basic hunter2"}',
	'{"query":{"match":{"password":{"query":"hunter2"}}}}',
	'{"password":{"v":"hunter2","w":[{"x":424242}]}}',
	'{"pipeline":"output { elasticsearch { password => \\"hunter2\\" } }"}',
	"jdbc_password => 'hunter2'",
	'{"env":[{"name":"DB_PASSWORD","value":"hunter2"}]}',
	'{"key":"password", "value" : "hunter2"}',
	'{"redirect_uri":"https://x/?code=hunter2x"}',
	'https://hooks.slack.com/services/T0/B0/hunter2',
	'{"session_id":"hunter2"}',
	'{"kerberos_ticket":"hunter2"}',
	'{"pin":424242}',
	'{password:"hunter2"}',
	'{password: "hunt\\"er2"}',
	"{'password':'hunter2'}",
	'{\'api-key\': "hunter2"}',
	'user=ada;password=hunter2',
	'password: hunter2',
	'-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----',
])('removes the credential from %s', text => {
	const clean = withoutCredentials(text)
	expect(clean).toContain('redacted')
	expect(clean).not.toMatch(/hunter2|hunt|4242|er2/)
})

test.each([
	'GET /books/_search?q=title:tokens&size=5\n{"query":{"match":{"title":"password"}}}',
	'PUT /books\n{"mappings":{"properties":{"password":{"type":"keyword"},"token":{"type":"text"}}}}',
	'POST /_security/user/ada\n{"password":null,"enabled":true}',
	'POST /_inference/x\n{"max_tokens":1000,"tokenizer":"standard"}',
	'GET /_search?source=%7B%22query%22%3A%7B%7D%7D',
	"select * from accounts where name = 'token'",
	'{"properties":{"password":{"fields":{"raw":{"type":"keyword"}},"type":"text"},"token":{"properties":{"a":{"type":"long"}}}}}',
	'GET /_x?code=404',
	'{"name":"books","value":"x"}',
])('does not change %s', text => {
	expect(withoutCredentials(text)).toBe(text)
})

test('keeps the text around a credential, and keeps JSON valid', () => {
	const text = '{"a":"x=1","password":"hunter2","n":12345678901234567890,"b":["c",{"token":1,"d":"e"}]}'
	expect(withoutCredentials(text)).toBe(
		'{"a":"x=1","password":"[redacted]","n":12345678901234567890,"b":["c",{"token":"[redacted]","d":"e"}]}',
	)
	const json = fc.json({ maxDepth: 4 })
	fc.assert(fc.property(json, text => void parseJson(withoutCredentials(text))))
})

test('names below a secret name stay, so that the statement can be read', () => {
	expect(withoutCredentials('{"sort":[{"password":{"order":"asc","n":1}}]}')).toBe(
		'{"sort":[{"password":{"order":"[redacted]","n":"[redacted]"}}]}',
	)
})

test('removes a secret JSON member, regardless of the text around it', () => {
	const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
	const space = fc.constantFrom('', ' ', '\n', '/* "x": */', '// y\n', '# z"\n')
	const member = fc.tuple(space, space, space, fc.constantFrom('password', 'x-api-key', 'Cookie', 'accessToken'))
	fc.assert(
		fc.property(value, value, member, (before, after, [first, second, third, name]) => {
			const secret = 'S3cretValue'
			const [start, end] = [JSON.stringify(before), JSON.stringify(after)]
			const text = `POST /x\n{"a":${start},${first}"${name}"${second}:${third}"${secret}","b":${end}}`
			expect(withoutCredentials(text)).not.toContain(secret)
		}),
	)
})

test('does not rescan a long text of commented names from each name', () => {
	for (const part of ['"token"\n// ', '"token"\n#', '"token"/*']) {
		// A scan from each name would keep the host busy for minutes.
		const text = part.repeat(100_000)
		expect(withoutCredentials(text)).toBe(text)
	}
})

test.each([
	'{"password":{"label":"x","value":"hunter2"}}',
	'{"api_keys":["hunter2"]}',
	'{"password_confirmation":"hunter2","passcode":"hunter2","password2":"hunter2"}',
	'{"credentials_json":"hunter2","account_key":"hunter2","X-Auth":"hunter2","bearer":"hunter2"}',
	'curl -uuser:hunter2 http://x',
])('removes a secret with another common name: %s', text => {
	expect(withoutCredentials(text)).not.toContain('hunter2')
})

test.each([
	'{"credentials":{"user":"elastic","key":["hunter2"],"more":{"deep":"hunter2"}},"size":1}',
	'{"client_secrets":[{"id":1,"value":"hunter2"}],"size":1}',
	'{"passwords":[{"value":"hunter2 ] \\" }"}],"size":1}',
	'{"connection_string":"host=a password=hunter2","size":1}',
])('removes an object or a list of secrets from %s', text => {
	expect(withoutCredentials(text)).not.toContain('hunter2')
	expect(JSON.parse(withoutCredentials(text)).size).toBe(1)
})

test('keeps the mapping of a field with the name of a secret', () => {
	const text = '{"properties":{"password":{"type":"keyword"},"value":{"type":"text"}}}'
	expect(withoutCredentials(text)).toBe(text)
})
