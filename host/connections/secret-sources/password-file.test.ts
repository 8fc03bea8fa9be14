import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FormField, Settings } from '@roundhouse/kit/manifest'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { passwordOfFile } from './password-file.ts'

/** Files of the user, in a home of the test. */

const field = (key: string, more: Partial<FormField>): FormField => ({
	key,
	label: key,
	type: 'text',
	section: '',
	required: false,
	...more,
})
const form = [
	field('host', { addresses: { defaultPort: 5432, portField: 'port' } }),
	field('port', { type: 'number' }),
	field('socketPath', { isSocketPath: true }),
	field('database', { takes: 'database' }),
	field('username', { takes: 'username' }),
	field('password', { type: 'secret', takes: 'password', passwordFiles: ['pgpass', 'pg_service.conf', 'my.cnf'] }),
]
const here: Settings = { host: 'db.test', port: 5432, database: 'shop', username: 'ann' }

let home: string
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'roundhouse-home-'))
	vi.stubEnv('HOME', home)
	vi.stubEnv('PGPASSFILE', '')
	vi.stubEnv('PGSERVICEFILE', '')
})
afterEach(async () => {
	vi.unstubAllEnvs()
	await rm(home, { recursive: true, force: true })
})

async function put(name: string, text: string, mode = 0o600): Promise<void> {
	await writeFile(join(home, name), text)
	await chmod(join(home, name), mode)
}

describe('~/.pgpass', () => {
	test.each<[string, string, Settings, string]>([
		['the first line that fits', 'other:5432:shop:ann:no\ndb.test:5432:shop:ann:yes\n*:*:*:*:later', here, 'yes'],
		['stars', '# comment\n\n*:*:*:ann:s3', here, 's3'],
		['an escaped colon and backslash', 'db.test:5432:shop:ann:a\\:b\\\\c', here, 'a:b\\c'],
		['an escaped star is a star', '\\*:*:*:*:no\n*:*:*:*:yes', here, 'yes'],
		['what stands behind the password', 'db.test:5432:shop:ann:s3:rest', here, 's3'],
		['an address of IPv6', '\\:\\:1:5432:*:*:six', { ...here, host: '[::1]' }, 'six'],
		['a second address', 'b:5433:*:*:second', { ...here, host: 'a,b:5433' }, 'second'],
		['a Unix socket', 'localhost:5433:*:*:local', { ...here, socketPath: '/run/postgresql/.s.PGSQL.5433' }, 'local'],
		[
			'the folder of one',
			'/run/postgresql:5433:*:*:dir',
			{ ...here, socketPath: '/run/postgresql/.s.PGSQL.5433' },
			'dir',
		],
	])('%s', async (_, text, settings, password) => {
		await put('.pgpass', text)
		expect(await passwordOfFile('pgpass', form, settings)).toBe(password)
	})

	test('another file is named by PGPASSFILE', async () => {
		await put('elsewhere', '*:*:*:*:s3')
		vi.stubEnv('PGPASSFILE', join(home, 'elsewhere'))
		expect(await passwordOfFile('pgpass', form, here)).toBe('s3')
	})

	test('no line fits', async () => {
		await put('.pgpass', 'db.test:5432:shop:bob:no\nshort:line')
		await expect(passwordOfFile('pgpass', form, here)).rejects.toThrow('no line of ~/.pgpass fits this connection')
	})

	test.each([0o640, 0o604])('a file of mode %o is refused, as libpq does', async mode => {
		await put('.pgpass', '*:*:*:*:s3', mode)
		await expect(passwordOfFile('pgpass', form, here)).rejects.toThrow('other users of this machine can read ~/.pgpass')
	})

	test('there is none', async () => {
		const reading = passwordOfFile('pgpass', form, here)
		await expect(reading).rejects.toThrow(/^~\/\.pgpass cannot be read: ENOENT/)
		await expect(reading).rejects.not.toThrow(home)
	})
})

describe('~/.pg_service.conf', () => {
	const service = (lines: string) => `# services\n[other]\nhost=other\npassword=no\n[shop]\n${lines}\n`
	test.each<[string, string, Settings]>([
		['the service that leads there', 'host=db.test\nport=5432\ndbname=shop\nuser=ann\npassword=yes', here],
		['what it leaves open', 'host = db.test\npassword = yes', here],
		['an address in figures', 'hostaddr=10.0.0.1\npassword=yes', { ...here, host: '10.0.0.1' }],
		['a Unix socket', 'port=5433\npassword=yes', { ...here, socketPath: '/run/postgresql/.s.PGSQL.5433' }],
	])('%s', async (_, lines, settings) => {
		await put('.pg_service.conf', service(lines))
		expect(await passwordOfFile('pg_service.conf', form, settings)).toBe('yes')
	})

	test.each([
		'host=db.test\nuser=bob',
		'host=db.test\ndbname=stock',
		'host=db.test\nport=1',
		'host=else',
	])('a service with %j does not fit', async lines => {
		await put('.pg_service.conf', service(`${lines}\npassword=no`))
		await expect(passwordOfFile('pg_service.conf', form, here)).rejects.toThrow('no line of ~/.pg_service.conf fits')
	})

	test('another file is named by PGSERVICEFILE, and one that others can read is refused', async () => {
		await put('elsewhere', service('host=db.test\npassword=yes'))
		vi.stubEnv('PGSERVICEFILE', join(home, 'elsewhere'))
		expect(await passwordOfFile('pg_service.conf', form, here)).toBe('yes')
		await chmod(join(home, 'elsewhere'), 0o644)
		await expect(passwordOfFile('pg_service.conf', form, here)).rejects.toThrow('other users of this machine can read')
	})
})

describe('~/.my.cnf', () => {
	test.each<[string, string, string]>([
		['the group of all clients', '[mysqld]\npassword=no\n[client]\npassword=yes\n[mysql]\npassword=no', 'yes'],
		['the last one', '[client]\npassword=a\npassword = b', 'b'],
		['quotes and a comment', '[client]\npassword = "a # b" # the key', 'a # b'],
		['no quotes and a comment', '[client]\npassword = a#b # the key', 'a#b'],
		['escapes', '[client]\npassword = a\\sb\\\\c', 'a b\\c'],
	])('%s', async (_, text, password) => {
		await put('.my.cnf', text, 0o644)
		expect(await passwordOfFile('my.cnf', form, here)).toBe(password)
	})

	test('one that others can write is refused, as the clients do', async () => {
		await put('.my.cnf', '[client]\npassword=x', 0o666)
		await expect(passwordOfFile('my.cnf', form, here)).rejects.toThrow(
			'other users of this machine can write ~/.my.cnf',
		)
	})
})
