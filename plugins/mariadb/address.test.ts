import { expect, test } from 'vitest'
import { readAddress } from './address.ts'

test.each<readonly [string, object]>([
	[
		'mysql://ada:p%40ss@db.example:3307/shop?ssl-mode=VERIFY_CA&connectTimeout=5',
		{
			host: 'db.example',
			port: 3307,
			database: 'shop',
			username: 'ada',
			password: 'p@ss',
			sslMode: 'VERIFY_CA',
			connectTimeoutSeconds: 5,
		},
	],
	['mariadb://localhost?constructor=a&toString=b', { host: 'localhost' }],
	['mariadb://localhost', { host: 'localhost' }],
	['mysql://[::1]:3307/a', { host: '::1', port: 3307, database: 'a' }],
	[
		'jdbc:mariadb://h/d?user=u&password=p&sslMode=verify-full',
		{
			host: 'h',
			database: 'd',
			username: 'u',
			password: 'p',
			sslMode: 'VERIFY_IDENTITY',
		},
	],
	['mysql+pymysql://u@h/d', { host: 'h', username: 'u', database: 'd' }],
	['mysql -h h -P 3307 -u u shop', { host: 'h', port: 3307, username: 'u', database: 'shop' }],
	[
		"mariadb --host=h -uada -p'a b' --ssl-mode=REQUIRED -D shop",
		{
			host: 'h',
			username: 'ada',
			password: 'a b',
			sslMode: 'REQUIRED',
			database: 'shop',
		},
	],
	[
		'MYSQL_PWD=secret /usr/bin/mysql -p -S /run/mysqld/mysqld.sock',
		{
			password: 'secret',
			socketPath: '/run/mysqld/mysqld.sock',
		},
	],
])('reads %s', (text, settings) => {
	expect(readAddress(text)).toEqual(settings)
})

test.each(['postgres://h/d', 'select 1', 'host=h', 'mysqldump shop', ''])('%s is no address', text => {
	expect(readAddress(text)).toBeUndefined()
})
