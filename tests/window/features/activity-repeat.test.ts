import type { Client } from '@modelcontextprotocol/client'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from '../../support/browser.ts'
import { overHttp } from '../../support/clients.ts'
import { Roundhouse } from '../../support/roundhouse.ts'
import { toggle } from '../../support/window.ts'

/** The user reads in Activity what a client ran, and repeats it in a console. */
let browser: Browser
let roundhouse: Roundhouse
let page: Page
let client: Client
let connection = ''
const faults: string[] = []

beforeAll(async () => {
	roundhouse = await Roundhouse.make()
	connection = await roundhouse.addSample('--external-access', 'read-write', '--ai-policy', 'ask')
	const token = await roundhouse.addToken('full')
	const { mcp } = await roundhouse.serve()
	browser = await openBrowser()
	page = await openPage(browser, roundhouse, faults)
	client = await overHttp(mcp.url, token)
})
afterAll(async () => {
	await client?.close()
	await browser?.close()
	await roundhouse?.[Symbol.asyncDispose]()
})

const query = (text: string) =>
	client.callTool({ name: 'query', arguments: { connection_id: connection, query: text } })
const entry = (text: string) => page.getByRole('listitem').filter({ hasText: text })
const statement = 'GET /books/_search?size=3'

test('an entry shows connection, verdict, rows, duration and the redacted statement', async () => {
	const asked = query(statement)
	await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).click()
	expect((await asked).isError ?? false).toBe(false)
	await query(`${statement}&api_key=abcdef123456`)
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'Activity' }).click()
	await entry(`${statement}&api_key=[redacted]`).waitFor()
	const words = await entry(statement).last().innerText()
	expect(words).toMatch(/tool\.query[\s\S]*Sample[\s\S]*read · 3 rows · [\d,]+ ms/)
	expect(await page.getByText('abcdef123456').count()).toBe(0)
	const picture = process.env.ROUNDHOUSE_PICTURE
	if (picture) await page.screenshot({ path: picture })
})

test('"Repeat in console" opens a console with the statement, and runs nothing', async () => {
	await entry(statement).last().getByRole('button', { name: 'Repeat in console' }).click()
	await page.getByRole('dialog').waitFor({ state: 'detached' })
	await page.locator('.cm-content').getByText(statement).waitFor()
	const entries = await roundhouse.run(['activity'])
	expect(entries.stdout.split(statement)).toHaveLength(3)
	expect(await roundhouse.json(['activity', 'verify'])).toMatchObject({ ok: true })
})

test('with the setting off, a statement is not kept', async () => {
	await page.getByRole('button', { name: 'Settings' }).click()
	await page.getByRole('tab', { name: 'AI access' }).click()
	await toggle(page.getByLabel('Keep statements in Activity'), false)
	await query('GET /books/_count')
	await page.getByRole('tab', { name: 'Activity' }).click()
	await entry('tool.query').nth(2).waitFor()
	expect((await roundhouse.run(['activity', '--json'])).stdout).not.toContain('_count')
	expect(faults).toEqual([])
})
