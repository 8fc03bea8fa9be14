import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test.each<readonly [string, object, object]>([
	[
		'postgresql://ada:p%40ss@db.example:6543/shop?sslmode=verify-full&application_name=app',
		{ host: 'db.example', port: 6543, database: 'shop', username: 'ada', password: 'p@ss' },
		{ sslMode: 'verify-full', applicationName: 'app' },
	],
	['postgres://localhost?constructor=a', { host: 'localhost' }, {}],
	['postgres://localhost', { host: 'localhost' }, {}],
	['postgres://[::1]:5433/a', { host: '::1', port: 5433, database: 'a' }, {}],
	['postgres:///a?host=/run/postgresql', { database: 'a', socketPath: '/run/postgresql/.s.PGSQL.5432' }, {}],
	['jdbc:postgresql://h/d?user=u&password=p', { host: 'h', database: 'd', username: 'u', password: 'p' }, {}],
	[
		"host=h port=5433 dbname='my db' user=u password='it\\'s'",
		{ host: 'h', port: 5433, database: 'my db' },
		{ username: 'u', password: "it's" },
	],
	['psql -h h -p 5433 -U u shop', { host: 'h', port: 5433, username: 'u', database: 'shop' }, {}],
	[
		"PGPASSWORD='a b' psql --host=h -Uada -d shop",
		{ host: 'h', username: 'ada', database: 'shop', password: 'a b' },
		{},
	],
	['psql "postgresql://u@h/d"', { host: 'h', username: 'u', database: 'd' }, {}],
	['psql "host=h dbname=d" -U u', { host: 'h', database: 'd', username: 'u' }, {}],
])('reads %s', (text, settings, more) => {
	expect(readAddress(text)).toEqual({ ...settings, ...more })
})

test.each(['https://example.com', 'curl -u a:b', 'hello', 'select 1 = 1', ''])('%j is no address', text => {
	expect(readAddress(text)).toBeUndefined()
})
