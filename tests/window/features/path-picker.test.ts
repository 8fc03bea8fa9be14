import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareForAxe, violationsOn } from '../../support/axe.ts'
import { SampleWindow } from '../../support/window.ts'

/** A field that takes a path has a picker, because a browser does not tell a page the paths of files. */
let window: SampleWindow
let home: string
const page = () => window.page
const form = () => page().getByRole('dialog', { name: /Elasticsearch|connection/i })
const certificate = () => page().getByLabel('CA certificate', { exact: true })
const picker = () => page().getByRole('dialog', { name: 'Choose CA certificate' })
const option = (name: string) => picker().getByRole('option', { name, exact: true })

beforeAll(async () => {
	home = await realpath(await mkdtemp(join(tmpdir(), 'roundhouse-person-')))
	await mkdir(join(home, 'certificates', 'old'), { recursive: true })
	await writeFile(join(home, 'certificates', 'ca.pem'), 'not read by the picker')
	window = await SampleWindow.open({}, 0, { HOME: home })
	await prepareForAxe(page())
	await page().getByRole('button', { name: 'New connection' }).first().click()
	await page()
		.getByRole('dialog')
		.getByRole('button', { name: /Elasticsearch/ })
		.first()
		.click()
	await page().getByLabel('SSL mode', { exact: true }).selectOption('Verify CA')
	await certificate().waitFor()
})
afterAll(async () => {
	await window?.[Symbol.asyncDispose]()
	await rm(home, { recursive: true, force: true })
})

test('with the mouse: a click opens a folder or puts a file in the field, and the form stays open', async () => {
	await page().getByRole('button', { name: 'Choose CA certificate' }).click()
	await option('certificates').click()
	await option('ca.pem').waitFor()
	expect(await violationsOn(page(), async () => {})).toEqual({ inLight: [], inDark: [] })
	await option('ca.pem').click()
	await expect.poll(() => certificate().inputValue()).toBe(join(home, 'certificates', 'ca.pem'))
	await form().waitFor()
})

test('the first key reaches the picker, however soon it follows', async () => {
	// As text, because the types of tests have no page. It reads the focus before any timer and any key.
	const focused = page().evaluate(`new Promise(resolve => {
		const observer = new MutationObserver(async () => {
			if (!document.querySelector('.picker-search')) return
			observer.disconnect()
			for (let turn = 0; turn < 10; turn++) await undefined
			resolve(document.activeElement.className)
		})
		observer.observe(document.body, { childList: true, subtree: true })
	})`)
	await page().getByRole('button', { name: 'Choose CA certificate' }).press('Enter')
	expect(await focused).toBe('picker-search')
	await page().keyboard.press('Escape')
	await picker().waitFor({ state: 'detached' })
})

test('with the keyboard: the picker opens in the folder of the current path, the user can go up, and Escape changes nothing', async () => {
	await page().getByRole('button', { name: 'Choose CA certificate' }).press('Enter')
	await option('old').waitFor()
	await page().keyboard.press('Enter')
	await option('certificates').waitFor()
	await page().keyboard.press('Escape')
	await picker().waitFor({ state: 'detached' })
	expect(await certificate().inputValue()).toBe(join(home, 'certificates', 'ca.pem'))
	await form().waitFor()
	expect(window.faults).toEqual([])
})
