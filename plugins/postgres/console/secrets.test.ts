import { expect, test } from 'vitest'
import { split } from '../sql/split.ts'
import { secretsOf } from './secrets.ts'

/** Returns a statement with its secrets replaced. */
function redacted(text: string): string {
	const [piece] = split(text)
	if (!piece) throw new Error('no statement')
	return secretsOf(text, piece)
		.toReversed()
		.reduce((rest, { start, end }) => `${rest.slice(0, piece.start + start)}#${rest.slice(piece.start + end)}`, text)
}

test.each([
	["alter role bob password 'x'", 'alter role bob password #'],
	["create user u with encrypted password 'x' login", 'create user u with encrypted password # login'],
	["create role r password $$it's$$", 'create role r password #'],
	[
		"create user mapping for u server s options (user 'u', password 'x')",
		"create user mapping for u server s options (user 'u', password #)",
	],
	[
		"create subscription s connection 'host=h password=x' publication p",
		'create subscription s connection # publication p',
	],
	["set my.api_token = 'x'", 'set my.api_token = #'],
	["set local my.api_token to 'x'", 'set local my.api_token to #'],
	['set app.secret_token = abc123', 'set app.secret_token = #'],
	['set my.password to abc', 'set my.password to #'],
	['SET SESSION "my"."api_key" = "abc", -12', 'SET SESSION "my"."api_key" = #'],
	['set my.token /* = */ abc def', 'set my.token /* = */ #'],
	['alter role bob in database d set app.token = abc', 'alter role bob in database d set app.token = #'],
	['alter system set primary_conninfo to abc', 'alter system set primary_conninfo to #'],
	[
		"create function f() returns int set app.token = x as 'a' language sql",
		'create function f() returns int set app.token = #',
	],
	["update u set password = crypt('x', gen_salt('bf'))", "update u set password = crypt(#, gen_salt('bf'))"],
	['set search_path = tokens', 'set search_path = tokens'],
	['alter table tokens alter column a set default 5', 'alter table tokens alter column a set default 5'],
	['update t set token = 5 where id = 3', 'update t set token = 5 where id = 3'],
	["select set_config('my.api_token', 'x', false)", "select set_config('my.api_token', #, false)"],
	["do $$ begin execute 'alter role bob password ''x'''; end $$", 'do #'],
	["select * from users where name = 'password reset'", 'select * from users where name = #'],
	["select 'a', 'b' from tokens", "select 'a', 'b' from tokens"],
	["insert into notes values ('plain')", "insert into notes values ('plain')"],
])('%s is stored as %s', (text, stored) => {
	expect(redacted(text)).toBe(stored)
})
