import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../servers/server.ts'
import { call, open } from '../test/fixture.ts'
import { hiddenMarks, hiddenRows, hiddenSchema, hiddenViews } from '../test/hidden-schema.ts'

/** The text for a role without hidden columns is run as it is, and the server keeps the role from them. */

let server: TestServer
beforeAll(async () => {
	server = await startServer()
	await server.sql('create database w0')
	await server.sql(hiddenSchema, 'w0')
	for (const [name, definition] of hiddenViews) await server.sql(`create view ${name} as ${definition}`, 'w0')
	await server.sql(hiddenRows(0), 'w0')
	await server.sql('grant select on people_a, contacts, goods to public', 'w0')
})
afterAll(() => server[Symbol.asyncDispose]())

const settings = () => ({ ...server.settings, database: 'w0' })

test('the prepared role reads free columns, and the server refuses it the hidden ones', async () => {
	await using owner = await open(settings())
	const text = await owner.restrictedLogin(hiddenMarks, call())
	expect(text).toContain('grant select ("id", "team", "name"')
	expect(text).toContain('-- Left out: The view public.contacts uses columns that are hidden by the user.')
	expect(text).toContain('revoke select on public.people_a from public;')
	expect(text).toContain('revoke select on public.contacts from public;')
	expect(text).not.toContain('revoke select on public.goods')
	expect(text).toContain('-- "public"."pay_of"')
	await server.sql(text.replace('choose a password', 'correct horse'), 'w0')
	const hidden: readonly (readonly [table: string, columns: readonly string[]])[] = [
		...['people', 'people_a', 'people_b'].map(name => [name, ['email', 'phone', 'pay', 'mail_host']] as const),
		['badges', ['id', 'pin']],
		['badge_parts', ['badge']],
		['claims', ['mail']],
	]
	const mayRead = async (table: string, column: string) => {
		const [row] = await server.sql(
			`select has_column_privilege('roundhouse_ai', '${table}', '${column}', 'select') as is`,
			'w0',
		)
		return row?.is
	}
	for (const [table, columns] of hidden)
		for (const column of columns) expect([table, column, await mayRead(table, column)]).toEqual([table, column, false])
	for (const [view, , isFree] of hiddenViews) {
		const name = view.replace(/ .*/, '')
		const [row] = await server.sql(`select has_table_privilege('roundhouse_ai', '${name}', 'select') as is`, 'w0')
		expect([name, row?.is]).toEqual([name, isFree])
	}
	const login = { ...settings(), username: 'roundhouse_ai', password: 'correct horse' }
	await using role = await open(login)
	const run = async (sql: string) => {
		const [verdict] = await role.console.analyse(sql, call())
		if (!verdict) throw new Error('no statement')
		return role.console.run({ ...verdict, text: sql }, { maxRows: 10 }, call())
	}
	for (const sql of [
		'select id, name from people',
		'select count(*) from people',
		'select * from goods',
		'select * from lent',
	])
		await expect(run(sql)).resolves.toBeDefined()
	for (const sql of [
		'select email from people',
		'select * from people',
		'select p from people p',
		'select * from contacts',
	])
		await expect(run(sql)).rejects.toThrow(/permission denied/)
	await expect(run("update goods set name = 'x'")).rejects.toThrow(/read-only|permission denied/)
})
