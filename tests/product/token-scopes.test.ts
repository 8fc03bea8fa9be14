import { expect, test } from 'vitest'
import { Roundhouse } from '../support/roundhouse.ts'

test('explicit scopes create a token with exactly these, and a token without scopes is refused', async () => {
	await using roundhouse = await Roundhouse.make()
	const made = await roundhouse.json<{ scopes: string[] }>([
		'token',
		'create',
		'--name',
		'narrow',
		'--scope',
		'tools:read',
		'--scope',
		'driver:search-engine:admin',
	])
	expect(made.scopes).toEqual(['tools:read', 'driver:search-engine:admin'])
	const refused = await roundhouse.run(['token', 'create', '--name', 'nothing'])
	expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('at least one scope') })
})

test('created and revoked tokens are in the activity log', async () => {
	await using roundhouse = await Roundhouse.make()
	const { id } = await roundhouse.json<{ id: string }>(['token', 'create', '--name', 'mine', '--level', 'read-only'])
	await roundhouse.json(['token', 'revoke', id])
	const entries = (await roundhouse.run(['activity'])).stdout
	expect(entries).toMatch(/token\.created\s+\(mine\)\s+tools:read resources:read/)
	expect(entries).toMatch(/token\.revoked\s+\(mine\)/)
	expect(await roundhouse.run(['activity', 'verify'])).toMatchObject({ code: 0 })
})

test('token tools lists what a token shows with its cost for a model, and less for a read-only token', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const toolsOf = async (level: string) => {
		const { id } = await roundhouse.json<{ id: string }>(['token', 'create', '--name', level, '--level', level])
		return roundhouse.json<{ tools: { name: string; tokens: number }[]; tokens: number }>(['token', 'tools', id])
	}
	const [reads, writes] = [await toolsOf('read-only'), await toolsOf('read-write')]
	expect(reads.tools.map(({ name }) => name)).toContain('browse_table')
	expect(reads.tools.map(({ name }) => name)).not.toContain('insert_rows')
	expect(writes.tools.map(({ name }) => name)).toContain('insert_rows')
	expect(writes.tokens).toBeGreaterThan(reads.tokens)
	expect(reads.tokens).toBe(reads.tools.reduce((sum, { tokens }) => sum + tokens, 0))
	expect((await roundhouse.run(['token', 'tools', 'unknown'])).stderr).toContain('There is no token unknown')
})

test('the command line sets and changes groups of tools, and prints what the token shows then', async () => {
	await using roundhouse = await Roundhouse.make()
	await roundhouse.serve()
	const { id } = await roundhouse.json<{ id: string }>([
		'token',
		'create',
		'--name',
		'narrow',
		'--level',
		'full',
		'--group',
		'core',
		'--group',
		'diagnose',
	])
	const groups = (...args: string[]) =>
		roundhouse.json<{ groups: string[]; tools: { name: string }[]; tokens: number }>(['token', 'groups', ...args])
	const before = await groups(id)
	expect(before.groups).toEqual(['core', 'diagnose'])
	expect(before.tools.map(({ name }) => name)).not.toContain('insert_rows')
	const after = await groups(id, 'core', 'write')
	expect(after.groups).toEqual(['core', 'write'])
	expect(after.tools.map(({ name }) => name)).toContain('insert_rows')
	expect((await groups('bridge')).groups).toEqual(['core', 'write', 'custom'])
	expect((await groups('bridge', 'core')).tokens).toBeLessThan(after.tokens)
	const wrong = await roundhouse.run(['token', 'groups', id, 'everything'])
	expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('Groups are core, write, diagnose, driver') })
	expect((await roundhouse.run(['token', 'groups', 'unknown', 'core'])).stderr).toContain('There is no token unknown')
	expect((await groups(id)).groups).toEqual(['core', 'write'])
})
