import { directContext } from '@roundhouse/kit/testing'
import { expect, test } from 'vitest'
import { startServer } from '../servers/server.ts'
import { readSettings } from '../settings.ts'
import { call } from '../test/fixture.ts'
import { openSession } from '../wire/open-session.ts'
import { isCommittedSince, snapshotQuery, unchangedSince } from './unchanged.ts'

test('a snapshot is the same until a transaction that changed something commits', async () => {
	await using server = await startServer({ settings: { max_prepared_transactions: '2' } })
	const { signal } = call()
	const open = () => openSession(readSettings(server.settings), directContext(), signal, { path: 'own' })
	const [session, first, second] = [await open(), await open(), await open()]
	const taken = async () => (await session.read(snapshotQuery, signal)).rows[0]?.[0] ?? ''
	const isSame = (snapshot: string) =>
		session.read({ sql: 'select 1' }, signal, { guard: unchangedSince(snapshot) }).then(
			() => true,
			error => {
				if (isCommittedSince(error)) return false
				throw error
			},
		)
	try {
		const quiet = await taken()
		await first.read({ sql: 'select count(*) from pg_class' }, signal)
		expect(await isSame(quiet)).toBe(true)
		await server.sql('create function public.abs(int) returns int language sql as $$select 1$$')
		expect(await isSame(quiet)).toBe(false)
		// Both are in progress, and the later one commits first.
		for (const [one, name] of [
			[first, 'early'],
			[second, 'late'],
		] as const)
			await one.command(`begin; create table public.${name} ()`, signal)
		const open = await taken()
		expect(await isSame(open)).toBe(true)
		await second.command('commit', signal)
		expect(await isSame(open)).toBe(false)
		const afterwards = await taken()
		await first.command('commit', signal)
		expect(await isSame(afterwards)).toBe(false)
		await server.sql(
			"begin; create function public.sin(int) returns int language sql as 'select 1'; prepare transaction 'two'",
		)
		const prepared = await taken()
		expect(await isSame(prepared)).toBe(true)
		await server.sql("commit prepared 'two'")
		expect(await isSame(prepared)).toBe(false)
		await first.command(
			'begin; savepoint a; create function public.cos(int) returns int language sql as $$select 1$$',
			signal,
		)
		await first.command('release savepoint a', signal)
		const within = await taken()
		await first.command('commit', signal)
		expect(await isSame(within)).toBe(false)
	} finally {
		for (const one of [session, first, second]) one.close()
	}
})
