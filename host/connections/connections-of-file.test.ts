import { readFileSync } from 'node:fs'
import { type Manifest, packageSchema } from '@roundhouse/kit/manifest'
import { beforeEach, expect, test } from 'vitest'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { fileOf } from './connections-file.ts'
import { type Choice, chosenDrafts, connectionsOf } from './connections-of-file.ts'
import { SavedConnections } from './saved-connections.ts'
import { openSecretStore } from './secrets.ts'
import type { DriverHost } from './sessions.ts'

/** Tests what the user is shown of a file of another program, and what is made of it, with the manifests that ship. */

const manifestOf = (plugin: string): Manifest =>
	packageSchema.parse(JSON.parse(readFileSync(`${import.meta.dirname}/../../plugins/${plugin}/package.json`, 'utf8')))
		.roundhouse
const [postgres, mariadb, searchEngine] = ['postgres', 'mariadb', 'search-engine'].map(manifestOf) as [
	Manifest,
	Manifest,
	Manifest,
]

let installed: readonly Manifest[]
let ensured: string[]
/** What the driver reads from an address. */
let answer: object | null
beforeEach(() => {
	installed = [postgres, mariadb, searchEngine]
	ensured = []
	answer = null
})

async function world() {
	const support = await temporarySupport()
	const saved = await SavedConnections.open(support.file('connections.json'), await openSecretStore(support.file))
	const all = [postgres, mariadb, searchEngine]
	const fake = {
		installed: () => installed,
		browse: async () => ({ offers: all.map(manifest => ({ manifest, state: 'available' })) }),
		ensure: async (id: string) => {
			ensured.push(id)
			return all.find(manifest => manifest.id === id)
		},
		process: async () => ({ call: async () => (answer === null ? null : JSON.stringify(answer)) }),
		lease: () => async () => {},
	}
	// The rest of a driver host opens connections, and nothing here does.
	const drivers = fake as unknown as DriverHost & Pick<typeof fake, 'browse'>
	const chosen = (text: string) => ({ text, fileName: 'file' })
	return {
		saved,
		show: (text: string) => connectionsOf(chosen(text), { drivers, saved: saved.list() }),
		async take(text: string, choice: Partial<Choice> = {}) {
			const all = { chosen: [0], takesSecrets: false, ...choice }
			const drafts = await chosenDrafts(chosen(text), all, { drivers, saved: saved.list(), call: {} })
			return saved.import(drafts, { takesSecrets: all.takesSecrets })
		},
		[Symbol.asyncDispose]: () => support[Symbol.asyncDispose](),
	}
}

const variables = (value: string) => `DATABASE_URL=${value}\n`
const server = (members: object) =>
	JSON.stringify({ Servers: { 1: { Name: 'Shop', Group: 'Team', Host: 'db.example.com', Port: 5433, ...members } } })

test('each connection is shown with engine, address and what is left, and nothing is made', async () => {
	await using at = await world()
	const text = server({ Username: 'ann', MaintenanceDB: 'shop', PasswordExecCommand: 'x', SSLMode: 'odd' })
	expect(await at.show(text)).toEqual({
		source: 'pgAdmin',
		connections: [
			{
				name: 'Shop',
				group: 'Team',
				engine: 'PostgreSQL',
				address: 'db.example.com:5433/shop as ann',
				left: ['the command that gives the password', 'the TLS mode “odd”'],
				hasSecret: false,
				isSaved: false,
				needsDriver: false,
			},
		],
	})
	expect(at.saved.list()).toEqual([])
	expect(ensured).toEqual([])
})

test('an imported connection has the values of its form, asks before writes, and gives AI clients what a new one gives', async () => {
	await using at = await world()
	const [made] = await at.take(server({ Username: 'ann', SSLMode: 'verify-full', UseSSHTunnel: 1, TunnelHost: 'hop' }))
	expect(made).toMatchObject({
		name: 'Shop',
		group: 'Team',
		driverId: 'postgres',
		settings: { host: 'db.example.com', port: 5433, username: 'ann', sslMode: 'verify-full' },
		safeMode: 'ask',
		externalAccess: 'read-only',
		aiPolicy: 'ask',
		ssh: { destination: 'hop' },
		secretKeys: [],
		secretSources: {},
		reach: [],
	})
})

test.each([
	[
		'mysql://root@h:3307/books?ssl-mode=REQUIRED',
		'mariadb',
		{ host: 'h', port: 3307, database: 'books', username: 'root', sslMode: 'REQUIRED' },
	],
	['mariadb://h/books?sslMode=verify-full', 'mariadb', { host: 'h', port: 3306, sslMode: 'VERIFY_IDENTITY' }],
	['jdbc:mysql://[::1]:3307/b?useSSL=true', 'mariadb', { host: '::1', port: 3307, sslMode: 'REQUIRED' }],
	['mysql://localhost/b?socket=/run/x.sock', 'mariadb', { socketPath: '/run/x.sock' }],
	['postgres://ann@h/shop?sslmode=allow', 'postgres', { host: 'h', port: 5432, database: 'shop', sslMode: 'allow' }],
	['postgresql+asyncpg://ann@h/shop', 'postgres', { host: 'h', sslMode: 'prefer' }],
])('%s becomes values of the form', async (url, driverId, settings) => {
	await using at = await world()
	expect(await at.take(variables(url))).toMatchObject([{ driverId, settings }])
})

test('a web address fills the form of a driver of the web, with TLS and the way to sign in', async () => {
	await using at = await world()
	const text = JSON.stringify({
		store: { connection: { clusters: [{ name: 'a', uri: 'https://es:9243/p/', username: 'u', password: 's3cret' }] } },
	})
	const [made] = await at.take(text, { takesSecrets: true })
	expect(made).toMatchObject({
		driverId: 'search-engine',
		settings: { hosts: 'https://es:9243/p', auth: 'basic', username: 'u', sslMode: 'Verify Identity' },
		secretKeys: ['password'],
	})
})

test('a password is stored only if the user agrees, and is never shown', async () => {
	await using at = await world()
	const text = variables('postgresql://ann:s3cret@h/shop')
	const shown = await at.show(text)
	expect(shown.connections[0]?.hasSecret).toBe(true)
	expect(JSON.stringify(shown)).not.toContain('s3cret')
	const [without] = await at.take(text)
	expect(without?.secretKeys).toEqual([])
	const [made] = await at.take(text, { takesSecrets: true })
	expect(made?.secretKeys).toEqual(['password'])
	expect(JSON.stringify(at.saved.list())).not.toContain('s3cret')
	expect(made && (await at.saved.reveal(made)).password).toBe('s3cret')
})

test('a connection that is saved already is named, whatever its name and its password are', async () => {
	await using at = await world()
	const text = variables('postgresql://ann:s3cret@h/shop')
	await at.take(text)
	const isSaved = async (text: string) => (await at.show(text)).connections[0]?.isSaved
	expect(await isSaved(text)).toBe(true)
	expect(await isSaved(variables('postgresql://ann@h:5432/shop?sslmode=require'))).toBe(true)
	expect(await isSaved(variables('postgresql://bob@h/shop'))).toBe(false)
	expect(await isSaved(variables('postgresql://ann@h/other'))).toBe(false)
	expect(await isSaved(variables('mysql://ann@h:5432/shop'))).toBe(false)
})

test('only the chosen ones are made, and a driver that is missing is installed for them alone', async () => {
	await using at = await world()
	installed = [postgres]
	const text = 'A_URL=postgresql://h/a\nB_URL=mysql://h/b\nC_URL=mysql://h/c\n'
	const { connections } = await at.show(text)
	expect(connections.map(({ needsDriver }) => needsDriver)).toEqual([false, true, true])
	expect((await at.take(text, { chosen: [0] })).map(({ name }) => name)).toEqual(['A_URL'])
	expect(ensured).toEqual(['postgres'])
	await at.take(text, { chosen: [2, 2] })
	expect(at.saved.list().map(({ name }) => name)).toEqual(['A_URL', 'C_URL'])
})

test('an engine without a driver is named and cannot be chosen', async () => {
	await using at = await world()
	const one = (provider: string) => ({ provider, name: provider, configuration: { host: 'h' } })
	const text = JSON.stringify({ connections: { a: one('oracle'), b: one('postgresql') } })
	expect((await at.show(text)).connections).toMatchObject([
		{ engine: 'oracle', fault: 'no driver is known for oracle' },
		{ engine: 'PostgreSQL' },
	])
	await expect(at.take(text, { chosen: [0, 1] })).rejects.toThrow('Connection 1 of the file cannot be imported.')
	await expect(at.take(text, { chosen: [7] })).rejects.toMatchObject({ code: 'connection/import_unfit' })
	expect(at.saved.list()).toEqual([])
})

test('a server without a host is not this machine', async () => {
	await using at = await world()
	expect((await at.show(server({ Host: '' }))).connections).toMatchObject([{ address: '', fault: 'it names no host' }])
})

test('what may be about something else is listed only with a driver', async () => {
	await using at = await world()
	const text = 'APP_URL=https://x.example\nMAIL_HOST=m\nDB_HOST=h\nDB_PORT=3306\nELASTICSEARCH_URL=http://es:9200\n'
	expect((await at.show(text)).connections.map(({ name, engine }) => [name, engine])).toEqual([
		['ELASTICSEARCH_URL', 'Elasticsearch'],
		['DB', 'MariaDB and MySQL'],
	])
	await expect(at.show('MAIL_HOST=m\n')).rejects.toThrow('It has no connection that a driver is known for.')
})

test('a tunnel is not left out: without one the same address is another machine', async () => {
	await using at = await world()
	installed = [{ ...postgres, takesSsh: false }]
	const text = server({ UseSSHTunnel: 1, TunnelHost: 'hop' })
	expect((await at.show(text)).connections).toMatchObject([
		{ ssh: 'hop', fault: 'its driver takes no way through SSH' },
	])
})

test('the folder of a Unix socket is read by the driver, which names no other place', async () => {
	await using at = await world()
	const text = '[local]\nhost=/run/postgresql\nport=5433\nuser=ann\ndbname=shop\n'
	expect((await at.show(text)).connections[0]?.address).toBe('/run/postgresql/shop as ann')
	answer = { socketPath: '/run/postgresql/.s.PGSQL.5433' }
	expect(await at.take(text)).toMatchObject([{ settings: { socketPath: '/run/postgresql/.s.PGSQL.5433' } }])
	expect((await at.show(text)).connections[0]?.isSaved).toBe(true)
	expect((await at.show(text.replace('/run', '/tmp'))).connections[0]?.isSaved).toBe(false)
	answer = { socketPath: '/run/docker.sock' }
	await expect(at.take(text)).rejects.toThrow('is not in the text that was pasted')
	answer = null
	await expect(at.take(text)).rejects.toThrow('cannot read the folder of its Unix socket')
})

test('an export of this program is shown and imported the same way', async () => {
	await using at = await world()
	await at.take(variables('postgresql://ann:s3cret@h/shop'), { takesSecrets: true })
	const text = JSON.stringify(fileOf(at.saved.list()))
	expect(await at.show(text)).toMatchObject({
		source: 'Roundhouse',
		connections: [{ name: 'DATABASE_URL', address: 'h:5432/shop as ann', isSaved: true, hasSecret: false }],
	})
	expect(await at.take(text)).toMatchObject([{ name: 'DATABASE_URL 2', settings: { host: 'h' }, secretKeys: [] }])
	const foreign = JSON.stringify({
		...fileOf([]),
		connections: [{ ...fileOf(at.saved.list()).connections[0], driverId: 'gone' }],
	})
	expect((await at.show(foreign)).connections).toMatchObject([{ fault: 'no driver is known for gone' }])
})
