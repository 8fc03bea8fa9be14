import { expect, test, vi } from 'vitest'
import { redact } from '../../../base/redaction.ts'
import { testManifest } from '../../../tests/support/manifest.ts'
import { temporarySupport } from '../../../tests/support/support-directory.ts'
import { identityOf } from '../connection-identity.ts'
import { SavedConnections } from '../saved-connections.ts'
import { openSecretStore } from '../secrets.ts'
import type { SecretSource } from './secret-source.ts'
import { type SecretQuestion, SecretSources } from './secret-sources.ts'

/** Where secrets come from, with the store of connections and real programs. */

const manifest = testManifest('engine', {
	form: [
		{ key: 'host', label: 'Host', type: 'text' },
		{ key: 'password', label: 'Password', type: 'secret', required: true },
		{ key: 'token', label: 'Token', type: 'secret', passwordFiles: ['pgpass'] },
	],
})
/** Prints a number that differs in each run. */
const random = `"${process.execPath}" -p "process.hrtime.bigint() + 'n'"`
const command = (text: string, keptMinutes = 10): SecretSource => ({ from: 'command', command: text, keptMinutes })
const { signal } = new AbortController()

async function world(decision: 'approved' | 'refused' | 'unattended' = 'unattended') {
	const support = await temporarySupport()
	const saved = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const asked: SecretQuestion[] = []
	let now = 0
	const desk = {
		ask: async (question: SecretQuestion) => {
			asked.push(question)
			return { decision }
		},
	}
	const sources = new SecretSources({ saved, desk, now: () => now })
	const add = (secretSources: Readonly<Record<string, SecretSource>>) =>
		saved.add({ name: 'Mine', driverId: 'engine', settings: { host: 'h' }, secretSources }, manifest)
	const read = async (id: string) =>
		sources.read(saved.get(id), manifest, await saved.reveal(saved.get(id)), { signal })
	const pass = (minutes: number) => {
		now += minutes * 60_000
	}
	return { saved, sources, asked, add, read, pass, [Symbol.asyncDispose]: () => support[Symbol.asyncDispose]() }
}

test('a command of the form runs without a question, and its output is redacted and not stored', async () => {
	await using at = await world()
	const { id, secretKeys } = await at.add({ password: command(random) })
	const { password } = await at.read(id)
	expect(password).toMatch(/^\d+n$/)
	expect(secretKeys).toEqual([])
	expect(redact(`refused ${password}`)).toBe('refused [redacted]')
	expect(await at.saved.reveal(at.saved.get(id))).toEqual({ host: 'h' })
	expect(at.asked).toEqual([])
})

test('an output is used for its time, or until it is forgotten', async () => {
	await using at = await world()
	const { id } = await at.add({ password: command(random, 5) })
	const first = await at.read(id)
	at.pass(4)
	expect(await at.read(id)).toEqual(first)
	at.pass(1)
	const second = await at.read(id)
	expect(second).not.toEqual(first)
	at.sources.forget(id)
	expect(await at.read(id)).not.toEqual(second)
})

test('an output that is kept for no time is read at each use', async () => {
	await using at = await world()
	const { id } = await at.add({ password: command(random, 0) })
	expect(await at.read(id)).not.toEqual(await at.read(id))
})

test('a trial runs what is written in the form, and keeps nothing', async () => {
	await using at = await world()
	const tried = { name: 'New', driverId: 'engine', secretSources: { password: command(random) } }
	const read = () => at.sources.read(tried, manifest, {}, { signal, isTrial: true })
	expect(await read()).not.toEqual(await read())
	await expect(at.sources.read(tried, manifest, {}, { signal })).rejects.toMatchObject({
		code: 'connection/secret_not_agreed',
	})
})

test('what a command says is shown to the person, and in no error', async () => {
	await using at = await world()
	const { id } = await at.add({
		password: command(`"${process.execPath}" -e "console.error('account 4711'); process.exit(2)"`),
	})
	const reading = at.read(id)
	await expect(reading).rejects.toMatchObject({ code: 'connection/secret_command' })
	await expect(reading).rejects.not.toThrow(/4711|account/)
	expect(at.asked).toMatchObject([
		{ kind: 'secret', form: 'fault', text: 'It ended with the code 2. account 4711', field: 'Password' },
	])
})

test('a variable of the environment is read at each use', async () => {
	await using at = await world()
	const { id } = await at.add({ password: { from: 'environment', name: 'DATABASE_PASSWORD' } })
	await expect(at.read(id)).rejects.toThrow(
		'Password of "Mine" is not there: the environment variable DATABASE_PASSWORD is not set.',
	)
	vi.stubEnv('DATABASE_PASSWORD', 's3')
	try {
		expect(await at.read(id)).toEqual({ host: 'h', password: 's3' })
	} finally {
		vi.unstubAllEnvs()
	}
})

test('a source takes the place of a stored secret, and a typed secret that of a source', async () => {
	await using at = await world()
	const { id } = await at.saved.add({ name: 'Mine', driverId: 'engine', settings: { password: 'typed' } }, manifest)
	await at.saved.update(id, { secretSources: { password: command(random) } }, manifest)
	expect(at.saved.get(id)).toMatchObject({ secretKeys: [] })
	expect(await at.saved.agreedCommand(id, 'password')).toBe(random)
	await at.saved.update(id, { settings: { password: 'again' }, secretSources: {} }, manifest)
	expect(await at.read(id)).toEqual({ password: 'again' })
	expect(await at.saved.agreedCommand(id, 'password')).toBeUndefined()
})

test('a copy of a connection runs its command, and a removed connection leaves none', async () => {
	await using at = await world()
	const { id } = await at.add({ password: command(random) })
	const copy = await at.saved.duplicate(id)
	await at.saved.remove(id)
	expect(await at.saved.agreedCommand(id, 'password')).toBeUndefined()
	expect(await at.read(copy.id)).toMatchObject({ password: expect.stringMatching(/n$/) })
})

test('another source is another connection for consent', async () => {
	await using at = await world()
	const { id } = await at.add({ password: command('one') })
	const before = identityOf(at.saved.get(id))
	await at.saved.update(id, { secretSources: { password: command('two') } }, manifest)
	expect(identityOf(at.saved.get(id))).not.toBe(before)
})

test.each<[string, Readonly<Record<string, SecretSource>>, string]>([
	['no secret', { host: command('x') }, 'Host: it is no secret.'],
	['no field', { other: command('x') }, 'other: it is no secret.'],
	['another file', { password: { from: 'file', format: 'pgpass' } }, 'Password: it is not read from pgpass.'],
])('a source for %s is refused', async (_, sources, words) => {
	await using at = await world()
	await expect(at.add({ password: command('x'), ...sources })).rejects.toThrow(words)
	expect(at.saved.list()).toEqual([])
})
