import { join } from 'node:path'
import type { JsonObject } from '@roundhouse/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { stderrLog } from '../../base/log.ts'
import type { ActivityRecord } from '../../host/activity/activity-log.ts'
import { proves } from '../contract/proves.ts'
import { type EndpointFixture, ledgerFolder, startEndpoint } from './endpoint.ts'

const parrotFolder = join(import.meta.dirname, 'drivers', 'parrot')

/**
 * Text that an engine echoes: the secret of a connection in any encoding, the header that contained it, the address of
 * the server, the home folder of the user. None of it may reach an error, a progress message, an activity entry or a
 * log line.
 */

const encodings: readonly ((secret: string) => string)[] = [
	secret => secret,
	encodeURIComponent,
	secret => encodeURIComponent(secret).replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
	secret => JSON.stringify(secret).slice(1, -1),
	secret => Buffer.from(secret).toString('base64'),
	secret => Buffer.from(secret).toString('base64url'),
	secret => Buffer.from(`elastic:${secret}`).toString('base64'),
	secret => Buffer.from(`VuaCfGcBCdbkQm-e5aOx:${secret}`).toString('base64'),
]
const places: readonly string[] = [
	'10.1.2.3:9200',
	'192.168.17.4',
	'[2001:db8::7]:9200',
	'2001:db8:0:0:0:0:2:1',
	'fe80::1ff:fe23:4567:890a',
	'/home/ada/',
	'/Users/ada/',
	'C:\\Users\\ada\\',
]

function echoOf(secret: string): string {
	const forms = encodings.map(encode => encode(secret))
	const wrapped = forms.flatMap(form => [
		`Authorization: Basic ${form}`,
		`authorization: bearer ${form}`,
		`ApiKey ${form}`,
		`https://elastic:${form}@es.example:9200/_search`,
		`{"password":"${form}"}`,
	])
	return [...forms, ...wrapped, ...places.map(place => `cannot read ${place} ca.pem`)].join(' ; ')
}

function expectClean(text: string, secret: string): void {
	for (const encode of encodings) expect(text).not.toContain(encode(secret))
	for (const place of places) expect(text).not.toContain(place)
	expect(text).not.toMatch(/[\\/]ada\b/)
}

/** At least eight characters, including those that encodings treat differently. */
const secrets = fc.string({ minLength: 8, maxLength: 40, unit: fc.constantFrom(...'abcXYZ0189!#$%&/()=?+-_ ~@:üß€') })

async function startWatched() {
	const records: ActivityRecord[] = []
	const fixture = await startEndpoint({ activity: { record: async record => void records.push(record) } })
	return { fixture, records }
}

/** Calls a tool that echoes, and returns everything that reached the client. */
async function echoThroughAll(fixture: EndpointFixture, secret: string): Promise<string> {
	const { id } = await fixture.addConnection({ settings: { password: secret } })
	const text = echoOf(secret)
	const failed = await fixture.callTool('execute_query', { connection_id: id, query: `echo ${text}` })
	expect(failed.json.result.content[0].text).toMatch(/^query_failed: /)
	const leak = { name: 'ledger_leak', arguments: { text } }
	const streamed = await fixture.call('tools/call', leak, { meta: { progressToken: 1 } })
	expect(streamed.frames).toHaveLength(text.split(' ; ').length + 1)
	const prompt = { name: 'explain_table', arguments: { connection: id, table: text } }
	const prompted = await fixture.call('prompts/get', prompt)
	const uri = `roundhouse://connections/${id}/tables/${encodeURIComponent(text)}`
	const read = await fixture.call('resources/read', { uri })
	const unknown = await fixture.callTool('list_tables', { connection_id: text })
	return [failed, streamed, prompted, read, unknown]
		.map(answer => JSON.stringify(answer.json) + JSON.stringify(answer.frames))
		.join('\n')
}

test(
	proves('A.tool-error.redacted', 'no secret, address or folder reaches an error, progress or the activity log'),
	async () => {
		const { fixture, records } = await startWatched()
		await using _ = fixture
		await fc.assert(
			fc.asyncProperty(secrets, async secret => {
				records.length = 0
				const answers = await echoThroughAll(fixture, secret)
				expectClean(answers, JSON.stringify(secret).slice(1, -1))
				expectClean(JSON.stringify(records), JSON.stringify(secret).slice(1, -1))
				for (const record of records) expectClean(record.detail ?? '', secret)
			}),
			{ numRuns: 20 },
		)
	},
)

test('no line of the log contains a secret', async () => {
	const lines: string[] = []
	const log = stderrLog(line => void lines.push(line))
	await using fixture = await startEndpoint({ log })
	await fc.assert(
		fc.asyncProperty(secrets, async secret => {
			await fixture.addConnection({ settings: { password: secret } })
			lines.length = 0
			log.warn(echoOf(secret))
			for (const encode of encodings) expect(lines.join('')).not.toContain(encode(secret))
		}),
		{ numRuns: 20 },
	)
})

test('an internal error is logged without the secret in its message', async () => {
	const lines: string[] = []
	const secret = 'p+ss/w rd%41'
	await using fixture = await startEndpoint({
		log: stderrLog(line => void lines.push(line)),
		desk: {
			ask: () => {
				throw new Error(echoOf(secret))
			},
		},
	})
	const { id } = await fixture.addConnection({ settings: { password: secret }, aiPolicy: 'ask' })
	const answer = await fixture.call('resources/read', { uri: `roundhouse://connections/${id}/tables` })
	expect(answer.json.error.code).toBe(-32603)
	expectClean(answer.text, secret)
	expect(lines.join('')).toContain('[redacted]')
	for (const encode of encodings) expect(lines.join('')).not.toContain(encode(secret))
})

/** The places at which text of a driver or an engine reaches a client without being an error. */
test.each<[string, string, (secret: string, connectionId: string) => JsonObject]>([
	['a prompt of the core', 'prompts/get', (_, id) => ({ name: 'summarize_history', arguments: { connection: id } })],
	['a prompt of a driver', 'prompts/get', text => ({ name: 'parrot_repeat', arguments: { text } })],
	["a prompt's question", 'prompts/get', text => ({ name: 'parrot_ask', arguments: { text } })],
	["a tool's question", 'tools/call', text => ({ name: 'parrot_ask', arguments: { text } })],
	[
		'a completion of the core',
		'completion/complete',
		() => ({ ref: { type: 'ref/prompt', name: 'explain_table' }, argument: { name: 'connection', value: 'Books' } }),
	],
	[
		'a completion of a driver',
		'completion/complete',
		value => ({ ref: { type: 'ref/prompt', name: 'parrot_repeat' }, argument: { name: 'text', value } }),
	],
	[
		'the question before a write',
		'tools/call',
		(secret, id) => ({ name: 'execute_query', arguments: { connection_id: id, query: `put ${secret}` } }),
	],
])('%s contains no secret that an engine echoed', async (_, method, paramsOf) => {
	const secret = 'hunter2-secret'
	await using fixture = await startEndpoint({ drivers: [ledgerFolder, parrotFolder] })
	const { id } = await fixture.addConnection({ name: `Books of ${secret}` })
	await fixture.callTool('execute_query', { connection_id: id, query: `read ${secret}` })
	const answer = await fixture.call(method, paramsOf(secret, id), { capabilities: { elicitation: {} } })
	expect(answer.status).toBe(200)
	expect(answer.text).toContain('[redacted]')
	expect(answer.text).not.toContain(secret)
})
