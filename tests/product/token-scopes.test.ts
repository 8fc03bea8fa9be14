import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

test('scopes alone make a token with exactly these, and a token of nothing is refused', async () => {
	await using roundhouse = await Roundhouse.make()
	const made = await roundhouse.json<{ scopes: string[] }>([
		...['token', 'create', '--name', 'narrow', '--scope', 'tools:read', '--scope', 'driver:search-engine:admin'],
	])
	expect(made.scopes).toEqual(['tools:read', 'driver:search-engine:admin'])
	const refused = await roundhouse.run(['token', 'create', '--name', 'nothing'])
	expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('at least one scope') })
})

test('tokens that are made and revoked stand in the log', async () => {
	await using roundhouse = await Roundhouse.make()
	const { id } = await roundhouse.json<{ id: string }>(['token', 'create', '--name', 'mine', '--level', 'read-only'])
	await roundhouse.json(['token', 'revoke', id])
	const entries = (await roundhouse.run(['activity'])).stdout
	expect(entries).toMatch(/token\.created\s+\(mine\)\s+tools:read resources:read/)
	expect(entries).toMatch(/token\.revoked\s+\(mine\)/)
	expect(await roundhouse.run(['activity', 'verify'])).toMatchObject({ code: 0 })
})
