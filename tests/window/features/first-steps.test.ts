import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FirstStep } from '../../../host/api/api.ts'
import { openBrowser, openPage } from '../../support/browser.ts'
import { alterAnswers } from '../../support/host-answers.ts'
import { Pictures } from '../../support/pictures.ts'
import { Roundhouse } from '../../support/roundhouse.ts'

/** The first screen of a fresh installation, and the line about a newer release. */

let browser: Browser
let roundhouse: Roundhouse
const faults: string[] = []
beforeAll(async () => {
	browser = await openBrowser()
	roundhouse = await Roundhouse.make()
	await roundhouse.serve()
})
afterAll(async () => {
	await browser?.close()
	await roundhouse?.[Symbol.asyncDispose]()
	expect(faults).toEqual([])
})

const steps = (page: Page) => page.getByRole('list', { name: 'First steps' })
const step = (page: Page, name: string | RegExp) => steps(page).getByRole('button', { name })

test('an AI client is set up from the first screen', async () => {
	const page = await openPage(browser, roundhouse, faults)
	await step(page, /^Set up an AI client/).click()
	await page.getByRole('dialog', { name: 'Settings' }).getByRole('group', { name: 'Set up a client' }).waitFor()
	await page.close()
})

test('a server on this machine is offered with its engine, and the form names it', async () => {
	const page = await openPage(browser, roundhouse, faults, async page => {
		const withServer = (found: readonly FirstStep[]) => {
			const [first] = found
			return first ? [{ ...first, server: 'localhost:1234' }, ...found] : found
		}
		await alterAnswers(page, { 'drivers.firstSteps': withServer })
	})
	await step(page, /^Connect to .* at localhost:1234/).waitFor()
	await (await Pictures.into('test-results/first-steps')).take(page, 'first steps', 'light')
	await step(page, /^Connect to /).click()
	await page.getByRole('dialog').getByRole('button', { name: 'Download and install' }).waitFor()
	await page.close()
})

test('a newer release is named until it is dismissed', async () => {
	const update = { version: '9.1.0', how: 'Run: npm install --global roundhouse-db@9.1.0' }
	const open = () => openPage(browser, roundhouse, faults, page => alterAnswers(page, { 'app.update': () => update }))
	const page = await open()
	const notice = page.getByRole('status').filter({ hasText: 'Roundhouse 9.1.0 is available.' })
	await notice.waitFor()
	await notice.getByRole('button', { name: 'Dismiss' }).click()
	await notice.waitFor({ state: 'hidden' })
	// The choice is stored a moment later.
	await expect
		.poll(() => roundhouse.withHost(host => host.call('preferences.read', {})))
		.toMatchObject({ 'update/dismissed': '9.1.0' })
	await page.close()
	const again = await open()
	await steps(again).waitFor()
	expect(await again.getByText('is available').count()).toBe(0)
	await again.close()
})

test('the sample leads from the first screen to rows', async () => {
	const page = await openPage(browser, roundhouse, faults)
	await step(page, /^Use the sample Elasticsearch/).click()
	await page.getByRole('dialog').getByRole('button', { name: 'Download and install' }).click()
	await page.getByRole('dialog').getByText('This connection uses the sample').waitFor()
	await page.getByRole('dialog').getByRole('button', { name: 'Save and open' }).click()
	await page.getByRole('list', { name: 'Indices' }).getByRole('button', { name: 'books' }).click()
	await page.getByRole('grid', { name: 'books' }).getByRole('gridcell').first().waitFor()
	await page.close()
})
