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
	["select set_config('my.api_token', 'x', false)", "select set_config('my.api_token', #, false)"],
	["do $$ begin execute 'alter role bob password ''x'''; end $$", 'do #'],
	["select * from users where name = 'password reset'", 'select * from users where name = #'],
	["select 'a', 'b' from tokens", "select 'a', 'b' from tokens"],
	["insert into notes values ('plain')", "insert into notes values ('plain')"],
])('%s is stored as %s', (text, stored) => {
	expect(redacted(text)).toBe(stored)
})
