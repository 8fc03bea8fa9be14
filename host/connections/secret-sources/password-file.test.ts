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
	field('password', { type: 'secret', takes: 'password', passwordFiles: ['pgpass', 'my.cnf'] }),
]
const here: Settings = { host: 'db.test', port: 5432, database: 'shop', username: 'ann' }

let home: string
beforeEach(async () => {
	home = await mkdtemp(join(tmpdir(), 'roundhouse-home-'))
	vi.stubEnv('HOME', home)
	vi.stubEnv('PGPASSFILE', '')
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
