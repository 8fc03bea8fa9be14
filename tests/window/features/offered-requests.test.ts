import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { overHttp } from '../../support/clients.ts'
import { SampleWindow } from '../../support/window.ts'

/** A saved request becomes a tool for AI clients, and is withdrawn when its text changes. */
describe('a request that is offered to AI clients', () => {
	let window: SampleWindow
	let client: Client
	const sheet = () => window.page.getByRole('dialog')
	const line = () => window.page.getByRole('list', { name: 'Saved requests' }).getByRole('listitem')
	const names = async () => (await client.listTools(undefined, { cacheMode: 'refresh' })).tools.map(({ name }) => name)
	const choose = async (entry: string) => {
		await line().getByRole('button').click({ button: 'right' })
		await window.page.getByRole('menuitem', { name: entry }).click()
	}
	const text =
		'GET /{{index}}/_search?size=1\n{"query": {"bool": {"filter": [{"term": {"level": "{{level}}"}}, {"range": {"status": {"gte": {{least}}}}}]}}}'

	let folder = ''
	/** Changes the file of the request, like another program. */
	async function write(changed: string): Promise<void> {
		const [file = ''] = await readdir(folder)
		const [name] = (await readFile(join(folder, file), 'utf8')).split('\n')
		await writeFile(join(folder, file), `${name}\n${changed}\n`)
	}

	beforeAll(async () => {
		window = await SampleWindow.open({ aiPolicy: 'allow' })
		const connections = await window.roundhouse.json<{ id: string }[]>(['connection', 'list'])
		client = await overHttp(window.ready.mcp.url, await window.roundhouse.addToken('read-only'))
		folder = join(window.roundhouse.home, 'requests', connections[0]?.id ?? '')
		await window.page.getByRole('button', { name: 'Console', exact: true }).first().click()
		await window.page.locator('.cm-content').click()
		await window.page.keyboard.insertText('GET /')
		await window.page.keyboard.press('ControlOrMeta+s')
		await sheet().getByLabel('Name').fill('Events by level')
		await sheet().getByRole('button', { name: 'Save', exact: true }).click()
		await line().getByText('Events by level').waitFor()
		await write(text)
	})
	afterAll(async () => {
		await client?.close()
		await window?.[Symbol.asyncDispose]()
	})

	test('is offered with its effect, a name, a description, and a description of each parameter', async () => {
		await choose('Offer to AI')
		await sheet().getByText('Reads', { exact: true }).waitFor()
		expect(await sheet().getByLabel('Tool').inputValue()).toBe('events_by_level')
		await sheet().getByRole('button', { name: 'Offer', exact: true }).click()
		await sheet().getByText('Say what the tool does. Say what each parameter is for.', { exact: true }).waitFor()
		await sheet().getByLabel('Description for the model').fill('Events of one level with a status of at least so much.')
		const place = (name: string) => sheet().getByRole('group', { name: `{{${name}}}` })
		await place('index').getByLabel('Description').fill('Where to look')
		await place('index').getByLabel('Type').selectOption('One of a list')
		await place('index').getByLabel('Choices').fill('events, books')
		await place('index').getByLabel('Default value').fill('events')
		await place('level').getByLabel('Description').fill('error, warn, info or debug')
		await place('least').getByLabel('Description').fill('The least status')
		await place('least').getByLabel('Type').selectOption('Whole number')
		await sheet().getByRole('button', { name: 'Offer', exact: true }).click()
		await line().getByTitle('Offered to AI clients as events_by_level').waitFor()
		expect(await names()).toContain('events_by_level')
	})

	test('runs for a client, and its values stay values', async () => {
		const call = async (args: Record<string, unknown>) => {
			const { structuredContent, content } = await client.callTool({ name: 'events_by_level', arguments: args })
			return (structuredContent ?? { text: JSON.stringify(content) }) as { total?: number; text?: string }
		}
		expect((await call({ level: 'error', least: 500 })).total).toBeGreaterThan(0)
		const attack = 'error"}}]}},"script_fields":{"x":{"script":"1"}},"y":{"z":[{"term":{"level":"error'
		expect((await call({ level: attack, least: 500 })).total).toBe(0)
		expect((await call({ index: 'places', level: 'error', least: 1 })).text).toContain('invalid_argument: index')
	})

	test('is withdrawn when its file changes, and the list and the sheet report that', async () => {
		await write(text.replace('size=1', 'size=100'))
		expect(await names()).not.toContain('events_by_level')
		await line().getByText('changed since it was offered').waitFor()
		await choose('Offer to AI')
		await sheet().getByText('Changed since it was offered. Clients get it again after you offer it again.').waitFor()
		expect(await sheet().getByLabel('Description for the model').inputValue()).toMatch(/^Events of one level/)
		await sheet().getByRole('button', { name: 'Offer again' }).click()
		await line().getByTitle('Offered to AI clients as events_by_level').waitFor()
		expect(await names()).toContain('events_by_level')
	})

	test('keeps its offer when it is renamed, until it is withdrawn', async () => {
		await choose('Rename or move')
		await sheet().getByLabel('Name').fill('Loud events')
		await sheet().getByRole('button', { name: 'Rename' }).click()
		await line().filter({ hasText: 'Loud events' }).getByTitle('Offered to AI clients as events_by_level').waitFor()
		expect(await names()).toContain('events_by_level')
		await choose('Offer to AI')
		await sheet().getByRole('button', { name: 'Withdraw' }).click()
		// The list is drawn again before the offer ends.
		await sheet().waitFor({ state: 'detached' })
		await line().getByTitle('Offered to AI clients as events_by_level').waitFor({ state: 'detached' })
		expect(await names()).not.toContain('events_by_level')
	})

	test('is refused if it is destructive, or has a placeholder where no value is allowed', async () => {
		await write('DELETE /books/_doc/{{id}}')
		await choose('Offer to AI')
		await sheet().getByText('This statement cannot be offered to AI clients: it may destroy data.').waitFor()
		expect(await sheet().getByRole('button', { name: 'Offer', exact: true }).isDisabled()).toBe(true)
		await sheet().getByRole('button', { name: 'Cancel' }).click()
		await write('GET /books/_search\n{"{{key}}": 1}')
		await choose('Offer to AI')
		await sheet().getByText('{{key}} cannot be used here: it is the name of a field.').waitFor()
		await sheet().getByRole('button', { name: 'Cancel' }).click()
		expect(window.faults).toEqual([])
	})
})
