import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import type { Manifest } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { redact } from '../../base/redaction.ts'
import type { SupportDirectory } from '../../base/support-directory.ts'
import { testManifest } from '../../tests/support/manifest.ts'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { marksByTable } from './connection-fields.ts'
import { fileOf, readConnectionsFile } from './connections-file.ts'
import { SavedConnections } from './saved-connections.ts'
import { openSecretStore } from './secrets.ts'

const manifest = testManifest('engine', {
	form: [
		{ key: 'host', label: 'Host', type: 'text', required: true },
		{ key: 'port', label: 'Port', type: 'number' },
		{ key: 'tls', label: 'TLS', type: 'switch' },
		{ key: 'mode', label: 'Mode', type: 'select', options: [{ value: 'a', label: 'A' }] },
		{ key: 'password', label: 'Password', type: 'secret' },
	],
})
const secret = 'correct horse battery staple'

async function open(support: SupportDirectory): Promise<SavedConnections> {
	return SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
}
const draft = { name: 'Mine', driverId: 'engine', settings: { host: 'h', password: secret } }

test('a secret is stored encrypted, and is available after a restart', async () => {
	await using support = await temporarySupport()
	const saved = await (await open(support)).add(draft, manifest)
	expect(saved.settings).toEqual({ host: 'h' })
	for (const name of await readdir(support.path)) {
		const bytes = await readFile(support.file(name))
		for (const form of [secret, Buffer.from(secret).toString('base64')]) expect(bytes.includes(form), name).toBe(false)
		expect((await stat(support.file(name))).mode & 0o077, name).toBe(0)
	}
	const again = await open(support)
	expect(await again.reveal(again.get(saved.id))).toEqual({ host: 'h', password: secret })
})

test('secrets that passed through the store are redacted', async () => {
	await using support = await temporarySupport()
	await (await open(support)).add({ ...draft, settings: { host: 'h', password: 'pässwörd-x1' } }, manifest)
	for (const form of [
		'pässwörd-x1',
		encodeURIComponent('pässwörd-x1'),
		Buffer.from('pässwörd-x1').toString('base64'),
	]) {
		expect(redact(`refused ${form} here`)).toBe('refused [redacted] here')
	}
})

test('a new connection with an empty secret stores no secret', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const saved = await connections.add({ ...draft, settings: { host: 'h', password: '' } }, manifest)
	expect(saved.secretKeys).toEqual([])
	expect(await connections.reveal(saved)).toEqual({ host: 'h' })
})

test('an update without a secret keeps it; an empty secret removes it', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const { id } = await connections.add(draft, manifest)
	await connections.update(id, { name: 'Renamed', settings: { host: 'other' } }, manifest)
	expect(await connections.reveal(connections.get(id))).toEqual({ host: 'other', password: secret })
	await connections.update(id, { settings: { host: 'other', password: '' } }, manifest)
	expect(await connections.reveal(connections.get(id))).toEqual({ host: 'other' })
})

test('the removal of a connection deletes its secrets', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const { id } = await connections.add(draft, manifest)
	await connections.remove(id)
	expect(JSON.parse(await readFile(support.file('secrets.json'), 'utf8')).secrets).toEqual({})
	expect(() => connections.get(id)).toThrow('There is no connection')
})

test.each([
	[{ host: 'h', nothing: 1 }, 'nothing: the form has no such field'],
	[{ host: '' }, 'Host: it is empty'],
	[{ host: 'h', port: 'x' }, 'Port: it is not a number'],
	[{ host: 'h', port: '' }, 'Port: it is not a number'],
	[{ host: 'h', tls: 'maybe' }, 'TLS: it must be true or false'],
	[{ host: 'h', mode: 'b' }, 'Mode: it must be one of: a'],
])('a value that does not fit the form is refused with the name of its field: %j', async (settings, message) => {
	await using support = await temporarySupport()
	const connections = await open(support)
	await expect(connections.add({ ...draft, settings }, manifest)).rejects.toThrow(message)
	expect(connections.list()).toEqual([])
})

test('a damaged file is reported and not changed', async () => {
	await using support = await temporarySupport()
	await writeFile(support.file('connections.json'), '{"version":1,"connections":[{')
	await expect(open(support)).rejects.toThrow('The file was not changed')
	expect(await readFile(support.file('connections.json'), 'utf8')).toBe('{"version":1,"connections":[{')
})

test('concurrent changes are all stored', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const names = Array.from({ length: 20 }, (_, i) => `c${i}`)
	await Promise.all(names.map(name => connections.add({ ...draft, name, settings: { host: 'h' } }, manifest)))
	expect((await open(support)).list().map(({ name }) => name)).toEqual(names)
})

test('a required field must have a value, unless it is hidden or has a default', async () => {
	await using support = await temporarySupport()
	const saved = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const needed = (field: Readonly<Record<string, unknown>>) =>
		testManifest('x', {
			form: [
				{ key: 'mode', label: 'Mode', type: 'select', options: [{ value: 'far', label: 'Far' }] },
				{ key: 'server', label: 'Server', type: 'text', required: true, ...field },
			],
		})
	const add = (manifest: Manifest, settings = {}) => saved.add({ name: 'x', driverId: 'x', settings }, manifest)
	await expect(add(needed({}))).rejects.toThrow('Server: it is empty')
	expect((await add(needed({}), { server: 'db' })).settings).toEqual({ server: 'db' })
	await add(needed({ default: 'localhost' }))
	const hidden = needed({ visibleWhen: { field: 'mode', is: ['far'] } })
	await add(hidden)
	await expect(add(hidden, { mode: 'far' })).rejects.toThrow('Server: it is empty')
	expect(saved.list()).toHaveLength(3)
})

test('a connection that becomes production asks, unless the same change sets a safe mode', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const added = (more: object) => connections.add({ ...draft, ...more }, manifest)
	expect((await added({})).safeMode).toBe('free')
	expect((await added({ isProduction: true })).safeMode).toBe('ask')
	expect((await added({ isProduction: true, safeMode: 'free' })).safeMode).toBe('free')
	const { id } = await added({})
	expect((await connections.update(id, { isProduction: true }, manifest)).safeMode).toBe('ask')
	expect((await connections.update(id, { safeMode: 'free' }, manifest)).safeMode).toBe('free')
	expect((await connections.update(id, { isProduction: true }, manifest)).safeMode).toBe('free')
})

test('a copy has separate secrets, and follows its original in the list', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const { id } = await connections.add(draft, manifest)
	const last = await connections.add({ ...draft, name: 'Last' }, manifest)
	const copy = await connections.duplicate(id)
	await connections.duplicate(id)
	expect(connections.list().map(({ name }) => name)).toEqual(['Mine', 'Mine copy 2', 'Mine copy', 'Last'])
	await connections.remove(id)
	expect(await connections.reveal(copy)).toEqual({ host: 'h', password: secret })
	await connections.move(last.id, copy.id)
	expect(connections.list().map(({ name }) => name)).toEqual(['Mine copy 2', 'Last', 'Mine copy'])
})

test('exports and imports contain no secret and no access of AI clients', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const settings = { host: 'https://me:hidden@h', password: secret }
	const policy = { externalAccess: 'read-write', aiPolicy: 'allow', safeMode: 'read-only', colour: 'pink' } as const
	await connections.add({ ...draft, ...policy, settings, group: 'Work' }, manifest)
	const file = fileOf(connections.list())
	const text = JSON.stringify(file)
	for (const hidden of [secret, 'hidden', 'read-write', 'allow']) expect(text).not.toContain(hidden)
	const drafts = readConnectionsFile(JSON.parse(text)).connections
	const [back] = await connections.import(drafts.map(draft => [draft, manifest] as const))
	expect(back).toMatchObject({ name: 'Mine 2', group: 'Work', colour: 'pink', safeMode: 'read-only', secretKeys: [] })
	expect(back).toMatchObject({ externalAccess: 'read-only', aiPolicy: 'ask', settings: { host: 'https://h' } })
})

test('an import with an invalid connection imports none', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	await connections.add(draft, manifest)
	const file = fileOf(connections.list())
	const odd = [undefined, [], { ...file, version: 2 }, { ...file, more: 1 }, { ...file, format: 'other' }]
	for (const text of odd) expect(() => readConnectionsFile(text)).toThrow(/No connection was imported/)
	const [fits] = file.connections
	if (!fits) throw new Error('nothing was exported')
	for (const settings of [{ password: 'x' }, { nothing: 'x' }, { port: 'x' }]) {
		const drafts = [[fits, manifest] as const, [{ ...fits, settings }, manifest] as const]
		await expect(connections.import(drafts)).rejects.toThrow()
	}
	expect(connections.list()).toHaveLength(1)
})

test('hidden columns stay hidden in a copy, in an export, and if only others are shown', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const { id } = await connections.add(draft, manifest)
	const email = { table: 'people', column: 'email' }
	const phone = { table: 'people', column: 'phone' }
	await connections.hideColumns(id, { hide: [email, phone, email], show: [] })
	await connections.hideColumns(id, { hide: [email], show: [phone] })
	expect((await open(support)).get(id).hiddenColumns).toEqual([email])
	expect((await connections.duplicate(id)).hiddenColumns).toEqual([email])
	await connections.update(id, { name: 'Other' }, manifest)
	const file = fileOf([connections.get(id)])
	expect(readConnectionsFile(JSON.parse(JSON.stringify(file))).connections[0]?.hiddenColumns).toEqual([email])
	const [back] = await connections.import(file.connections.map(one => [one, manifest] as const))
	expect(back?.hiddenColumns).toEqual([email])
	// An older Roundhouse reads a file without marks.
	await connections.hideColumns(id, { hide: [], show: [email] })
	expect(Object.keys(fileOf([connections.get(id)]).connections[0] ?? {})).not.toContain('hiddenColumns')
})

test('a hidden column is counted by clients only if its latest mark on this machine says so', async () => {
	await using support = await temporarySupport()
	const connections = await open(support)
	const { id } = await connections.add(draft, manifest)
	const email = { table: 'people', column: 'email' }
	const counted = { ...email, mayCount: true }
	const marks = () => connections.get(id).hiddenColumns
	await connections.hideColumns(id, { hide: [counted], show: [] })
	expect(marks()).toEqual([counted])
	expect(marksByTable(marks())).toEqual([{ table: 'people', columns: ['email'], mayCount: ['email'] }])
	expect(marksByTable([counted, email])).toEqual([{ table: 'people', columns: ['email'] }])
	await connections.hideColumns(id, { hide: [email], show: [] })
	expect(marks()).toEqual([email])
	await connections.update(id, { hiddenColumns: [counted] }, manifest)
	expect((await open(support)).get(id).hiddenColumns).toEqual([counted])
	const file = JSON.parse(JSON.stringify(fileOf([connections.get(id)])))
	expect(file.connections[0]?.hiddenColumns).toEqual([email])
	file.connections[0].hiddenColumns = [counted]
	expect(readConnectionsFile(file).connections[0]?.hiddenColumns).toEqual([email])
	await connections.update(id, { hiddenColumns: [email] }, manifest)
	expect(marks()).toEqual([email])
})

test('a remembered passphrase is in the secret store alone, and goes with its connection', async () => {
	await using support = await temporarySupport()
	const secrets = await openSecretStore(support.file)
	const open = () => SavedConnections.open(support.file('connections.json'), secrets)
	const saved = await open()
	const { id } = await saved.add({ name: 'x', driverId: 'search-engine', settings: {}, isSample: true }, manifest)
	const keys = () => secrets.keys?.().filter(key => key.startsWith(id)) ?? []
	await saved.rememberPassphrase(id, 'for key a?', 'open sesame')
	await saved.rememberPassphrase(id, 'for key b?', 'other words')
	expect(await readFile(support.file('connections.json'), 'utf8')).not.toContain('sesame')
	// A restart removes secrets without a connection, and this is none.
	expect(await (await open()).passphrase(id, 'for key a?')).toBe('open sesame')
	const copy = await saved.duplicate(id)
	expect(await saved.passphrase(copy.id, 'for key a?')).toBeUndefined()
	await saved.forgetPassphrases(id, 'for key a?')
	expect(await saved.passphrase(id, 'for key a?')).toBeUndefined()
	expect(keys()).toHaveLength(1)
	await saved.remove(id)
	expect(keys()).toEqual([])
	await saved.rememberPassphrase(id, 'for key a?', 'open sesame')
	expect(keys()).toEqual([])
})
